"""An SPI bus with a strip of WS2812 LEDs on its data line.

Invariants: an LED tells a one from a zero by the length of the high pulse. It takes the first 24 bits that
reach it as green, red and blue, highest bit first, and passes on the rest (one with a white part takes 32).
LEDs that no bits reach keep their colour. By the WS2812B's data sheet a zero is high for up to 380 ns and a
one for 580 ns or more.
"""

from __future__ import annotations

from functools import lru_cache

from firmware_host.ports import DARK, LedFrame

_ONE_NS = 500


_GREEN = (0, 60, 0)


class SimulatedSpi:
    """A bus as `hardware.spi_pixels` uses one, and the colours of its LEDs.

    `order` is that in which an LED takes its colours.
    """

    def __init__(self, leds: int, order: str = "GRB") -> None:
        self.leds: LedFrame = (DARK,) * leds
        """The colour of each LED along the strip."""
        self.order = order
        self.first_is_green = False
        """True if the data level is too low for the first LED, which then shows the wrong colours."""
        self._first_order = order
        self._working_leds = leds
        self.writes = 0
        """Number of frames sent to the strip."""
        self._plugged = True
        self._bits = _bits(100_000)

    @property
    def plugged(self) -> bool:
        """False if the strip is unplugged: it is dark, and cannot be written."""
        return self._plugged

    @plugged.setter
    def plugged(self, there: bool) -> None:
        self._plugged = there
        if not there:
            self.leds = (DARK,) * len(self.leds)

    def reach(self, leds: int) -> None:
        """Break the data line after this number of LEDs; the others are dark, and stay so."""
        self._working_leds = leds
        self.leds = self.leds[:leds] + (DARK,) * (len(self.leds) - leds)

    def repair(self) -> None:
        """End all faults of the strip."""
        self.plugged = True
        self.order, self.first_is_green, self._working_leds = self._first_order, False, len(self.leds)

    def configure(self, hz: int) -> None:
        """Set the clock of the bus."""
        self._bits = _bits(hz)

    def close(self) -> None:
        """Do nothing: the LEDs keep their colours."""

    def write(self, data: bytes) -> None:
        """Send bytes; raises OSError if the strip is unplugged."""
        if not self._plugged:
            raise OSError("nothing answers on the SPI bus")
        # A byte that is low throughout carries no bit; the pauses before and after consist of these.
        bits = data.translate(self._bits, b"\x00")
        whole = len(bits) // 8
        self.receive(int(bits[: whole * 8], 2).to_bytes(whole, "big") if whole else b"")

    def receive(self, data: bytes) -> None:
        """Pass bytes to the LEDs, in the order in which they take them, whatever sends them."""
        self.writes += 1
        size = len(self.order)
        if self._plugged and (whole := len(data) // size):
            sent = self._colours(data[: whole * size])
            if self.first_is_green:
                sent = (_GREEN, *sent[1:])
            sent = sent[: self._working_leds]
            self.leds = sent + self.leds[len(sent) :]

    def _colours(self, data: bytes) -> LedFrame:
        """Return the colours of LEDs for these bytes; a white part counts as all three colours."""
        size = len(self.order)
        red, green, blue = (data[self.order.index(colour) :: size] for colour in "RGB")
        if "W" in self.order:
            white = data[self.order.index("W") :: size]
            red, green, blue = (bytes(map(max, one, white)) for one in (red, green, blue))
        return tuple(zip(red, green, blue, strict=True))


@lru_cache
def _bits(hz: int) -> bytes:
    """Return the bit that each byte means to an LED, b"0" or b"1", by the length of its initial high run."""
    high_ns = [(8 - (~byte & 0xFF).bit_length()) * 1_000_000_000 / hz for byte in range(256)]
    return bytes(ord("1") if high >= _ONE_NS else ord("0") for high in high_ns)
