"""Which frames the legal turns of a position can give while hands are doing them.

A turn is a set of hand actions: lift the piece that moves, set it down, lift what is removed. Hands may do
them in any order, except that a piece that moves lands only after its origin is empty. Some of the actions
of one turn, done on a base position, give a frame; the frame then **fits** the base. It **completes** the
steps that are done when it equals the position after them.

What is done at a point whose sensor is masked changes no frame. So a frame can fit in ways that differ only
in what was not felt; they are all told, and `hides` says of which frames that holds.

Steps that no hand does (a declined removal) give no frame of their own. Where a turn is made of nothing
else, the opponent's turns follow it here, since their completion is what declines.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from firmware_host.games.game import Position, Step, Turn, legal_turns
from firmware_host.ports import NOTHING, Frame
from firmware_host.sight import Sight
from firmware_host.verdict import Fit


class Base:
    """A position, and every frame that hands can give in the middle of its turns."""

    def __init__(self, position: Position, sight: Sight, chosen: tuple[Step, ...] | None = None) -> None:
        """Work out the fits; `chosen` narrows the legal turns to those that begin with these steps."""
        self.position = position
        self.frame = sight.expected(position)
        self._sight = sight
        self._fits: dict[Frame, list[Fit]] = {}
        self._hiding: set[Frame] = set()
        self._turns: list[Turn] = []
        for turn in legal_turns(position):
            if chosen is not None and turn.steps[: len(chosen)] != chosen:
                continue
            self._add(turn)
            if not any(map(_by_hand, turn.steps)) and turn.positions[-1].outcome is None:
                self._add_replies(turn)

    def fits(self, frame: Frame) -> tuple[Fit, ...]:
        """Every way in which `frame` comes from some actions of one turn.

        Empty for the base's own frame, unless there is something that can be done and not be felt.
        """
        return tuple(self._fits.get(frame, ()))

    def hides(self, frame: Frame) -> bool:
        """Whether in one of the ways in which `frame` fits, something was done and not felt."""
        return frame in self._hiding

    @property
    def frames(self) -> Iterator[Frame]:
        """The base's own frame, and all that fit."""
        return itertools.chain((self.frame,), self._fits)

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns that can be done, and after one that is done by no hand also the replies to it."""
        return tuple(self._turns)

    def has_other_landing(self, fit: Fit, index: int) -> bool:
        """Whether the piece that step `index` of the fit's turn sets down could legally land elsewhere."""
        begun, origin = fit.turn.steps[:index], fit.turn.steps[index].origin
        landings = {
            turn.steps[index].target
            for turn in self._turns
            if index < len(turn.steps) and turn.steps[index].origin is origin and turn.steps[:index] == begun
        }
        return len(landings - {None}) > 1

    def _add(self, turn: Turn) -> None:
        self._turns.append(turn)
        hidden = any(map(self._sight.hides, turn.steps))
        for done in itertools.product(*map(_stages, turn.steps)):
            if any(done):
                frame = self._after(turn.steps, done)
                self._fits.setdefault(frame, []).append(Fit(turn, done))
                if hidden and any(map(self._is_hidden, turn.steps, done)):
                    self._hiding.add(frame)

    def _is_hidden(self, step: Step, stage: int) -> bool:
        """Whether some of what is done of `step` was not felt."""
        masked = self._sight.masked
        left = stage > 0 and step.origin is not None and step.origin.index in masked
        landed = stage == len(_stages(step)) - 1 and step.target is not None and step.target.index in masked
        return left or (stage > 0 and landed)

    def _add_replies(self, turn: Turn) -> None:
        for reply in legal_turns(turn.positions[-1]):
            self._add(Turn(turn.steps + reply.steps, turn.begun_at))

    def _after(self, steps: tuple[Step, ...], done: tuple[int, ...]) -> Frame:
        frame = list(self.frame)
        for step, stage in zip(steps, done, strict=True):
            if stage and step.origin is not None:
                frame[step.origin.index] = NOTHING
            if step.target is not None and stage == len(_stages(step)) - 1:
                frame[step.target.index] = self._sight.reading(step.piece, step.target.index)
        return tuple(frame)


def _by_hand(step: Step) -> bool:
    return step.origin is not None or step.target is not None


def _stages(step: Step) -> range:
    """How far hands can be with `step`: 0 not begun, then one more for each action."""
    return range(1 + (step.origin is not None) + (step.target is not None))


def whole_steps(fit: Fit) -> frozenset[Step]:
    """The steps of the fit that are done from their beginning to their end, in whatever order."""
    return frozenset(
        step for step, stage in zip(fit.turn.steps, fit.done, strict=True) if stage == len(_stages(step)) - 1
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
    last = max(index for index, stage in enumerate(fit.done) if stage)
    steps = fit.turn.steps[: last + 1]
    whole = all(stage == len(_stages(step)) - 1 for step, stage in zip(steps, fit.done, strict=False))
    return steps if whole else ()
