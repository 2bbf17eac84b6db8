"""The simulated board as a whole: the table, and under it all that is soldered, for the real drivers to open.

Rules kept here: what is drawn by lot comes from the seed and time from the clock, neither from anywhere else;
drivers are opened as on a Pi and may be closed and opened again, while table and faults stay.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from firmware_host.config.wiring_map import places
from firmware_host.errors import HandsError
from firmware_host.games.layout import Layout
from firmware_host.i18n import Message
from firmware_host.ports import Alphabet, LedFrame, LedPort
from firmware_host.settings import Microseconds, Sensors, Strip
from hardware.bus.gpio import Pull
from hardware.factory import scanner_on, sensors_on
from hardware.scanner import Scanner
from hardware.sensors.decode import PointSensors
from hardware.strip import NeoPixelStrip
from hardware.wiring.contacts import MuxWiring, every_wire, recommended
from sim.clock import Clock
from sim.electronics.fault_injection import WHOLE, Breakage
from sim.electronics.faults import BadSelect, ElectricFault, OtherWiring, read_fault, subject
from sim.electronics.hall import measured
from sim.electronics.harness import Wood, loom_of
from sim.electronics.reeds import REED, Feel
from sim.electronics.spi import SimulatedSpi
from sim.electronics.supply import SimulatedSupply
from sim.scheduler import NEVER, Agenda
from sim.table.table import Table

_ON_TOP = (BadSelect, OtherWiring)
"""Faults that change what others left: said twice, they must not undo themselves."""

RISE_US: Microseconds = 7
"""How long 150 pF take to rise through the Pi's own pull-up of 50 kOhm."""


class SimulatedBoard:
    """A board of wood and wires. There are no pieces until the table is given some.

    `sensors` and `strip` say how it is soldered, in truth; without them it is wired as is recommended, each
    point with the LED of its number. `wiring` stands in for sensors behind multiplexers, and `order` for the
    LED of each point. `rise_us` is how long a line rises when it is let go. Times given to the table and to
    this are those of `clock`. Raises ConfigError where it cannot be wired so.
    """

    def __init__(
        self,
        layout: Layout,
        alphabet: Alphabet,
        clock: Clock,
        *,
        seed: int = 0,
        sensors: Sensors | None = None,
        strip: Strip | None = None,
        wiring: MuxWiring | None = None,
        order: Sequence[int] | None = None,
        feel: Feel = REED,
        rise_us: Microseconds = RISE_US,
    ) -> None:
        self.layout = layout
        self.clock = clock
        self.sensors = sensors or (wiring.settings() if wiring else self._soldered(seed, alphabet))
        self.strip = strip or Strip(leds=len(layout))
        self._agenda = Agenda()
        self.table = Table(layout, agenda=self._agenda)
        self.spi = SimulatedSpi(self.strip.leds, self.strip.order)
        self._places = tuple((led,) for led in order) if order else places(self.strip, layout)
        wood = Wood(layout, self.table.spots, clock, self._agenda, seed, feel, rise_us, self.spi)
        self.loom = loom_of(wood, self.sensors)
        self.table.watch(self.loom.follow)
        self.supply = SimulatedSupply(self.spi)
        self._breakage = Breakage(layout, self.loom, self.spi, self.supply, self.table)
        self._faults: dict[tuple[object, ...], Mapping[str, Any]] = {}

    def _soldered(self, seed: int, alphabet: Alphabet) -> Sensors:
        """The recommended sensors, of which linear ones that tell pieces are measured."""
        sensors = recommended(self.layout, alphabet)
        if alphabet is not Alphabet.PIECES:
            return sensors
        return replace(sensors, levels=measured(seed, self.layout, alphabet))

    @property
    def pi(self) -> Any:
        """The gpiozero factory whose pins are wired to the chips."""
        return self.loom.pi

    @property
    def wiring(self) -> MuxWiring:
        """How sensors behind multiplexers are wired."""
        return MuxWiring.of(self.layout, self.sensors)

    def open_sensors(self, sensors: Sensors | None = None) -> PointSensors:
        """The real sensor driver on the simulated electronics; close it before it is opened again.

        By `sensors`, which need not be true; without them by how the board is soldered.
        """
        return sensors_on(self.loom, self.layout, sensors or self.sensors)

    def open_scanner(self, sensors: Sensors, pull: Pull | None = None) -> Scanner:
        """The real driver of every wire on the simulated electronics, by settings that need not be true."""
        return scanner_on(self.loom, sensors, every_wire(sensors), pull)

    def open_leds(self, strip: Strip) -> LedPort:
        """The real driver of every LED, by settings that need not be true."""
        return self._open_leds([(led,) for led in range(strip.leds)], strip)

    def open_strip(self) -> LedPort:
        """The real strip driver: on the simulated SPI bus, whichever way the settings name, or by serial."""
        return self._open_leds(self._places, self.strip)

    def _open_leds(self, own: Sequence[Sequence[int]], strip: Strip) -> LedPort:
        if self.sensors.kind == "serial" and strip.backend in ("auto", "serial"):
            return self.loom.serial().strip(own, order=strip.order)
        return NeoPixelStrip.on_spi(self.spi, own, leds=strip.leds, colours=strip.order)

    def leds(self) -> LedFrame:
        """The colour that each point shines in, decoded from the bytes that left for the strip.

        Where it has several LEDs it is that of the first.
        """
        leds = self.spi.leds  # the strip may be written meanwhile
        return tuple(leds[own[0]] for own in self._places)

    def next_change(self, now: Microseconds) -> Microseconds | None:
        """When, after `now`, a sensor may change although no hand does anything; None: never.

        Ask before a scan: what changes while it goes on may be felt in part, or only by the next.
        """
        self._agenda.run(now)
        if self.loom.restless(now):
            return now + 1
        return None if self._agenda.next == NEVER else self._agenda.next

    @property
    def faults(self) -> tuple[Mapping[str, Any], ...]:
        """What is broken, as it was said; of what excludes each other only the last."""
        return tuple(self._faults.values())

    def inject(self, described: Mapping[str, Any]) -> None:
        """Break what `described` says; raises HandsError where `read_fault` finds no sense in it."""
        fault = self._read(described)
        if self._faults.pop(subject(fault), None) is not None and isinstance(fault, _ON_TOP):
            self._break_only(self._faults)
        self._breakage.suffer(fault, self.clock.now())
        if fault not in WHOLE:
            self._faults[subject(fault)] = {**described}

    def repair(self, described: Mapping[str, Any] | None = None) -> None:
        """End the fault that was said so, or all; raises HandsError where it is not there."""
        self._break_only({} if described is None else self._without(self._read(described)))

    def _break_only(self, faults: Mapping[tuple[object, ...], Mapping[str, Any]]) -> None:
        """Have these broken and nothing else."""
        self._breakage.mend(self.clock.now())
        self._faults = {}
        for fault in tuple(faults.values()):
            self.inject(fault)

    def _without(self, mended: ElectricFault) -> dict[tuple[object, ...], Mapping[str, Any]]:
        left = {key: fault for key, fault in self._faults.items() if self._read(fault) != mended}
        if len(left) == len(self._faults):
            raise HandsError("that is not broken: there is nothing to repair", Message("refused.not-broken"))
        return left

    def _read(self, described: Mapping[str, Any]) -> ElectricFault:
        loom = self.loom
        return read_fault(described, self.layout, loom.chips, loom.select, loom.signals)
