"""WS2812 LEDs on an SPI bus, as an `adafruit_pixelbuf.PixelBuf`.

An LED tells a one from a zero by how long its data line stays high, so each bit for an LED is a byte on the
bus. Adafruit's `neopixel_spi` encodes the same way, but it imports Blinka, which detects the board it runs on
and on a Raspberry Pi needs the compiled library gpiod. This module needs neither.

Invariants:
- A frame is one write: 64 zero bytes, eight bytes for each colour of each LED, 64 zero bytes. The zeros in
  front serve boards whose data line rests high; those behind keep it low for 80 us, which has the LEDs show
  the new colours.
- At `HZ` the line is high for 310 ns of a zero and for 620 ns of a one.
"""

from __future__ import annotations

from adafruit_pixelbuf import PixelBuf  # type: ignore[import-untyped]

from hardware.bus.spi import SpiOutput

HZ = 6_400_000
"""Bits per second on the bus; eight of them make one of the 800,000 bits per second that an LED reads."""

_RESET = bytes(64)
_ZERO, _ONE = b"\xc0", b"\xf0"
_ENCODED = tuple(
    b"".join(_ONE if value >> bit & 1 else _ZERO for bit in range(7, -1, -1)) for value in range(256)
)


class SpiPixels(PixelBuf):  # type: ignore[misc]
    """A strip of `count` LEDs on `bus`; `colours` is the order in which each takes them, such as GRB."""

    def __init__(self, bus: SpiOutput, count: int, colours: str) -> None:
        """Set the clock of the bus, and send nothing yet; raises OSError if the clock cannot be set."""
        bus.configure(HZ)
        self._bus = bus
        super().__init__(count, byteorder=colours)

    def _transmit(self, buffer: bytes) -> None:
        """Send the colours in `buffer`, which PixelBuf keeps in the order of the LEDs."""
        self._bus.write(b"".join((_RESET, *(_ENCODED[value] for value in buffer), _RESET)))
