"""The mill rules on plain integers, made for searching: the children of a node, and nothing of draws.

A node is `(mine, theirs, my_hand, their_hand)`, seen by the player to move, who owes no removal. The
geometry is computed by shifts: bit `ring * 8 + position`, clockwise from the top middle, so that neighbours
in a ring are one rotation apart, and those across the rings eight bits.

**Invariants:** the children of a node are those of `MorrisMechanics.after_turns`, in another order; each
order of several removals counts, as it does there.
"""

from __future__ import annotations

from functools import cache, cached_property

from firmware_host.frozen import frozen
from firmware_host.games.morris.bitboard import BoardGraph, bits, board_graph
from firmware_host.games.options import MIN_PIECES, MorrisOptions

Node = tuple[int, int, int, int]
Change = tuple[int, int, int]
"""The mover's pieces, the opponent's, and the mover's hand after a turn, before the players change."""

MIDDLES = 0x555555
"""The points in the middle of a ring's side."""
CORNERS = 0xAAAAAA
_RING = 0xFF


def clockwise(points: int) -> int:
    """Return each point's neighbour clockwise in its ring."""
    return points << 1 & 0xFEFEFE | points >> 7 & 0x010101


def anticlockwise(points: int) -> int:
    """Return each point's neighbour anticlockwise in its ring."""
    return points >> 1 & 0x7F7F7F | points << 7 & 0x808080


@frozen(slots=False)
class MillBits:
    """The rules with these options, as far as a search needs them."""

    options: MorrisOptions

    @cached_property
    def graph(self) -> BoardGraph:
        """The points and lines that the options leave."""
        return board_graph(self.options.diagonals, self.options.points == "outer")

    @cached_property
    def usable(self) -> int:
        """The points in use."""
        return self.graph.usable

    @cached_property
    def spokes(self) -> int:
        """The positions in a ring, as a byte, with a line across the rings."""
        return _RING if self.options.diagonals else MIDDLES & _RING

    def flies(self, mine: int, theirs: int, my_hand: int, their_hand: int) -> bool:
        """Return True if the player to move may move a piece anywhere."""
        flying = self.options.flying
        if my_hand or flying == "never":
            return False
        if mine.bit_count() == MIN_PIECES and (flying == "own" or not their_hand):
            return True
        return flying == "both" and not their_hand and theirs.bit_count() == MIN_PIECES

    def completing(self, own: int) -> int:
        """Return the points that would complete a mill of `own`, some of which may be occupied."""
        after, before = clockwise(own), anticlockwise(own)
        found = after & before & MIDDLES
        found |= CORNERS & (after & clockwise(after) | before & anticlockwise(before))
        inner, middle, outer = own & self.spokes, own >> 8 & self.spokes, own >> 16 & self.spokes
        return found | middle & outer | (inner & outer) << 8 | (inner & middle) << 16

    def mills(self, own: int) -> int:
        """Return the points of `own` that stand in a mill."""
        sides = own & clockwise(own) & anticlockwise(own) & MIDDLES
        across = own & own >> 8 & own >> 16 & self.spokes
        return sides | clockwise(sides) | anticlockwise(sides) | across * 0x010101

    def removable(self, theirs: int) -> int:
        """Return the opponent's pieces that a removal may take."""
        protection = self.options.protection
        if protection == "none":
            return theirs
        free = theirs & ~self.mills(theirs)
        if protection == "always" or (protection == "unless-three" and theirs.bit_count() != MIN_PIECES):
            return free
        return free or theirs

    def turns(
        self, mine: int, theirs: int, my_hand: int, their_hand: int
    ) -> tuple[list[Change], list[Change]]:
        """Return the turns that close a mill, and the others."""
        empty = self.usable & ~(mine | theirs)
        closing: list[Change] = []
        quiet: list[Change] = []
        chances = self.completing(mine) & empty
        if my_hand:
            quiet += [(mine | target, theirs, my_hand - 1) for target in bits(empty & ~chances)]
            if chances:
                self._close(closing, mine, chances, theirs, (my_hand - 1, their_hand))
            if not self.options.move_while_placing:
                return closing, quiet
        flying = self.flies(mine, theirs, my_hand, their_hand)
        neighbours = self.graph.neighbours
        for piece in bits(mine):
            targets = empty if flying else neighbours[piece] & empty
            rest = mine ^ piece
            if targets & chances:
                chosen = targets & self.completing(rest)
                self._close(closing, rest, chosen, theirs, (my_hand, their_hand))
                targets &= ~chosen
            while targets:
                target = targets & -targets
                targets ^= target
                quiet.append((rest | target, theirs, my_hand))
        return closing, quiet

    def closing_turns(self, mine: int, theirs: int, my_hand: int, their_hand: int) -> list[Change]:
        """Return the turns that close a mill."""
        empty = self.usable & ~(mine | theirs)
        chances = self.completing(mine) & empty
        found: list[Change] = []
        if not chances:
            return found
        if my_hand:
            self._close(found, mine, chances, theirs, (my_hand - 1, their_hand))
            if not self.options.move_while_placing:
                return found
        flying = self.flies(mine, theirs, my_hand, their_hand)
        neighbours = self.graph.neighbours
        for piece in bits(mine):
            if targets := chances if flying else neighbours[piece] & chances:
                rest = mine ^ piece
                self._close(found, rest, targets & self.completing(rest), theirs, (my_hand, their_hand))
        return found

    def can_move(self, mine: int, theirs: int, my_hand: int, their_hand: int) -> bool:
        """Return False if the player to move, with nothing in hand, is shut in."""
        empty = self.usable & ~(mine | theirs)
        return bool(self.reach(mine) & empty) or (
            bool(empty) and self.flies(mine, theirs, my_hand, their_hand)
        )

    def reach(self, own: int) -> int:
        """Return the neighbours of all points of `own`, on the board or beyond it."""
        across = own & self.spokes * 0x010101
        return clockwise(own) | anticlockwise(own) | across << 8 | across >> 8

    def _close(
        self, found: list[Change], rest: int, targets: int, theirs: int, hands: tuple[int, int]
    ) -> None:
        my_hand, their_hand = hands
        per_mill = self.options.captures == "per-mill"
        for target in bits(targets):
            due = 1
            if per_mill:
                due = sum(rest & pair == pair for pair in self.graph.partners[target])
            mine = rest | target
            found += [(mine, left, my_hand) for left in self._left(theirs, their_hand, due)]

    def _left(self, theirs: int, their_hand: int, due: int) -> list[int]:
        """Return what `due` removals can leave of the opponent's pieces, once for each way to make them."""
        removable = self.removable(theirs)
        if not removable or not due or theirs.bit_count() + their_hand < MIN_PIECES:
            return [theirs]
        left = [theirs] if self.options.removal == "may" else []
        for taken in bits(removable):
            left += self._left(theirs ^ taken, their_hand, due - 1) if due > 1 else [theirs ^ taken]
        return left


@cache
def mill_bits(options: MorrisOptions) -> MillBits:
    """Return the rules with these options; each is made once."""
    return MillBits(options)
