"""Every change of every point since the board last matched the game, in its order.

Invariants: times are those of frames, so that nothing depends on the moment of a question. A point that is
back to what the game expects when the game goes on is forgotten; of every other point the last change stays,
since it may be the beginning of the next turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from firmware_host.games.game import Step
from firmware_host.ports import NOTHING, Frame, Reading
from firmware_host.settings import Microseconds

LONG_AGO: Microseconds = -1_000_000_000_000
"""A time before every frame; a number, since times are compared and subtracted."""

PACE: Microseconds = 80_000
"""Hands take at least this long from one piece to the next."""
PUSHED: Microseconds = 20_000
"""A piece that lands so soon after it left its point was pushed."""

_MAX_CHANGES = 8
"""The number of changes kept of each point: no hands act there as often before the board is settled."""


class ReadingChange(NamedTuple):
    """A point reads `reading` from `time` on."""

    time: Microseconds
    reading: Reading


class Observation:
    """The changes of each point, and the times of the last ones."""

    def __init__(self, points: int, *, stacked: bool = False) -> None:
        """Begin without a frame, for a board with that many points, on which pieces may be `stacked`."""
        self._points = points
        self._stacked = stacked
        self.removed: dict[int, Microseconds] = {}
        """By the points that the last turn removed from: when they were vacated."""
        self.restart()

    def restart(self) -> None:
        """Begin again without a frame, since other readings follow; what was removed stays known."""
        self.frame: Frame = ()
        self.changes: dict[int, list[ReadingChange]] = {}
        """By the index of a point: its changes since the board last matched the game."""
        self.changed: list[Microseconds] = [0] * self._points
        self.opened: list[Microseconds] = [LONG_AGO] * self._points
        """The time at which each point was last vacated, or lost the top of its stack."""
        self._openings: list[list[Microseconds]] = [[] for _ in range(self._points)]
        self.latest: Microseconds = 0
        self.crowding = 0
        """The number of ways to search that have been too much for all these changes."""

    def note(self, frame: Frame, own: Frame, now: Microseconds) -> None:
        """Record what changed in `frame`; the first frame is compared with `own`, the game's."""
        before = self.frame or own
        self.frame = frame
        if frame == before:
            return
        self.latest = now
        for index, (was, reading) in enumerate(zip(before, frame, strict=True)):
            if was != reading:
                changes = self.changes.setdefault(index, [])
                readings = _one_by_one(changes, own[index], was, reading) if self._stacked else (reading,)
                changes.extend(ReadingChange(now, r) for r in readings)
                if len(changes) > _MAX_CHANGES:  # the sensor chatters
                    del changes[2:4]
                self.changed[index] = now
                if reading == NOTHING or (self._stacked and reading.lost_top(was)):
                    self.opened[index] = now
                    self._openings[index] = [*self._openings[index][1 - _MAX_CHANGES :], now]

    def settle(self, own: Frame) -> None:
        """Forget what the game explains, now that its position gives the frame `own`."""
        self.crowding = 0
        for index in list(self.changes):
            if self.frame[index] == own[index]:
                del self.changes[index]
            else:
                del self.changes[index][:-1]
        for index, (reading, expected) in enumerate(zip(self.frame, own, strict=True)):
            if reading != expected and index not in self.changes:
                self.changes[index] = [ReadingChange(self.changed[index], reading)]

    def remember_removals(self, last_turn: Iterable[Step]) -> None:
        """Note when the removals of the last turn vacated their points."""
        self.removed = {
            step.origin.index: self.opened[step.origin.index]
            for step in last_turn
            if step.target is None and step.origin is not None
        }

    def openings(self, index: int) -> list[Microseconds]:
        """Return when the point became empty or lost a piece, since the board matched the game."""
        changes = self.changes.get(index)
        return [] if changes is None else [t for t in self._openings[index] if t >= changes[0].time]

    def first(self, index: int) -> Microseconds:
        """Return when the point changed first, since the board matched the game."""
        return self.changes[index][0].time

    def was_left(self, index: int, since: Microseconds, until: Microseconds) -> bool:
        """Return whether the point was vacated in that time, even if the board has matched the game since."""
        return any(since < time <= until for time in self._openings[index])

    def landings(self, index: int, reading: Reading) -> list[Microseconds]:
        """Return when the point began to read `reading`, since the board matched the game."""
        return [change.time for change in self.changes.get(index, ()) if change.reading == reading]

    def longest_stand(self, index: int) -> Microseconds:
        """Return the longest time from a change of the point to the opening that followed it."""
        opened = self.openings(index)
        changes = pairwise(self.changes.get(index, ()))
        return max((after.time - before.time for before, after in changes if after.time in opened), default=0)

    def first_landings(self) -> Iterator[tuple[int, Microseconds]]:
        """Yield each point at which a piece was set down, and when that was first."""
        for index, changes in self.changes.items():
            times = [change.time for change in changes if change.reading != NOTHING]
            if times:
                yield index, times[0]

    def landed_between(self, index: int, since: Microseconds, until: Microseconds) -> bool:
        """Return whether a piece that still stands was set down on another point in that time."""
        return any(
            since < changes[-1].time < until and changes[-1].reading != NOTHING
            for other, changes in self.changes.items()
            if other != index
        )

    def landed_together(self, time: Microseconds) -> list[int]:
        """Return the points on which a piece was set down at that time."""
        return [
            index
            for index, changes in self.changes.items()
            if any(change.time == time for change in changes) and time not in self._openings[index]
        ]

    def carried(self, index: int, landed: Microseconds) -> Microseconds:
        """Return how long the piece of the point was in hand before it landed; very long if it never left."""
        return min((landed - time for time in self.openings(index) if time <= landed), default=-LONG_AGO)

    def action_times(self, steps: Sequence[Step]) -> list[Microseconds | None]:
        """Return since when the last action of each of these `steps` has stood; None if no reading shows it.

        A later step may have filled or vacated the same point again. One without an action, such as declining
        a removal, was taken as the next one began.
        """
        times: list[Microseconds | None] = []
        bounds: dict[int, Microseconds] = {}
        begun: Microseconds | None = None
        for step in reversed(steps):
            point = step.target or step.origin
            time = begun
            if point is not None:
                time = self._acted(point.index, is_landing=step.target is not None, bounds=bounds)
                begun = time
            if step.target is not None and step.origin is not None:
                lifted = self._acted(step.origin.index, is_landing=False, bounds=bounds)
                begun = time if lifted is None else lifted
            times.append(time)
        return times[::-1]

    def _acted(self, index: int, *, is_landing: bool, bounds: dict[int, Microseconds]) -> Microseconds | None:
        """Return the last time before its bound at which a piece landed at a point or left it; bound it."""
        opened = self.openings(index)
        landed = (change.time for change in self.changes.get(index, ()) if change.time not in opened)
        times = [time for time in (landed if is_landing else opened) if time < bounds.get(index, time + 1)]
        if not times:
            return None
        bounds[index] = times[-1]
        return times[-1]

    def pace(self, points: Iterable[int]) -> Microseconds:
        """Return the shortest time between the last changes of two of the points; very long for one point."""
        times = sorted(self.changed[index] for index in points)
        return min((after - before for before, after in pairwise(times)), default=-LONG_AGO)


def _one_by_one(
    changes: Sequence[ReadingChange], own: Reading, was: Reading, reading: Reading
) -> list[Reading]:
    """Return the readings on the way to `reading`: two pieces that come or go together are two actions.

    `own` and the `changes` were read before. No hand makes a stack into any other one at once. So if no way
    leads from `was` to `reading`, noise has decided between two stacks and `was` was misread. Then the way
    begins where that one did.
    """
    if _is_one_action(was, reading):
        return [reading]
    begun = next((c.reading for c in reversed(changes) if c.time < changes[-1].time), own)
    between = _between(was, reading) or _between(begun, reading)
    return [reading] if between is None else [between, reading]


def _is_one_action(was: Reading, reading: Reading) -> bool:
    """Return whether the reading changes like that when one piece comes or goes."""
    return was.with_top(reading.top) == reading or reading.with_top(was.top) == was


def _between(was: Reading, reading: Reading) -> Reading | None:
    """Return the reading after the first of two pieces that came or went; None if it was anything else."""
    for lower, upper in ((was, reading), (reading, was)):
        between = lower.with_top(upper.below.top)
        if upper.below != NOTHING and between.with_top(upper.top) == upper:
            return between
    return None
