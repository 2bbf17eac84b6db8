"""An SPI bus with a strip of WS2812 LEDs on its data line.

Rules kept here: an LED tells a one from a zero by how long the line stays high, takes the first 24 bits that
reach it as green, red and blue, highest first, and passes on the rest (one that also has a white takes 32);
LEDs that no bits reach stay as they are. By the WS2812B's data sheet a zero is high for up to 380 ns and a
one for 580 ns or more.
"""

from __future__ import annotations

from functools import lru_cache

from firmware_host.ports import DARK, LedFrame

_ONE_NS = 500


_GREEN = (0, 60, 0)


class SimulatedSpi:
    """A bus as `hardware.spi_pixels` uses one, and what the LEDs on it show.

    `order` is that in which an LED takes its colours.
    """

    def __init__(self, leds: int, order: str = "GRB") -> None:
        self.leds: LedFrame = (DARK,) * leds
        """The colour of each LED along the strip."""
        self.order = order
        self.first_is_green = False
        """Whether the level of the data is so low that the first LED mishears it."""
        self._first_order = order
        self._reached = leds
        self.writes = 0
        """How many frames have left for the strip."""
        self._plugged = True
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

    def reach(self, leds: int) -> None:
        """The data comes no further than to so many LEDs; the others are dark, and stay so."""
        self._reached = leds
        self.leds = self.leds[:leds] + (DARK,) * (len(self.leds) - leds)

    def mend(self) -> None:
        """The strip is there, whole, and as it was made."""
        self.plugged = True
        self.order, self.first_is_green, self._reached = self._first_order, False, len(self.leds)

    def configure(self, hz: int) -> None:
        """Set how fast bits are sent."""
        self._bits = _bits(hz)

    def write(self, data: bytes) -> None:
        """Send bytes; raises OSError where the strip is unplugged."""
        if not self._plugged:
            raise OSError("nothing answers on the SPI bus")
        # A byte that is low throughout carries no bit: such are the pauses before and after.
        bits = data.translate(self._bits, b"\x00")
        whole = len(bits) // 8
        self.receive(int(bits[: whole * 8], 2).to_bytes(whole, "big") if whole else b"")

    def receive(self, taken: bytes) -> None:
        """Let these bytes reach the LEDs, in the order in which they take them; whoever sends them."""
        self.writes += 1
        size = len(self.order)
        if self._plugged and (whole := len(taken) // size):
            sent = self._colours(taken[: whole * size])
            if self.first_is_green:
                sent = (_GREEN, *sent[1:])
            sent = sent[: self._reached]
            self.leds = sent + self.leds[len(sent) :]

    def _colours(self, taken: bytes) -> LedFrame:
        """What LEDs shine in that have taken these bytes; a white shines in all colours."""
        size = len(self.order)
        red, green, blue = (taken[self.order.index(colour) :: size] for colour in "RGB")
        if "W" in self.order:
            white = taken[self.order.index("W") :: size]
            red, green, blue = (bytes(map(max, one, white)) for one in (red, green, blue))
        return tuple(zip(red, green, blue, strict=True))


@lru_cache
def _bits(hz: int) -> bytes:
    """What each byte is to an LED, b"0" or b"1", by the length of the high run that it begins with."""
    high_ns = [(8 - (~byte & 0xFF).bit_length()) * 1_000_000_000 / hz for byte in range(256)]
    return bytes(ord("1") if high >= _ONE_NS else ord("0") for high in high_ns)
