"""Decoding the level of a linear sensor under a stack of pieces.

Fields add up, and each piece on top reduces a field to a third, so that each stack has a level of its own,
which follows from those of its pieces alone. Weak magnets may lie on each other in any order; a strong one is
on top, on nothing or on a weak one of its own player. Anything else is read as the nearest of these. Pieces
too deep to be read still move the level, so that they are considered, but not reported.

Invariants: a reading holds until the level is well beyond the middle to the next, or has jumped further than
from any stack to the next, which happens when pieces change or a chip comes back. Noise changes it once at
most, also where pieces too deep to be read, or neighbours, have moved the level to the middle.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise, product

from firmware_host.ports import READABLE_PIECES, Reading
from hardware.scanner import Level

DEPTH_FACTOR = 1 / 3
"""The factor by which one more piece on top reduces the field of a piece."""

_RECKONED = READABLE_PIECES + 1
"""The height of the stacks that are considered; deeper pieces contribute no more than neighbours do."""

_HOLD = 0.22
"""The share of the way from one stack to the next, beyond the middle, for which a reading holds.

The least way is 9.7 where the sensor's gain is a tenth too small. Twice the share is more than noise spans,
which is 2 up and down, and what is left to the next stack is more than noise and rounding take.
"""

_WEAK = (1, 2)
_STRONG = (3, 4)


class StackScale:
    """The scale of one sensor, from its level at rest and under each kind of piece alone."""

    def __init__(self, levels: Sequence[Level]) -> None:
        rest, *alone = levels
        fields = [0, *(level - rest for level in alone)]
        known = sorted(
            (rest + stack_field(stack, fields), Reading.of_stack(stack)) for stack in known_stacks()
        )
        self._bounds: list[float] = []
        self._slacks: list[float] = []
        self._readings = [known[0][1]]
        self.widest = 0.0
        """The largest distance from the level of a stack to that of the next."""
        for (below, reading), (above, next_reading) in pairwise(known):
            if next_reading != reading:
                self.widest = max(self.widest, above - below)
                self._bounds.append((below + above) / 2)
                self._slacks.append((above - below) * _HOLD)
                self._readings.append(next_reading)

    def reading(self, level: Level, before: Reading | None) -> Reading:
        """Return the reading at `level`; `before` is the reading before, None if there is none to hold."""
        at = bisect_right(self._bounds, level)
        readings, bounds, slacks = self._readings, self._bounds, self._slacks
        if readings[at] != before:
            if at and readings[at - 1] == before and level < bounds[at - 1] + slacks[at - 1]:
                return readings[at - 1]
            if at < len(bounds) and readings[at + 1] == before and level > bounds[at] - slacks[at]:
                return readings[at + 1]
        return readings[at]


def stack_field(stack: Sequence[int], fields: Sequence[float]) -> float:
    """Return the field of a stack of kinds, the lowest first, from that of each kind alone."""
    return sum(fields[kind] * DEPTH_FACTOR**depth for depth, kind in enumerate(reversed(stack)))


def known_stacks() -> Iterator[tuple[int, ...]]:
    """Yield every stack that is considered, as its kinds, the lowest first."""
    yield ()
    yield from ((strong,) for strong in _STRONG)
    for pieces in range(1, _RECKONED + 1):
        for weak in product(_WEAK, repeat=pieces):
            yield weak
            if pieces < _RECKONED:
                yield (*weak, weak[-1] + len(_WEAK))
