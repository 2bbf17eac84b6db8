"""Alpha-beta search of Mitsudomoe on its mechanics' states.

A turn has 57 continuations on average and up to 175, so two turns are as deep as a small computer gets. The
worth of a position is the way that the balls have to go to their goal, and the rings they can go on.

**Invariants:** a value beyond `DECIDED` is a proof, as in `search`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from firmware_host.engine.searching.search import DECIDED, WIN, SearchStoppedError, farther, nearer, never
from firmware_host.games.game import Reason
from firmware_host.games.layout import SQUARES
from firmware_host.games.mitsudomoe.rules import (
    STARTS,
    MitsudomoeMechanics,
    MitsudomoeState,
    ball_moves,
    exposed,
)
from firmware_host.games.morris.bitboard import bits

_INFINITY = WIN + 1
_STEP = 100
"""The worth of one step of a ball towards its goal."""
_RING = 4
"""The worth of an exposed ring."""
_WAY = 6
"""The worth of a move that a ball could make on its own rings."""


def _ways(player: int) -> dict[int, int]:
    """Return the steps from each square, as a set of one, to the nearest square of the player's goal."""
    goal = [SQUARES.points[one.bit_length() - 1] for one in bits(STARTS[1 - player])]
    return {
        1 << point.index: min(max(abs(point.x - end.x), abs(point.y - end.y)) for end in goal)
        for point in SQUARES.points
    }


_WAYS = _ways(0), _ways(1)


@dataclass
class MitsudomoeSearch:
    """A search that plays whole turns."""

    mechanics: MitsudomoeMechanics
    stop: Callable[[], bool] = field(default=never)
    nodes: int = 0
    _last: int = 0

    def heed(self, stop: Callable[[], bool], nodes: int = 0) -> None:
        """Stop as soon as `stop` returns True, or after `nodes` nodes, if it isn't 0."""
        self.stop = stop
        self._last = self.nodes + nodes if nodes else 0

    def value(self, state: MitsudomoeState, depth: int, window: tuple[int, int]) -> int:
        """Return the value for the player to move, or a bound if it lies outside `window`.

        Raises SearchStoppedError.
        """
        self.nodes += 1
        if self.stop() or (self._last and self.nodes >= self._last):
            raise SearchStoppedError
        if state.ended is not None:
            return _decided(state.ended)
        if depth <= 0:
            return evaluate(state)
        afters: Iterable[MitsudomoeState] = self.mechanics.after_turns(state)
        if depth > 1:
            afters = sorted(afters, key=_promise)
        alpha, beta = window
        best = -_INFINITY
        for after in afters:
            inner = -farther(beta), -farther(alpha)
            best = max(best, nearer(-self.value(after, depth - 1, inner)))
            alpha = max(alpha, best)
            if alpha >= beta:
                break
        return best


def _promise(state: MitsudomoeState) -> int:
    """Return the worth for the player to move, without a search."""
    return evaluate(state) if state.ended is None else _decided(state.ended)


def _decided(reason: Reason) -> int:
    """Return the value of an end for the player who would move: the last turn reached it."""
    if reason in (Reason.GOAL, Reason.BLOCKED):
        return -WIN
    return WIN if reason is Reason.START_COVERED else 0


def evaluate(state: MitsudomoeState) -> int:
    """Return the worth of a state that goes on for the player to move, from its balls and rings."""
    own = _side(state, state.black) + _WAY * _moves(state)
    other = _side(state, 1 - state.black) + _WAY * _moves(state._replace(black=1 - state.black))
    return max(-DECIDED, min(DECIDED, own - other))


def _moves(state: MitsudomoeState) -> int:
    tops = state.tops[state.black]
    return sum(1 for way in ball_moves(state) if way.target & tops)


def _side(state: MitsudomoeState, player: int) -> int:
    ways = _WAYS[player]
    left = sum(ways[one] for one in bits(state.balls[player]))
    return _RING * exposed(state, player).bit_count() - _STEP * left
