"""The supply of a simulated board, and what its Pi says of it.

Rules kept here: the current follows from the light that left for the strip, by the same figures as the
budget; what was once too low is remembered, as the Pi's firmware does until it restarts.
"""

from __future__ import annotations

from firmware_host.settings import Lights
from sim.electronics.spi import SimulatedSpi

UNDER_VOLTAGE = 1 << 0
UNDER_VOLTAGE_SINCE_BOOT = 1 << 16
"""Bits of `vcgencmd get_throttled`, by the Pi's documentation."""

SAGS_AT_MA = 300.0
"""What a supply bears that is too weak, beside the Pi."""


class SimulatedSupply:
    """5 V for strip and Pi. `bears_ma`: what the strip may draw; None: all that it can."""

    def __init__(self, spi: SimulatedSpi, lights: Lights | None = None) -> None:
        self.bears_ma: float | None = None
        self._spi = spi
        self._lights = lights or Lights()
        self._remembered = 0

    @property
    def draws_ma(self) -> float:
        """What the strip draws now."""
        colours = sum(map(sum, self._spi.leds))
        lights = self._lights
        return len(self._spi.leds) * lights.idle_ma_per_led + colours / 255 * lights.full_ma_per_colour

    def throttled(self) -> int:
        """What `vcgencmd get_throttled` says."""
        if self.bears_ma is None or self.draws_ma <= self.bears_ma:
            return self._remembered
        self._remembered |= UNDER_VOLTAGE_SINCE_BOOT
        return self._remembered | UNDER_VOLTAGE

    def mend(self) -> None:
        """Bear everything, and forget."""
        self.bears_ma, self._remembered = None, 0
