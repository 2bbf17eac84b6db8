"""The final limit on the speed of changes, whatever scenes ask for.

A flash is a pair of opposing changes of a light (WCAG 2.3.1, "general flash and red flash thresholds"). Here
a change has no minimum size and counts in each of red, green and blue, which is stricter: it covers dim
lights in a dark room, and flicker between two colours of equal brightness. Every flash has one rise, so a
light may begin to rise only if the rise before its last one ended more than a second ago; until then it may
only become darker. Becoming darker is never delayed: a frame draws no more current than the one that was
asked for. A light at rest responds at once.
"""

from __future__ import annotations

from firmware_host.ports import DARK, LedFrame
from firmware_host.settings import Microseconds

WINDOW: Microseconds = 1_100_000
"""The second in which two flashes are permitted, and a margin for a late frame."""


class FlashLimiter:
    """A memory of each light's rises, which delays those that would make a third flash in a second."""

    def __init__(self, leds: int) -> None:
        self.shown: LedFrame = (DARK,) * leds
        self.release: Microseconds | None = None
        """The time at which the first delayed light may rise; None if none is delayed."""
        self._rising = [False] * leds
        self._last_rise = [-WINDOW] * leds
        self._rise_before = [-WINDOW] * leds

    def limit(self, wanted: LedFrame, now: Microseconds) -> LedFrame:
        """Return the frame to show for `wanted`, nowhere brighter than it; `now` must not decrease."""
        self.release = None
        if wanted == self.shown:
            return self.shown
        frame = list(wanted)
        for led, (old, new) in enumerate(zip(self.shown, wanted, strict=True)):
            if new == old:
                continue
            common = (min(old[0], new[0]), min(old[1], new[1]), min(old[2], new[2]))
            if common == new:
                self._rising[led] = False
            elif self._rising[led] and common == old:
                self._last_rise[led] = now
            elif now - self._rise_before[led] >= WINDOW:
                self._rise_before[led], self._last_rise[led] = self._last_rise[led], now
                self._rising[led] = True
            else:
                frame[led] = common
                self._rising[led] = False
                due = self._rise_before[led] + WINDOW
                self.release = due if self.release is None else min(due, self.release)
        self.shown = tuple(frame)
        return self.shown
