"""The schedule of transmissions to a strip: changes at once, a retry after a second, a refresh each second.

LEDs do not answer, and after a power failure they stay dark until they are sent something, so a refresh
brings back a strip whose plug was pulled. Time is an argument.

Invariants: at rest the strip is refreshed at whole seconds, whatever was sent between them.
"""

from __future__ import annotations

from firmware_host.ports import LedFrame
from firmware_host.settings import Microseconds

_SECOND: Microseconds = 1_000_000


class StripRefresh:
    """The last light that a strip was sent, and the time of the next transmission."""

    def __init__(self) -> None:
        self.failed = False
        """True if the last transmission failed."""
        self.again_at: Microseconds = 0
        """The time of the next transmission if the light stays the same."""
        self._sent: LedFrame | None = None

    def is_due(self, leds: LedFrame, now: Microseconds) -> bool:
        """Return True if `leds` are to be sent at `now`; the same object as before is the same light."""
        return now >= self.again_at or (leds is not self._sent and not self.failed)

    def succeeded(self, leds: LedFrame, now: Microseconds) -> None:
        """Note that `leds` were sent."""
        self.failed = False
        self._sent = leds
        self.again_at = (now // _SECOND + 1) * _SECOND

    def did_fail(self, now: Microseconds) -> None:
        """Note that a transmission failed."""
        self.failed = True
        self.again_at = now + _SECOND

    def rested(self, until: Microseconds) -> None:
        """Skip the refreshes before `until`, which would have changed nothing."""
        if not self.failed:
            self.again_at = max(self.again_at, -(-until // _SECOND) * _SECOND)
