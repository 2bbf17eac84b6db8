"""The LED strip: any `adafruit_pixelbuf`, including NeoPixels on SPI.

Invariants: colours arrive ready to be sent, so the strip's own brightness stays at full. A frame is sent even
if it equals the last one, because LEDs that lost power forget it. A failed write raises a StripError. Closing
leaves the LEDs dark and raises nothing.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from types import TracebackType
from typing import Any

from firmware_host.errors import ConfigError, StripError, reason_of
from firmware_host.i18n import Message
from firmware_host.ports import LedFrame
from hardware.bus.spi import SpiOutput

_LOG = logging.getLogger(__name__)


class NeoPixelStrip:
    """A LedPort on `pixels`, an `adafruit_pixelbuf.PixelBuf`, which knows the order of its colours.

    `order` has, for each point, the index of its LED along the strip, or those of several; LEDs without a
    point stay dark. `release` closes the bus beneath the pixels. Raises ConfigError, one line for each fault,
    if the order does not suit the strip.
    """

    def __init__(
        self,
        pixels: Any,
        order: Sequence[int | Sequence[int]],
        *,
        release: Callable[[], object] = lambda: None,
    ) -> None:
        places = tuple((leds,) if isinstance(leds, int) else tuple(leds) for leds in order)
        if faults := list(_faults(len(pixels), places)):
            raise ConfigError("\n".join(faults))
        pixels.auto_write = False
        pixels.brightness = 1.0
        self._pixels = pixels
        self._places = places
        self._release = release
        self._failing = False
        self._closed = False

    @classmethod
    def on_spi(
        cls,
        bus: SpiOutput,
        order: Sequence[int | Sequence[int]],
        *,
        leds: int | None = None,
        colours: str = "GRB",
        chip: str = "auto",
        reset_us: int = 300,
        say: Callable[[str], object] = lambda _: None,
        release: Callable[[], object] = lambda: None,
    ) -> NeoPixelStrip:
        """Open the WS2812 LEDs on an SPI bus; raises StripError if they cannot be driven.

        `leds` is the length of the strip, by default one LED for each point. `colours` is the order in which
        an LED takes them, with a W if it has a white one, which then shines for greys. `chip` and `reset_us`
        are as in SpiPixels; `say` receives a reset that is shorter than that.
        """
        count = len(order) if leds is None else leds
        try:
            from hardware.spi_pixels import SpiPixels

            pixels = SpiPixels(bus, count, colours, chip=chip, reset_us=reset_us)
        except Exception as error:
            raise StripError(Message("fault.strip.unopened", {"why": reason_of(error)})) from error
        if pixels.reset_us < reset_us:
            say(
                f"{count} LEDs leave room for a reset of {pixels.reset_us} us, not {reset_us} us, since "
                "the SPI driver takes 4096 bytes at once"
            )
        return cls(pixels, order, release=release)

    def show(self, frame: LedFrame) -> None:
        """Send `frame`, one colour for each point."""
        if self._closed:
            raise StripError(Message("fault.unlit.closed"))
        lit = tuple(zip(self._places, frame, strict=True))
        try:
            for leds, colour in lit:
                for led in leds:
                    self._pixels[led] = colour
            self._pixels.show()
        except Exception as error:
            self._failing = True
            raise StripError(Message("fault.unlit.plug", {"why": reason_of(error)})) from error
        self._failing = False

    def close(self) -> None:
        """Switch the LEDs off; may be called twice."""
        if self._closed:
            return
        self._closed = True
        try:
            with ExitStack() as ending:
                ending.callback(self._release)
                self._pixels.fill((0, 0, 0))
                self._pixels.show()
        except Exception as error:  # noqa: BLE001 - logged, since closing continues in any case
            if not self._failing:  # otherwise `show` has raised already
                _LOG.warning("the LED strip could not be darkened: %s", error)

    def __enter__(self) -> NeoPixelStrip:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _faults(leds: int, places: Sequence[tuple[int, ...]]) -> Iterator[str]:
    for led, count in Counter(led for own in places for led in own).items():
        if count > 1:
            yield f"LED {led} is named for {count} points: each needs one of its own"
        if not 0 <= led < leds:
            yield f"there is no LED {led}: the strip has {leds}, counted from 0"
