"""What may have been done at points whose sensor is masked, and what sensors may be broken.

Rules kept here: nothing is guessed. What can have been done and not been felt is listed for who did it to
confirm; a sensor can be broken where that alone would explain what is felt.
"""

from __future__ import annotations

from collections.abc import Iterator

from firmware_host.games.game import Position, Step, Turn
from firmware_host.games.layout import Point
from firmware_host.ports import Alphabet, Frame
from firmware_host.tracking.candidates import Base
from firmware_host.tracking.hypotheses import Claims
from firmware_host.tracking.verdict import Mismatch

_FEW = 3
"""So many points that stand wrong can be as many broken sensors."""

Steps = tuple[Step, ...]


def confirmable(claims: Claims, frame: Frame) -> tuple[Steps, ...]:
    """What of the turn that is due may be done when `frame` is felt, and cannot be known from it.

    Each is of as few steps as can be confirmed at once. The opponent may have replied already.
    """
    base = claims.base(claims.game.ply)
    doubtful = tuple(base.doubtful(frame))
    if not doubtful:
        return ()
    claim = None if frame == claims.own else claims.of_turn(frame)
    if claim is not None and claim.steps:
        return ()
    found: dict[Steps, bool] = {}
    for turn, unfelt in doubtful:
        for steps in _runs(turn):
            if steps not in found:
                some = any(number < len(steps) for number in unfelt)
                found[steps] = _may_be_done(claims, base, turn, steps, frame, unfelt=some)
            if found[steps]:
                break
    return tuple(steps for steps, may_be in found.items() if may_be)


def overlooked(claims: Claims, frame: Frame) -> tuple[Steps, ...]:
    """What may have been placed where it is not felt before the last turn was, each with that one after it.

    Where sensors cannot tell whose a piece is, the other player's placement was taken then for the one that
    was due. The board must stand as the game says, so that nothing else is begun.
    """
    game, sight = claims.game, claims.sight
    played = game.steps[game.last_turn :]
    if sight.alphabet is not Alphabet.PRESENCE or not sight.masked or frame != claims.own:
        return ()
    if len(played) != 1 or game.mid_turn or played[0].origin is not None or not claims.may_think_again:
        return ()
    before = game.positions[game.last_turn]
    return tuple(
        (step, reply)
        for step in before.legal_steps()
        if step.origin is None and step.target is not None and step.target.index in sight.masked
        for reply in _answers(before, step)
        if reply.origin is None and reply.target is played[0].target
    )


def _answers(before: Position, step: Step) -> tuple[Step, ...]:
    """What the other player may do after `step`; nothing where the turn is not over with it."""
    after = before.play(step)
    return after.legal_steps() if after.to_move is not before.to_move else ()


def _runs(turn: Turn) -> Iterator[Steps]:
    """The beginnings of a turn, up to a removal that is declined, which has a request of its own."""
    for count, step in enumerate(turn.steps, start=1):
        if step.piece is None:
            return
        yield turn.steps[:count]


def _may_be_done(claims: Claims, base: Base, turn: Turn, steps: Steps, frame: Frame, *, unfelt: bool) -> bool:
    after = turn.positions[len(steps) - 1]
    if claims.sight.expected(after) == frame:
        return base.hides(frame)
    if not unfelt or after.outcome is not None:
        return False
    wanted = claims.sight.expected(after)
    touched = (point.index for step in steps for point in (step.origin, step.target) if point is not None)
    if any(frame[index] != wanted[index] for index in touched):
        return False
    return bool(Base(after, claims.sight).fits(frame))


def suspects(claims: Claims, frame: Frame, mismatch: Mismatch) -> frozenset[Point]:
    """The points whose sensor may be broken, since without it `frame` would be one that hands can give."""
    wrong = mismatch.missing | mismatch.extra | mismatch.wrong
    found = set(wrong) if len(wrong) <= _FEW else set()
    points = claims.game.rules.layout.points
    base = claims.base(claims.game.ply)
    found.update(point for point in points if base.explains(frame, point.index))
    return frozenset(found)
