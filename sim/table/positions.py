"""The position of every piece of a simulated board, for its page.

Invariants: positions are exact, so that a page draws a piece where its magnet is. Moving pieces are published
as often as the eye can follow, and once more when they rest.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from firmware_host.settings import Microseconds
from sim.table.table import Table, TablePiece

_EXACT_MM = 0.05
"""Maximum distance from a point that a viewer cannot notice."""


_MIN_INTERVAL: Microseconds = 20_000


class PiecePositions:
    """The positions of the pieces of `table`."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._moved = False
        self._published: Microseconds = -_MIN_INTERVAL

    def touch(self) -> None:
        """Record that a hand did something, to be published soon."""
        self._moved = True

    def moved(self, now: Microseconds) -> bool:
        """Return True if it is time to publish the positions again."""
        moving = now <= self._table.rests_from()
        self._moved = self._moved or moving
        if not self._moved or now - self._published < _MIN_INTERVAL:
            return False
        self._moved, self._published = moving, now
        return True

    def at(self, now: Microseconds, kinds: Iterable[str]) -> dict[str, Any]:
        """Return the positions at `now`; the box lists all these kinds, even if it has none of them."""
        box = dict.fromkeys(kinds, 0)
        for piece in self._table.box:
            box[piece.kind] += 1
        return {
            "pitch": self._table.pitch,
            "pieces": [{**self._named(piece), **self._place(piece, now)} for piece in self._table.wood],
            "held": [self._named(piece) for piece in self._table.hands],
            "box": box,
        }

    def _named(self, piece: TablePiece) -> dict[str, Any]:
        turned = {"turned": True} if piece.turned else {}
        return {"id": self._table.number(piece), "piece": piece.kind, **turned}

    def _place(self, piece: TablePiece, now: Microseconds) -> dict[str, Any]:
        point, lies = self._table.point_of(piece, now), self._table.wood[piece].at(now)
        spot = {"x": round(lies.x, 1), "y": round(lies.y, 1)}
        if point is None:
            return spot
        exact = self._table.spots[point.index].to(lies) < _EXACT_MM
        return {"at": point.name} if exact else {"at": point.name, **spot}
