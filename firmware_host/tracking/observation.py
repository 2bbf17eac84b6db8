"""Every change of every point since the board last matched the game, in its order.

Invariants: times are those of frames, so that nothing depends on the moment of a question. A point that is
back to what the game expects when the game goes on is forgotten; of every other point the last change stays,
since it may be the beginning of the next turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from operator import is_
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


_Changes = Mapping[int, Sequence[ReadingChange]]

_MAX_MARKS = 6
"""The number of earlier moments that are remembered at which the board matched the game."""
_MAX_LOG = 60
"""The number of changes kept since such a moment; after more of them, it is forgotten."""


class Mark(NamedTuple):
    """The game's position after `steps` gave `own`, and the changes that it didn't explain are in `log`."""

    steps: tuple[Step, ...]
    own: Frame
    removed: Mapping[int, Microseconds]
    log: list[tuple[int, ReadingChange]]


class Observation:
    """The changes of each point, and the times of the last ones."""

    def __init__(self, points: int, *, stacked: bool = False) -> None:
        """Begin without a frame, for a board with that many points, on which pieces may be `stacked`."""
        self._points = points
        self._stacked = stacked
        self.removed: dict[int, Microseconds] = {}
        """By the points that the last turn removed from: when they were vacated."""
        self.removed_before: dict[int, Microseconds] = {}
        """The same of the turn before it."""
        self.counted: tuple[Microseconds, Microseconds] = LONG_AGO, LONG_AGO
        """The times of the last changes of the last turn but one, and when the game last went on."""
        self._acted_by = LONG_AGO
        """The time of the last change of the last turn; the next one may have begun before that counted."""
        self._marks: list[Mark] = []
        self.back: Mark | None = None
        """The last moment at which the board stood as some turns ago; None if it hasn't since it matched."""
        self.restart()

    def restart(self) -> None:
        """Begin again without a frame, since other readings follow; what was removed stays known."""
        self.frame: Frame = ()
        self.changes: dict[int, list[ReadingChange]] = {}
        """By the index of a point: its changes since the board last matched the game."""
        self.changed: list[Microseconds] = [0] * self._points
        self.opened: list[Microseconds] = [LONG_AGO] * self._points
        """The time at which each point was last vacated, or lost the top of its stack."""
        self._openings: dict[int, list[Microseconds]] = {}
        self.latest: Microseconds = 0
        self.unwatched: Microseconds | None = None
        """The time of the last frame with changes that nobody watched happen."""
        self._is_unwatched = True
        self._marks.clear()
        self.back = None
        self.crowding = 0
        """The number of ways to search that have been too much for all these changes."""

    def forget_touches(self) -> None:
        """Forget which points were vacated: the board has rested as the game stands."""
        self._openings.clear()

    def look_away(self) -> None:
        """Note that changes up to the next frame are not watched: their order and pace stay unknown."""
        self._is_unwatched = True

    def note(self, frame: Frame, own: Frame, now: Microseconds) -> None:
        """Record what changed in `frame`; the first frame is compared with `own`, the game's."""
        before = self.frame or own
        self.frame = frame
        was_unwatched, self._is_unwatched = self._is_unwatched, False
        if frame == before:
            return
        self.latest = now
        if was_unwatched:
            self.unwatched = now
        marks = [*self._marks, self.back] if self.back else self._marks
        for index, (was, reading) in enumerate(zip(before, frame, strict=True)):
            if was != reading:
                changes = self.changes.setdefault(index, [])
                readings = _one_by_one(changes, own[index], was, reading, stacked=self._stacked)
                added = [ReadingChange(now, r) for r in readings]
                changes.extend(added)
                entries = [(index, change) for change in added]
                for mark in marks:
                    mark.log.extend(entries)
                if len(changes) > _MAX_CHANGES:  # the sensor chatters
                    del changes[2:4]
                self.changed[index] = now
                if _is_lift(was, reading, stacked=self._stacked):
                    self.opened[index] = now
                    earlier = self._openings.get(index, [])
                    self._openings[index] = [*earlier[1 - _MAX_CHANGES :], now]
        for index, since in list(_blinked(self.changes, own, now)):
            blink = self.changes[index][-2:]
            self.changes[index] = self.changes[index][:-2]
            self._openings[index] = [t for t in self._openings.get(index, ()) if t not in (since, now)]
            for mark in marks:
                mark.log[:] = [(i, change) for i, change in mark.log if i != index or change not in blink]
        self.changes = {index: changes for index, changes in self.changes.items() if changes}
        self._marks = [mark for mark in self._marks if len(mark.log) <= _MAX_LOG]
        if self.back and len(self.back.log) > _MAX_LOG:
            self.back = None

    # ---- parts of what was seen --------------------------------------------------------------------

    def at_rest(self, own: Frame, *, also_passed: bool = False) -> Observation:
        """Return the same board, as if each point that differs from `own` now had changed just once.

        If another piece may have taken the place of the top one, that one has left. With `also_passed`, the
        points that pieces may have passed changed as they did.
        """
        passed = self.changes if also_passed else {}
        changes = passed | {
            index: [
                ReadingChange(self.changed[index], r)
                for r in _way_at_rest(was, reading, stacked=self._stacked)
            ]
            for index, (was, reading) in enumerate(zip(own, self.frame, strict=True))
            if was != reading
        }
        return self._part(self.frame, changes, own)

    def until(self, time: Microseconds, own: Frame) -> Observation:
        """Return the board as it was at `time`, since when it has differed from `own`."""
        before = {i: [c for c in those if c.time <= time] for i, those in self.changes.items()}
        changes = {index: those for index, those in before.items() if those}
        frame = tuple(changes[i][-1].reading if i in changes else reading for i, reading in enumerate(own))
        return self._part(frame, changes, own)

    def mark(self, steps: tuple[Step, ...], own: Frame) -> None:
        """Remember that the game's position gives the frame `own` now, after these `steps`.

        The board matches it, or hands have begun the next turn.
        """
        log = [(index, change) for index, those in self.changes.items() for change in those]
        earlier = [mark for mark in self._marks if len(mark.steps) < len(steps)]
        self._marks = [*earlier[-_MAX_MARKS:], Mark(steps, own, dict(self.removed), log)]

    def marks(self, steps: tuple[Step, ...]) -> Iterator[Mark]:
        """Yield the earlier moments at which the board matched a game of these `steps`, the latest first."""
        for mark in reversed(self._marks):
            if len(mark.steps) < len(steps) and all(map(is_, mark.steps, steps)):
                yield mark

    def since(self, mark: Mark) -> Observation:
        """Return all that was seen since the board matched an earlier position of the game."""
        changes: dict[int, list[ReadingChange]] = {}
        for index, change in mark.log:
            changes.setdefault(index, []).append(change)
        part = self._part(self.frame, changes, mark.own)
        part.removed, part.removed_before = dict(mark.removed), {}
        return part

    def pauses(self) -> list[Microseconds]:
        """Return the times of the changes after which hands paused, the latest first; not the last change."""
        times = sorted({change.time for changes in self.changes.values() for change in changes})
        return [time for time, following in reversed([*pairwise(times)]) if following - time >= PACE]

    def _part(self, frame: Frame, changes: _Changes, own: Frame) -> Observation:
        """Return an observation in which the board came from `own` to `frame` by these `changes` alone."""
        part = Observation(self._points, stacked=self._stacked)
        part.frame, part.unwatched = frame, self.unwatched
        part.removed, part.removed_before = self.removed, self.removed_before
        part.changed, part.opened = list(self.changed), list(self.opened)
        part._openings = dict(self._openings)
        for index, those in changes.items():
            part.changes[index] = list(those)
            part.changed[index] = those[-1].time
            readings = (own[index], *(change.reading for change in those))
            lifts = zip(readings, those, strict=False)
            opened = [
                change.time for was, change in lifts if _is_lift(was, change.reading, stacked=self._stacked)
            ]
            part._openings[index] = [t for t in self._openings.get(index, ()) if t < those[0].time] + opened
            part.opened[index] = opened[-1] if opened else LONG_AGO
        part.latest = max((those[-1].time for those in changes.values()), default=0)
        return part

    # ---- going on ----------------------------------------------------------------------------------

    def settle(self, own: Frame, *, is_answer: bool = False) -> None:
        """Forget what the game explains, now that its position gives the frame `own`.

        If that `is_answer`, players have said how the game stands, and no earlier moment matters.
        """
        self.crowding = 0
        self.back = None
        if is_answer:
            self._marks.clear()
        for index in list(self.changes):
            if self.frame[index] == own[index]:
                del self.changes[index]
            else:
                del self.changes[index][:-1]
        for index, (reading, expected) in enumerate(zip(self.frame, own, strict=True)):
            if reading != expected and index not in self.changes:
                self.changes[index] = [ReadingChange(self.changed[index], reading)]

    def count(self, last_turn: Iterable[Step], turn_before: Iterable[Step]) -> None:
        """Note that the game has gone on, and when the removals of its last turns vacated their points."""
        last_turn = tuple(last_turn)
        ends = (self.changed[end.index] for step in last_turn if (end := step.target or step.origin))
        new = [time for time in ends if time > self.counted[1]]
        self.counted = self._acted_by, self.latest
        self._acted_by = max(new, default=self.latest)
        self.removed, self.removed_before = (
            {s.origin.index: self.opened[s.origin.index] for s in turn if s.target is None and s.origin}
            for turn in (last_turn, turn_before)
        )

    def openings(self, index: int) -> list[Microseconds]:
        """Return when the point became empty or lost a piece, since the board matched the game."""
        changes = self.changes.get(index)
        return [] if changes is None else [t for t in self._openings.get(index, ()) if t >= changes[0].time]

    def first(self, index: int) -> Microseconds:
        """Return when the point changed first, since the board matched the game."""
        return self.changes[index][0].time

    def was_left(self, index: int, since: Microseconds, until: Microseconds) -> bool:
        """Return whether the point was vacated in that time, even if the board has matched the game since."""
        return any(since < time <= until for time in self._openings.get(index, ()))

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
        """Return the points on which a piece stands that was set down at that time."""
        return [
            index
            for index, changes in self.changes.items()
            if changes[-1].time == time and changes[-1].reading != NOTHING
        ]

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


def _blinked(changes: _Changes, own: Frame, now: Microseconds) -> Iterator[tuple[int, Microseconds]]:
    """Yield each point that changed together with others and is back with them now, and since when.

    No hand does that.
    """
    blinked: dict[Microseconds, list[int]] = {}
    for index, those in changes.items():
        before = (own[index], *(change.reading for change in those))[-3:-2]
        if those[-1].time == now and before == (those[-1].reading,):
            blinked.setdefault(those[-2].time, []).append(index)
    for since, points in blinked.items():
        yield from ((index, since) for index in points if len(points) > 1)


def _is_lift(was: Reading, reading: Reading, *, stacked: bool) -> bool:
    """Return whether a point lost a piece."""
    return reading == NOTHING or (stacked and reading.lost_top(was))


def _one_by_one(
    changes: Sequence[ReadingChange], own: Reading, was: Reading, reading: Reading, *, stacked: bool
) -> list[Reading]:
    """Return the readings on the way to `reading`: of stacks, two pieces that come together are two actions.

    `own` and the `changes` were read before. No hand makes a stack into any other one at once. So if no way
    leads from `was` to `reading`, noise has decided between two stacks and `was` was misread. Then the way
    begins where that one did.
    """
    if not stacked or _is_one_action(was, reading):
        return [reading]
    begun = next((c.reading for c in reversed(changes) if c.time < changes[-1].time), own)
    between = _between(was, reading) or _between(begun, reading)
    return [reading] if between is None else [between, reading]


def _way_at_rest(was: Reading, reading: Reading, *, stacked: bool) -> list[Reading]:
    """Return the readings on the way to `reading`, in which top pieces may have been exchanged."""
    if reading != NOTHING and was.below.with_top(reading.top) == reading:
        return [was.below, reading]
    return _one_by_one((), was, was, reading, stacked=stacked)


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
