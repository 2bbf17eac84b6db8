"""The things that a person sees in a position of mills: mills to close, forks, double mills, pieces shut in.

A node is `(mine, theirs, my_hand, their_hand)`, as in `mill_bits`; each function looks at it for its player
to move. Nothing here searches farther than the opponent's next turn, and nothing is a guess.
"""

from __future__ import annotations

from firmware_host.engine.searching.mill_bits import Change, MillBits, Node
from firmware_host.games.morris.bitboard import bits


def other_side(node: Node) -> Node:
    """Return the same pieces with the opponent to move."""
    mine, theirs, my_hand, their_hand = node
    return theirs, mine, their_hand, my_hand


def after_change(node: Node, change: Change) -> Node:
    """Return the node after a turn, for the opponent."""
    mine, theirs, my_hand = change
    return theirs, mine, node[3], my_hand


def mill_points(rules: MillBits, node: Node) -> int:
    """Return the points where the player to move can close a mill at once."""
    found = 0
    for mine, _, _ in rules.closing_turns(*node):
        found |= mine & ~node[0]
    return found


def fork(rules: MillBits, node: Node) -> int:
    """Return the points of two mills or more of which the opponent, who moves first, can't stop all.

    Nothing if the opponent can close a mill, which would change everything.
    """
    answers = other_side(node)
    points = mill_points(rules, node)
    if points.bit_count() < 2 or mill_points(rules, answers):
        return 0
    _, quiet = rules.turns(*answers)
    stopped = any(not mill_points(rules, after_change(answers, change)) for change in quiet)
    return 0 if stopped or not quiet else points


def swing_mills(rules: MillBits, node: Node) -> frozenset[int]:
    """Return the double mills: the two points between which a piece closes a mill by each move to and fro.

    One of them is in a mill, and the other one is empty and would complete another one with its piece.
    """
    mine, theirs = node[:2]
    graph, empty, found = rules.graph, rules.usable & ~(mine | theirs), set[int]()
    for piece in bits(rules.graph.mills(mine)):
        for target in bits(graph.neighbours[piece] & empty):
            if any(pair & mine == pair and not pair & piece for pair in graph.partners[target]):
                found.add(piece | target)
    return frozenset(found)


def moves_left(rules: MillBits, node: Node) -> int | None:
    """Return the number of moves of the player to move; None if pieces can be placed, or fly."""
    mine, theirs, my_hand, _ = node
    if my_hand or rules.flies(*node):
        return None
    empty = rules.usable & ~(mine | theirs)
    return sum((rules.graph.neighbours[piece] & empty).bit_count() for piece in bits(mine))


def opened_mill(rules: MillBits, before: Node, after_mine: int) -> int:
    """Return the point that a move has left in an own mill; nothing if no mill was opened."""
    return before[0] & ~after_mine & rules.graph.mills(before[0])


def can_land(rules: MillBits, node: Node, target: int) -> bool:
    """Return whether the player to move can bring a piece to an empty point."""
    mine, _, my_hand, _ = node
    if my_hand or rules.flies(*node):
        return True
    return bool(rules.graph.neighbours[target] & mine)
