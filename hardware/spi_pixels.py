"""WS2812 LEDs on an SPI bus, as an `adafruit_pixelbuf.PixelBuf`.

An LED tells a one from a zero by how long its data line stays high, so each bit for an LED is a byte on the
bus. Adafruit's `neopixel_spi` encodes the same way, but it imports Blinka, which detects the board it runs on
and on a Raspberry Pi needs the compiled library gpiod. This module needs neither.

Invariants:
- A frame is one write: zero bytes, eight bytes for each colour of each LED, zero bytes. The zeros behind keep
  the line low for the reset time, which has the LEDs show the new colours; those in front do so where the
  line rests high between two frames. Both are shortened if spidev would not take the frame at once.
- A zero is high for 2 of 8 bits on the bus, a one for as many as the LEDs' data sheet asks for. At 6.25 MHz,
  which is what most models make of `HZ`, a bit on the bus takes 160 ns.
"""

from __future__ import annotations

import math

from adafruit_pixelbuf import PixelBuf  # type: ignore[import-untyped]

from hardware.bus.spi import SpiOutput

HZ = 6_400_000
"""Bits per second on the bus; eight of them make one of the 800,000 bits per second that an LED reads."""

MAX_BYTES = 4096
"""The size of the largest message that spidev takes, unless its parameter `bufsiz` says otherwise."""

_ZERO = b"\xc0"
_ONES = {"ws2812b": b"\xf8", "sk6812": b"\xf0"}
"""A one of each type of LED, high for 800 and 640 ns. Data sheets ask for 650 to 950 and 450 to 750 ns."""


class SpiPixels(PixelBuf):  # type: ignore[misc]
    """A strip of `count` LEDs on `bus`; `colours` is the order in which each takes them, such as GRB.

    `chip` is the type of the LEDs: `ws2812b` or `sk6812`, or `auto` for sk6812 if they have a white part.
    """

    def __init__(
        self, bus: SpiOutput, count: int, colours: str, *, chip: str = "auto", reset_us: int = 300
    ) -> None:
        """Set the clock of the bus, and send nothing yet; raises OSError if the clock cannot be set."""
        bus.configure(HZ)
        self._bus = bus
        wanted = math.ceil(reset_us * HZ / 8_000_000)
        spare = MAX_BYTES - 8 * len(colours) * count
        self._behind = bytes(min(wanted, spare))
        self._before = bytes(min(wanted, spare - len(self._behind)))
        self._encoded = _encoded(_one_of(chip, colours))
        super().__init__(count, byteorder=colours)

    @property
    def reset_us(self) -> int:
        """The time in us for which the line stays low after a frame; less than requested on a long strip."""
        return len(self._behind) * 8_000_000 // HZ

    def _transmit(self, buffer: bytes) -> None:
        """Send the colours in `buffer`, which PixelBuf keeps in the order of the LEDs."""
        self._bus.write(b"".join((self._before, *(self._encoded[value] for value in buffer), self._behind)))


def _one_of(chip: str, colours: str) -> bytes:
    if chip == "auto":
        chip = "sk6812" if "W" in colours else "ws2812b"
    return _ONES[chip]


def _encoded(one: bytes) -> tuple[bytes, ...]:
    """Return the eight bytes of each value of a colour, highest bit first."""
    return tuple(
        b"".join(one if value >> bit & 1 else _ZERO for bit in range(7, -1, -1)) for value in range(256)
    )
