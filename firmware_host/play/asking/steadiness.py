"""The points whose sensor changes without end, as no hand can.

Invariants: an unsteady point reads as the game has it, so that it neither makes a touch nor disturbs one.
Time is an argument.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable

from firmware_host.ports import Frame
from firmware_host.settings import Microseconds

UNSTEADY_WITHIN: Microseconds = 1_000_000
MAX_CHANGES = 6
"""The most changes of a point in that time: hands that touch it three times in a second."""


class Steadiness:
    """The latest changes at each point of one board."""

    def __init__(self) -> None:
        self.unsteady: frozenset[int] = frozenset()
        """The indexes of points that change too often."""
        self.deadline: Microseconds | None = None
        """The time at which an unsteady point is steady again unless it changes; None if all are."""
        self._last: Frame = ()
        self._changes: dict[int, deque[Microseconds]] = defaultdict(lambda: deque(maxlen=MAX_CHANGES + 1))

    def update(self, frame: Frame, own: Callable[[], Frame], now: Microseconds) -> Frame:
        """Return a debounced frame, with what `own` returns at unsteady points."""
        if frame is not self._last:
            for index, (reading, before) in enumerate(zip(frame, self._last, strict=False)):
                if reading != before:
                    self._changes[index].append(now)
            self._last = frame
            self.unsteady |= {i for i, times in self._changes.items() if _is_unsteady(times)}
        if not self.unsteady:
            return frame
        self.unsteady -= {i for i in self.unsteady if now - self._changes[i][-1] >= UNSTEADY_WITHIN}
        dues = (self._changes[index][-1] + UNSTEADY_WITHIN for index in self.unsteady)
        self.deadline = min(dues, default=None)
        expected = own()
        return tuple(expected[i] if i in self.unsteady else reading for i, reading in enumerate(frame))


def _is_unsteady(times: deque[Microseconds]) -> bool:
    return len(times) > MAX_CHANGES and times[-1] - times[0] < UNSTEADY_WITHIN
