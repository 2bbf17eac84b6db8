"""Forms that are recognised by asking: parts that answer on a USB cable or on a bus.

Invariants: no line of the header is driven, and nothing is written to a chip. Serial ports are asked as a
board is read, in turns that don't wait; buses only on a Raspberry Pi, since those of other computers lead to
parts of theirs. A part that doesn't answer is not a fault.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from firmware_host.config.wiring_map import ADC_MAX, EXPANDER_INPUTS, EXPANDERS
from firmware_host.errors import SensorError
from firmware_host.settings import Sensors
from hardware.bus.pi import model
from hardware.machine import Machine
from hardware.sensors.adc import AdcScanner
from hardware.serial.board import BOOT_S, SerialScanner
from hardware.serial.port import usb_ports

ANSWERS_WITHIN_S = BOOT_S + 1.0
"""The time within which a controller answers, even if opening its port has started it again."""
_BY_ID = Path("/dev/serial/by-id")
_NEAR_REST = range(ADC_MAX // 20, ADC_MAX - ADC_MAX // 20)
"""The readings that only a linear sensor gives: an open input, and one without a chip, are near an end."""


class FormProbe:
    """Asks the parts of `machine` for a board with `points`.

    `ports` returns the USB serial ports, and `has_buses` tells whether the buses are those of a Pi.
    """

    def __init__(
        self,
        machine: Machine,
        points: int,
        *,
        ports: Callable[[], Sequence[str]] = usb_ports,
        has_buses: bool | None = None,
    ) -> None:
        self._machine, self._points, self._ports = machine, points, ports
        self._has_buses = bool(model()) if has_buses is None else has_buses
        self._asked: dict[str, SerialScanner] = {}
        self._begun_s = 0.0
        self.recognised: tuple[Sensors, ...] = ()
        """The sensors whose form was recognised, once all have been asked."""

    @property
    def is_worthwhile(self) -> bool:
        """True if there is a header, or a port, on which a board may be."""
        return self._has_buses or bool(self._ports())

    def begin(self) -> None:
        """Ask all parts, again if they were asked before."""
        self.close()
        ports = self._ports()
        names = [""] if len(ports) == 1 else map(lasting_name, ports)
        self._asked = {name: self._machine.serial(name).scanner(()) for name in names}
        self._begun_s = self._machine.now()
        self.recognised = ()

    def step(self) -> bool:
        """Listen to what has come. Return whether all have answered, or won't."""
        boards = {name: self._machine.serial(name) for name in self._asked}
        for board in boards.values():
            board.pump()
        hellos = {name: board.hello for name, board in boards.items() if board.hello is not None}
        if len(hellos) < len(boards) and self._machine.now() - self._begun_s < ANSWERS_WITHIN_S:
            return False
        contacts = {name: hello.chips * hello.channels for name, hello in hellos.items()}
        serial = [
            Sensors(kind="serial", alphabet=self._alphabet(count), port=name)
            for name, count in contacts.items()
            if count >= self._points
        ]
        self.recognised = (*serial, *(self._on_buses() if self._has_buses else ()))
        return True

    def close(self) -> None:
        """Release the ports, which another user may have opened in the meantime."""
        for scanner in self._asked.values():
            scanner.close()
        self._asked = {}

    def _alphabet(self, contacts: int) -> str:
        return "polarity" if contacts >= 2 * self._points else "presence"

    def _on_buses(self) -> Iterator[Sensors]:
        expanders = tuple(self._expanders(Sensors().i2c))
        inputs = len(expanders) * len(EXPANDER_INPUTS)
        if inputs >= self._points:
            yield Sensors(kind="mcp23017", alphabet=self._alphabet(inputs), expanders=expanders)
        if self._has_converter():
            yield Sensors(kind="mcp3008", alphabet="polarity")

    def _expanders(self, device: str) -> Iterator[int]:
        try:
            bus = self._machine.i2c(device)
        except SensorError:
            return
        for address in EXPANDERS:
            try:
                bus.reading(address, 0, 1)()
            except OSError:  # nobody has this address
                continue
            yield address
        bus.close()

    def _has_converter(self) -> bool:
        usual = Sensors()
        wires = [(chip, 0) for chip in range(len(usual.inputs))]
        try:
            spi = self._machine.adc(usual.adc)
            with AdcScanner(spi, usual.inputs, None, wires, settling_us=0, sleep=self._machine.sleep) as adc:
                return all(level in _NEAR_REST for level in adc.scan())
        except SensorError:
            return False


def lasting_name(device: str, folder: Path = _BY_ID) -> str:
    """Return the name of a serial port that stays the same when others are plugged in, if it has one."""
    names = sorted(folder.glob("*"))
    return next((str(name) for name in names if name.resolve() == Path(device).resolve()), device)
