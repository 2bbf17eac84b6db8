"""Where every piece of a simulated board is, as its page is told.

Rule kept here: a piece has the same number for as long as the page is told of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from firmware_host.settings import Microseconds
from sim.table import SPACING_MM, Piece, Table


class Lying:
    """The pieces of `table`."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._numbers: dict[Piece, int] = {}

    def at(self, now: Microseconds, kinds: Iterable[str]) -> dict[str, Any]:
        """Where they are at `now`; the box has room for these kinds, though there may be none."""
        box = dict.fromkeys(kinds, 0)
        for piece in self._table.box:
            box[piece.kind] += 1
        return {
            "pitch": SPACING_MM,
            "pieces": [{**self._named(piece), **self._place(piece, now)} for piece in self._table.wood],
            "held": [self._named(piece) for piece in self._table.hands],
            "box": box,
        }

    def _named(self, piece: Piece) -> dict[str, Any]:
        return {"id": self._numbers.setdefault(piece, len(self._numbers) + 1), "piece": piece.kind}

    def _place(self, piece: Piece, now: Microseconds) -> dict[str, Any]:
        point = self._table.point_of(piece, now)
        if point is not None:
            return {"at": point.name}
        spot = self._table.wood[piece].at(now)
        return {"x": round(spot.x, 1), "y": round(spot.y, 1)}
