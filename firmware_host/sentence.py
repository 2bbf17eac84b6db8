"""One sentence that says what is to be done now, and why; as a value, in no language.

Rules kept here: the sentence follows the status of the snapshot, speaks of points by their names and of lit
pieces only where they are lit whatever the hints, and names no game. Whose sentence it is, is part of its
key, since languages differ in what that changes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import reduce
from typing import Literal

from firmware_host.controller import STOPPING, Controller
from firmware_host.games.game import Game, Outcome, Player, Position, Reason, Step
from firmware_host.games.layout import Point
from firmware_host.said import Said
from firmware_host.session import Session
from firmware_host.verdict import Lifted, Mismatch

NO_POWER = Said("no-power")
"""What there is to be said of a board whose plug is pulled."""

_OF_ONE_PLAYER = (Reason.FEW_PIECES, Reason.BLOCKED, Reason.START_COVERED, Reason.RESIGNED)
"""The reasons that name who lost."""


def sentence(controller: Controller) -> Said:
    """What is to be done now."""
    session = controller.session
    game = session.game
    if STOPPING in controller.faults:
        return Said("cannot-feel", {"text": controller.faults[STOPPING]})
    if game.outcome is not None:
        return _end(game.outcome)
    if session.paused:
        return Said("paused")
    if session.must_clear:
        return Said("clear-first")
    what = _due(session)
    if session.confirmable:
        return Said("unfelt", {"what": what, "points": _unfelt(session)})
    return what


def _due(session: Session) -> Said:
    """What hands are to do."""
    game, verdict = session.game, session.verdict
    if isinstance(verdict, Mismatch):
        return _repair(game, verdict) if any(session.believed) else Said("empty-board")
    lifted = verdict.points if isinstance(verdict, Lifted) else frozenset()
    if game.position.removal_due and not lifted & _landed(game):
        return _removal(game)
    return _hold(game, verdict) if isinstance(verdict, Lifted) and lifted else _turn(session)


def _unfelt(session: Session) -> tuple[str, ...]:
    """The masked points at which something may have been done that has to be confirmed."""
    steps = {step for steps in session.confirmable.values() for step in steps}
    return _names(session.masked & ({step.origin for step in steps} | {step.target for step in steps}))


def _end(outcome: Outcome) -> Said:
    winner, reason = outcome.winner, outcome.reason
    if winner is None:
        return Said("over.nobody", {"why": Said(f"why.{reason}")})
    loser = winner.other
    why = Said(f"why.{reason}.{loser}") if reason in _OF_ONE_PLAYER else Said(f"why.{reason}")
    return Said(f"over.{winner}", {"why": why})


def _repair(game: Game, verdict: Mismatch) -> Said:
    standing = game.position.standing
    parts = []
    for player in Player:
        points = [p for p in verdict.missing if (piece := standing[p.index]) and piece.owner is player]
        if points:
            parts.append(Said(f"repair.put-back.{player}.{_number(points)}", {"points": _names(points)}))
    if verdict.extra:
        parts.append(Said("repair.take-away", {"points": _names(verdict.extra)}))
    if verdict.wrong:
        parts.append(Said("repair.change-colour", {"points": _names(verdict.wrong)}))
    what = reduce(lambda first, second: Said("repair.and", {"first": first, "second": second}), parts)
    return Said("repair", {"what": what})


def _hold(game: Game, verdict: Lifted) -> Said:
    standing, player = game.position.standing, game.position.to_move
    theirs = {p for p in verdict.points if (piece := standing[p.index]) and piece.owner is not player}
    own = verdict.points - theirs
    again = theirs & _landed(game)
    begun = {fit.turn.steps[0].piece for fit in verdict.fits}
    other = player.other
    if again and not any(piece and piece.owner is player for piece in begun):
        return Said(f"thinks-again.{other}", {"points": _names(again)})
    if own:
        return Said(f"holds.{player}", {"points": _names(own)})
    if again:
        return Said(f"may-think-again.{other}", {"points": _names(again)})
    return Said(f"takes.{player}.{_number(theirs)}", {"points": _names(theirs)})


def _removal(game: Game) -> Said:
    player = game.position.to_move
    landed = _landed(game)
    may_decline = any(not (step.origin or step.target) for step in game.position.legal_steps())
    if not landed:
        return Said(f"may-remove.{player}") if may_decline else Said(f"removes.{player}")
    slots = {"points": _names(landed)}
    return Said(f"may-remove.{player}.at", slots) if may_decline else Said(f"removes.{player}.at", slots)


def _landed(game: Game) -> set[Point]:
    """Where the pieces of the last turn were set down."""
    return {step.target for step in game.steps[game.last_turn :] if step.target is not None}


def _turn(session: Session) -> Said:
    position = session.game.position
    player = position.to_move
    if session.chosen is not None:
        return Said(f"does-turn.{player}", {"turn": session.game.rules.turn_text(session.chosen)})
    steps = position.legal_steps()
    if of_kind := _of_kind(position, steps):
        return of_kind
    places = any(step.origin is None and step.target for step in steps)
    moves = any(step.origin and step.target for step in steps)
    in_hand = {"count": position.in_hand(player)}
    if places and moves:
        return Said(f"places-or-moves.{player}", in_hand)
    return Said(f"places.{player}", in_hand) if places else Said(f"moves.{player}")


def _of_kind(position: Position, steps: Iterable[Step]) -> Said | None:
    """What is to be done where only pieces of one kind can be moved now, in a game that has several."""
    player = position.to_move
    pieces = {step.piece for step in steps if step.piece is not None}
    if any(piece.owner is not player and step.target for step in steps if (piece := step.piece)):
        return Said(f"relocates.{player}")
    if pieces and all(piece.flat for piece in pieces):
        return Said(f"rings.{player}", {"count": position.in_hand(player)})
    return Said(f"balls.{player}") if pieces and all(piece.kind for piece in pieces) else None


def _number(points: Collection[Point]) -> Literal["one", "many"]:
    return "one" if len(points) == 1 else "many"


def _names(points: Iterable[Point]) -> tuple[str, ...]:
    return tuple(sorted(point.name for point in points))
