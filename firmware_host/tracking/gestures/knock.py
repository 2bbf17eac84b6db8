"""The knock: a piece is set down on one empty point three times, quickly.

The reconciler takes a visit for a placement once its dwell is over, and forgets its observations when that
counts. A slow knock is three such visits, so it is observed here, beside the reconciler and across its steps.

Invariants: only presences on an empty point are part of a knock, since a weak sensor drops out by itself;
exactly three visits are a knock, and a point that goes on changing makes none. Time is an argument.
"""

from __future__ import annotations

from itertools import pairwise

from firmware_host.ports import NOTHING, Frame
from firmware_host.settings import Microseconds

KNOCKS = 3
MIN_KNOCK: Microseconds = 50_000
MAX_KNOCK: Microseconds = 600_000
"""The shortest and the longest visit, and the shortest and the longest gap between two."""
QUIET: Microseconds = 700_000
"""The time without a change after which a knock is complete, or has failed."""
_TOLERANCE: Microseconds = 15_000
"""A visit may be observed longer or shorter than it was, by a frame and by contacts that bounce."""


class KnockDetector:
    """The visits to one point of a board, until they are a knock or something else."""

    def __init__(self) -> None:
        self.deadline: Microseconds | None = None
        """The time at which a knock may be complete although no reading changes."""
        self._last: Frame = ()
        self._home: Frame = ()
        self._point: int | None = None
        self._changes: list[Microseconds] = []

    def restart(self) -> None:
        """Forget the visits so far, because the board was not watched."""
        self._last = ()
        self._forget()

    def update(self, frame: Frame, own: Frame, now: Microseconds, *, may_begin: bool) -> int | None:
        """Return the index of the point that was knocked on, once, when the knock is complete.

        `own` is the frame of a board that matches the game. `may_begin` says that pieces are being placed; a
        knock then begins on a board that matches the game, or that is empty.
        """
        if frame != self._last:
            self._note(frame, own, now, may_begin=may_begin)
            self._last = frame
        return self._decide(now)

    @property
    def began(self) -> Microseconds | None:
        """The time of the first visit, until it is clear what follows; None if none is under way."""
        return self._changes[0] if self._changes else None

    @property
    def _is_down(self) -> bool:
        return len(self._changes) % 2 == 1

    def _note(self, frame: Frame, own: Frame, now: Microseconds, *, may_begin: bool) -> None:
        if self._point is None:
            self._begin(frame, own, now, may_begin=may_begin)
            return
        differing = _differing(frame, self._home)
        if differing - {self._point}:  # what seemed a visit may be a placement, and this the first visit
            self._forget()
            self._begin(frame, own, now, may_begin=may_begin)
        elif bool(differing) != self._is_down:
            self._changes.append(now)
            if len(self._changes) > 2 * KNOCKS + 2:  # it chatters: neither more changes nor fewer are a knock
                del self._changes[:2]

    def _begin(self, frame: Frame, own: Frame, now: Microseconds, *, may_begin: bool) -> None:
        """Begin with a visit to an empty point, if `frame` is one and the board was as it should be."""
        before = self._last
        if not may_begin or not before or (before != own and any(before)):
            return
        differing = _differing(frame, before)
        if len(differing) == 1 and all(before[index] == own[index] == NOTHING for index in differing):
            self._home, self._point, self._changes = before, min(differing), [now]

    def _decide(self, now: Microseconds) -> int | None:
        self.deadline = None
        point, changes = self._point, self._changes
        if point is None:
            return None
        due = changes[-1] + (MAX_KNOCK + _TOLERANCE + 1 if self._is_down else QUIET)
        if now < due:
            self.deadline = due
            return None
        is_complete = len(changes) == 2 * KNOCKS and all(map(_is_knock, pairwise(changes)))
        self._forget()
        return point if is_complete else None

    def _forget(self) -> None:
        self._point = None
        self._changes = []
        self.deadline = None


def _is_knock(times: tuple[Microseconds, Microseconds]) -> bool:
    before, after = times
    return MIN_KNOCK - _TOLERANCE <= after - before <= MAX_KNOCK + _TOLERANCE


def _differing(one: Frame, other: Frame) -> set[int]:
    return {index for index, (a, b) in enumerate(zip(one, other, strict=True)) if a != b}
