"""One sentence that says what is to be done now, and why; English.

Rules kept here: the sentence follows the status of the snapshot, speaks of points by their names and of lit
pieces only where they are lit whatever the hints, and names no game.
"""

from __future__ import annotations

from collections.abc import Iterable

from firmware_host.controller import STOPPING, Controller
from firmware_host.games.game import Game, Outcome, Piece, Player, Reason
from firmware_host.games.layout import Point
from firmware_host.session import Session
from firmware_host.verdict import Lifted, Mismatch

_REASONS = {
    Reason.FEW_PIECES: "{loser} has fewer than three pieces left",
    Reason.BLOCKED: "{loser} cannot move",
    Reason.FULL_BOARD: "the board is full",
    Reason.RESIGNED: "{loser} gave up",
    Reason.REPETITION: "the same position came for the third time",
    Reason.QUIET: "nothing was placed or taken for a long time",
    Reason.AGREED: "both players agreed",
    Reason.ABANDONED: "it was left unfinished",
}

_EMPTY = "The board is empty: leave it so for a moment to begin a new game, or put the pieces back."


def sentence(controller: Controller) -> str:
    """What is to be done now."""
    session = controller.session
    game, verdict = session.game, session.verdict
    if STOPPING in controller.faults:
        return f"The board cannot feel its pieces: {controller.faults[STOPPING]}."
    if game.outcome is not None:
        return f"{_end(game.outcome)} Clear the board for the next game."
    if session.paused:
        return "The game is paused."
    if session.must_clear:
        return "Take all the pieces off the board: the game begins when it is empty."
    if isinstance(verdict, Mismatch):
        return _repair(game, verdict) if any(session.frame) else _EMPTY
    lifted = verdict.points if isinstance(verdict, Lifted) else frozenset()
    if game.position.removal_due and not lifted & _landed(game):
        return _removal(game)
    return _hold(game, verdict) if isinstance(verdict, Lifted) and lifted else _turn(session)


def _end(outcome: Outcome) -> str:
    winner = outcome.winner
    text = _REASONS[outcome.reason].format(loser=_name(winner.other) if winner else "")
    return f"{_name(winner)} wins: {text}." if winner else f"Nobody wins: {text}."


def _repair(game: Game, verdict: Mismatch) -> str:
    standing = game.position.standing
    parts = []
    for owner in Player:
        points = [p for p in verdict.missing if (piece := standing[p.index]) and piece.owner is owner]
        if points:
            parts.append(f"put {_a_piece(standing[points[0].index], points)} back on {_list(points)}")
    if verdict.extra:
        parts.append(f"take away what stands on {_list(verdict.extra)}")
    if verdict.wrong:
        parts.append(f"change the colour of what stands on {_list(verdict.wrong)}")
    text = ", and ".join(parts)
    return f"The board stands wrong: {text}."


def _a_piece(piece: Piece | None, points: list[Point]) -> str:
    owner = piece.owner if piece else ""
    return f"a {owner} piece" if len(points) == 1 else f"{owner} pieces"


def _hold(game: Game, verdict: Lifted) -> str:
    standing, player = game.position.standing, game.position.to_move
    theirs = {p for p in verdict.points if (piece := standing[p.index]) and piece.owner is not player}
    own = verdict.points - theirs
    again = theirs & _landed(game)
    begun = {fit.turn.steps[0].piece for fit in verdict.fits}
    if again and not any(piece and piece.owner is player for piece in begun):
        return f"{_name(player.other)} thinks again: set the piece from {_list(again)} down where it may go."
    if own:
        return f"{_name(player)} holds the piece from {_list(own)}: set it down on a point it may go to."
    if again:
        where = f"The piece from {_list(again)} was lifted"
        return f"{where}: {player.other} may think again, or {player} takes it and closes a mill."
    taken, earned = ("piece", "it") if len(theirs) == 1 else ("pieces", "them")
    return f"{_name(player)} takes the {taken} from {_list(theirs)}: now close the mill that earns {earned}."


def _removal(game: Game) -> str:
    player = game.position.to_move
    text = (
        f"{_name(player)} closed a mill{_at(game)}: take one of the lit {player.other} pieces off the board"
    )
    may_decline = any(not (step.origin or step.target) for step in game.position.legal_steps())
    return f"{text}, or let {player.other} play on." if may_decline else f"{text}."


def _at(game: Game) -> str:
    landed = _landed(game)
    return f" at {_list(landed)}" if landed else ""


def _landed(game: Game) -> set[Point]:
    """Where the pieces of the last turn were set down."""
    return {step.target for step in game.steps[game.last_turn :] if step.target is not None}


def _turn(session: Session) -> str:
    position = session.game.position
    player = position.to_move
    if session.chosen is not None:
        return f"{_name(player)} plays {session.game.rules.turn_text(session.chosen)}: do it for them."
    steps = position.legal_steps()
    places = any(step.origin is None and step.target for step in steps)
    moves = any(step.origin and step.target for step in steps)
    hand = f"({position.in_hand(player)} in hand)"
    if places and moves:
        return f"{_name(player)} to play: set a piece on a free point {hand}, or move one."
    if places:
        return f"{_name(player)} to play: set a piece on a free point {hand}."
    return f"{_name(player)} to play: move one of your pieces."


def _name(player: Player) -> str:
    return str(player).capitalize()


def _list(points: Iterable[Point]) -> str:
    names = sorted(point.name for point in points)
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
