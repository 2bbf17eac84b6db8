"""Which position of a game a frame fits, and through which steps: all ways to understand one frame.

The bases are the game's own position and those of the last turn. What is understood of a frame is a claim;
where a frame fits both, what hands did first decides. Where a piece left its point to another just like it,
the frame does not show that; that the point was opened does.

Rules kept here: what was not felt, at points whose sensor is masked or on high stacks, is never guessed. A
claim has steps only where every way in which the frame fits has done them; others are left to be confirmed.
Where a piece that came from such a point is lifted again, it may be in the hand still, or back.

Times are those of `PointTimes`; nothing here waits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from firmware_host.games.game import Game, Position, Step
from firmware_host.games.layout import Point
from firmware_host.ports import NOTHING, Frame
from firmware_host.settings import Microseconds
from firmware_host.tracking.candidates import Base, completed_steps, least, whole_steps
from firmware_host.tracking.history import PointTimes
from firmware_host.tracking.sensor_model import Sight
from firmware_host.tracking.verdict import Fit, Mismatch

_AT_A_TIME = 4
"""So many turns are taken up beside a frame: little enough for the slowest of Pis, and in two seconds all."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One way to understand a frame: from the position at `ply`, through `fits`.

    `steps` are those completed since `ply`: none where the frame is that position's own, and None where
    something is only begun, or it is `unsure` what was done.
    """

    ply: int
    fits: tuple[Fit, ...]
    steps: tuple[Step, ...] | None
    unsure: bool = False

    @property
    def after(self) -> Position | None:
        """The position after its steps; None where it has none."""
        return self.fits[0].turn.positions[len(self.steps) - 1] if self.steps else None


class Claims:
    """The bases of one game, on a board that feels as `sight` says."""

    def __init__(self, game: Game, sight: Sight, times: PointTimes, *, found: bool) -> None:
        """`found`: whether the board was not looked at since `game` was played."""
        self.game = game
        self.sight = sight
        self.expected = [sight.expected(position) for position in game.positions]
        self._times = times
        self._choice: tuple[int, tuple[Step, ...]] | None = None
        self._bases: dict[int, Base] = {}
        self._reply_base: Base | None = None
        self._fixed = game.ply if found else 0
        self._turn_began: Microseconds = 0

    def rebase(self, game: Game) -> None:
        """Go on from `game`, which shares its start with the one before."""
        known = _common_plies(self.game, game)
        if known < self.game.ply:
            self._fixed = max(start for start in game.turn_starts if start <= known)
        self.expected[known + 1 :] = [self.sight.expected(p) for p in game.positions[known + 1 :]]
        if self._choice is not None and not _goes_on(game, *self._choice):
            self.choose(None)
        self._bases = {ply: base for ply, base in self._bases.items() if game.last_turn <= ply <= known}
        self.game = game
        if not game.mid_turn:
            self._turn_began = self._times.latest
        if self._reply_base is not None and self._reply_base.position == game.position and not self.chosen:
            self._bases[game.ply] = self._reply_base
        self._reply_base = None

    def look_through(self, sight: Sight) -> None:
        """Go on with other sensors masked."""
        self.sight = sight
        self.expected = [sight.expected(position) for position in self.game.positions]
        self._bases.clear()
        self._reply_base = None

    def choose(self, turn: tuple[Step, ...] | None) -> None:
        """Narrow the legal turns from here to `turn` (None: all of them); thinking again keeps to it."""
        self._choice = None if turn is None else (self.game.ply, turn)
        self._bases.clear()

    @property
    def chosen(self) -> tuple[Step, ...] | None:
        """What is left to do of a chosen turn; None where any legal one may be done."""
        return self._chosen_from(self.game.ply)

    def found_again(self) -> None:
        """Note that a board that was not looked at stands as the game says."""
        self._fixed = 0

    @property
    def own(self) -> Frame:
        """What is felt of a board that stands as the game says."""
        return self.expected[self.game.ply]

    def base(self, ply: int) -> Base:
        """The base at that ply, worked out once."""
        if ply not in self._bases:
            self._bases[ply] = Base(self.game.positions[ply], self.sight, self._chosen_from(ply))
        return self._bases[ply]

    def prepare(self, after: Position | None) -> bool:
        """Take up some of the turns that come next, before a frame asks for them; whether more may be left.

        `after` is the position after steps that wait for their dwell.
        """
        if self.base(self.game.ply).prepare(_AT_A_TIME):
            return True
        return after is not None and self.reply_base(after).prepare(_AT_A_TIME)

    def reply_base(self, after: Position) -> Base:
        """The base after steps that are not played yet."""
        if self._reply_base is None or self._reply_base.position is not after:
            self._reply_base = Base(after, self.sight)
        return self._reply_base

    def _chosen_from(self, ply: int) -> tuple[Step, ...] | None:
        if self._choice is None or ply < self._choice[0]:
            return None
        begun, turn = self._choice
        return turn[ply - begun :] or None

    # ---- what a frame can be -----------------------------------------------------------------------

    def of_turn(self, frame: Frame) -> Claim | None:
        """What of the turn that is due the frame shows."""
        return self._fit(self.game.ply, frame)

    def of_last_turn(self, frame: Frame) -> Claim | None:
        """How the last turn is thought over: the latest base that explains all, else the latest as begun."""
        begun = None
        for ply in range(self.game.ply - 1, max(self.game.last_turn, self._thinkable) - 1, -1):
            if frame == self.expected[ply]:
                only_lifted = not any(self.filled(frame))
                if only_lifted and self._hides_origin(ply):
                    return Claim(ply, least(self.base(ply).fits(frame)), None)
                return Claim(ply, (), None if self.game.outcome and only_lifted else ())
            claim = self._fit(ply, frame)
            if claim is not None and claim.steps is not None:
                return claim
            begun = begun or claim
        return begun

    @property
    def may_think_again(self) -> bool:
        """Whether all of the last turn may be thought over."""
        return self.game.ply > self.game.last_turn >= self._thinkable

    @property
    def _thinkable(self) -> int:
        """The ply before which nothing is thought over."""
        return max(self._fixed, self.missed)

    @property
    def missed(self) -> int:
        """The ply before which hands cannot go back, since of the step that led there nothing is felt."""
        return self._latest(all)

    @property
    def hidden(self) -> int:
        """The ply before which not all that hands would have to move back is felt."""
        return self._latest(any)

    def _latest(self, are_unfelt: Callable[[Iterable[bool]], bool]) -> int:
        plies = range(self.game.ply, 0, -1)
        return next((ply for ply in plies if (ends := self._unfelt(ply)) and are_unfelt(ends)), 0)

    def _unfelt(self, ply: int) -> list[bool]:
        """For the origin and the target of the step that led there whether what hands do is not felt."""
        step, before, after = self.game.steps[ply - 1], self.expected[ply - 1], self.expected[ply]
        points = (step.origin, step.target)
        return [before[point.index] == after[point.index] for point in points if point is not None]

    def _hides_origin(self, ply: int) -> bool:
        """Whether a piece was since then taken where that is not felt, and set down where it is."""
        return any(self._unfelt(then) == [True, False] for then in range(ply + 1, self.game.ply + 1))

    def decide(self, own: Claim, again: Claim, frame: Frame, put_back: Microseconds) -> Claim:
        """Which of two claims counts; a removed piece is put back if it was gone for less than `put_back`."""
        if self._was_put_back(own, frame, put_back):
            return again
        return self._both(own, again, frame) if self._could_be_early_capture(frame) else own

    def _fit(self, ply: int, frame: Frame) -> Claim | None:
        base = self.base(ply)
        fits = base.fits(frame)
        if not fits:
            return None
        whole = [fit for fit in fits if completed_steps(fit)]
        hides = base.hides(frame)
        if not whole:
            return Claim(ply, least(fits) if hides else fits, None)
        done = min(whole, key=lambda fit: self._preference(fit, ply))
        steps = completed_steps(done)
        if hides:
            steps = _in_all(fits, steps)
            if not steps:
                return Claim(ply, least(fits), None, unsure=True)
        return Claim(ply, (done, *(fit for fit in fits if fit is not done)), steps)

    def _preference(self, fit: Fit, ply: int) -> tuple[int, list[Microseconds]]:
        """Of ways that end alike, hands went the one that takes up all points which they opened."""
        return -self._times.refilled(fit, self._turn_began, self.base(ply).frame), self._times.order(fit)

    def _last_turn(self) -> tuple[Step, ...]:
        return self.game.steps[self.game.last_turn :]

    def _was_put_back(self, own: Claim, frame: Frame, put_back: Microseconds) -> bool:
        """Whether a piece that the last turn removed stands again, and was away for a short time only.

        A piece that moved there from a point that opened before is not the one that was removed.
        """
        removed = [step.origin for step in self._last_turn() if step.origin and step.target is None]
        moved = {step.target for step in own.steps or () if self._times.opened_first(step)}
        return any(
            frame[point.index] != NOTHING and self._times.gap(point) < put_back
            for point in removed
            if point not in moved
        )

    def _could_be_early_capture(self, frame: Frame) -> bool:
        played = [step.target.index for step in self._last_turn() if step.target]
        return any(frame[index] != self.own[index] for index in played)

    def _both(self, own: Claim, again: Claim, frame: Frame) -> Claim:
        """Either a capture taken early or the last turn thought over: what follows decides."""
        if own.unsure:
            return Claim(own.ply, own.fits + again.fits, None, unsure=True)
        if own.steps and again.steps is not None:
            gone = set(self.gone(frame))
            opened = [
                self._times.opened[step.target.index]
                for step in self._last_turn()
                if step.target in gone and step.target is not None
            ]
            filled = [self._times.changed[point.index] for point in self.filled(frame)]
            return again if not filled or (opened and min(opened) <= max(filled)) else own
        if own.steps or (again.steps and _is_whole(again)):
            return own if own.steps else again
        return Claim(own.ply, own.fits + again.fits, None)

    # ---- how a frame differs -----------------------------------------------------------------------

    def gone(self, frame: Frame) -> Iterator[Point]:
        """The points where something is missing, and nothing else is wrong."""
        return (point for point, lacks in self._differing(frame) if lacks)

    def filled(self, frame: Frame) -> Iterator[Point]:
        """The points that hold what they should not."""
        return (point for point, lacks in self._differing(frame) if not lacks)

    def mismatch(self, frame: Frame) -> Mismatch:
        """All in which `frame` differs."""
        filled = frozenset(self.filled(frame))
        extra = frozenset(point for point in filled if frame[point.index].added_top(self.own[point.index]))
        return Mismatch(missing=frozenset(self.gone(frame)), extra=extra, wrong=filled - extra)

    def _differing(self, frame: Frame) -> Iterator[tuple[Point, bool]]:
        """The points that differ, each with whether it only lacks something."""
        position, own, masked = self.game.position, self.own, self.sight.masked
        points = [p for p in self.game.rules.layout.points if own[p.index] != frame[p.index]]
        stacks = position.stacks if points else ()
        for point in points:
            lacks = point.index not in masked and self.sight.misses_some(
                stacks[point.index], frame[point.index]
            )
            yield point, lacks


def _is_whole(claim: Claim) -> bool:
    """Whether the steps of a claim are a turn to its end."""
    return claim.steps == claim.fits[0].turn.steps


def _in_all(fits: tuple[Fit, ...], steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """As many of `steps`, from the first on, as are done in every one of `fits`."""
    sure = frozenset.intersection(*map(whole_steps, fits))
    known = next((count for count, step in enumerate(steps) if step not in sure), len(steps))
    return steps[:known]


def _goes_on(game: Game, begun: int, turn: tuple[Step, ...]) -> bool:
    """Whether a game has come to ply `begun`, and what was played from there is of `turn`."""
    played = game.steps[begun : begun + len(turn)]
    return game.ply >= begun and played == turn[: len(played)]


def _common_plies(before: Game, after: Game) -> int:
    """How many steps two games have in common from their start."""
    plies = 0
    for one, other in zip(before.steps, after.steps, strict=False):
        if one is not other:
            break
        plies += 1
    return plies
