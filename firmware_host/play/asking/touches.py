"""Touches: a piece set down on an empty point and taken off again, or lifted and put back.

Invariants: a touch counts when it ends. One that is too short may be contact noise or a weak sensor that
drops out; one that is too long is a piece that was placed or taken. Two pieces set down at once are no touch.
Time is an argument.

A point whose sensor changes without end, as no hand can, reads as the game has it, so that it neither makes
a touch nor disturbs one.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Collection
from dataclasses import dataclass

from firmware_host.ports import NOTHING, Frame
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

    def steadied(self, frame: Frame, own: Callable[[], Frame], now: Microseconds) -> Frame:
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


MIN_DOWN: Microseconds = 60_000
MIN_UP: Microseconds = 400_000
"""Longer than a weak sensor drops out."""
MAX_TOUCH: Microseconds = 3_000_000
MIN_APART: Microseconds = 120_000
"""The time between two touches of a point; a magnet that barely holds its contact makes several of one."""
TOLERANCE: Microseconds = 15_000
"""A visit may be observed longer or shorter than it was, by a frame and by contacts that bounce."""


@dataclass(slots=True)
class _Visit:
    since: Microseconds
    is_down: bool
    counts: bool = True


class Touches:
    """The touches of one board's points, which at first are `frame`."""

    def __init__(self, frame: Frame, rest: Frame) -> None:
        """Compare with `rest`; where `frame` differs from it already, pieces are in hand."""
        self._rest = rest
        self._last = frame
        in_hand = (index for index, reading in enumerate(frame) if reading != rest[index])
        self._visits = {index: _Visit(-MAX_TOUCH, is_down=False, counts=False) for index in in_hand}
        self.lasted: Microseconds = 0
        """The duration of the touch that ended last."""
        self._ended: dict[int, Microseconds] = {}
        """By the index of a point: when its last visit ended."""
        self._down_until: Microseconds | None = None

    @property
    def touching(self) -> frozenset[int]:
        """The indexes of points where a piece was set down that may still be taken off again."""
        return frozenset(index for index, visit in self._visits.items() if visit.is_down and visit.counts)

    @property
    def idle_since(self) -> Microseconds | None:
        """The time at which the last piece was taken off again; None while one is set down, and before any.

        A standing piece that is lifted, or only seems to be, doesn't count.
        """
        is_busy = any(visit.is_down for visit in self._visits.values())
        return None if is_busy else self._down_until

    def touched_in(self, frame: Frame, now: Microseconds) -> int | None:
        """Return the index of the point whose touch ends with this debounced frame."""
        if frame == self._last:
            return None
        changed = [i for i, (a, b) in enumerate(zip(frame, self._last, strict=True)) if a != b]
        self._last = frame
        ended = [index for index in changed if frame[index] == self._rest[index] and index in self._visits]
        touched = [index for index in ended if self._is_touch(self._visits[index], now)]
        for index in changed:
            self._interrupt(index)
        if touched:
            self.lasted = now - self._visits[touched[0]].since
        for index in ended:
            if self._visits.pop(index).is_down:
                self._down_until = now
            self._ended[index] = now
        for index in changed:
            if frame[index] != self._rest[index] and index not in self._visits:
                self._begin(index, frame, now)
        return touched[0] if len(touched) == 1 else None

    def forget(self, indexes: Collection[int]) -> None:
        """Forget what happened at points whose readings mean nothing."""
        for index in indexes:
            self._visits.pop(index, None)
        self._last = tuple(self._rest[i] if i in indexes else r for i, r in enumerate(self._last))

    def is_left(self, now: Microseconds) -> bool:
        """Return whether a piece was set down and has been left there for longer than a touch."""
        due = self._left_at()
        return due is not None and now >= due

    @property
    def deadline(self) -> Microseconds | None:
        """The time at which `is_left` will be true although no reading changes."""
        return self._left_at()

    def _left_at(self) -> Microseconds | None:
        dues = (visit.since + MAX_TOUCH + TOLERANCE + 1 for visit in self._visits.values() if visit.is_down)
        return min(dues, default=None)

    def _begin(self, index: int, frame: Frame, now: Microseconds) -> None:
        rest = self._rest[index]
        is_again = now - self._ended.get(index, -MAX_TOUCH) < MIN_APART
        visit = _Visit(now, is_down=rest == NOTHING or frame[index].added_top(rest), counts=not is_again)
        others = [other for other in self._visits.values() if other.is_down]
        if visit.is_down and others:
            for other in (visit, *others):
                other.counts = False
        self._visits[index] = visit

    def _interrupt(self, index: int) -> None:
        """Note a change at a point: another piece is in hand, so this is more than a touch."""
        for other, visit in self._visits.items():
            if other != index and not visit.is_down:
                visit.counts = False

    def _is_touch(self, visit: _Visit, now: Microseconds) -> bool:
        least = MIN_DOWN if visit.is_down else MIN_UP
        return visit.counts and least - TOLERANCE <= now - visit.since <= MAX_TOUCH + TOLERANCE
