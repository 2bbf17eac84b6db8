"""Explanations of one frame: the position of the game it comes from, and the steps that lead to it.

The bases are the game's own position and those of the last turn. An explanation of a frame is a hypothesis.
If a frame fits both the current and the last turn, the order of the players' actions decides. If a piece was
replaced by an identical one, the frame does not show it, but the history shows that the point was vacated.

Invariants: unobserved actions, at points whose sensor is masked or on high stacks, are never guessed. A
hypothesis has steps only if every fit of the frame includes them; the others are left for the player to
confirm. If a piece from such a point is lifted again, it may be in the hand or back on its point.

Times are those of `PointHistory`; nothing here waits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from firmware_host.games.game import Game, Position, Step
from firmware_host.games.layout import Point
from firmware_host.ports import NOTHING, Frame
from firmware_host.settings import Microseconds
from firmware_host.tracking.candidates import CandidateTurns, completed_steps, finished_steps, least_advanced
from firmware_host.tracking.history import PointHistory
from firmware_host.tracking.sensor_model import SensorModel
from firmware_host.tracking.verdict import Mismatch, PartialTurn

_BATCH_SIZE = 4
"""The number of turns enumerated per frame: fast on the slowest Pi, and all within two seconds."""


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One explanation of a frame: from the position at `ply`, through `fits`.

    `steps` are those completed since `ply`: empty if the frame is that position's own, and None if a step is
    only half done or it is `unsure` which ones were played.
    """

    ply: int
    fits: tuple[PartialTurn, ...]
    steps: tuple[Step, ...] | None
    unsure: bool = False

    @property
    def after(self) -> Position | None:
        """The position after its steps; None if it has none."""
        return self.fits[0].turn.positions[len(self.steps) - 1] if self.steps else None


class HypothesisTracker:
    """The bases of one game, and the explanations they give, for one sensor model."""

    def __init__(self, game: Game, sensors: SensorModel, history: PointHistory, *, found: bool) -> None:
        """Start from `game`; `found` says that the board was not watched since `game` was played."""
        self.game = game
        self.sensor_model = sensors
        self.expected = [sensors.expected(position) for position in game.positions]
        self._history = history
        self._choice: tuple[int, tuple[Step, ...]] | None = None
        self._bases: dict[int, CandidateTurns] = {}
        self._reply_base: CandidateTurns | None = None
        self._unwatched_until = game.ply if found else 0
        self._turn_began: Microseconds = 0

    def rebase(self, game: Game) -> None:
        """Continue from `game`, which shares its start with the current one."""
        known = _common_plies(self.game, game)
        if known < self.game.ply:
            self._unwatched_until = max(start for start in game.turn_starts if start <= known)
        self.expected[known + 1 :] = [self.sensor_model.expected(p) for p in game.positions[known + 1 :]]
        if self._choice is not None and not _continues(game, *self._choice):
            self.choose(None)
        self._bases = {ply: base for ply, base in self._bases.items() if game.last_turn <= ply <= known}
        self.game = game
        if not game.mid_turn:
            self._turn_began = self._history.latest
        if self._reply_base is not None and self._reply_base.position == game.position and not self.chosen:
            self._bases[game.ply] = self._reply_base
        self._reply_base = None

    def use_sensors(self, sensors: SensorModel) -> None:
        """Continue with other sensors masked."""
        self.sensor_model = sensors
        self.expected = [sensors.expected(position) for position in self.game.positions]
        self._bases.clear()
        self._reply_base = None

    def choose(self, turn: tuple[Step, ...] | None) -> None:
        """Narrow the legal turns from here to `turn` (None: all of them); a revision keeps to it, too."""
        self._choice = None if turn is None else (self.game.ply, turn)
        self._bases.clear()

    @property
    def chosen(self) -> tuple[Step, ...] | None:
        """The rest of a chosen turn; None if any legal turn may be played."""
        return self._chosen_from(self.game.ply)

    def mark_restored(self) -> None:
        """Note that a board that had not been watched matches the game."""
        self._unwatched_until = 0

    @property
    def own(self) -> Frame:
        """The frame of a board that matches the game."""
        return self.expected[self.game.ply]

    def base(self, ply: int) -> CandidateTurns:
        """Return the base at that ply; cached."""
        if ply not in self._bases:
            self._bases[ply] = CandidateTurns(
                self.game.positions[ply], self.sensor_model, self._chosen_from(ply)
            )
        return self._bases[ply]

    def prepare(self, after: Position | None) -> bool:
        """Enumerate some of the next turns before a frame needs them, and return whether more may be left.

        `after` is the position after steps that wait for their dwell.
        """
        if self.base(self.game.ply).prepare(_BATCH_SIZE):
            return True
        return after is not None and self.reply_base(after).prepare(_BATCH_SIZE)

    def reply_base(self, after: Position) -> CandidateTurns:
        """Return the base after steps that are not played yet."""
        if self._reply_base is None or self._reply_base.position is not after:
            self._reply_base = CandidateTurns(after, self.sensor_model)
        return self._reply_base

    def _chosen_from(self, ply: int) -> tuple[Step, ...] | None:
        if self._choice is None or ply < self._choice[0]:
            return None
        begun, turn = self._choice
        return turn[ply - begun :] or None

    # ---- explaining a frame ----------------------------------------------------------------------

    def continue_turn(self, frame: Frame) -> Hypothesis | None:
        """Return the explanation of `frame` as part of the current turn."""
        return self._explain(self.game.ply, frame)

    def revise_last_turn(self, frame: Frame) -> Hypothesis | None:
        """Return the explanation of `frame` as a revision of the last turn.

        Of several, the latest base that explains all of it wins, then the latest on which a step is half
        done.
        """
        begun = None
        for ply in range(self.game.ply - 1, max(self.game.last_turn, self._revisable_from) - 1, -1):
            if frame == self.expected[ply]:
                only_lifted = not any(self.filled(frame))
                if only_lifted and self._has_hidden_origin(ply):
                    return Hypothesis(ply, least_advanced(self.base(ply).fits(frame)), None)
                return Hypothesis(ply, (), None if self.game.outcome and only_lifted else ())
            hypothesis = self._explain(ply, frame)
            if hypothesis is not None and hypothesis.steps is not None:
                return hypothesis
            begun = begun or hypothesis
        return begun

    @property
    def may_revise(self) -> bool:
        """True if all of the last turn may be revised."""
        return self.game.ply > self.game.last_turn >= self._revisable_from

    @property
    def _revisable_from(self) -> int:
        """The earliest ply a revision can reach."""
        return max(self._unwatched_until, self.observable_from)

    @property
    def observable_from(self) -> int:
        """The earliest ply a take-back can reach; earlier steps were invisible to the sensors."""
        return self._latest(all)

    @property
    def fully_observable_from(self) -> int:
        """The earliest ply from which every action of a take-back is visible to the sensors."""
        return self._latest(any)

    def _latest(self, are_unobservable: Callable[[Iterable[bool]], bool]) -> int:
        plies = range(self.game.ply, 0, -1)
        return next((ply for ply in plies if (ends := self._unobservable(ply)) and are_unobservable(ends)), 0)

    def _unobservable(self, ply: int) -> list[bool]:
        """Return, for the origin and the target of the step to `ply`, whether its action is unobservable."""
        step, before, after = self.game.steps[ply - 1], self.expected[ply - 1], self.expected[ply]
        points = (step.origin, step.target)
        return [before[point.index] == after[point.index] for point in points if point is not None]

    def _has_hidden_origin(self, ply: int) -> bool:
        """Return whether a later step took a piece from an unobserved point to an observed one."""
        return any(self._unobservable(then) == [True, False] for then in range(ply + 1, self.game.ply + 1))

    def decide(
        self, own: Hypothesis, revision: Hypothesis, frame: Frame, put_back: Microseconds
    ) -> Hypothesis:
        """Return the hypothesis that counts; a removed piece that is back within `put_back` was put back."""
        if self._was_put_back(own, frame, put_back):
            return revision
        return self._keep_open(own, revision, frame) if self._could_be_early_capture(frame) else own

    def _explain(self, ply: int, frame: Frame) -> Hypothesis | None:
        base = self.base(ply)
        fits = base.fits(frame)
        if not fits:
            return None
        complete = [fit for fit in fits if completed_steps(fit)]
        ambiguous = base.is_ambiguous(frame)
        if not complete:
            return Hypothesis(ply, least_advanced(fits) if ambiguous else fits, None)
        done = min(complete, key=lambda fit: self._preference(fit, ply))
        steps = completed_steps(done)
        if ambiguous:
            steps = _common_steps(fits, steps)
            if not steps:
                return Hypothesis(ply, least_advanced(fits), None, unsure=True)
        return Hypothesis(ply, (done, *(fit for fit in fits if fit is not done)), steps)

    def _preference(self, fit: PartialTurn, ply: int) -> tuple[int, list[Microseconds]]:
        """Return the sort key of fits that end alike: play used every point that was vacated."""
        return -self._history.refilled(fit, self._turn_began, self.base(ply).frame), self._history.order(fit)

    def _last_turn(self) -> tuple[Step, ...]:
        return self.game.steps[self.game.last_turn :]

    def _was_put_back(self, own: Hypothesis, frame: Frame, put_back: Microseconds) -> bool:
        """Return whether a piece that the last turn removed is back after a short time.

        A piece that moved there from a point that was vacated earlier is not the one that was removed.
        """
        removed = [step.origin for step in self._last_turn() if step.origin and step.target is None]
        moved = {step.target for step in own.steps or () if self._history.opened_first(step)}
        return any(
            frame[point.index] != NOTHING and self._history.gap(point) < put_back
            for point in removed
            if point not in moved
        )

    def _could_be_early_capture(self, frame: Frame) -> bool:
        played = [step.target.index for step in self._last_turn() if step.target]
        return any(frame[index] != self.own[index] for index in played)

    def _keep_open(self, own: Hypothesis, revision: Hypothesis, frame: Frame) -> Hypothesis:
        """Keep both a capture taken early and a revision open until later actions decide."""
        if own.unsure:
            return Hypothesis(own.ply, own.fits + revision.fits, None, unsure=True)
        if own.steps and revision.steps is not None:
            gone = set(self.gone(frame))
            opened = [
                self._history.opened[step.target.index]
                for step in self._last_turn()
                if step.target in gone and step.target is not None
            ]
            filled = [self._history.changed[point.index] for point in self.filled(frame)]
            return revision if not filled or (opened and min(opened) <= max(filled)) else own
        if own.steps or (revision.steps and _is_whole(revision)):
            return own if own.steps else revision
        return Hypothesis(own.ply, own.fits + revision.fits, None)

    # ---- comparing frames -------------------------------------------------------------------------

    def gone(self, frame: Frame) -> Iterator[Point]:
        """Return the points where a piece is missing and nothing else is wrong."""
        return (point for point, is_missing in self._differing(frame) if is_missing)

    def filled(self, frame: Frame) -> Iterator[Point]:
        """Return the points that hold something they should not."""
        return (point for point, is_missing in self._differing(frame) if not is_missing)

    def mismatch(self, frame: Frame) -> Mismatch:
        """Return all differences between `frame` and the game's position."""
        filled = frozenset(self.filled(frame))
        extra = frozenset(point for point in filled if frame[point.index].added_top(self.own[point.index]))
        return Mismatch(missing=frozenset(self.gone(frame)), extra=extra, wrong=filled - extra)

    def _differing(self, frame: Frame) -> Iterator[tuple[Point, bool]]:
        """Yield the points that differ, each with whether it only lacks pieces."""
        position, own, masked = self.game.position, self.own, self.sensor_model.masked
        points = [p for p in self.game.rules.layout.points if own[p.index] != frame[p.index]]
        stacks = position.stacks if points else ()
        for point in points:
            is_missing = point.index not in masked and self.sensor_model.shows_part_of(
                stacks[point.index], frame[point.index]
            )
            yield point, is_missing


def _is_whole(hypothesis: Hypothesis) -> bool:
    """Return whether the steps of a hypothesis are a whole turn."""
    return hypothesis.steps == hypothesis.fits[0].turn.steps


def _common_steps(fits: tuple[PartialTurn, ...], steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """Return as many of the leading `steps` as are done in every one of `fits`."""
    sure = frozenset.intersection(*map(finished_steps, fits))
    known = next((count for count, step in enumerate(steps) if step not in sure), len(steps))
    return steps[:known]


def _continues(game: Game, begun: int, turn: tuple[Step, ...]) -> bool:
    """Return whether a game has reached ply `begun` and continued with `turn`."""
    played = game.steps[begun : begun + len(turn)]
    return game.ply >= begun and played == turn[: len(played)]


def _common_plies(before: Game, after: Game) -> int:
    """Return the number of steps that two games share from their start."""
    plies = 0
    for one, other in zip(before.steps, after.steps, strict=False):
        if one is not other:
            break
        plies += 1
    return plies
