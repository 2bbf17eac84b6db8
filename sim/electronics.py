"""The simulated board as a whole: the table, and under it all that is soldered, for the real drivers to open.

Rules kept here: what is drawn by lot comes from the seed and time from the clock, neither from anywhere else;
drivers are opened as on a Pi and may be closed and opened again, while table and faults stay.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from firmware_host.games.layout import Layout
from firmware_host.ports import Alphabet, LedFrame
from firmware_host.settings import Microseconds, Sensors, Strip
from hardware.lines import Pull
from hardware.point_sensors import PointSensors
from hardware.scanner import Scanner
from hardware.sensors import mux_scanner, mux_sensors
from hardware.strip import NeoPixelStrip
from hardware.wiring import MuxWiring, every_wire
from sim.agenda import NEVER, Agenda
from sim.breakage import Breakage
from sim.chips import MuxBank, pi_with
from sim.clock import Clock
from sim.faults import read_fault
from sim.sensors import REED, Feel, SensorField
from sim.spi import SimulatedSpi
from sim.supply import SimulatedSupply
from sim.table import Table

RISE_US: Microseconds = 7
"""How long 150 pF take to rise through the Pi's own pull-up of 50 kOhm."""


class SimulatedBoard:
    """A board of wood and wires. There are no pieces until the table is given some.

    `wiring`, of the same layout and alphabet, stands in for the recommended one. `order` has the LED of each
    point. `rise_us` is how long a line rises when it is let go. Times given to the table and to this are
    those of `clock`.
    """

    def __init__(
        self,
        layout: Layout,
        alphabet: Alphabet,
        clock: Clock,
        *,
        seed: int = 0,
        wiring: MuxWiring | None = None,
        order: Sequence[int] | None = None,
        feel: Feel = REED,
        rise_us: Microseconds = RISE_US,
    ) -> None:
        self.layout = layout
        self.clock = clock
        self.wiring = wiring or MuxWiring.recommended(layout, alphabet)
        self.wiring.check()
        self.table = Table(layout)
        self.spi = SimulatedSpi(len(layout))
        self._order = tuple(order or range(len(layout)))
        self._agenda = Agenda()
        self._bank = MuxBank(
            clock, self._agenda, self.wiring.chips, rise_us, resistor=not self.wiring.pull_up
        )
        self._field = SensorField(
            self._agenda,
            self.wiring.alphabet,
            self.table.spots,
            {contact: partial(self._bank.close_contact, at) for contact, at in self.wiring.contacts.items()},
            seed=seed,
            feel=feel,
        )
        self.table.watch(self._field.follow)
        self.pi = pi_with(self._bank, self.wiring)
        """The gpiozero factory whose pins are wired to the chips."""
        self.supply = SimulatedSupply(self.spi)
        self._breakage = Breakage(self.wiring, self._bank, self._field, self.spi, self.supply, self.table)

    def open_sensors(self) -> PointSensors:
        """The real sensor driver on the simulated pins; close it before it is opened again."""
        return mux_sensors(self.wiring, self.pi, sleep=self.clock.sleep)

    def open_scanner(self, sensors: Sensors, pull: Pull | None = None) -> Scanner:
        """The real driver of every wire on the simulated pins, by settings that need not be true."""
        wiring = MuxWiring.bare(sensors)
        wires = every_wire(sensors)
        return mux_scanner(wiring, self.pi, wires=wires, pull=pull, sleep=self.clock.sleep)

    def open_leds(self, strip: Strip) -> NeoPixelStrip:
        """The real driver of every LED on the simulated bus, by settings that need not be true."""
        return NeoPixelStrip.on_spi(self.spi, range(strip.leds), colours=strip.order)

    def open_strip(self) -> NeoPixelStrip:
        """The real strip driver on the simulated bus."""
        return NeoPixelStrip.on_spi(self.spi, self._order)

    def leds(self) -> LedFrame:
        """The colour that each point shines in, decoded from the bytes that left for the strip."""
        leds = self.spi.leds  # the strip may be written meanwhile
        return tuple(leds[led] for led in self._order)

    def next_change(self, now: Microseconds) -> Microseconds | None:
        """When, after `now`, a sensor may change although no hand does anything; None: never.

        Ask before a scan: what changes while it goes on may be felt in part, or only by the next.
        """
        self._agenda.run(now)
        return None if self._agenda.next == NEVER else self._agenda.next

    def inject(self, described: Mapping[str, Any]) -> None:
        """Break what `described` says; raises HandsError where `read_fault` finds no sense in it."""
        fault = read_fault(described, self.layout, self.wiring.chips, len(self.wiring.select))
        self._breakage.suffer(fault, self.clock.now())

    def repair(self) -> None:
        """End all faults."""
        self._breakage.mend(self.clock.now())
