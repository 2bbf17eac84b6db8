"""The frames that the legal turns of a position can give while they are being played.

A turn is a set of actions: lift the piece that moves, set it down, lift the piece that is removed. They may
be done in any order, except that a piece lands only after it has left its origin, and that the actions at one
stack follow the turn's order. Some of the actions of one turn, done on a base position, give a frame; the
frame then **fits** the base. It **completes** the steps that are done if it equals the position after them.

An action at a point whose sensor is masked, or on a stack higher than sensors can read, changes no frame. So
a frame can fit in several ways that differ only in unobserved actions: all of them are returned, and
`is_ambiguous` tells whether a frame has such ways.

Steps without a physical action (a declined removal) give no frame of their own. If a turn consists of
nothing else, the opponent's turns are appended to it here, since playing one of them is what declines.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from firmware_host.games.game import Piece, Position, Step, Turn, legal_turns
from firmware_host.ports import Frame, Reading
from firmware_host.tracking.moves import Permission
from firmware_host.tracking.sensor_model import SensorModel
from firmware_host.tracking.verdict import PartialTurn

_CACHE_SIZE = 64
"""The number of frames whose result is cached; a turn in progress gives few."""
_UNTOUCHED = (0,)
"""The counts at a point that reads as in the base and has no unobservable action."""


@dataclass(frozen=True, slots=True, eq=False)
class _PointActions:
    """The actions of a turn at one point: `actions` are the numbers of its steps, in the order of the stack.

    `readings[j]` is the reading after the first `j` actions, and `counts` maps each reading to those `j`.
    Turns share the object if they do the same at the point, so that its identity stands for that.
    """

    index: int
    actions: tuple[int, ...]
    readings: tuple[Reading, ...]
    counts: Mapping[Reading, tuple[int, ...]]

    def unobservable(self, count: int) -> Iterator[int]:
        """Yield the steps that have an unobservable action among the first `count`."""
        for number, (before, after) in zip(self.actions[:count], pairwise(self.readings), strict=False):
            if before == after:
                yield number

    def counts_except(self, excluded: Reading) -> tuple[int, ...]:
        """Return the numbers of actions after which the reading is not `excluded`."""
        return tuple([count for count, reading in enumerate(self.readings) if reading != excluded])


_PossibleCounts = tuple[tuple[_PointActions, tuple[int, ...]], ...]
"""Points where a turn may be in progress, each with the possible numbers of finished actions."""
_Progress = tuple[tuple[int, ...], bool]
"""The progress of each step of a turn, and whether some of it is unobserved."""


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
        self._ways: dict[tuple[int, _PossibleCounts], tuple[_Progress, ...]] = {}
        self._results: dict[Frame, tuple[tuple[PartialTurn, ...], bool]] = {}
        self._unobservable: dict[int, frozenset[int]] | None = None

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
        """Return every way in which `frame` comes from some actions of one turn.

        Empty for the base's own frame, unless an action can go unobserved.
        """
        return self._evaluate(frame)[0]

    def is_ambiguous(self, frame: Frame) -> bool:
        """Return whether `frame` fits in a way that includes an unobserved action."""
        return self._evaluate(frame)[1]

    def explains_except(self, frame: Frame, but: int) -> bool:
        """Return whether some frame of the base differs from `frame` at the point `but` alone."""
        return self._differing(frame) == [but] or any(True for _ in self._all_ways(frame, but))

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns that can be played, and after one without a physical action also the replies to it."""
        self.prepare()
        return tuple(self._turns)

    def _with_replies(self, permission: Permission, chosen: tuple[Step, ...]) -> Iterator[Turn]:
        if permission.forbids(self.position, chosen):
            return
        for steps in self.position.legal_runs():
            if steps[: len(chosen)] != chosen:
                continue
            turn = Turn(steps, self.position)
            yield turn
            if any(map(_is_physical, turn.steps)):
                continue
            after = turn.positions[-1]
            if after.outcome is None and not permission.forbids(after, ()):
                for reply in legal_turns(after):
                    yield Turn(turn.steps + reply.steps, turn.begun_at)

    def unconfirmed_turns(self, frame: Frame) -> Iterator[tuple[Turn, frozenset[int]]]:
        """Yield the turns that may be finished, or begun, without `frame` showing it.

        Each comes with the numbers of its steps that have an unobservable action.
        """
        unobservable = self._unobservable_steps()
        if unobservable:
            fitting = {id(fit.turn) for fit in self.fits(frame)}
            for number, turn in enumerate(self._turns):
                if number in unobservable or id(turn) in fitting:
                    yield turn, unobservable.get(number, frozenset())

    def _unobservable_steps(self) -> dict[int, frozenset[int]]:
        """Return the steps with an unobservable action, by the number of their turn."""
        if self._unobservable is None:
            self.prepare()
            self._unobservable = {}
            near = {
                n
                for index in self._sensors.unobservable_points(self._stacks)
                for n in self._turns_at.get(index, ())
            }
            for number in sorted(near):
                points = self._points[number]
                if steps := frozenset(n for point in points for n in point.unobservable(len(point.actions))):
                    self._unobservable[number] = steps
        return self._unobservable

    # ---- evaluating a frame -------------------------------------------------------------------------

    def _evaluate(self, frame: Frame) -> tuple[tuple[PartialTurn, ...], bool]:
        """Return the fits of `frame`, and whether it is ambiguous; cached."""
        if frame not in self._results:
            if len(self._results) > _CACHE_SIZE:
                self._results.clear()
            found = tuple(self._all_ways(frame, None))
            self._results[frame] = tuple(fit for fit, _ in found), any(ambiguous for _, ambiguous in found)
        return self._results[frame]

    def _differing(self, frame: Frame) -> list[int]:
        pairs = zip(self.frame, frame, strict=True)
        return [index for index, (own, reading) in enumerate(pairs) if own != reading]

    def _all_ways(self, frame: Frame, but: int | None) -> Iterator[tuple[PartialTurn, bool]]:
        """Yield the fits of `frame`, or of all frames that differ from it at the point `but` alone.

        Each comes with whether it includes an unobserved action.
        """
        self.prepare()
        differing = {index for index in self._differing(frame) if index != but}
        if differing:
            numbers: Sequence[int] = min((self._turns_at.get(i, []) for i in differing), key=len)
        elif but is not None:
            numbers = self._turns_at.get(but, [])
        else:
            numbers = sorted(self._unobservable_steps())
        if but is not None and self.frame[but] == frame[but]:
            differing.add(but)
        for number in numbers:
            for done, ambiguous in self._ways_of_turn(number, frame, differing, but):
                yield PartialTurn(self._turns[number], done), ambiguous

    def _ways_of_turn(
        self, number: int, frame: Frame, differing: set[int], but: int | None
    ) -> tuple[_Progress, ...]:
        """Return the ways in which one turn gives `frame`; it has to touch every point that differs."""
        begun, matched = [], 0
        for point in self._points[number]:
            index = point.index
            reading = frame[index]
            counts = point.counts.get(reading) if index != but else point.counts_except(reading)
            if not counts:
                return ()
            matched += index in differing
            if counts is not _UNTOUCHED:
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
        counts = {reading: tuple([j for j, r in enumerate(readings) if r == reading]) for reading in readings}
        if counts[self.frame[index]] == _UNTOUCHED:
            counts[self.frame[index]] = _UNTOUCHED
        return _PointActions(index, tuple(actions), tuple(readings), counts)


def _progress_ways(steps: tuple[Step, ...], begun: _PossibleCounts) -> Iterator[_Progress]:
    """Yield the progress of each step, for every combination of the possible counts in `begun`."""
    points = [point for point, _ in begun]
    for counts_done in itertools.product(*(counts for _, counts in begun)):
        done = [0] * len(steps)
        taken = list(zip(points, counts_done, strict=True))
        for point, count in taken:
            for number in point.actions[:count]:
                done[number] += 1
        if any(done) and all(_left_before_landing(number, step, taken) for number, step in enumerate(steps)):
            yield tuple(done), any(True for point, count in taken for _ in point.unobservable(count))


def _left_before_landing(number: int, step: Step, taken: Iterable[tuple[_PointActions, int]]) -> bool:
    """Return whether the piece of a step, if it has landed, has left its origin."""
    if step.origin is None or step.target is None:
        return True
    left = landed = False
    for point, count in taken:
        if number in point.actions[:count]:
            left = left or point.index == step.origin.index
            landed = landed or point.index == step.target.index
    return left or not landed


def _piece(step: Step) -> tuple[Piece, ...]:
    return () if step.piece is None else (step.piece,)


def _is_physical(step: Step) -> bool:
    return step.origin is not None or step.target is not None


def _actions(step: Step) -> int:
    """Return the number of physical actions of a step."""
    return (step.origin is not None) + (step.target is not None)


def finished_steps(fit: PartialTurn) -> frozenset[Step]:
    """Return the steps of the turn that are finished, in whatever order."""
    return frozenset(
        step for step, stage in zip(fit.turn.steps, fit.done, strict=True) if stage == _actions(step)
    )


def least_advanced(fits: tuple[PartialTurn, ...]) -> tuple[PartialTurn, ...]:
    """Return, of the fits that differ only in the progress of one turn, those with the least progress."""
    by_turn: dict[tuple[Step, ...], PartialTurn] = {}
    for fit in fits:
        known = by_turn.get(fit.turn.steps)
        if known is None or sum(fit.done) < sum(known.done):
            by_turn[fit.turn.steps] = fit
    return tuple(by_turn.values())


def completed_steps(fit: PartialTurn) -> tuple[Step, ...]:
    """Return the fewest leading steps that explain the progress; none if a step is half done."""
    done = fit.done
    count = len(done)
    while not done[count - 1]:
        count -= 1
    steps = fit.turn.steps[:count]
    for step, stage in zip(steps, done, strict=False):
        if stage != _actions(step):
            return ()
    return steps


def sure_steps(fits: tuple[PartialTurn, ...]) -> tuple[Step, ...]:
    """Return the leading steps of a turn that are finished in every one of `fits`, however it goes on."""
    if not fits:
        return ()
    finished = frozenset.intersection(*map(finished_steps, fits))
    for steps in filter(None, map(completed_steps, fits)):
        known = next((count for count, step in enumerate(steps) if step not in finished), len(steps))
        if known:
            return steps[:known]
    return ()
