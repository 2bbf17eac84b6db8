"""The simulated board as a whole: the table, and the electronics beneath it, for the real drivers to open.

Invariants: randomness comes from the seed and time from the clock, and neither from anywhere else. Drivers
are opened as on a Pi and may be closed and opened again, while the table and the faults stay.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from firmware_host.config.wiring_map import bar_positions, led_positions
from firmware_host.errors import HandsError
from firmware_host.games.layout import Layout
from firmware_host.i18n import Message
from firmware_host.ports import ButtonPort, BuzzerPort, LedFrame, LedPort, SensorKind
from firmware_host.settings import NO_LINE, Controls, Microseconds, Sensors, Sound, Strip
from hardware.bus.gpio import Pull
from hardware.button import button_on
from hardware.buzzer import buzzer_on
from hardware.factory import scanner_on, sensors_on
from hardware.recognition import FormProbe
from hardware.scanner import Scanner
from hardware.sensors.decode import PointSensors
from hardware.strip import NeoPixelStrip
from hardware.wiring.contacts import MuxWiring, every_wire, recommended
from sim.clock import Clock
from sim.electronics.controls.button import SimulatedButton, no_button
from sim.electronics.controls.buzzer import SimulatedBuzzer
from sim.electronics.fault_injection import NORMAL_QUANTITIES, FaultInjector
from sim.electronics.faults import BadSelect, ElectricFault, OtherWiring, affected_part, read_fault
from sim.electronics.hall import measured
from sim.electronics.harness import HarnessContext, harness_for
from sim.electronics.reeds import REED
from sim.electronics.spi import SimulatedSpi
from sim.electronics.supply import SimulatedSupply
from sim.scheduler import NEVER, Scheduler
from sim.table.table import Table

_CUMULATIVE = (BadSelect, OtherWiring)
"""Faults that modify others' effects: injected twice, they must not cancel themselves."""

RISE_US: Microseconds = 7
"""The time that 150 pF take to rise through the Pi's own pull-up of 50 kOhm."""


class SimulatedBoard:
    """A board with its electronics; its table is empty until it is given pieces.

    `sensors` and `strip` are how it is really wired, by default as recommended, each point with the LED of
    its number. `controls` are the parts beside its points, and `sound` is its buzzer, by default none.
    `rise_us` is the time that a released line takes to rise. Times given to the table and to the board are
    those of `clock`. Raises ConfigError if it cannot be wired in this way.
    """

    def __init__(
        self,
        layout: Layout,
        alphabet: SensorKind,
        clock: Clock,
        *,
        seed: int = 0,
        sensors: Sensors | None = None,
        strip: Strip | None = None,
        controls: Controls | None = None,
        sound: Sound | None = None,
        rise_us: Microseconds = RISE_US,
    ) -> None:
        self.layout = layout
        self.clock = clock
        self.sensors = sensors or self._recommended(seed, alphabet)
        self.strip = strip or Strip(leds=len(layout))
        self._agenda = Scheduler()
        self.table = Table(layout, agenda=self._agenda)
        self.spi = SimulatedSpi(self.strip.leds, self.strip.order)
        self._places = led_positions(self.strip, layout)
        self._bars = bar_positions(self.strip)
        context = HarnessContext(layout, self.table.spots, clock, self._agenda, seed, REED, rise_us, self.spi)
        self.harness = harness_for(context, self.sensors)
        self.table.watch(self.harness.follow)
        self.supply = SimulatedSupply(self.spi)
        self.controls = controls or Controls()
        self.button = SimulatedButton(clock, self._agenda, seed)
        if self.has_button:
            self.button.wire_to(self.pi, self.controls.button)
        self.sound = sound or Sound()
        self.buzzer = SimulatedBuzzer(clock)
        if self.has_buzzer:
            self.buzzer.wire_to(self.pi, self.sound.buzzer)
        self._breakage = FaultInjector(
            layout, self.harness, self.spi, self.supply, self.table, self.button, self.buzzer
        )
        self._faults: dict[tuple[object, ...], Mapping[str, Any]] = {}

    def _recommended(self, seed: int, alphabet: SensorKind) -> Sensors:
        """Return the recommended sensors, with measured levels if they distinguish pieces."""
        sensors = recommended(self.layout, alphabet)
        if alphabet is not SensorKind.PIECES:
            return sensors
        return replace(sensors, levels=measured(seed, self.layout, alphabet))

    @property
    def pi(self) -> Any:
        """The gpiozero factory with pins that are wired to the chips."""
        return self.harness.pi

    @property
    def has_button(self) -> bool:
        """True if the board has a button."""
        return self.controls.button != NO_LINE

    @property
    def has_buzzer(self) -> bool:
        """True if the board has a buzzer."""
        return self.sound.buzzer != NO_LINE

    @property
    def wiring(self) -> MuxWiring:
        """The wiring of sensors behind multiplexers."""
        return MuxWiring.of(self.layout, self.sensors)

    def open_sensors(self, sensors: Sensors | None = None) -> PointSensors:
        """Open the real sensor driver on the simulated electronics; close it before it is opened again.

        `sensors` are the settings of the driver, which may be wrong; by default those that the board is wired
        to.
        """
        return sensors_on(self.harness, self.layout, sensors or self.sensors)

    def probe(self, points: int) -> FormProbe:
        """Return the real probe, on the simulated electronics."""
        ports = [self.sensors.port] if self.sensors.kind == "serial" else []
        return FormProbe(self.harness, points, ports=lambda: ports, has_buses=True)

    def open_scanner(self, sensors: Sensors, pull: Pull | None = None) -> Scanner:
        """Open the real driver of every wire on the simulated electronics, by settings that may be wrong."""
        return scanner_on(self.harness, sensors, every_wire(sensors), pull)

    def open_leds(self, strip: Strip) -> LedPort:
        """Open the real driver of every LED, by settings that may be wrong."""
        return self._open_leds([(led,) for led in range(strip.leds)], strip)

    def open_strip(self) -> LedPort:
        """Open the real strip driver: by serial on a serial board, otherwise on the simulated SPI bus."""
        return self._open_leds((*self._places, *self._bars), self.strip)

    def open_button(self, controls: Controls) -> ButtonPort:
        """Open the real driver of a button, by settings that may be wrong."""
        return button_on(self.harness, controls)

    def open_buzzer(self, sound: Sound) -> BuzzerPort:
        """Open the real driver of a buzzer, by settings that may be wrong."""
        return buzzer_on(self.harness, sound)

    def press(self, lasts: Microseconds) -> None:
        """Press the button for a time; raises HandsError if there is none."""
        if not self.has_button:
            raise no_button()
        self.button.press(self.clock.now(), lasts)

    def release(self) -> None:
        """Let the button go; raises HandsError if there is none."""
        if not self.has_button:
            raise no_button()
        self.button.release(self.clock.now())

    def _open_leds(self, own: Sequence[Sequence[int]], strip: Strip) -> LedPort:
        if self.sensors.kind == "serial" and strip.backend in ("auto", "serial"):
            return self.harness.serial().strip(own, order=strip.order)
        return NeoPixelStrip.on_spi(
            self.spi, own, leds=strip.leds, colours=strip.order, chip=strip.chip, reset_us=strip.reset_us
        )

    def leds(self) -> LedFrame:
        """Return the colour of each point, decoded from the bytes sent to the strip.

        If a point has several LEDs, it is that of the first.
        """
        leds = self.spi.leds  # a copy, since another thread may write the strip
        return tuple(leds[own[0]] for own in self._places)

    def bars(self) -> LedFrame:
        """Return the colour of each LED of the side bars, White's first; empty without bars."""
        leds = self.spi.leds
        return tuple(leds[led] for (led,) in self._bars)

    def next_change(self, now: Microseconds) -> Microseconds | None:
        """Return the time after `now` when a sensor may change without any hand; None: never.

        Call this before a scan: a change during the scan may be read in part, or only by the next one.
        """
        self._agenda.run(now)
        if self.harness.restless(now):
            return now + 1
        return None if self._agenda.next == NEVER else self._agenda.next

    @property
    def faults(self) -> tuple[Mapping[str, Any], ...]:
        """The faults, as they were described; of those that exclude each other, only the last."""
        return tuple(self._faults.values())

    def inject(self, described: Mapping[str, Any]) -> None:
        """Inject the described fault; raises HandsError if `read_fault` does not understand it."""
        fault = self._read(described)
        if self._faults.pop(affected_part(fault), None) is not None and isinstance(fault, _CUMULATIVE):
            self._replace_faults(self._faults)
        self._breakage.apply_fault(fault, self.clock.now())
        if fault not in NORMAL_QUANTITIES:
            self._faults[affected_part(fault)] = {**described}

    def repair(self, described: Mapping[str, Any] | None = None) -> None:
        """End the fault of this description, or all; raises HandsError if it does not exist."""
        self._replace_faults({} if described is None else self._without(self._read(described)))

    def _replace_faults(self, faults: Mapping[tuple[object, ...], Mapping[str, Any]]) -> None:
        """Replace all faults by these."""
        self._breakage.repair(self.clock.now())
        self._faults = {}
        for fault in tuple(faults.values()):
            self.inject(fault)

    def _without(self, repaired: ElectricFault) -> dict[tuple[object, ...], Mapping[str, Any]]:
        left = {key: fault for key, fault in self._faults.items() if self._read(fault) != repaired}
        if len(left) == len(self._faults):
            raise HandsError("that isn't broken: there is nothing to repair", Message("refused.not-broken"))
        return left

    def _read(self, described: Mapping[str, Any]) -> ElectricFault:
        parts = replace(
            self.harness.breakable(self.layout), has_button=self.has_button, has_buzzer=self.has_buzzer
        )
        return read_fault(described, parts)
