"""The heuristic worth of a mill position that is not decided.

Material alone plays badly: a player who takes early is shut in when all pieces are placed. So freedom to
move counts most, and a piece without a free neighbour counts against its owner.

**Invariants:** whole numbers only, so that every implementation gives the same; the worth for one player is
the negative of that for the other.
"""

from __future__ import annotations

from dataclasses import field
from functools import cache

from firmware_host.engine.searching.mill_bits import MillBits
from firmware_host.frozen import frozen
from firmware_host.games.morris.bitboard import MIDDLES, anticlockwise, bits, clockwise


@frozen
class Weights:
    """The worth of each feature, in hundredths of what a clear advantage is worth."""

    material: int = 70
    """A piece on the board or in hand."""
    mobility: int = 20
    """A free neighbour of a piece."""
    twos: int = 4
    """A line with two own pieces and an empty point."""
    mills: int = 2
    """A closed mill."""
    degree: int = 6
    """A line that leaves a piece's point."""
    shut_in: int = -10
    """A piece without a free neighbour."""
    flying: int = 12
    """The number of free neighbours that a player who flies counts as."""


WEIGHTS = Weights()


@frozen(slots=False)
class Evaluation:
    """The evaluation for one set of rules."""

    rules: MillBits
    weights: Weights = WEIGHTS
    crossing: tuple[int, int] = field(init=False)
    """The points with at least three and at least four lines to neighbours."""

    def __post_init__(self) -> None:
        degrees = {one: self.rules.graph.neighbours[one].bit_count() for one in bits(self.rules.usable)}
        masks = tuple(sum(one for one, degree in degrees.items() if degree >= least) for least in (3, 4))
        object.__setattr__(self, "crossing", masks)

    def __call__(self, mine: int, theirs: int, my_hand: int, their_hand: int) -> int:
        """Return the worth for the player to move."""
        rules = self.rules
        empty = rules.usable & ~(mine | theirs)
        around = clockwise(empty), anticlockwise(empty), rules.graph.reach(empty)
        own = self._side(mine, empty, around, rules.flies(mine, theirs, my_hand, their_hand))
        other = self._side(theirs, empty, around, rules.flies(theirs, mine, their_hand, my_hand))
        return own - other + self.weights.material * (my_hand - their_hand)

    def _side(self, own: int, empty: int, around: tuple[int, int, int], flies: bool) -> int:
        weights, spokes = self.weights, self.rules.graph.spokes
        count = own.bit_count()
        after, before = clockwise(own), anticlockwise(own)
        empty_after, empty_before, near_empty = around
        middles = own & MIDDLES
        sides = empty & after & before & MIDDLES
        twos = sides.bit_count() + (middles & after & empty_before).bit_count()
        twos += (middles & before & empty_after).bit_count()
        inner, middle, outer = own & spokes, own >> 8 & spokes, own >> 16 & spokes
        twos += (
            inner & middle & empty >> 16 | inner & outer & empty >> 8 | middle & outer & empty
        ).bit_count()
        mills = (middles & after & before).bit_count() + (inner & middle & outer).bit_count()
        degree = 2 * count + (own & self.crossing[0]).bit_count() + (own & self.crossing[1]).bit_count()
        if flies:
            mobility, shut_in = weights.flying, 0
        else:
            across = own & spokes * 0x010101
            mobility = (after & empty).bit_count() + (before & empty).bit_count()
            mobility += (across << 8 & empty).bit_count() + (across >> 8 & empty).bit_count()
            shut_in = (own & ~near_empty).bit_count()
        return (
            weights.material * count
            + weights.mobility * mobility
            + weights.twos * twos
            + weights.mills * mills
            + weights.degree * degree
            + weights.shut_in * shut_in
        )


@cache
def evaluation(rules: MillBits) -> Evaluation:
    """Return the evaluation for these rules with the usual weights."""
    return Evaluation(rules)
