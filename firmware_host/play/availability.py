"""The reasons why a request is not possible now, for buttons and refusals."""

from __future__ import annotations

from firmware_host.games.game import Game, Player, Position, Step
from firmware_host.i18n import Message


def unavailable_reason(
    game: Game,
    request: str,
    *,
    paused: bool,
    may_take_back: bool,
    may_redo: bool,
    may_undo: bool,
    bound: frozenset[Player] = frozenset(),
) -> Message | None:
    """Return why the request with this public name is not possible now; None if it is.

    `bound` are the players whose turns are chosen by somebody who is not at the board.
    """
    over = game.declared if request == "take-back" else game.outcome
    match request:
        case "undo":
            return None if may_undo else Message("refused.no-undo")
        case "resume":
            return None if paused else Message("refused.not-paused")
        case "take-back" if not may_take_back:
            return Message("refused.no-take-back")
        case _ if over is not None:
            return Message("refused.over")
        case "take-back" if not game.ply:
            return Message("refused.no-turn")
        case "redo" if not may_redo:
            return Message("refused.no-redo")
        case "decline" if not declining_steps(game.position):
            return Message("refused.no-removal")
        case "decline" if game.position.to_move in bound:
            return Message("refused.not-here")
        case "draw" if bound:
            return Message("refused.no-draw")
        case "pause" if paused:
            return Message("refused.paused")
    return None


def declining_steps(position: Position) -> tuple[Step, ...]:
    """Return the step that declines a removal, if one is due and the rules allow that; otherwise nothing."""
    if not position.removal_due:
        return ()
    return tuple(step for step in position.legal_steps() if not (step.origin or step.target))
