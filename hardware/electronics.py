"""What is soldered to this Pi, opened as settings tell of it: all its wires and LEDs, whoever's they are.

Set-up and doctor look at a board through this, on a Pi and in the simulation, where the map of its points is
not known or not believed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from firmware_host.ports import LedPort
from firmware_host.settings import Sensors, Strip
from hardware.bus.gpio import Pull
from hardware.factory import open_scanner, open_strip
from hardware.machine import PiMachine
from hardware.scanner import Scanner


class Electronics(Protocol):
    """A board to be looked at."""

    def open_scanner(self, sensors: Sensors, pull: Pull | None = None) -> Scanner:
        """Every wire that `sensors` has a chip and a channel for, with its pull or another.

        Raises ConfigError or SensorError.
        """

    def open_leds(self, strip: Strip) -> LedPort:
        """Every LED of `strip`: a frame has a colour for each, by its number; raises StripError.

        With the backend `serial` it is on the board whose sensors were opened, where they were.
        """


class PiElectronics:
    """What is soldered to this Pi; `say` is told how the strip is driven."""

    def __init__(self, say: Callable[[str], object] = lambda _: None) -> None:
        self._say = say
        self._machine = PiMachine()

    def open_scanner(self, sensors: Sensors, pull: Pull | None = None) -> Scanner:
        """Every wire, as `Electronics` says."""
        return open_scanner(sensors, pull, self._machine)

    def open_leds(self, strip: Strip) -> LedPort:
        """Every LED, as `Electronics` says."""
        places = [(led,) for led in range(strip.leds)]
        return open_strip(replace(strip, points={}), places, self._say, board=self._machine.serial)
