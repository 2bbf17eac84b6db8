"""The turn that lost a game: by a search, or exactly with the tables of all sectors."""

from __future__ import annotations

from firmware_host.engine.reviewing import reviewed
from firmware_host.engine.searching.candidates import mill_candidates
from firmware_host.engine.solving.certifying import Placing
from firmware_host.games.game import Game, Player
from firmware_host.games.morris.position import MorrisPosition
from firmware_host.games.values import Result
from tests.engine.measuring.ladder import TABLES
from tests.engine.measuring.solving import Solver

_NODES = 4_000_000
"""The positions that are searched for the value of each turn of a lost game."""


def explained_by_search(game: Game, own: Player, nodes: int = _NODES) -> str:
    """Return the first turn of `own` after which the game is proved to be lost, and what could be better."""
    lost = None
    for one in reviewed(game, tables=TABLES, nodes=nodes):
        if not one.after.exact:
            break
        if one.player is own:
            if one.after.result is not Result.LOSS:
                break
            lost = one
    if lost is None:
        return "no turn is proved to have lost it"
    better = f"; {lost.better.turn} was a {lost.better.value.result}" if lost.better else ""
    return f"lost at the latest with {_turn(game, game.turn_starts.index(lost.ply))}{better}"


def explained(game: Game, own: Player, solver: Solver) -> str:
    """Return the turn of `own` that lost the game, and one that would have held it; raise TableError.

    It goes backwards from the end, because the more pieces are in hand, the longer a proof takes.
    """
    for number in reversed(range(len(game.turn_texts()))):
        position = game.positions[game.turn_starts[number]]
        assert isinstance(position, MorrisPosition)
        if position.to_move is own and is_held(position, own, solver):
            better = next(one.text for one in mill_candidates(position) if is_held(one.after, own, solver))
            return f"lost with {_turn(game, number)}; {better} would have held it"
    return "lost from the beginning"


def is_held(position: MorrisPosition, own: Player, solver: Solver) -> bool:
    """Return whether `own` need not lose from a position in which White began; raise TableError."""
    if position.outcome is not None:
        return position.outcome.winner in (own, None)
    if position.state.my_hand or position.state.their_hand:
        goal = tuple(Player).index(own), False
        return solver.reaches(goal, Placing.of(position.rules, position.state))
    known = solver.known.probe(position.rules, position.state)
    lost = Result.LOSS if position.to_move is own else Result.WIN
    return known is None or known.result is not lost or not known.exact


def _turn(game: Game, number: int) -> str:
    hand = game.positions[game.turn_starts[number]].supply
    return f"turn {number + 1}, {game.turn_texts()[number]}, {sum(hand.values())} pieces in hand"
