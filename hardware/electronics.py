"""All wires and LEDs on this Pi, opened without a map of the board's points.

Set-up and the doctor examine a board through this module, on a Pi and in the simulation, where the map of its
points is unknown or in doubt.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from firmware_host.ports import ButtonPort, BuzzerPort, LedPort
from firmware_host.settings import Controls, Sensors, Sound, Strip
from hardware.bus.gpio import Pull
from hardware.button import button_on
from hardware.buzzer import buzzer_on
from hardware.factory import open_scanner, open_strip
from hardware.machine import PiMachine
from hardware.recognition import FormProbe
from hardware.scanner import Scanner


class Electronics(Protocol):
    """A board to examine."""

    def open_scanner(self, sensors: Sensors, pull: Pull | None = None) -> Scanner:
        """Open every wire that `sensors` has a chip and a channel for, with its own pull or `pull`.

        Raises ConfigError or SensorError.
        """

    def open_leds(self, strip: Strip) -> LedPort:
        """Open every LED of `strip`; a frame has a colour for each LED, by number. Raises StripError.

        With the backend `serial`, the strip is the one on the board whose sensors were opened.
        """

    def open_button(self, controls: Controls) -> ButtonPort:
        """Open the button that the settings have. Raises SensorError."""

    def open_buzzer(self, sound: Sound) -> BuzzerPort:
        """Open the buzzer that the settings have. Raises SoundError."""


class UnknownElectronics(Electronics, Protocol):
    """A board of which not even the form is known."""

    def probe(self, points: int) -> FormProbe:
        """Return a probe that asks the parts which can answer, for a board with `points`."""


class PiElectronics:
    """The electronics of this Pi; `say` receives how the strip is driven."""

    def __init__(self, say: Callable[[str], object] = lambda _: None) -> None:
        self._say = say
        self._machine = PiMachine()

    def probe(self, points: int) -> FormProbe:
        """Return a probe, as in `UnknownElectronics`."""
        return FormProbe(self._machine, points)

    def open_scanner(self, sensors: Sensors, pull: Pull | None = None) -> Scanner:
        """Open every wire, as in `Electronics`."""
        return open_scanner(sensors, pull, self._machine)

    def open_leds(self, strip: Strip) -> LedPort:
        """Open every LED, as in `Electronics`."""
        places = [(led,) for led in range(strip.leds)]
        return open_strip(replace(strip, points={}), places, self._say, board=self._machine.serial)

    def open_button(self, controls: Controls) -> ButtonPort:
        """Open the button, as in `Electronics`."""
        return button_on(self._machine, controls)

    def open_buzzer(self, sound: Sound) -> BuzzerPort:
        """Open the buzzer, as in `Electronics`."""
        return buzzer_on(self._machine, sound)
