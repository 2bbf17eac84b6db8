"""The mill rules on plain integers, made for searching: the children of a node, and nothing of draws.

A node is `(mine, theirs, my_hand, their_hand)`, seen by the player to move, who owes no removal.

**Invariants:** the children of a node are those of `MorrisMechanics.after_turns`, in another order; each
order of several removals counts, as it does there.
"""

from __future__ import annotations

from functools import cache, cached_property

from firmware_host.frozen import frozen
from firmware_host.games.morris.bitboard import bits
from firmware_host.games.morris.rules import MorrisMechanics
from firmware_host.games.options import MIN_PIECES, MorrisOptions

Node = tuple[int, int, int, int]
Change = tuple[int, int, int]
"""The mover's pieces, the opponent's, and the mover's hand after a turn, before the players change."""


@frozen(slots=False)
class MillBits(MorrisMechanics):
    """The rules with these options, as far as a search needs them."""

    @cached_property
    def usable(self) -> int:
        """The points in use."""
        return self.graph.usable

    def turns(
        self, mine: int, theirs: int, my_hand: int, their_hand: int
    ) -> tuple[list[Change], list[Change]]:
        """Return the turns that close a mill, and the others."""
        empty = self.usable & ~(mine | theirs)
        closing: list[Change] = []
        quiet: list[Change] = []
        chances = self.graph.completing(mine) & empty
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
                chosen = targets & self.graph.completing(rest)
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
        chances = self.graph.completing(mine) & empty
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
                self._close(found, rest, targets & self.graph.completing(rest), theirs, (my_hand, their_hand))
        return found

    def _close(
        self, found: list[Change], rest: int, targets: int, theirs: int, hands: tuple[int, int]
    ) -> None:
        my_hand, their_hand = hands
        for target in bits(targets):
            mine = rest | target
            _, due = self.closing(mine, target)
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
