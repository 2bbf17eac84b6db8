"""What lies between the wood and the header of the Pi: sensors, chips and buses, for each kind of wiring.

Rules kept here: a loom is what settings say, taken as the truth; a Pi that asks it by other settings finds
what it would find on such a board: a bus that is not there, a chip that does not answer, pins with nothing
on them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from gpiozero.pins.mock import MockFactory, MockPin  # type: ignore[import-untyped]

from firmware_host.errors import SensorError
from firmware_host.games.layout import Layout
from firmware_host.i18n import Message
from firmware_host.ports import NOTHING, SOMETHING, Alphabet
from firmware_host.settings import Gpio, Microseconds, Sensors
from hardware.bus.gpio import Lines, PinLines, Pull
from hardware.bus.i2c import I2c
from hardware.bus.spi import Spi
from hardware.scanner import Wire
from hardware.sensors.decode import scale_of, unmeasured
from hardware.serial.board import SerialBoard
from hardware.wiring.contacts import Contact, MuxWiring, contacts_of
from sim.clock import Clock, VirtualClock
from sim.electronics.adc import NOISE, AnalogBank, SimulatedAdc
from sim.electronics.cached_lines import StillLines
from sim.electronics.expanders import SimulatedI2c
from sim.electronics.hall import LinearField
from sim.electronics.microcontroller import Microcontroller
from sim.electronics.mux import MuxBank, SelectPin, pi_with
from sim.electronics.reeds import Feel, SensorField
from sim.electronics.spi import SimulatedSpi
from sim.scheduler import Agenda
from sim.table.table import Piece, Spot, Track


class Bank(Protocol):
    """The chips that contacts hang on, and what can break in them."""

    def fail(self, chip: int, dead: bool) -> None:
        """A chip dies, or lives again."""

    def rewire(self, moved: Mapping[Wire, Wire]) -> None:
        """Solder the wires of contacts to other places; the places stay the same as a whole."""

    def mend(self) -> None:
        """All that is broken here is whole again."""


@dataclass(frozen=True)
class Wood:
    """What is the same for every loom: the points, what happens when, and how near magnets are felt.

    `rise_us` is how long a line takes to follow what is put on it; `strip` is lit by who scans, or by others.
    """

    layout: Layout
    spots: Sequence[Spot]
    clock: Clock
    agenda: Agenda
    seed: int
    feel: Feel
    rise_us: Microseconds
    strip: SimulatedSpi


class Loom:
    """A Pi with nothing on its header, as a `hardware.machine.Machine`."""

    bank: Bank
    """What breaks in chips."""
    field: SensorField
    """What breaks in sensors."""
    muxes: MuxBank | None = None
    """The chips, where they are multiplexers, whose lines can break too."""

    def __init__(self, wood: Wood, sensors: Sensors) -> None:
        self.sensors = sensors
        self.contacts: Mapping[Contact, Wire] = contacts_of(wood.layout, sensors)
        self.chips = 1 + max(chip for chip, _ in self.contacts.values())
        self.select = self.signals = 0
        """How many lines lead to the chips and say which channel, and how many from them."""
        self.pi = MockFactory(revision="a02082", pin_class=MockPin)
        """The gpiozero factory whose pins are those of the header."""
        self.sleep = wood.clock.sleep
        self._clock = wood.clock

    def now(self) -> float:
        """Seconds of the simulation's clock."""
        return self._clock.now() / 1_000_000

    def lines(self, outputs: Sequence[Gpio], inputs: Sequence[Gpio], pull: Pull, levels: int) -> Lines:
        """Lines of the header."""
        return PinLines(outputs, inputs, pull, self.pi, levels=levels)

    def i2c(self, device: str) -> I2c:
        """An I2C bus; there is none."""
        raise SensorError(Message("fault.device.unsimulated", {"device": device}))

    def adc(self, device: str) -> Spi:
        """The SPI bus of an ADC; there is none."""
        raise SensorError(Message("fault.device.unsimulated", {"device": device}))

    def serial(self, port: str = "") -> SerialBoard:
        """A board with a microcontroller; there is none."""
        raise SensorError(Message("fault.device.unsimulated", {"device": port}))

    def follow(self, piece: Piece, track: Track | None, now: Microseconds) -> None:
        """Feel `piece` go along `track` from `now` on, or leave the wood."""
        self.field.follow(piece, track, now)

    def strengthen(self, strength: float) -> None:
        """Magnets are so many times as strong as they were made; pieces that lie there must be felt anew."""
        self.field.strengthen(strength)

    def raise_to(self, above_mm: float) -> None:
        """Magnets lie so high above the sensors; pieces that lie there must be felt anew."""
        self.field.raise_to(above_mm)

    def restless(self, now: Microseconds) -> bool:  # noqa: ARG002 - contacts change at times of the agenda
        """Whether sensors may change at any moment, although no hand does anything."""
        return False

    def _felt(self, wood: Wood, alphabet: Alphabet, show: Callable[[Wire, bool], None]) -> SensorField:
        shows = {contact: partial(show, at) for contact, at in self.contacts.items()}
        return SensorField(wood.agenda, alphabet, wood.spots, shows, seed=wood.seed, feel=wood.feel)


class MuxLoom(Loom):
    """Contacts behind multiplexers, or on lines of their own."""

    def __init__(self, wood: Wood, sensors: Sensors) -> None:
        super().__init__(wood, sensors)
        wiring = MuxWiring.of(wood.layout, sensors)
        wiring.check()
        self.chips, self.select, self.signals = wiring.chips, len(wiring.select), len(wiring.signals)
        bank = MuxBank(wood.clock, wood.agenda, wiring.chips, wood.rise_us, resistor=not wiring.pull_up)
        self.bank = self.muxes = bank
        self.field = self._felt(wood, wiring.alphabet, bank.close_contact)
        self.pi = pi_with(bank, wiring)
        self._clock = wood.clock

    def lines(self, outputs: Sequence[Gpio], inputs: Sequence[Gpio], pull: Pull, levels: int) -> Lines:
        """Lines of the header, which in virtual time remember what they saw last."""
        if isinstance(self._clock, VirtualClock) and self.muxes is not None:
            return StillLines(outputs, inputs, pull, self.pi, self.muxes, self._clock, levels)
        return super().lines(outputs, inputs, pull, levels)


class ExpanderLoom(Loom):
    """Contacts on port expanders."""

    def __init__(self, wood: Wood, sensors: Sensors) -> None:
        super().__init__(wood, sensors)
        self.chips = len(sensors.expanders)
        self.bus = SimulatedI2c(wood.clock, wood.agenda, sensors.expanders)
        self.bank = self.bus
        self.field = self._felt(wood, Alphabet(sensors.alphabet), self.bus.close_contact)

    def i2c(self, device: str) -> I2c:
        """The bus of the expanders."""
        return self.bus if device == self.sensors.i2c else super().i2c(device)


class SerialLoom(Loom):
    """Contacts behind multiplexers, which a microcontroller scans that also drives the strip."""

    def __init__(self, wood: Wood, sensors: Sensors) -> None:
        super().__init__(wood, sensors)
        channels = max(channel for _, channel in self.contacts.values())
        self.select = max(3, channels.bit_length())
        self.signals = self.chips
        # It waits for its lines to settle, which takes no time of its host's.
        bank = MuxBank(wood.clock, wood.agenda, self.chips, rise_us=0)
        self.bank = self.muxes = bank
        self.field = self._felt(wood, Alphabet(sensors.alphabet), bank.close_contact)
        self.microcontroller = Microcontroller(bank, self.chips, self.select, wood.strip)
        self._board = SerialBoard(
            sensors.port,
            clock=self.now,
            open_port=self.microcontroller.opened,
        )

    def serial(self, port: str = "") -> SerialBoard:
        """The board, on the port that the settings name or on any."""
        return self._board if port in ("", self.sensors.port) else super().serial(port)


class AdcLoom(Loom):
    """Linear sensors on an ADC, behind multiplexers or not.

    `field` has a contact for each, which says when a sensor with a fault gives what it should.
    """

    def __init__(self, wood: Wood, sensors: Sensors) -> None:
        super().__init__(wood, sensors)
        self.chips = self.signals = len(sensors.inputs)
        self.select = len(sensors.select)
        alphabet = Alphabet(sensors.alphabet)
        levels = {wood.layout[name].index: own for name, own in sensors.levels.items()}
        self._linear = LinearField(wood.spots, levels, wood.seed, alphabet)
        self._scales = [
            scale_of(levels.get(n, unmeasured(alphabet)), alphabet) for n in range(len(wood.spots))
        ]
        self._closed: set[Wire] = set()
        self.field = self._felt(wood, Alphabet.PRESENCE, self._show)
        outputs = {at: partial(self._output, point, at) for (point, _), at in self.contacts.items()}
        bank = AnalogBank(wood.clock, wood.agenda, self.chips, wood.rise_us, outputs, wood.seed)
        self.bank = self.muxes = bank
        self.converter = SimulatedAdc(bank, sensors.inputs)
        for bit, gpio in enumerate(sensors.select):
            self.pi.pin(gpio, pin_class=SelectPin, follow=partial(bank.choose, bit))

    def adc(self, device: str) -> Spi:
        """The bus of the ADC."""
        return self.converter if device == self.sensors.adc else super().adc(device)

    def follow(self, piece: Piece, track: Track | None, now: Microseconds) -> None:
        """Feel `piece` go along `track` from `now` on, or leave the wood."""
        super().follow(piece, track, now)
        self._linear.follow(piece, track, now)

    def strengthen(self, strength: float) -> None:
        """Magnets are so many times as strong as they were made; pieces that lie there must be felt anew."""
        super().strengthen(strength)
        self._linear.strengthen(strength)

    def raise_to(self, above_mm: float) -> None:
        """Magnets lie so high above the sensors; pieces that lie there must be felt anew."""
        super().raise_to(above_mm)
        self._linear.raise_to(above_mm)

    def restless(self, now: Microseconds) -> bool:
        """Whether a magnet moves, or lies so that noise decides what is read."""
        return self._linear.moves(now) or any(
            self._wavers(point, at, now) for (point, _), at in self.contacts.items()
        )

    def _wavers(self, point: int, at: Wire, now: Microseconds) -> bool:
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


_LOOMS: Mapping[str, Any] = {
    "mux": MuxLoom,
    "direct": MuxLoom,
    "mcp23017": ExpanderLoom,
    "mcp3008": AdcLoom,
    "serial": SerialLoom,
}


def loom_of(wood: Wood, sensors: Sensors) -> Loom:
    """The loom that settings describe; raises ConfigError where they cannot be wired."""
    loom: Loom = _LOOMS[sensors.kind](wood, sensors)
    return loom
