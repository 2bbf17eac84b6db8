"""The progress of a search: what each finished depth has found, with the turns that it expects.

**Invariants:** the first of these turns is the best one; the others are what the search remembers, as far as
it does, and never more than its depth.
"""

from __future__ import annotations

from typing import Protocol

from firmware_host.engine.searching.mill_bits import MillBits, Node
from firmware_host.frozen import frozen
from firmware_host.games.morris.bitboard import bits, point
from firmware_host.games.morris.rules import MorrisState


@frozen
class DepthReport:
    """The result of one depth."""

    depth: int
    score: int
    nodes: int
    """The positions that were visited so far."""
    turns: tuple[str, ...]


class Remembering(Protocol):
    """A search that remembers the best turns of nodes."""

    def reply(self, node: Node, side: int, quiet: int) -> Node | None:
        """Return the node after the best turn that is remembered of `node`, or None."""


def expected_turns(search: Remembering, rules: MillBits, state: MorrisState, most: int) -> list[str]:
    """Return up to `most` turns that the search expects after the root player's turn led to `state`."""
    found: list[str] = []
    node, side, quiet = state[:4], 1, state.quiet
    while len(found) < most and (after := search.reply(node, side, quiet)) is not None:
        found.append(_turn_text(rules, node, after))
        quiet = quiet + 1 if (after[0], after[3]) == (node[1], node[2]) else 0
        node, side = after, 1 - side
    return found


def _turn_text(rules: MillBits, node: Node, after: Node) -> str:
    """Return the turn that leads from a node to the next, seen by the other player."""
    origin, target, taken = node[0] & ~after[1], after[1] & ~node[0], node[1] & ~after[0]
    text = f"{point(origin)}-{point(target)}" if origin else f"{point(target)}"
    if taken:
        return text + "".join(f"x{point(one)}" for one in bits(taken))
    declined = (
        rules.options.removal == "may" and rules.graph.mills(after[1]) & target and rules.removable(node[1])
    )
    return f"{text}x-" if declined else text
