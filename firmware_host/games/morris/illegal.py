"""The reasons why a step is illegal, as sentences for `IllegalStepError`."""

from __future__ import annotations

from firmware_host.games.game import Outcome, Step
from firmware_host.games.layout import Point
from firmware_host.games.morris.bitboard import bit, points_of
from firmware_host.games.morris.notation import PLAYERS
from firmware_host.games.morris.rules import MorrisMechanics, MorrisState
from firmware_host.games.options import MIN_PIECES


def explain_illegal(
    mechanics: MorrisMechanics, state: MorrisState, outcome: Outcome | None, step: Step
) -> str:
    """Return why `step`, which must not be legal in `state`, is illegal."""
    player = PLAYERS[state.black]
    if outcome is not None:
        return f"{step}: the game is over ({outcome.reason})"
    if step.origin is None and step.target is None:
        return f"{step}: {'the removal must be made' if state.due else 'no removal is due'}"
    if step.target is None and step.origin is not None:
        return f"{step}: {_to_removal(mechanics, state, step.origin)}"
    if state.due:
        return f"{step}: a removal is due"
    if step.piece is not None and step.piece.owner is not player:
        return f"{step}: it is {_name(state.black)}'s turn"
    return f"{step}: {_to_landing(mechanics, state, step)}"


def _name(black: int) -> str:
    return PLAYERS[black].value.capitalize()


def _to_removal(mechanics: MorrisMechanics, state: MorrisState, point: Point) -> str:
    if not state.due:
        return "no removal is due"
    if not bit(point) & state.theirs:
        return f"none of {_name(1 - state.black)}'s pieces stands on {point}"
    removable = mechanics.removable(state.theirs)
    if removable & bit(point):
        return f"it is {_name(1 - state.black)}'s piece that is removed"
    if removable and mechanics.options.protection == "unless-all":
        return f"{point} stands in a mill, and {next(points_of(removable))} does not"
    if mechanics.options.protection == "unless-three":
        return (
            f"{point} stands in a mill, and {_name(1 - state.black)} has not just {MIN_PIECES} on the board"
        )
    return f"{point} stands in a mill"


def _to_landing(mechanics: MorrisMechanics, state: MorrisState, step: Step) -> str:
    origin, target = bit(step.origin), bit(step.target)
    mover, hand = _name(state.black), state.my_hand
    if not target & mechanics.graph.usable:
        return f"{step.target} is not used with points={mechanics.options.points}"
    if not origin and not hand:
        return f"{mover} has no pieces in hand"
    if origin and origin & state.theirs:
        return f"the piece on {step.origin} is {_name(1 - state.black)}'s"
    if origin and not origin & state.mine:
        return f"nothing stands on {step.origin}"
    if origin and hand and not mechanics.options.move_while_placing:
        return f"{mover} has {hand} in hand to place first"
    if target & (state.mine | state.theirs):
        return f"{step.target} is occupied"
    return f"{step.origin} and {step.target} are not neighbours"
