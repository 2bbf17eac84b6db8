"""What reads the wires of a board: contact after contact, without knowing whose point each one is.

Play, set-up and doctor read the same scanners; what the levels mean for points, `point_sensors` says.
"""

from __future__ import annotations

from typing import Protocol

Wire = tuple[int, int]
"""Where a sensor hangs: the index of its chip, and the channel of that chip. A line without a chip is a chip
of its own, with channel 0."""

Level = int
"""What a wire says: a switch 1 where it is closed and 0 where it is open, a linear sensor its reading."""

Levels = tuple[Level, ...]
"""The levels of all wires of a scanner, in the order of its wires."""


class Scanner(Protocol):
    """Where levels come from."""

    @property
    def wires(self) -> tuple[Wire, ...]:
        """The wires that are read."""

    def scan(self) -> Levels:
        """Read every wire once, the very same tuple where nothing changed; raises SensorError."""

    def close(self) -> None:
        """Give everything back; may be called twice."""
