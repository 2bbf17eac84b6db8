"""The making of a review, turn by turn.

**Invariants:** turns are reviewed from the last to the first, since what proves a position also proves the
turn that led to it. The result depends on the game, the tables and the budget, and not on the speed of the
machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from firmware_host.engine.analysis import TurnValue, turn_values
from firmware_host.engine.review import (
    CLEARLY,
    MAX_ESTIMATE,
    WORTH,
    BetterTurn,
    LikelyTurn,
    ReviewedTurn,
    chances,
    chances_left,
    finished_turns,
)
from firmware_host.engine.searching.search import never
from firmware_host.engine.tables import Tables
from firmware_host.games.game import Game, Rules
from firmware_host.games.values import UNKNOWN, Result, Value

NODES = 400_000
"""The positions to search for each turn of a game; the search in Python visits a hundredth of them."""


def reviewed(
    game: Game,
    *,
    tables: Tables | None = None,
    depth: int | None = None,
    nodes: int = NODES,
    stop: Callable[[], bool] = never,
) -> Iterator[ReviewedTurn]:
    """Yield each finished turn of a game with its value, the last first.

    `nodes` limits the search of each; `stop` cuts the search of all other turns short.
    """
    following = UNKNOWN
    for ply, turn in reversed(finished_turns(game)):
        position = game.positions[ply]
        found = turn_values(position, tables=tables, depth=depth, nodes=nodes, stop=stop)
        played = _played(turn, found, game.rules)
        after = _proved(played.value) if played else UNKNOWN
        if not after.exact:
            after = _seen_before(following)
        others = [_proved(one.value) for one in found if one is not played]
        before = _position_value([after, *others])
        estimate = _clipped(played.score if played else 0)
        better = _better(after, found)
        likely = _likely(after, estimate, found) if better is None else None
        is_only = _is_only(after, others)
        yield ReviewedTurn(ply, position.to_move, turn, before, after, estimate, better, likely, is_only)
        following = before


def _played(turn: str, found: Sequence[TurnValue], rules: Rules) -> TurnValue | None:
    """Return the turn that was played; removals in another order are the same turn."""
    steps = sorted(step.text for step in rules.parse_turn(turn))
    same = (one for one in found if sorted(step.text for step in rules.parse_turn(one.turn)) == steps)
    return next(same, None)


def _proved(value: Value) -> Value:
    return value if value.exact else UNKNOWN


def _seen_before(following: Value) -> Value:
    """Return the value of a turn, from that of the position after it for the opponent."""
    if not following.exact:
        return UNKNOWN
    distance = None if following.distance is None else following.distance + 1
    return Value(following.result.reversed, distance, exact=True)


def _position_value(values: Sequence[Value]) -> Value:
    """Return the value of a position from the proved values of all its turns."""
    wins = [one for one in values if one.result is Result.WIN]
    if wins:
        return min(wins, key=lambda one: MAX_ESTIMATE if one.distance is None else one.distance)
    if not all(one.exact for one in values):
        return UNKNOWN
    draws = [one for one in values if one.result is Result.DRAW]
    return draws[0] if draws else max(values, key=lambda one: one.distance or 0)


def _better(value: Value, found: Sequence[TurnValue]) -> BetterTurn | None:
    known = [one for one in found if one.value.exact and value.exact]
    best = max(known, key=lambda one: WORTH[one.value.result], default=None)
    if best is None or WORTH[best.value.result] <= WORTH[value.result]:
        return None
    return BetterTurn(best.turn, best.value)


def _likely(value: Value, estimate: int, found: Sequence[TurnValue]) -> LikelyTurn | None:
    """Return the turn without a proof that is likely to be better; a proved win or draw needs none."""
    if value.exact and value.result is not Result.LOSS:
        return None
    guessed = [one for one in found if not one.value.exact]
    best = max(guessed, key=lambda one: one.score, default=None)
    if best is None or chances(best.score) - chances_left(value, estimate) < CLEARLY:
        return None
    return LikelyTurn(best.turn, _clipped(best.score))


def _is_only(value: Value, others: Sequence[Value]) -> bool:
    """Return True if there are other turns, and each is proved to be worse."""
    return (
        value.exact
        and all(one.exact and WORTH[one.result] < WORTH[value.result] for one in others)
        and bool(others)
    )


def _clipped(score: int) -> int:
    return max(-MAX_ESTIMATE, min(MAX_ESTIMATE, score))
