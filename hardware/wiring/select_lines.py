"""The faults of select lines, the wires by which the Pi says which of its channels a chip is to read."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from firmware_host.frozen import frozen


@frozen
class SelectCause:
    """A fault of select lines: `open` and `high` of one line, `swapped` and `shorted` of two.

    `chip` is the only chip concerned; None: all.
    """

    kind: str
    bits: tuple[int, ...]
    chip: int | None = None

    def received(self, address: int) -> int:
        """Return the address that a chip receives when the Pi sends `address`."""
        first, last = 1 << self.bits[0], 1 << self.bits[-1]
        match self.kind:
            case "open":
                return address & ~first
            case "high":
                return address | first
        one, other = bool(address & first), bool(address & last)
        if self.kind == "swapped":
            return address & ~(first | last) | first * other | last * one
        low_wins = one and other
        return address & ~(first | last) | (first | last) * low_wins


def select_causes(lines: int) -> Iterator[SelectCause]:
    """Yield all possible faults of this number of select lines, each for all chips at once."""
    for bit in range(lines):
        yield SelectCause("open", (bit,))
        yield SelectCause("high", (bit,))
    for bits in combinations(range(lines), 2):
        yield SelectCause("swapped", bits)
        yield SelectCause("shorted", bits)
