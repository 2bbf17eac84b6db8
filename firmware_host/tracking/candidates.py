"""Which frames the legal turns of a position can give while hands are doing them.

A turn is a set of hand actions: lift the piece that moves, set it down, lift what is removed. Hands may do
them in any order, except that a piece that moves lands only after it has left its origin, and that what is
done at one point of stacks is done there in the turn's order. Some of the actions
of one turn, done on a base position, give a frame; the frame then **fits** the base. It **completes** the
steps that are done when it equals the position after them.

What is done at a point whose sensor is masked, or on a stack higher than is told, changes no frame. So
a frame can fit in ways that differ only in what was not felt; they are all told, and `hides` says of which
frames that holds.

Steps that no hand does (a declined removal) give no frame of their own. Where a turn is made of nothing
else, the opponent's turns follow it here, since their completion is what declines.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from firmware_host.games.game import Piece, Position, Step, Turn, legal_turns
from firmware_host.ports import Frame, Reading
from firmware_host.tracking.sensor_model import Sight
from firmware_host.tracking.verdict import Fit

_REMEMBERED = 64
"""So many frames are remembered with their fits; hands at play give few."""
_STILL = (0,)
"""Where a point reads as in the base, and no action there can be without being felt."""


@dataclass(frozen=True, slots=True, eq=False)
class _Point:
    """What a turn does at one point: `actions` are the numbers of its steps, in the order that stacks allow.

    `readings[j]` is what is felt after the first `j` of them, and `counts` has for each reading those `j`.
    Turns share it where they do the same there, so that it stands for that.
    """

    index: int
    actions: tuple[int, ...]
    readings: tuple[Reading, ...]
    counts: Mapping[Reading, tuple[int, ...]]

    def unfelt(self, count: int) -> Iterator[int]:
        """The steps of which something is among the first `count` actions and is not felt."""
        for number, (before, after) in zip(self.actions[:count], pairwise(self.readings), strict=False):
            if before == after:
                yield number

    def counts_but(self, felt: Reading) -> tuple[int, ...]:
        """After how many actions anything but `felt` is."""
        return tuple([count for count, reading in enumerate(self.readings) if reading != felt])


_Begun = tuple[tuple[_Point, tuple[int, ...]], ...]
"""Points where something of a turn may be done, each with how many of its actions that can be."""
_Done = tuple[tuple[int, ...], bool]
"""How far hands are with each step of a turn, and whether something of that is not felt."""


class Base:
    """A position, and every frame that hands can give in the middle of its turns.

    There may be thousands of turns. Only those are looked at that touch what has changed; they are taken up
    when something is asked, or some at a time before that.
    """

    def __init__(self, position: Position, sight: Sight, chosen: tuple[Step, ...] | None = None) -> None:
        """`chosen` narrows the legal turns to those that begin with these steps."""
        self.position = position
        self.frame = sight.expected(position)
        self._sight = sight
        self._stacks = position.stacks
        self._coming = self._with_replies(chosen)
        self._turns: list[Turn] = []
        self._points: list[tuple[_Point, ...]] = []
        self._touching: dict[int, list[int]] = {}
        self._shared: dict[tuple[int, tuple[tuple[int, str], ...]], _Point] = {}
        self._begun: dict[tuple[int, _Begun], tuple[_Done, ...]] = {}
        self._known: dict[Frame, tuple[tuple[Fit, ...], bool]] = {}
        self._unfelt: dict[int, frozenset[int]] | None = None

    def prepare(self, turns: int | None = None) -> bool:
        """Take up so many more of the turns (None: all of them); whether more may be left."""
        taken = list(itertools.islice(self._coming, turns))
        for turn in taken:
            points = self._points_of(turn.steps)
            for point in points:
                self._touching.setdefault(point.index, []).append(len(self._turns))
            self._turns.append(turn)
            self._points.append(points)
        return len(taken) == turns

    def fits(self, frame: Frame) -> tuple[Fit, ...]:
        """Every way in which `frame` comes from some actions of one turn.

        Empty for the base's own frame, unless there is something that can be done and not be felt.
        """
        return self._look(frame)[0]

    def hides(self, frame: Frame) -> bool:
        """Whether in one of the ways in which `frame` fits, something was done and not felt."""
        return self._look(frame)[1]

    def explains(self, frame: Frame, but: int) -> bool:
        """Whether the base's frame, or one that fits, differs from `frame` at that point alone."""
        return self._differing(frame) == [but] or any(True for _ in self._ways(frame, but))

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns that can be done, and after one that is done by no hand also the replies to it."""
        self.prepare()
        return tuple(self._turns)

    def has_other_landing(self, fit: Fit, index: int) -> bool:
        """Whether the piece that step `index` of the fit's turn sets down could legally land elsewhere."""
        begun, step = fit.turn.steps[:index], fit.turn.steps[index]
        return any(
            other.target is not None and other.target is not step.target
            for other in (
                turn.steps[index]
                for turn in self.turns
                if index < len(turn.steps)
                and turn.steps[index].origin is step.origin
                and turn.steps[:index] == begun
            )
        )

    def _with_replies(self, chosen: tuple[Step, ...] | None) -> Iterator[Turn]:
        for steps in self.position.legal_runs():
            if chosen is not None and steps[: len(chosen)] != chosen:
                continue
            turn = Turn(steps, self.position)
            yield turn
            if not any(map(_by_hand, turn.steps)) and turn.positions[-1].outcome is None:
                for reply in legal_turns(turn.positions[-1]):
                    yield Turn(turn.steps + reply.steps, turn.begun_at)

    def doubtful(self, frame: Frame) -> Iterator[tuple[Turn, frozenset[int]]]:
        """The turns that may be done, or begun, and not be known from `frame`.

        Each comes with the numbers of its steps of which something is not felt. Where all of every turn is
        felt there are none.
        """
        unfelt = self._unfelt_steps()
        if unfelt:
            fitting = {id(fit.turn) for fit in self.fits(frame)}
            for number, turn in enumerate(self._turns):
                if number in unfelt or id(turn) in fitting:
                    yield turn, unfelt.get(number, frozenset())

    def _unfelt_steps(self) -> dict[int, frozenset[int]]:
        """For each turn of which something is not felt the numbers of those steps."""
        if self._unfelt is None:
            self.prepare()
            self._unfelt = {}
            near = {n for index in self._sight.may_miss(self._stacks) for n in self._touching.get(index, ())}
            for number in sorted(near):
                points = self._points[number]
                if steps := frozenset(n for point in points for n in point.unfelt(len(point.actions))):
                    self._unfelt[number] = steps
        return self._unfelt

    # ---- looking for ways --------------------------------------------------------------------------

    def _look(self, frame: Frame) -> tuple[tuple[Fit, ...], bool]:
        """The fits of `frame`, and whether something of them is not felt; worked out once."""
        if frame not in self._known:
            if len(self._known) > _REMEMBERED:
                self._known.clear()
            found = tuple(self._ways(frame, None))
            self._known[frame] = tuple(fit for fit, _ in found), any(hidden for _, hidden in found)
        return self._known[frame]

    def _differing(self, frame: Frame) -> list[int]:
        return [index for index, (own, felt) in enumerate(zip(self.frame, frame, strict=True)) if own != felt]

    def _ways(self, frame: Frame, but: int | None) -> Iterator[tuple[Fit, bool]]:
        """The fits of `frame`, or of all that differ from it at the point of index `but` alone.

        Each comes with whether something of it was done and is not felt.
        """
        self.prepare()
        differing = {index for index in self._differing(frame) if index != but}
        if differing:
            numbers: Sequence[int] = min((self._touching.get(i, []) for i in differing), key=len)
        elif but is not None:
            numbers = self._touching.get(but, [])
        else:
            numbers = sorted(self._unfelt_steps())
        if but is not None and self.frame[but] == frame[but]:
            differing.add(but)
        for number in numbers:
            for done, hidden in self._ways_of(number, frame, differing, but):
                yield Fit(self._turns[number], done), hidden

    def _ways_of(self, number: int, frame: Frame, differing: set[int], but: int | None) -> tuple[_Done, ...]:
        """How far hands can be with that turn where `frame` is felt, if it touches all that differs."""
        begun, met = [], 0
        for point in self._points[number]:
            index = point.index
            felt = frame[index]
            counts = point.counts.get(felt) if index != but else point.counts_but(felt)
            if not counts:
                return ()
            met += index in differing
            if counts is not _STILL:
                begun.append((point, counts))
        if met < len(differing):
            return ()
        steps = self._turns[number].steps
        key = len(steps), tuple(begun)
        known = self._begun.get(key)
        if known is None:
            known = self._begun[key] = tuple(_ways_through(steps, key[1]))
        return known

    def _points_of(self, steps: tuple[Step, ...]) -> tuple[_Point, ...]:
        """What is done at each point; turns share their steps, so that it is worked out once for all."""
        here: dict[int, tuple[tuple[int, str], ...]] = {}
        for number, step in enumerate(steps):
            for point in (step.origin, step.target):
                if point is not None:
                    here[point.index] = (*here.get(point.index, ()), (number, step.text))
        shared = self._shared
        for key in here.items():
            if key not in shared:
                shared[key] = self._work_out(key[0], steps)
        return tuple([shared[key] for key in here.items()])

    def _work_out(self, index: int, steps: tuple[Step, ...]) -> _Point:
        stack = self._stacks[index]
        actions, readings = [], [self.frame[index]]
        for number, step in enumerate(steps):
            for point, after in ((step.origin, stack[:-1]), (step.target, (*stack, *_piece(step)))):
                if point is not None and point.index == index:
                    stack = after
                    actions.append(number)
                    readings.append(self._sight.reading(stack, index))
        counts = {felt: tuple([j for j, r in enumerate(readings) if r == felt]) for felt in readings}
        if counts[self.frame[index]] == _STILL:
            counts[self.frame[index]] = _STILL
        return _Point(index, tuple(actions), tuple(readings), counts)


def _ways_through(steps: tuple[Step, ...], begun: _Begun) -> Iterator[_Done]:
    """How far hands can be with each of the steps where so many of the actions at `begun` can be done."""
    points = [point for point, _ in begun]
    for counts_done in itertools.product(*(counts for _, counts in begun)):
        done = [0] * len(steps)
        taken = list(zip(points, counts_done, strict=True))
        for point, count in taken:
            for number in point.actions[:count]:
                done[number] += 1
        if any(done) and all(_left_first(number, step, taken) for number, step in enumerate(steps)):
            yield tuple(done), any(True for point, count in taken for _ in point.unfelt(count))


def _left_first(number: int, step: Step, taken: Iterable[tuple[_Point, int]]) -> bool:
    """Whether the piece of a step, if it has landed, has left its origin."""
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


def _by_hand(step: Step) -> bool:
    return step.origin is not None or step.target is not None


def _actions(step: Step) -> int:
    """How many actions of hands a step is made of."""
    return (step.origin is not None) + (step.target is not None)


def whole_steps(fit: Fit) -> frozenset[Step]:
    """The steps of the fit that are done from their beginning to their end, in whatever order."""
    return frozenset(
        step for step, stage in zip(fit.turn.steps, fit.done, strict=True) if stage == _actions(step)
    )


def least(fits: tuple[Fit, ...]) -> tuple[Fit, ...]:
    """Of the ways that differ only in how far hands are with the same turn, those that have done least."""
    by_turn: dict[tuple[Step, ...], Fit] = {}
    for fit in fits:
        known = by_turn.get(fit.turn.steps)
        if known is None or sum(fit.done) < sum(known.done):
            by_turn[fit.turn.steps] = fit
    return tuple(by_turn.values())


def completed_steps(fit: Fit) -> tuple[Step, ...]:
    """The steps that the fit has completed, as few as explain it; empty if one is only begun."""
    done = fit.done
    count = len(done)
    while not done[count - 1]:
        count -= 1
    steps = fit.turn.steps[:count]
    for step, stage in zip(steps, done, strict=False):
        if stage != _actions(step):
            return ()
    return steps
