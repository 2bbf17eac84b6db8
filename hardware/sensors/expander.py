"""Switches on MCP23017 port expanders, which the Pi reads by I2C.

Invariants: a chip is configured as a whole, and again if it has lost its configuration, as after a dip of its
supply; so a change is accepted only once the chip has shown that it still has its settings, and these are
checked now and then even if nothing changes. Both ports of a chip are read in one transfer.

A contact connects its pin to ground, and the chip's own resistor (about 100 kOhm) pulls the pin up. GPA7 and
GPB7 are not inputs: by Microchip's data sheet since revision D of 2022 (DS20001952), one that changes while
its port is read can corrupt the transfer. They are driven low, which no contact minds.
"""

from __future__ import annotations

import errno
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from types import TracebackType
from typing import TypeVar

from firmware_host.errors import SensorError
from firmware_host.i18n import Message
from hardware.bus.gpio import Pull
from hardware.bus.i2c import I2c
from hardware.scanner import Levels, Wire

_T = TypeVar("_T")

# Table 3-5 of the data sheet: the registers of port A while IOCON.BANK is 0; that of port B follows each.
IODIR, IOCON, GPPU, GPIO, OLAT = 0x00, 0x0A, 0x0C, 0x12, 0x14

_IOCON_OF_BANK_1 = 0x05
"""The address of IOCON while BANK is 1; while it is 0 that is GPINTENB, which should be 0 anyway."""

_INPUTS = bytes([0x7F, 0x7F])

_CHECK_INTERVAL = 100
"""The number of scans between checks of the settings: twice a second."""

_NOT_ACKNOWLEDGED = (errno.EREMOTEIO, errno.ENXIO)
"""The errors of the kernel's drivers if no chip acknowledges an address."""


class ExpanderScanner:
    """A Scanner on the chips at `addresses` of `bus`, which is closed with it and called `name` in errors.

    A chip's channels 0 to 7 are its pins GPA0 to GPA7, 8 to 15 GPB0 to GPB7. These chips have no pull-down:
    with any pull but "up" the pins float. Raises SensorError if a chip cannot be configured.
    """

    def __init__(
        self, bus: I2c, addresses: Sequence[int], wires: Sequence[Wire], *, name: str, pull: Pull = "up"
    ) -> None:
        self.wires = tuple(sorted(set(wires)))
        chips = sorted({chip for chip, _ in self.wires})
        place = {chip: number for number, chip in enumerate(chips)}
        self._taps = [(place[chip], channel >> 3, channel & 7) for chip, channel in self.wires]
        self._bus = bus
        self._levels: Levels = ()
        self._scans = 0
        self._closed = False
        with ExitStack() as opened:
            opened.callback(bus.close)
            self._chips = [_Chip(bus, addresses[chip], name, pull) for chip in chips]
            for chip in self._chips:
                chip.configure()
            opened.pop_all()
        self._seen: list[Sequence[int]] = [b""] * len(self._chips)

    def scan(self) -> Levels:
        """Read every wire once: 1 if its contact is closed, which pulls the pin down."""
        if self._closed:
            raise SensorError(Message("fault.unread.closed"))
        self._scans += 1
        check = self._scans % _CHECK_INTERVAL == 0
        seen = []
        for chip, before in zip(self._chips, self._seen, strict=True):
            ports = chip.read()
            if (check or chip.doubted or ports != before) and not chip.is_configured():
                chip.configure()
                ports = chip.read()
            seen.append(ports)
        if seen != self._seen:
            self._seen = seen
            self._levels = tuple(1 - (seen[chip][port] >> bit & 1) for chip, port, bit in self._taps)
        return self._levels

    def close(self) -> None:
        """Release the bus; may be called twice."""
        self._closed = True
        self._bus.close()

    def __enter__(self) -> ExpanderScanner:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class _Chip:
    """One expander. A failure on the bus raises SensorError, after which the chip is `doubted`."""

    def __init__(self, bus: I2c, address: int, name: str, pull: Pull) -> None:
        pulls = _INPUTS if pull == "up" else bytes(2)
        # All registers from IODIR to GPPU: no pin is inverted or interrupts, and BANK is 0.
        self._settings = _INPUTS + bytes(GPPU - IODIR - 2) + pulls
        self.doubted = True
        self._bus, self._address, self._name = bus, address, name
        self._read_ports = bus.reading(address, GPIO, 2)
        self._read_settings = bus.reading(address, IODIR, len(self._settings))

    def configure(self) -> None:
        """Configure it, whatever its state; raise SensorError if it does not keep its settings."""
        self._transfer(lambda: self._bus.write(self._address, _IOCON_OF_BANK_1, b"\0"))
        self._transfer(lambda: self._bus.write(self._address, IOCON, b"\0"))
        self._transfer(lambda: self._bus.write(self._address, OLAT, bytes(2)))
        self._transfer(lambda: self._bus.write(self._address, IODIR, self._settings))
        if not self.is_configured():
            where = Message("fault.expander.forgets", {"address": f"{self._address:#04x}", "bus": self._name})
            raise SensorError(Message("fault.unread", {"why": where}))

    def is_configured(self) -> bool:
        """Return whether it has its settings."""
        self.doubted = bytes(self._transfer(self._read_settings)) != self._settings
        return not self.doubted

    def read(self) -> Sequence[int]:
        """Return the levels of port A and of port B."""
        return self._transfer(self._read_ports)

    def _transfer(self, transfer: Callable[[], _T]) -> _T:
        try:
            return transfer()
        except OSError as error:
            self.doubted = True
            raise SensorError(Message("fault.unread", {"why": self._hint(error)})) from error

    def _hint(self, error: OSError) -> Message:
        if error.errno not in _NOT_ACKNOWLEDGED:
            return Message("fault.i2c.fails", {"bus": self._name, "why": str(error)})
        bits = ", ".join(f"A{bit}: {'3.3 V' if self._address >> bit & 1 else 'GND'}" for bit in range(3))
        address = f"{self._address:#04x}"
        return Message(
            "fault.expander.silent",
            {"address": address, "bus": self._name, "pins": bits, "number": self._name[-1:]},
        )
