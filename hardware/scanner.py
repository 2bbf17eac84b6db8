"""The interface for reading a board's wires: contact after contact, without knowledge of their points.

Play, set-up and doctor read the same scanners; `sensors/decode.py` turns the levels into readings of points.
"""

from __future__ import annotations

from typing import Protocol

Wire = tuple[int, int]
"""The index of a sensor's chip, and its channel. A line without a chip is chip and channel 0 of its own.
"""

Level = int
"""The level of a wire: of a switch 1 if it is closed and 0 if it is open, of a linear sensor its value."""

Levels = tuple[Level, ...]
"""The levels of all wires of a scanner, in the order of its wires."""


class Scanner(Protocol):
    """A source of levels."""

    @property
    def wires(self) -> tuple[Wire, ...]:
        """The wires that are read."""

    def scan(self) -> Levels:
        """Read every wire once; return the very same tuple if nothing changed. Raises SensorError."""

    def close(self) -> None:
        """Release everything; may be called twice."""
