"""Which frames the legal turns of a position can give while hands are doing them.

A turn is a set of hand actions: lift the piece that moves, set it down, lift what is removed. Hands may do
them in any order, except that a piece that moves lands only after its origin is empty. Some of the actions
of one turn, done on a base position, give a frame; the frame then **fits** the base. It **completes** the
steps that are done when it equals the position after them.

Steps that no hand does (a declined removal) give no frame of their own. Where a turn is made of nothing
else, the opponent's turns follow it here, since their completion is what declines.
"""

from __future__ import annotations

import itertools

from firmware_host.games.game import Piece, Position, Step, Turn, legal_turns
from firmware_host.ports import BLACK_PIECE, NOTHING, SOMETHING, WHITE_PIECE, Alphabet, Frame, Reading
from firmware_host.verdict import Fit

_OWNERS = {"white": WHITE_PIECE, "black": BLACK_PIECE}


def reading_of(piece: Piece | None, alphabet: Alphabet) -> Reading:
    """What a sensor of `alphabet` says of a point where `piece` stands."""
    if piece is None:
        return NOTHING
    return SOMETHING if alphabet is Alphabet.PRESENCE else _OWNERS[piece.owner.value]


def expected_frame(position: Position, alphabet: Alphabet) -> Frame:
    """What the sensors would say if the board stood exactly as `position`."""
    return tuple([reading_of(piece, alphabet) for piece in position.standing])


class Base:
    """A position, and every frame that hands can give in the middle of its turns."""

    def __init__(
        self, position: Position, alphabet: Alphabet, chosen: tuple[Step, ...] | None = None
    ) -> None:
        """Work out the fits; `chosen` narrows the legal turns to those that begin with these steps."""
        self.position = position
        self.frame = expected_frame(position, alphabet)
        self._alphabet = alphabet
        self._fits: dict[Frame, list[Fit]] = {}
        self._turns: list[Turn] = []
        for turn in legal_turns(position):
            if chosen is not None and turn.steps[: len(chosen)] != chosen:
                continue
            self._add(turn)
            if not any(map(_by_hand, turn.steps)) and turn.positions[-1].outcome is None:
                self._add_replies(turn)

    def fits(self, frame: Frame) -> tuple[Fit, ...]:
        """Every way in which `frame` comes from some actions of one turn; empty for the base's own frame."""
        return tuple(self._fits.get(frame, ()))

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
        for done in itertools.product(*map(_stages, turn.steps)):
            if any(done):
                self._fits.setdefault(self._after(turn.steps, done), []).append(Fit(turn, done))

    def _add_replies(self, turn: Turn) -> None:
        for reply in legal_turns(turn.positions[-1]):
            self._add(Turn(turn.steps + reply.steps, turn.positions + reply.positions))

    def _after(self, steps: tuple[Step, ...], done: tuple[int, ...]) -> Frame:
        frame = list(self.frame)
        for step, stage in zip(steps, done, strict=True):
            if stage and step.origin is not None:
                frame[step.origin.index] = NOTHING
            if step.target is not None and stage == len(_stages(step)) - 1:
                frame[step.target.index] = reading_of(step.piece, self._alphabet)
        return tuple(frame)


def _by_hand(step: Step) -> bool:
    return step.origin is not None or step.target is not None


def _stages(step: Step) -> range:
    """How far hands can be with `step`: 0 not begun, then one more for each action."""
    return range(1 + (step.origin is not None) + (step.target is not None))


def completed_steps(fit: Fit) -> tuple[Step, ...]:
    """The steps that the fit has completed, as few as explain it; empty if one is only begun."""
    last = max(index for index, stage in enumerate(fit.done) if stage)
    steps = fit.turn.steps[: last + 1]
    whole = all(stage == len(_stages(step)) - 1 for step, stage in zip(steps, fit.done, strict=False))
    return steps if whole else ()
