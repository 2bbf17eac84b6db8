"""The scores of all turns of a position, by iterative deepening.

**Invariants:** a score within `margin` of the best is exact to its depth; a worse turn's is only known to be
worse. The first depth is always finished, so there is always a result. A score beyond `DECIDED` is a proof.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

from firmware_host.engine.searching.candidates import Candidate
from firmware_host.engine.searching.evaluation import Evaluation, evaluation
from firmware_host.engine.searching.mill_bits import Node, mill_bits
from firmware_host.engine.searching.mitsudomoe import MitsudomoeSearch
from firmware_host.engine.searching.progress import DepthReport, Remembering, expected_turns
from firmware_host.engine.searching.search import (
    DECIDED,
    MAX_SETTLING,
    WIN,
    NodeTables,
    SearchStoppedError,
    Setting,
    TurnSearch,
    farther,
    nearer,
    never,
)
from firmware_host.engine.searching.search_native import Memory, NativeSearch, search_library
from firmware_host.engine.tables import Tables
from firmware_host.frozen import frozen
from firmware_host.games.game import Outcome, Player
from firmware_host.games.mitsudomoe.position import MitsudomoePosition
from firmware_host.games.morris.position import MorrisPosition
from firmware_host.games.morris.rules import MorrisState
from firmware_host.games.values import Result, Value

ChildValue = Callable[[int, int, tuple[int, int]], int]
"""The value of a candidate (by its index) for the opponent, to a depth, within a window."""

TABLE_WIN = 9_000
"""The score of a win that tables know; each turn until the next capture takes 1."""
_MAX_DRAW = 60
_DRAW_SHARE = 8
"""A draw that tables know is worth this fraction of its evaluation, and not more than `_MAX_DRAW`."""
TABLE_WIN_SOMETIME = 8_200
"""The score of a win that tables know without its distance."""
CONVERTED = 200
"""The worth, beyond that, of a capture which leads to such a win."""
_LIKELY = 5_000
"""The score of a win that the draw by quiet steps may take; not a proof."""
_PYTHON_SHARE = 100
"""The search in Python gets this fraction of the nodes, since it is as many times slower."""
_INFINITY = WIN + 1
_FEW_IN_HAND = 4
"""The pieces in both hands up to which a search reaches tables of any size within its time."""
_FEW_STONES = 10
"""The stones up to which tables are asked before: a question takes as long as thousands of nodes."""


class DepthSearch(Protocol):
    """A search to one depth after another, of any game."""

    @property
    def nodes(self) -> int:
        """The nodes that were searched so far."""

    def heed(self, stop: Callable[[], bool], nodes: int = 0) -> None:
        """Stop as soon as `stop` returns True, or after `nodes` nodes, if it isn't 0."""


class MillSearch(DepthSearch, Remembering, Protocol):
    """A search of the mill family, in Python or in C."""

    def value(self, node: Node, side: int, quiet: int, depth: int, window: tuple[int, int]) -> int:
        """Return the value of a node for its player to move."""


def ignored(_finding: DepthReport) -> None:
    """Do nothing with the result of a depth."""


@frozen
class Effort:
    """The extent of a search."""

    depth: int
    """The greatest number of turns to look ahead, the candidate's own included."""
    margin: int
    """The difference to the best score up to which scores have to be exact."""
    nodes: int = 0
    """The nodes of the search in C after which it ends; 0 for no limit."""
    deeper: bool = False
    """Use what is known from greater depths as well: stronger, but not the same in Python and C."""
    native: bool = True
    """Search by the library in C, if it is there."""
    settling: int = MAX_SETTLING
    """The closing turns in a row that are played out at a leaf."""
    python_nodes: int = 0
    """The nodes of a search in Python after which it ends; 0 for those that take as long as `nodes` in C."""
    report: Callable[[DepthReport], None] = ignored
    """Called with the result of each finished depth."""


_WHOLE = Effort(0, 0)
"""A search at full width; its caller sets the depth of each value."""


def mill_scores(
    position: MorrisPosition,
    found: Sequence[Candidate[MorrisPosition]],
    effort: Effort,
    tables: Tables | None,
    stop: Callable[[], bool],
    habits: Sequence[int] = (),
) -> list[int]:
    """Return the score of each of `found` for the player to move at `position`; see `deepened`."""
    mover = position.to_move
    search = mill_search(position, tables, effort)

    def child_value(index: int, depth: int, window: tuple[int, int]) -> int:
        after = found[index].after
        if after.outcome is not None:
            return -outcome_score(after.outcome, mover)
        state = after.state
        return search.value(state[:4], 1, state.quiet, depth, window)

    def expected(index: int, most: int) -> list[str]:
        after = found[index].after
        ahead = [] if after.outcome else expected_turns(search, rules, after.state, most - 1)
        return [found[index].text, *ahead]

    rules = mill_bits(position.rules.options)
    if isinstance(search, TurnSearch):
        effort = in_python(effort)
    return deepened(len(found), child_value, effort, search, stop, expected, habits)


def mill_search(position: MorrisPosition, tables: Tables | None, effort: Effort = _WHOLE) -> MillSearch:
    """Return a search for the turns of a position: in C if the library is there and wanted, or in Python."""
    rules = position.rules
    evaluate = evaluation(mill_bits(rules.options))
    known = None if tables is None else _node_tables(position, tables, evaluate)
    setting = replace(setting_of(position), settling=effort.settling)
    library = search_library() if effort.native else None
    if library is None:
        return TurnSearch(evaluate, setting, known)
    return NativeSearch(library, evaluate, setting, known, Memory(18 if effort.deeper else 16, effort.deeper))


def in_python(effort: Effort) -> Effort:
    """Return the extent of a search in Python that takes as long as one in C."""
    return replace(effort, nodes=effort.python_nodes or -(-effort.nodes // _PYTHON_SHARE))


def affordable(search: MillSearch, nodes: int) -> int:
    """Return the nodes that `search` visits in the time in which the search in C visits `nodes`."""
    return nodes if isinstance(search, NativeSearch) else -(-nodes // _PYTHON_SHARE)


def setting_of(position: MorrisPosition) -> Setting:
    """Return the circumstances of a search from `position`: the draws that its history allows."""
    options, state = position.rules.options, position.state
    drawn: set[tuple[int, Node]] = set()
    if options.repetition:
        times = Counter((*state.past, state[:6]))
        often = (one for one, count in times.items() if count >= options.repetition - 1 and not one[4])
        drawn = {(one[5] ^ state.black, (one[0], one[1], one[2], one[3])) for one in often}
    full_board = (0, 0)
    if options.full_board == "first-loses":
        full_board = (-WIN, WIN) if position.first is position.to_move else (WIN, -WIN)
    return Setting(frozenset(drawn), options.quiet, full_board)


def _node_tables(position: MorrisPosition, tables: Tables, evaluate: Evaluation) -> NodeTables:
    rules, state = position.rules, position.state
    sectors = tables.known(rules)
    if state.my_hand + state.their_hand > _FEW_IN_HAND:
        sectors = frozenset(sector for sector in sectors if sum(sector) <= _FEW_STONES)

    def node_value(node: Node, quiet: int, depth: int) -> int | None:
        known = tables.probe(rules, MorrisState(*node, 0, 0, quiet))
        return None if known is None else table_score(known, lambda: evaluate(*node), quiet, depth)

    return NodeTables(sectors, node_value)


def table_score(known: Value, worth: Callable[[], int], quiet: int, depth: int) -> int | None:
    """Return the score of a value from tables at a node, or None to search on.

    `worth` evaluates it, which takes as long as the question to the tables. `quiet` are the quiet steps so
    far, and `depth` is the depth left. Without a distance, a win is searched on for the next capture, and is
    worth more right after it. A draw that is sure scores more than a loss that the draw by quiet steps may
    yet prevent.
    """
    if known.result is Result.UNKNOWN:
        return None
    sign = 1 if known.result is Result.WIN else -1
    decided = known.result is not Result.DRAW
    if decided and known.distance is not None:
        return sign * (TABLE_WIN - known.distance)
    if decided and quiet and depth > 0:
        return None
    share = max(-_MAX_DRAW, min(_MAX_DRAW, int(worth() / _DRAW_SHARE)))
    if not decided:
        return share
    if not known.exact:
        return sign * _LIKELY + share
    return sign * (TABLE_WIN_SOMETIME + (0 if quiet else CONVERTED)) + share


def mitsudomoe_scores(
    position: MitsudomoePosition,
    found: Sequence[Candidate[MitsudomoePosition]],
    effort: Effort,
    stop: Callable[[], bool],
) -> list[int]:
    """Return the score of each of `found` for the player to move at `position`."""
    search = MitsudomoeSearch(position.rules.mechanics)

    def child_value(index: int, depth: int, window: tuple[int, int]) -> int:
        return search.value(found[index].after.state, depth, window)

    effort = in_python(effort)
    return deepened(len(found), child_value, effort, search, stop, lambda index, _: [found[index].text])


def deepened(
    count: int,
    child_value: ChildValue,
    effort: Effort,
    search: DepthSearch,
    stop: Callable[[], bool],
    expected: Callable[[int, int], list[str]],
    habits: Sequence[int] = (),
) -> list[int]:
    """Return the scores of `count` turns to the greatest depth, up to the effort's, that there is time for.

    `expected` returns the turns that begin with one (by its index), up to a number of them.
    `habits` has the points that each turn's score gets added unless it is decided; nothing adds none.
    Without a margin, a better turn that an unfinished depth found counts.
    """
    habits = habits or [0] * count

    def report(depth: int) -> None:
        best = max(scores, key=lambda index: scores[index])
        score = _without(habits[best], scores[best])
        effort.report(DepthReport(depth, score, search.nodes, tuple(expected(best, depth))))

    search.heed(never)
    scores = _searched(list(range(count)), {}, child_value, (1, effort.margin), habits)
    report(1)
    search.heed(stop, effort.nodes)
    for now in range(2, effort.depth + 1):
        if abs(max(scores.values())) > DECIDED:
            break
        order = sorted(scores, key=lambda index: scores[index], reverse=True)
        partial: dict[int, int] = {}
        try:
            scores = _searched(order, partial, child_value, (now, effort.margin), habits)
        except SearchStoppedError:
            if not effort.margin and partial:
                scores = {**dict.fromkeys(order, -_INFINITY), **partial}
            break
        report(now)
    return [scores[index] for index in range(count)]


def _searched(
    order: Sequence[int],
    scores: dict[int, int],
    child_value: ChildValue,
    extent: tuple[int, int],
    habits: Sequence[int],
) -> dict[int, int]:
    """Search each turn to a depth, entering its score into `scores` as soon as it is known.

    `extent` is the depth and the margin. All turns but the first are searched with no window first, which
    only tells whether they are within the margin.
    """
    depth, margin = extent
    best = -_INFINITY
    for index in order:
        least = max(-_INFINITY, best - margin)
        alpha = _without(habits[index], least)
        low, score = -farther(alpha), _INFINITY
        if best > -_INFINITY:
            score = nearer(-child_value(index, depth - 1, (low - 1, low)))
        if score > alpha:
            if best > -_INFINITY:
                scores[index] = _with(
                    habits[index], score
                )  # it counts if the search stops before it is exact
            score = nearer(-child_value(index, depth - 1, (-_INFINITY, low)))
        scores[index] = _with(habits[index], score) if score > alpha else least - 1
        best = max(best, scores[index])
    return scores


def _with(habit: int, score: int) -> int:
    """Return a score with the points of a habit, which changes nothing that is decided."""
    return score if abs(score) > DECIDED else min(DECIDED, score + habit)


def _without(habit: int, score: int) -> int:
    """Return the least score that a habit raises to `score` or a lesser one."""
    return score if abs(score) > DECIDED else max(-DECIDED, score - habit)


def outcome_score(outcome: Outcome, mover: Player) -> int:
    """Return the score of an ended game, from which `nearer` takes one turn."""
    if outcome.winner is None:
        return 0
    return WIN if outcome.winner is mover else -WIN
