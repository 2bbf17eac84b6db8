"""The value of every turn of a position: proved, or unknown.

**Invariants:** a value is exact if the turn ends the game, if tables know the position after it, or if a
search at full width proved a win or a loss. Everything else is unknown; its `score` only orders the turns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from firmware_host.engine.searching.candidates import Candidate, mill_candidates, mitsudomoe_candidates
from firmware_host.engine.searching.mitsudomoe import MitsudomoeSearch
from firmware_host.engine.searching.scoring import (
    CONVERTED,
    TABLE_WIN,
    TABLE_WIN_SOMETIME,
    ChildValue,
    affordable,
    mill_search,
)
from firmware_host.engine.searching.search import DECIDED, WIN, SearchStoppedError, nearer, never
from firmware_host.engine.tables import Tables, turn_value
from firmware_host.frozen import frozen
from firmware_host.games.game import Player, Position
from firmware_host.games.mitsudomoe.position import MitsudomoePosition
from firmware_host.games.morris.position import MorrisPosition
from firmware_host.games.values import UNKNOWN, Result, Value

DEPTH = 6
"""The turns that a search for proofs looks ahead in the mill family."""
MITSUDOMOE_DEPTH = 2
_QUICK_NODES = 50_000
_WINDOW = (-WIN - 1, WIN + 1)


@frozen
class TurnValue:
    """A turn and its value for the player who makes it."""

    turn: str
    value: Value
    score: int
    """The heuristic worth, which orders turns whose value is unknown."""


def turn_values(
    position: Position,
    *,
    tables: Tables | None = None,
    depth: int | None = None,
    nodes: int = 0,
    stop: Callable[[], bool] = never,
) -> list[TurnValue]:
    """Return the value of every turn (or rest of one), the best first; empty if the game is over.

    The first depth is always searched; `stop` cuts the search for further proofs short, and in the mill
    family so do `nodes`, unless they are 0: the positions that the search in C may visit.
    """
    if isinstance(position, MorrisPosition):
        found = _mill_values(position, tables, (depth or DEPTH, nodes), stop)
    elif isinstance(position, MitsudomoePosition):
        found = _mitsudomoe_values(position, depth or MITSUDOMOE_DEPTH, stop)
    else:
        raise TypeError(f"no engine for {type(position).__name__}")
    return sorted(found, key=_rank, reverse=True)


def quick_values(position: Position, tables: Tables) -> list[TurnValue]:
    """Return the values that a search finds without a clock in no noticeable time, in C or in Python."""
    depth = 1 if isinstance(position, MitsudomoePosition) else 3
    return turn_values(position, tables=tables, depth=depth, nodes=_QUICK_NODES)


def position_value(found: Sequence[TurnValue]) -> Value:
    """Return the value of a position from the values of all its turns, the best first."""
    if not found:
        return UNKNOWN
    best = found[0].value
    surely = best.result is Result.WIN or all(one.value.exact for one in found)
    return best if surely else UNKNOWN


def _rank(one: TurnValue) -> tuple[int, int]:
    """Return a key that is greater for a better turn."""
    distance = one.value.distance or 0
    if one.value.result is Result.WIN:
        return 1, -distance
    if one.value.result is Result.LOSS:
        return -1, distance
    return 0, 0 if one.value.result is Result.DRAW else one.score


def _mill_values(
    position: MorrisPosition, tables: Tables | None, limits: tuple[int, int], stop: Callable[[], bool]
) -> list[TurnValue]:
    """Return the values of all turns, by a search within `limits`: its depth and its nodes."""
    depth, nodes = limits
    found = mill_candidates(position)
    search = mill_search(position, tables)

    def child_value(index: int, depth: int, window: tuple[int, int]) -> int:
        state = found[index].after.state
        return search.value(state[:4], 1, state.quiet, depth, window)

    known = {index: value for index, one in enumerate(found) if (value := known_value(position, one, tables))}
    search.heed(never)
    proved = _proved([one.text for one in found], known, child_value, 1)
    search.heed(stop, affordable(search, nodes))
    return _deepened(proved, child_value, depth)


def _mitsudomoe_values(position: MitsudomoePosition, depth: int, stop: Callable[[], bool]) -> list[TurnValue]:
    found = mitsudomoe_candidates(position)
    search = MitsudomoeSearch(position.rules.mechanics)

    def child_value(index: int, depth: int, window: tuple[int, int]) -> int:
        return search.value(found[index].after.state, depth, window)

    mover = position.to_move
    known = {index: value for index, one in enumerate(found) if (value := _outcome_value(one.after, mover))}
    proved = _proved([one.text for one in found], known, child_value, 1)
    search.heed(stop)
    return _deepened(proved, child_value, depth)


def _deepened(found: list[TurnValue], child_value: ChildValue, depth: int) -> list[TurnValue]:
    """Return `found` with the proofs that deeper searches add, until SearchStoppedError.

    Scores are those of the last whole depth, since scores of different depths don't compare.
    """
    for now in range(2, depth + 1):
        order = sorted(range(len(found)), key=lambda index: _rank(found[index]), reverse=True)
        deeper = list(found)
        try:
            for index in order:
                if not found[index].value.exact:
                    deeper[index] = _searched(found[index].turn, index, child_value, now)
        except SearchStoppedError:
            return [new if new.value.exact else old for old, new in zip(found, deeper, strict=True)]
        found = deeper
    return found


def _proved(
    turns: Sequence[str], known: dict[int, Value], child_value: ChildValue, depth: int
) -> list[TurnValue]:
    return [
        TurnValue(turn, known[index], 0) if index in known else _searched(turn, index, child_value, depth)
        for index, turn in enumerate(turns)
    ]


def _searched(turn: str, index: int, child_value: ChildValue, depth: int) -> TurnValue:
    score = nearer(-child_value(index, depth - 1, _WINDOW))
    if abs(score) <= DECIDED:
        return TurnValue(turn, UNKNOWN, score)
    result = Result.WIN if score > 0 else Result.LOSS
    return TurnValue(turn, Value(result, _distance(abs(score)), exact=True), score)


def _distance(score: int) -> int | None:
    """Return the distance of a proved win with this score; None if tables knew the win without it."""
    if score > TABLE_WIN:
        return WIN - score
    return TABLE_WIN - score if score > TABLE_WIN_SOMETIME + 2 * CONVERTED else None


def known_value(
    position: MorrisPosition, one: Candidate[MorrisPosition], tables: Tables | None
) -> Value | None:
    """Return the value of a turn that needs no search, for the player who makes it."""
    ended = _outcome_value(one.after, position.to_move)
    if ended is not None or tables is None:
        return ended
    state = one.after.state
    after = tables.probe(position.rules, state)
    if after is None or after.result is Result.UNKNOWN:
        return None
    return turn_value(position.state, state, after)


def _outcome_value(after: Position, mover: Player) -> Value | None:
    """Return the value, for `mover`, of the turn that ended the game with `after`; None if it goes on."""
    if after.outcome is None:
        return None
    winner = after.outcome.winner
    if winner is None:
        return Value(Result.DRAW, None, exact=True)
    return Value(Result.WIN if winner is mover else Result.LOSS, 1, exact=True)
