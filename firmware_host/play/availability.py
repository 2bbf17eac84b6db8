"""Why something cannot be asked of a game now: what buttons are offered, and what a refusal says."""

from __future__ import annotations

from firmware_host.games.game import Game, Position, Step
from firmware_host.i18n import Message


def objection(game: Game, request: str, *, paused: bool, may_take_back: bool) -> Message | None:
    """Why the request of that public name cannot be done now; None where it can."""
    over = game.declared if request == "take-back" else game.outcome
    match request:
        case "resume":
            return None if paused else Message("refused.not-paused")
        case "take-back" if not may_take_back:
            return Message("refused.no-take-back")
        case _ if over is not None:
            return Message("refused.over")
        case "take-back" if not game.ply:
            return Message("refused.no-turn")
        case "decline" if not declining(game.position):
            return Message("refused.no-removal")
        case "pause" if paused:
            return Message("refused.paused")
    return None


def declining(position: Position) -> tuple[Step, ...]:
    """The step that declines a removal, where one is due and the rules let it be declined."""
    if not position.removal_due:
        return ()
    return tuple(step for step in position.legal_steps() if not (step.origin or step.target))
