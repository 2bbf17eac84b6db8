"""The machine that drivers run on: lines, buses and a clock.

The simulation implements the same protocol on simulated electronics, so drivers are opened the same way there
and here.

Invariants: nothing is opened before it is requested. All users of a serial board share one object. Drivers
take the time from their machine alone.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from firmware_host.errors import SensorError
from firmware_host.i18n import Message
from firmware_host.settings import Gpio
from hardware.bus.busy_wait import pause
from hardware.bus.gpio import Lines, Pull
from hardware.bus.i2c import I2c, I2cBus
from hardware.bus.kernel_lines import KernelLines
from hardware.bus.pi import header_with, model
from hardware.bus.spi import Spi, SpiExchange
from hardware.sensors.adc import ADC_HZ
from hardware.serial.board import SerialBoard


class Machine(Protocol):
    """A provider of lines, buses and time; raises SensorError for those it cannot open."""

    def now(self) -> float:
        """Return the time of a monotonic clock, in seconds."""

    def sleep(self, seconds: float) -> None:
        """Wait for at least `seconds`."""

    def lines(
        self,
        outputs: Sequence[Gpio],
        inputs: Sequence[Gpio],
        pull: Pull,
        levels: int,
        *,
        open_drain: bool = False,
    ) -> Lines:
        """Open lines of the header, with the outputs at `levels`; `open_drain` ones are driven low only."""

    def i2c(self, device: str) -> I2c:
        """Open an I2C bus."""

    def adc(self, device: str) -> Spi:
        """Open the SPI bus of the ADC."""

    def serial(self, port: str = "") -> SerialBoard:
        """Return the board on a serial port, always the same; without a port, the one requested before."""


class PiMachine:
    """The Pi that this program runs on."""

    def __init__(self) -> None:
        self._boards: dict[str, SerialBoard] = {}

    def now(self) -> float:
        """Return the time of a monotonic clock, in seconds."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Wait for at least `seconds`."""
        pause(seconds)

    def lines(
        self,
        outputs: Sequence[Gpio],
        inputs: Sequence[Gpio],
        pull: Pull,
        levels: int,
        *,
        open_drain: bool = False,
    ) -> Lines:
        """Open lines of the header, by the kernel's group calls."""
        chip = header_with((*outputs, *inputs))
        return KernelLines(outputs, inputs, pull, chip, levels=levels, open_drain=open_drain)

    def i2c(self, device: str) -> I2c:
        """Open an I2C bus."""
        _require_pi(device)
        return I2cBus(device)

    def adc(self, device: str) -> Spi:
        """Open the SPI bus of the ADC."""
        _require_pi(device)
        return SpiExchange(device, ADC_HZ)

    def serial(self, port: str = "") -> SerialBoard:
        """Return the board on a serial port, as in `Machine`."""
        port = port or next(iter(self._boards), "")
        return self._boards.setdefault(port, SerialBoard(port, clock=self.now))


def _require_pi(device: str) -> None:
    """Raise SensorError if there is no such bus because this isn't a Pi: nothing could switch it on."""
    if not model() and not Path(device).exists():
        raise SensorError(Message("fault.pi.none", {"device": device}))
