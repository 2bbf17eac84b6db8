"""The wiring between the table and the Pi's header: sensors, chips and buses, for each kind of sensors.

Invariants: a harness is what the board's settings describe, taken as the truth. A Pi that opens it with other
settings gets what a real board would give: a missing bus, a chip that does not answer, pins that lead
nowhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Protocol

from gpiozero.pins.mock import MockFactory, MockPin  # type: ignore[import-untyped]

from firmware_host.config.wiring_map import sensor_faults
from firmware_host.errors import ConfigError, SensorError
from firmware_host.frozen import frozen
from firmware_host.games.layout import Layout
from firmware_host.i18n import Message
from firmware_host.ports import NOTHING, SOMETHING, Contact, SensorKind
from firmware_host.settings import Gpio, Microseconds, Sensors
from hardware.bus.gpio import Lines, PinLines, Pull
from hardware.bus.i2c import I2c
from hardware.bus.spi import Spi
from hardware.scanner import Wire
from hardware.sensors.decode import default_levels, scale_of
from hardware.serial.board import SerialBoard
from hardware.wiring.contacts import MuxWiring, contacts_of
from sim.clock import Clock
from sim.electronics import cached_lines
from sim.electronics.adc import NOISE, AnalogBank, SimulatedAdc
from sim.electronics.breakable import BreakableBoard
from sim.electronics.cached_lines import CachedLines
from sim.electronics.expanders import SimulatedI2c
from sim.electronics.hall import LinearField
from sim.electronics.matrix import DiodeMatrix
from sim.electronics.matrix import pi_with as matrix_pins
from sim.electronics.microcontroller import Microcontroller
from sim.electronics.mux import MuxBank, SelectPin
from sim.electronics.mux import pi_with as mux_pins
from sim.electronics.reeds import SensingRange, SensorField
from sim.electronics.spi import SimulatedSpi
from sim.scheduler import Scheduler
from sim.table.table import Spot, TablePiece, Track


class Bank(Protocol):
    """The chips that the contacts are wired to, and the faults that they can have."""

    def fail(self, chip: int, dead: bool) -> None:
        """Let a chip die, or work again."""

    def rewire(self, moved: Mapping[Wire, Wire]) -> None:
        """Solder the wires of contacts to other places; the set of places stays the same."""

    def repair(self) -> None:
        """End all faults."""


@frozen(slots=False)
class HarnessContext:
    """The inputs that every harness shares: points, time, and the range of the magnets.

    `rise_us` is the time that a line takes to follow its input; `strip` is the strip, which a serial board
    drives.
    """

    layout: Layout
    spots: Sequence[Spot]
    clock: Clock
    agenda: Scheduler
    seed: int
    feel: SensingRange
    rise_us: Microseconds
    strip: SimulatedSpi


class WiringHarness:
    """A Pi with nothing on its header, as a `hardware.machine.Machine`."""

    bank: Bank
    """The chips, which can fail."""
    field: SensorField
    """The sensors, which can fail."""
    muxes: MuxBank | None = None
    """The chips if they are multiplexers, which also have lines that can fail."""
    matrix: DiodeMatrix | None = None
    """The matrix if there is one, with wires and diodes that can fail."""
    _remembered: cached_lines.ComparableElectronics | None = None
    """The electronics on the lines of the header, if their state can be compared."""

    def __init__(self, context: HarnessContext, sensors: Sensors) -> None:
        self.sensors = sensors
        self.contacts: Mapping[Contact, Wire] = contacts_of(context.layout, sensors)
        self.chips = 1 + max(chip for chip, _ in self.contacts.values())
        self.select = self.signals = 0
        """The number of select lines to the chips, and of signal lines from them."""
        self.rows = self.columns = 0
        """The number of rows and columns of a matrix."""
        self.pi = MockFactory(revision="a02082", pin_class=MockPin)
        """The gpiozero factory of the header's pins."""
        self.sleep = context.clock.sleep
        self._clock = context.clock

    def now(self) -> float:
        """Return the time of the simulation's clock, in seconds."""
        return self._clock.now() / 1_000_000

    def lines(
        self,
        outputs: Sequence[Gpio],
        inputs: Sequence[Gpio],
        pull: Pull,
        levels: int,
        *,
        open_drain: bool = False,
    ) -> Lines:
        """Open lines of the header, which may remember their last sweep."""
        if self._remembered is not None:
            return CachedLines(
                outputs, inputs, pull, self.pi, self._remembered, self._clock, levels, open_drain=open_drain
            )
        return PinLines(outputs, inputs, pull, self.pi, levels=levels, open_drain=open_drain)

    def i2c(self, device: str) -> I2c:
        """Raise SensorError, since there is no I2C bus."""
        raise SensorError(Message("fault.device.unsimulated", {"device": device}))

    def adc(self, device: str) -> Spi:
        """Raise SensorError, since there is no ADC."""
        raise SensorError(Message("fault.device.unsimulated", {"device": device}))

    def serial(self, port: str = "") -> SerialBoard:
        """Raise SensorError, since there is no serial board."""
        raise SensorError(Message("fault.device.unsimulated", {"device": port}))

    def breakable(self, layout: Layout) -> BreakableBoard:
        """Return the parts that a fault can name."""
        return BreakableBoard(layout, self.chips, self.select, self.signals, self.rows, self.columns)

    def follow(self, piece: TablePiece, track: Track | None, now: Microseconds) -> None:
        """Let the sensors detect `piece` along `track` from `now` on, or off the board."""
        self.field.follow(piece, track, now)

    def strengthen(self, strength: float) -> None:
        """Scale the strength of all magnets; pieces on the board must then be followed again."""
        self.field.strengthen(strength)

    def raise_to(self, above_mm: float) -> None:
        """Set the height of magnets above the sensors; pieces on the board must then be followed again."""
        self.field.raise_to(above_mm)

    def restless(self, now: Microseconds) -> bool:  # noqa: ARG002 - contacts change at scheduled times
        """Return True if sensors may change at any moment without a hand."""
        return False

    def _sensor_field(
        self, context: HarnessContext, alphabet: SensorKind, show: Callable[[Wire, bool], None]
    ) -> SensorField:
        shows = {contact: partial(show, at) for contact, at in self.contacts.items()}
        return SensorField(
            context.agenda, alphabet, context.spots, shows, seed=context.seed, feel=context.feel
        )


class MuxHarness(WiringHarness):
    """Contacts behind multiplexers, or on lines of their own."""

    def __init__(self, context: HarnessContext, sensors: Sensors) -> None:
        super().__init__(context, sensors)
        wiring = MuxWiring.of(context.layout, sensors)
        wiring.check()
        self.chips, self.select, self.signals = wiring.chips, len(wiring.select), len(wiring.signals)
        bank = MuxBank(
            context.clock, context.agenda, wiring.chips, context.rise_us, resistor=not wiring.pull_up
        )
        self.bank = self.muxes = bank
        self._remembered = bank
        self.field = self._sensor_field(context, wiring.alphabet, bank.close_contact)
        self.pi = mux_pins(bank, wiring)


class MatrixHarness(WiringHarness):
    """Reeds in a matrix with diodes, which has no chips."""

    def __init__(self, context: HarnessContext, sensors: Sensors) -> None:
        super().__init__(context, sensors)
        if faults := [fault for _, fault in sensor_faults(sensors, context.layout)]:
            raise ConfigError("\n".join(faults))
        self.chips = 0
        self.rows, self.columns = len(sensors.rows), len(sensors.columns)
        matrix = DiodeMatrix(
            context.clock,
            context.agenda,
            self.rows,
            self.columns,
            context.rise_us,
            resistor=not sensors.pull_up,
        )
        self.bank = self.matrix = self._remembered = matrix
        self.field = self._sensor_field(context, SensorKind(sensors.alphabet), matrix.close_contact)
        self.pi = matrix_pins(matrix, sensors.rows, sensors.columns)


class ExpanderHarness(WiringHarness):
    """Contacts on port expanders."""

    def __init__(self, context: HarnessContext, sensors: Sensors) -> None:
        super().__init__(context, sensors)
        self.chips = len(sensors.expanders)
        self.bus = SimulatedI2c(context.clock, context.agenda, sensors.expanders)
        self.bank = self.bus
        self.field = self._sensor_field(context, SensorKind(sensors.alphabet), self.bus.close_contact)

    def i2c(self, device: str) -> I2c:
        """Return the bus of the expanders."""
        return self.bus if device == self.sensors.i2c else super().i2c(device)


class SerialHarness(WiringHarness):
    """Contacts behind multiplexers, scanned by a microcontroller that also drives the strip."""

    def __init__(self, context: HarnessContext, sensors: Sensors) -> None:
        super().__init__(context, sensors)
        channels = max(channel for _, channel in self.contacts.values())
        self.select = max(3, channels.bit_length())
        self.signals = self.chips
        # The microcontroller waits for its lines to settle, which takes none of its host's time.
        bank = MuxBank(context.clock, context.agenda, self.chips, rise_us=0)
        self.bank = self.muxes = bank
        self.field = self._sensor_field(context, SensorKind(sensors.alphabet), bank.close_contact)
        self.microcontroller = Microcontroller(bank, self.chips, self.select, context.strip)
        self._board = SerialBoard(
            sensors.port,
            clock=self.now,
            open_port=self.microcontroller.opened,
        )

    def serial(self, port: str = "") -> SerialBoard:
        """Return the board, on the configured port or on any."""
        return self._board if port in ("", self.sensors.port) else super().serial(port)


class AdcHarness(WiringHarness):
    """Linear sensors on an ADC, with or without multiplexers.

    `field` has a contact for each sensor, which decides when a faulty sensor works.
    """

    def __init__(self, context: HarnessContext, sensors: Sensors) -> None:
        super().__init__(context, sensors)
        self.chips = self.signals = len(sensors.inputs)
        self.select = len(sensors.select)
        alphabet = SensorKind(sensors.alphabet)
        levels = {context.layout[name].index: own for name, own in sensors.levels.items()}
        self._linear = LinearField(context.spots, levels, context.seed, alphabet)
        self._scales = [
            scale_of(levels.get(n, default_levels(alphabet)), alphabet) for n in range(len(context.spots))
        ]
        self._closed: set[Wire] = set()
        self.field = self._sensor_field(context, SensorKind.PRESENCE, self._show)
        outputs = {at: partial(self._output, point, at) for (point, _), at in self.contacts.items()}
        bank = AnalogBank(context.clock, context.agenda, self.chips, context.rise_us, outputs, context.seed)
        self.bank = self.muxes = bank
        self.converter = SimulatedAdc(bank, sensors.inputs)
        for bit, gpio in enumerate(sensors.select):
            self.pi.pin(gpio, pin_class=SelectPin, follow=partial(bank.choose, bit))

    def adc(self, device: str) -> Spi:
        """Return the bus of the ADC."""
        return self.converter if device == self.sensors.adc else super().adc(device)

    def follow(self, piece: TablePiece, track: Track | None, now: Microseconds) -> None:
        """Let the sensors detect `piece` along `track` from `now` on, or off the board."""
        super().follow(piece, track, now)
        self._linear.follow(piece, track, now)

    def strengthen(self, strength: float) -> None:
        """Scale the strength of all magnets; pieces on the board must then be followed again."""
        super().strengthen(strength)
        self._linear.strengthen(strength)

    def raise_to(self, above_mm: float) -> None:
        """Set the height of magnets above the sensors; pieces on the board must then be followed again."""
        super().raise_to(above_mm)
        self._linear.raise_to(above_mm)

    def restless(self, now: Microseconds) -> bool:
        """Return True if a magnet moves, or lies where noise decides the reading."""
        return self._linear.moves(now) or any(
            self._is_unstable(point, at, now) for (point, _), at in self.contacts.items()
        )

    def _is_unstable(self, point: int, at: Wire, now: Microseconds) -> bool:
        level, scale = round(self._output(point, at, now)), self._scales[point]
        befores = {NOTHING, *(scale.reading(seen, NOTHING) for seen in (level - NOISE, level, level + NOISE))}
        return any(
            scale.reading(level - NOISE, before) != scale.reading(level + NOISE, before) for before in befores
        )

    def _show(self, at: Wire, closed: bool) -> None:
        (self._closed.add if closed else self._closed.discard)(at)

    def _output(self, point: int, at: Wire, now: Microseconds) -> float:
        fault = self.field.switches[point, SOMETHING].fault
        return self._linear.level(point, fault, now, closed=at in self._closed)


_HARNESSES: Mapping[str, Any] = {
    "mux": MuxHarness,
    "direct": MuxHarness,
    "matrix": MatrixHarness,
    "mcp23017": ExpanderHarness,
    "mcp3008": AdcHarness,
    "serial": SerialHarness,
}


def harness_for(context: HarnessContext, sensors: Sensors) -> WiringHarness:
    """Return the harness that settings describe; raises ConfigError if they cannot be wired."""
    harness: WiringHarness = _HARNESSES[sensors.kind](context, sensors)
    return harness
