"""What the level of a linear sensor says of a stack of pieces.

Rules kept here: fields add up, and what lies one deeper counts a third as much, so that each stack has a
level of its own, which follows from those of its pieces alone; weak magnets may lie on each other in any
order, and a strong one stands uppermost, on nothing or on a weak one of its own player. What else hands build
is read as the nearest of these. What lies deeper than a sensor can tell moves a level, so that it is reckoned
with and not told. A reading holds until the level is a sixth of the way beyond the middle to the next, or has
jumped further than from any stack to the next: so it does where pieces change or a chip comes back, and never
by noise.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise, product

from firmware_host.ports import TOLD, Reading
from hardware.scanner import Level

DEEPER = 1 / 3
"""How much of a piece's field is felt where one more piece lies on it."""

_RECKONED = TOLD + 1
"""So many pieces deep stacks are reckoned with; what lies deeper counts no more than neighbours do."""

_WEAK = (1, 2)
_STRONG = (3, 4)


class StackScale:
    """The scale of one sensor, from its level at rest and under each kind of piece alone."""

    def __init__(self, levels: Sequence[Level]) -> None:
        rest, *alone = levels
        fields = [0, *(level - rest for level in alone)]
        known = sorted((rest + felt(stack, fields), Reading.of_stack(stack)) for stack in stacks())
        self._bounds: list[float] = []
        self._slacks: list[float] = []
        self._readings = [known[0][1]]
        self.widest = 0.0
        """The furthest from the level of a stack to that of the next."""
        for (below, reading), (above, next_reading) in pairwise(known):
            if next_reading != reading:
                self.widest = max(self.widest, above - below)
                self._bounds.append((below + above) / 2)
                self._slacks.append((above - below) / 6)
                self._readings.append(next_reading)

    def reading(self, level: Level, before: Reading | None) -> Reading:
        """What stands there, where the reading before was `before`."""
        at = bisect_right(self._bounds, level)
        readings, bounds, slacks = self._readings, self._bounds, self._slacks
        if readings[at] != before:
            if at and readings[at - 1] == before and level < bounds[at - 1] + slacks[at - 1]:
                return readings[at - 1]
            if at < len(bounds) and readings[at + 1] == before and level > bounds[at] - slacks[at]:
                return readings[at + 1]
        return readings[at]


def felt(stack: Sequence[int], fields: Sequence[float]) -> float:
    """The field of a stack of kinds, the lowest first, from that of each kind alone."""
    return sum(fields[kind] * DEEPER**depth for depth, kind in enumerate(reversed(stack)))


def stacks() -> Iterator[tuple[int, ...]]:
    """Every stack that is reckoned with, as its kinds, the lowest first."""
    yield ()
    yield from ((strong,) for strong in _STRONG)
    for pieces in range(1, _RECKONED + 1):
        for weak in product(_WEAK, repeat=pieces):
            yield weak
            if pieces < _RECKONED:
                yield (*weak, weak[-1] + len(_WEAK))
