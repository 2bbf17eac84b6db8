"""An SPI bus with a strip of WS2812 LEDs on its data line.

Rules kept here: an LED tells a one from a zero by how long the line stays high, takes the first 24 bits that
reach it as green, red and blue, highest first, and passes on the rest; LEDs that no bits reach stay as they
are. By the WS2812B's data sheet a zero is high for up to 380 ns and a one for 580 ns or more.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from firmware_host.ports import DARK, LedFrame

_ONE_NS = 500


class SimulatedSpi:
    """A bus as `adafruit_bus_device` uses one, and what the LEDs on it show."""

    def __init__(self, leds: int) -> None:
        self.leds: LedFrame = (DARK,) * leds
        """The colour of each LED along the strip."""
        self.writes = 0
        """How many frames have left for the strip."""
        self._plugged = True
        self._locked = False
        self._bits = _bits(100_000)

    @property
    def plugged(self) -> bool:
        """Whether the strip is there; where it is not it is dark, and cannot be written."""
        return self._plugged

    @plugged.setter
    def plugged(self, there: bool) -> None:
        self._plugged = there
        if not there:
            self.leds = (DARK,) * len(self.leds)

    def try_lock(self) -> bool:
        """Take the bus, if nobody has it."""
        taken, self._locked = self._locked, True
        return not taken

    def unlock(self) -> None:
        """Let others have the bus."""
        self._locked = False

    def configure(self, *, baudrate: int = 100_000, **_: Any) -> None:
        """Set how fast bits are sent, in Hz."""
        self._bits = _bits(baudrate)

    def write(self, buffer: bytes | bytearray) -> None:
        """Send bytes; raises OSError where the strip is unplugged."""
        if not self._locked:
            raise OSError("the SPI bus was not locked")
        if not self._plugged:
            raise OSError("nothing answers on the SPI bus")
        self.writes += 1
        # A byte that is low throughout carries no bit: such are the pauses before and after.
        bits = bytes(buffer).translate(self._bits, b"\x00")
        whole = len(bits) // 24
        if whole:
            grb = int(bits[: whole * 24], 2).to_bytes(whole * 3, "big")
            sent = tuple(zip(grb[1::3], grb[0::3], grb[2::3], strict=True))[: len(self.leds)]
            self.leds = sent + self.leds[len(sent) :]


@lru_cache
def _bits(baudrate: int) -> bytes:
    """What each byte is to an LED, b"0" or b"1", by the length of the high run that it begins with."""
    high_ns = [(8 - (~byte & 0xFF).bit_length()) * 1_000_000_000 / baudrate for byte in range(256)]
    return bytes(ord("1") if high >= _ONE_NS else ord("0") for high in high_ns)
