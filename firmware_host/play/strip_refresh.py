"""When light leaves for a strip: what is new at once, what failed a second later, and what is shown already
again with each second.

LEDs do not answer, and ones that were without power are dark until they are sent something: a plug that is
pulled and put in again mends itself so. Rule kept here: at rest light leaves at whole seconds, whatever was
sent between them. Time is an argument.
"""

from __future__ import annotations

from firmware_host.ports import LedFrame
from firmware_host.settings import Microseconds

_SECOND: Microseconds = 1_000_000


class Sending:
    """What one strip was sent last, and when it is to be sent something again."""

    def __init__(self) -> None:
        self.failed = False
        """Whether the strip could not be written when that was tried last."""
        self.again_at: Microseconds = 0
        """When it is sent something although the light is the same."""
        self._sent: LedFrame | None = None

    def is_due(self, leds: LedFrame, now: Microseconds) -> bool:
        """Whether `leds` are to be sent at `now`; the same object as before is the same light."""
        return now >= self.again_at or (leds is not self._sent and not self.failed)

    def succeeded(self, leds: LedFrame, now: Microseconds) -> None:
        """Note that `leds` were sent."""
        self.failed = False
        self._sent = leds
        self.again_at = (now // _SECOND + 1) * _SECOND

    def did_fail(self, now: Microseconds) -> None:
        """Note that the strip could not be written."""
        self.failed = True
        self.again_at = now + _SECOND

    def rested(self, until: Microseconds) -> None:
        """Note that until then nothing was done, since to send the same again would have changed nothing."""
        if not self.failed:
            self.again_at = max(self.again_at, -(-until // _SECOND) * _SECOND)
