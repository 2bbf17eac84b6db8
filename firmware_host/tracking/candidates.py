"""The frames that the legal turns of a position can give while they are being played.

A turn is a set of actions: lift the piece that moves, set it down, lift the piece that is removed. They may
be done in any order, except that a piece lands only after it has left its origin, and that the actions at one
stack follow the turn's order. Some of the actions of one turn, done on a base position, give a frame; the
frame then **fits** the base. An action that changes no reading counts as done with the next one of its step.

Steps without a physical action (a declined removal) give no frame of their own. If a turn consists of
nothing else, the opponent's turns are appended to it here, since playing one of them is what declines.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from firmware_host.games.game import Piece, Position, Step, Turn, legal_turns
from firmware_host.ports import Frame, Reading
from firmware_host.tracking.moves import Permission
from firmware_host.tracking.sensor_model import SensorModel
from firmware_host.tracking.verdict import PartialTurn

_CACHE_SIZE = 64
"""The number of frames whose result is cached; a turn in progress gives few."""
_UNTOUCHED = (0,)
"""The counts at a point that reads as in the base."""


@dataclass(frozen=True, slots=True, eq=False)
class _PointActions:
    """The actions of a turn at one point: `actions` are the numbers of its steps, in the order of the stack.

    `counts` maps each reading to the numbers of actions that give it, without those whose last one changes
    nothing. Turns share the object if they do the same at the point, so that its identity stands for that.
    """

    index: int
    actions: tuple[int, ...]
    counts: Mapping[Reading, tuple[int, ...]]
    hidden: frozenset[int]
    """The numbers of the steps of which no sensor shows the action."""


_PossibleCounts = tuple[tuple[_PointActions, tuple[int, ...]], ...]
"""Points where a turn may be in progress, each with the possible numbers of finished actions."""


class CandidateTurns:
    """A position, and every frame that its turns can give while they are played.

    There may be thousands of turns. A frame is compared only with those that touch the points it changes.
    Turns are enumerated at the first question, or a few at a time before it.
    """

    def __init__(
        self,
        position: Position,
        sensors: SensorModel,
        permission: Permission | None = None,
        chosen: tuple[Step, ...] = (),
    ) -> None:
        """Narrow the legal turns to those that the `permission` allows, and that begin with `chosen`."""
        self.position = position
        self.frame = sensors.expected(position)
        self._sensors = sensors
        self._stacks = position.stacks
        self._pending = self._with_replies(permission or Permission(), chosen)
        self._turns: list[Turn] = []
        self._points: list[tuple[_PointActions, ...]] = []
        self._turns_at: dict[int, list[int]] = {}
        self._point_actions: dict[tuple[int, tuple[tuple[int, str], ...]], _PointActions] = {}
        self._ways: dict[tuple[int, _PossibleCounts], tuple[tuple[int, ...], ...]] = {}
        self._results: dict[Frame, tuple[PartialTurn, ...]] = {}

    def prepare(self, turns: int | None = None) -> bool:
        """Enumerate at most `turns` more turns (None: all) and return whether more may be left."""
        taken = list(itertools.islice(self._pending, turns))
        for turn in taken:
            points = self._points_of(turn.steps)
            for point in points:
                self._turns_at.setdefault(point.index, []).append(len(self._turns))
            self._turns.append(turn)
            self._points.append(points)
        return len(taken) == turns

    def fits(self, frame: Frame) -> tuple[PartialTurn, ...]:
        """Return every way in which `frame` comes from some actions of one turn; none for the base's own."""
        if frame not in self._results:
            if len(self._results) > _CACHE_SIZE:
                self._results.clear()
            self._results[frame] = tuple(self._all_ways(frame))
        return self._results[frame]

    def explains_except(self, frame: Frame, but: int) -> bool:
        """Return whether some frame of the base differs from `frame` at the point `but` alone."""
        self.prepare()
        turns = (points for (index, _), points in self._point_actions.items() if index == but)
        readings = {self.frame[but], *(reading for points in turns for reading in points.counts)}
        others = [(*frame[:but], reading, *frame[but + 1 :]) for reading in readings - {frame[but]}]
        return self.frame in others or any(True for other in others for _ in self._all_ways(other))

    def _with_replies(self, permission: Permission, chosen: tuple[Step, ...]) -> Iterator[Turn]:
        if permission.forbids(self.position, chosen):
            return
        for steps in self.position.legal_runs():
            if steps[: len(chosen)] != chosen:
                continue
            turn = Turn(steps, self.position)
            yield turn
            if any(step.origin or step.target for step in steps):
                continue
            after = turn.positions[-1]
            if after.outcome is None and not permission.forbids(after, ()):
                for reply in legal_turns(after):
                    yield Turn(turn.steps + reply.steps, turn.begun_at)

    # ---- evaluating a frame -------------------------------------------------------------------------

    def _all_ways(self, frame: Frame) -> Iterator[PartialTurn]:
        self.prepare()
        pairs = zip(self.frame, frame, strict=True)
        differing = {index for index, (own, reading) in enumerate(pairs) if own != reading}
        for number in min((self._turns_at.get(index, []) for index in differing), key=len, default=[]):
            for done in self._ways_of_turn(number, frame, differing):
                yield PartialTurn(self._turns[number], done)

    def _ways_of_turn(self, number: int, frame: Frame, differing: set[int]) -> tuple[tuple[int, ...], ...]:
        """Return the ways in which one turn gives `frame`; it has to touch every point that differs."""
        begun, matched = [], 0
        for point in self._points[number]:
            counts = point.counts.get(frame[point.index])
            if counts is None:
                return ()
            matched += point.index in differing
            if counts is not _UNTOUCHED or point.hidden:
                begun.append((point, counts))
        if matched < len(differing):
            return ()
        steps = self._turns[number].steps
        key = len(steps), tuple(begun)
        known = self._ways.get(key)
        if known is None:
            known = self._ways[key] = tuple(_progress_ways(steps, key[1]))
        return known

    def _points_of(self, steps: tuple[Step, ...]) -> tuple[_PointActions, ...]:
        """Return the actions at each point, which turns with the same steps there share."""
        here: dict[int, tuple[tuple[int, str], ...]] = {}
        for number, step in enumerate(steps):
            for point in (step.origin, step.target):
                if point is not None:
                    here[point.index] = (*here.get(point.index, ()), (number, step.text))
        shared = self._point_actions
        for key in here.items():
            if key not in shared:
                shared[key] = self._actions_at(key[0], steps)
        return tuple([shared[key] for key in here.items()])

    def _actions_at(self, index: int, steps: tuple[Step, ...]) -> _PointActions:
        stack = self._stacks[index]
        actions, readings = [], [self.frame[index]]
        for number, step in enumerate(steps):
            for point, after in ((step.origin, stack[:-1]), (step.target, (*stack, *_piece(step)))):
                if point is not None and point.index == index:
                    stack = after
                    actions.append(number)
                    readings.append(self._sensors.reading(stack, index))
        counts: dict[Reading, tuple[int, ...]] = {readings[0]: _UNTOUCHED}
        hidden = []
        for count, (before, reading) in enumerate(itertools.pairwise(readings), start=1):
            if before == reading:
                hidden.append(actions[count - 1])
            else:
                counts[reading] = (*counts.get(reading, ()), count)
        return _PointActions(index, tuple(actions), counts, frozenset(hidden))


def _progress_ways(steps: tuple[Step, ...], begun: _PossibleCounts) -> Iterator[tuple[int, ...]]:
    """Yield the progress of each step, for every combination of the possible counts in `begun`."""
    hidden = {(number, point.index) for point, _ in begun for number in point.hidden}
    for taken in itertools.product(*([(point, count) for count in counts] for point, counts in begun)):
        acted = {(number, point.index) for point, count in taken for number in point.actions[:count]}
        done = [_progress(number, step, acted, hidden) for number, step in enumerate(steps)]
        if any(done) and all(stage >= 0 for stage in done):
            yield tuple(done)


def _progress(number: int, step: Step, acted: set[tuple[int, int]], hidden: set[tuple[int, int]]) -> int:
    """Return the progress of a step; -1 if its piece has landed but not left, as a sensor would show."""
    has_landed = step.target is not None and (number, step.target.index) in acted
    if step.origin is None:
        return int(has_landed)
    lift = number, step.origin.index
    if lift in acted or (has_landed and lift in hidden):
        return 1 + has_landed
    return -has_landed


def _piece(step: Step) -> tuple[Piece, ...]:
    return () if step.piece is None else (step.piece,)
