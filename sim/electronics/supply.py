"""The supply of a simulated board, and the flags that its Pi reports.

Invariants: the current follows from the light sent to the strip, by the figures of the current budget. An
under-voltage is remembered, as the Pi's firmware does until it restarts.
"""

from __future__ import annotations

from firmware_host.settings import Lights
from sim.electronics.spi import SimulatedSpi

UNDER_VOLTAGE = 1 << 0
UNDER_VOLTAGE_SINCE_BOOT = 1 << 16
"""Bits of `vcgencmd get_throttled`, from the Pi's documentation."""

SAGS_AT_MA = 300.0
"""Current for the strip that a weak supply can deliver besides the Pi's."""


class SimulatedSupply:
    """The 5 V supply of strip and Pi; `bears_ma` is the maximum for the strip, None if unlimited."""

    def __init__(self, spi: SimulatedSpi, lights: Lights | None = None) -> None:
        self.bears_ma: float | None = None
        self._spi = spi
        self._lights = lights or Lights()
        self._remembered = 0

    @property
    def draws_ma(self) -> float:
        """The current of the strip now."""
        colours = sum(map(sum, self._spi.leds))
        lights = self._lights
        return len(self._spi.leds) * lights.idle_ma_per_led + colours / 255 * lights.full_ma_per_colour

    def throttled(self) -> int:
        """Return the bits of `vcgencmd get_throttled`."""
        if self.bears_ma is None or self.draws_ma <= self.bears_ma:
            return self._remembered
        self._remembered |= UNDER_VOLTAGE_SINCE_BOOT
        return self._remembered | UNDER_VOLTAGE

    def repair(self) -> None:
        """Remove the limit and the remembered flags."""
        self.bears_ma, self._remembered = None, 0
