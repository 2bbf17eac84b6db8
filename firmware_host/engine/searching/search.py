"""Alpha-beta search of the mill family in pure Python.

To a fixed depth the result is the exact minimax value of the evaluation, with closing turns played out at the
leaves, whatever the order of the turns: so the search in C, which orders them in its own way, finds the same.

**Invariants:** a value beyond `DECIDED` is a proof: `WIN - n` wins in at most `n` turns of both players,
`n - WIN` loses. Only closing turns are played out at the leaves, and the player to move may decline them, so
nothing that was left out can turn a proof. Positions that occurred often enough before are draws, as is a
line that is too long without a capture.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from firmware_host.engine.searching.evaluation import Evaluation
from firmware_host.engine.searching.mill_bits import Change, MillBits, Node
from firmware_host.engine.table_rules import Sector
from firmware_host.frozen import frozen
from firmware_host.games.options import MIN_PIECES

WIN = 10_000
"""The value of a position that is won; each turn until then takes 1."""
DECIDED = 8_000
"""The least value of a proved win; every heuristic is smaller."""
_INFINITY = WIN + 1
MAX_SETTLING = 3
"""The most closing turns in a row that are played out at a leaf; more cost too much with many mills."""
_STOP_INTERVAL = 64
_CACHE_SIZE = 1 << 18

NodeProbe = Callable[[Node, int, int], int | None]
"""The value of a node that tables know, for the quiet steps so far and the depth left; None for others."""


class SearchStoppedError(Exception):
    """The search had to stop; never leaves the engine."""


def never() -> bool:
    """Return False: a search that nothing stops."""
    return False


@frozen
class Setting:
    """The circumstances of a search that are the same at each of its nodes."""

    drawn: frozenset[tuple[int, Node]] = frozenset()
    """The nodes that would repeat a position for the last time, after the side to move (0: the root's)."""
    quiet_limit: int = 0
    """The steps without placement or removal that make a draw; 0 if there is no such rule."""
    full_board: tuple[int, int] = (0, 0)
    """The value of a full board for the root's side and for the other, if they are to move."""
    settling: int = MAX_SETTLING
    """The closing turns in a row that are played out at a leaf."""


@frozen
class NodeTables:
    """The nodes without stones in hand whose values tables know."""

    sectors: frozenset[Sector]
    """The sectors of which there are tables; `probe` knows no node of another."""
    probe: NodeProbe

    def value(self, node: Node, quiet: int, depth: int) -> int | None:
        """Return the value of a node, for the quiet steps so far and the depth left; None if not known."""
        mine, theirs, my_hand, their_hand = node
        if my_hand or their_hand or (mine.bit_count(), theirs.bit_count()) not in self.sectors:
            return None
        return self.probe(node, quiet, depth)


@dataclass
class TurnSearch:
    """A search with its memory, which is kept from depth to depth."""

    evaluate: Evaluation
    setting: Setting = Setting()
    tables: NodeTables | None = None
    stop: Callable[[], bool] = field(default=never)
    nodes: int = 0
    _last: int = 0
    rules: MillBits = field(init=False)
    _known: dict[tuple[int, ...], tuple[int, int, int, Change | None]] = field(default_factory=dict)
    _liked: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.rules = self.evaluate.rules

    def heed(self, stop: Callable[[], bool], nodes: int = 0) -> None:
        """Stop as soon as `stop` returns True, or after `nodes` nodes, if it isn't 0."""
        self.stop = stop
        self._last = self.nodes + nodes if nodes else 0

    def value(self, node: Node, side: int, quiet: int, depth: int, window: tuple[int, int]) -> int:
        """Return the value of `node` for its player to move, or a bound if it lies outside `window`.

        `side` is 0 if the root's player is to move, `depth` counts turns.
        Raises SearchStoppedError.
        """
        return self._value(node, side, quiet, depth, *window)

    def reply(self, node: Node, side: int, quiet: int) -> Node | None:
        """Return the node after the best turn that is remembered of `node`, or None."""
        known = self._known.get((*node, side, quiet if self.setting.quiet_limit else 0))
        if known is None or known[2] < 0 or known[3] is None:
            return None
        after, left, hand = known[3]
        return left, after, node[3], hand

    def _value(self, node: Node, side: int, quiet: int, depth: int, alpha: int, beta: int) -> int:
        ended = self._ended(node, side, quiet, depth)
        if ended is not None:
            return ended
        if depth <= 0:
            return self._settle(node, side, quiet, self.setting.settling, alpha, beta)
        key = (*node, side, quiet if self.setting.quiet_limit else 0)
        known = self._known.get(key)
        best_change = None
        if known is not None:
            known_depth, value, bound, best_change = known
            if known_depth == depth and (
                bound == 0 or (bound > 0 and value >= beta) or (bound < 0 and value <= alpha)
            ):
                return value
        best, best_change = self._best(node, side, quiet, depth, alpha, beta, best_change)
        if len(self._known) >= _CACHE_SIZE:
            self._known.clear()
        bound = 1 if best >= beta else -1 if best <= alpha else 0
        self._known[key] = depth, best, bound, best_change
        return best

    def _best(
        self,
        node: Node,
        side: int,
        quiet: int,
        depth: int,
        alpha: int,
        beta: int,
        first: Change | None,
    ) -> tuple[int, Change | None]:
        mine, their_hand = node[0], node[3]
        best, best_change = -_INFINITY, None
        for change in self._ordered(node, first):
            after, left, hand = change
            calm = _calm_after(node, change, quiet)
            low, high = farther(alpha), farther(beta)
            value = nearer(
                -self._value((left, after, their_hand, hand), 1 - side, calm, depth - 1, -high, -low)
            )
            if value > best:
                best, best_change = value, change
                alpha = max(alpha, value)
                if alpha >= beta:
                    moved = mine ^ after
                    self._liked[moved] = self._liked.get(moved, 0) + depth * depth
                    break
        return best, best_change

    def _ordered(self, node: Node, first: Change | None) -> Iterable[Change]:
        mine = node[0]
        closing, others = self.rules.turns(*node)
        liked = self._liked
        others.sort(key=lambda change: liked.get(mine ^ change[0], 0), reverse=True)
        found = closing + others
        if first is not None:
            found.remove(first)
            found.insert(0, first)
        return found

    def _settle(self, node: Node, side: int, quiet: int, depth: int, alpha: int, beta: int) -> int:
        """Return the value with up to `depth` closing turns in a row played out."""
        best = self.evaluate(*node)
        if best >= beta or not depth:
            return best
        alpha = max(alpha, best)
        their_hand = node[3]
        for change in self.rules.closing_turns(*node):
            child = (change[1], change[0], their_hand, change[2])
            calm = _calm_after(node, change, quiet)
            low, high = farther(alpha), farther(beta)
            value = self._ended(child, 1 - side, calm, 0)
            if value is None:
                value = self._settle(child, 1 - side, calm, depth - 1, -high, -low)
            value = nearer(-value)
            if value > best:
                best = value
                alpha = max(alpha, value)
                if alpha >= beta:
                    break
        return best

    def _ended(self, node: Node, side: int, quiet: int, depth: int) -> int | None:
        """Return the value if the game is over or tables know it; count the node."""
        self.nodes += 1
        if not self.nodes % _STOP_INTERVAL and (self.stop() or (self._last and self.nodes >= self._last)):
            raise SearchStoppedError
        mine, theirs, my_hand, _ = node
        setting = self.setting
        if mine.bit_count() + my_hand < MIN_PIECES:
            return -WIN
        if mine | theirs == self.rules.usable:
            return setting.full_board[side]
        if not my_hand and not self.rules.can_move(*node):
            return -WIN
        if setting.quiet_limit and quiet >= setting.quiet_limit:
            return 0
        if setting.drawn and (side, node) in setting.drawn:
            return 0
        return None if self.tables is None else self.tables.value(node, quiet, depth)


def _calm_after(node: Node, change: Change, quiet: int) -> int:
    """Return the quiet steps in a row after a turn, which may close a mill if it captures nothing."""
    return quiet + 1 if (change[1], change[2]) == (node[1], node[2]) else 0


def nearer(value: int) -> int:
    """Return a child's value as its parent's: a decision is one turn farther away."""
    if value > DECIDED:
        return value - 1
    return value + 1 if value < -DECIDED else value


def farther(bound: int) -> int:
    """Return a parent's bound as its child's."""
    if bound > DECIDED:
        return bound + 1
    return bound - 1 if bound < -DECIDED else bound
