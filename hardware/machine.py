"""What drivers hang on: the lines and buses of this Pi.

The simulation has the same on simulated electronics, so that drivers are opened there as here. Rules kept
here: nothing is opened before it is asked for; a serial board is one, whoever asks for it; drivers know the
time from their machine alone.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Protocol

from firmware_host.settings import Gpio
from hardware.bus.busy_wait import pause
from hardware.bus.gpio import Lines, Pull
from hardware.bus.i2c import I2c, I2cBus
from hardware.bus.lgpio_lines import GroupLines
from hardware.bus.pi import pin_factory
from hardware.bus.spi import Spi, SpiExchange
from hardware.sensors.adc import ADC_HZ
from hardware.serial.board import SerialBoard


class Machine(Protocol):
    """Something with lines, buses and time; what cannot be had is a SensorError."""

    def now(self) -> float:
        """Seconds of a clock that never goes back."""

    def sleep(self, seconds: float) -> None:
        """Wait at least so long."""

    def lines(self, outputs: Sequence[Gpio], inputs: Sequence[Gpio], pull: Pull, levels: int) -> Lines:
        """Lines of the header, the outputs at `levels`."""

    def i2c(self, device: str) -> I2c:
        """An I2C bus."""

    def adc(self, device: str) -> Spi:
        """The SPI bus of the ADC."""

    def serial(self, port: str = "") -> SerialBoard:
        """The board on a serial port, the same each time; without a port the one asked for before."""


class PiMachine:
    """This Pi."""

    def __init__(self) -> None:
        self._boards: dict[str, SerialBoard] = {}

    def now(self) -> float:
        """Seconds of a clock that never goes back."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Wait at least so long."""
        pause(seconds)

    def lines(self, outputs: Sequence[Gpio], inputs: Sequence[Gpio], pull: Pull, levels: int) -> Lines:
        """Lines of the header, by lgpio's group calls."""
        factory = pin_factory((*outputs, *inputs))
        return GroupLines(outputs, inputs, pull, factory, levels=levels, release=factory.close)

    def i2c(self, device: str) -> I2c:
        """An I2C bus."""
        return I2cBus(device)

    def adc(self, device: str) -> Spi:
        """The SPI bus of the ADC."""
        return SpiExchange(device, ADC_HZ)

    def serial(self, port: str = "") -> SerialBoard:
        """The board on a serial port, as `Machine` says."""
        port = port or next(iter(self._boards), "")
        return self._boards.setdefault(port, SerialBoard(port, clock=self.now))
