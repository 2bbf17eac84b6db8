"""Where every piece of a simulated board is, as its page is told.

Rules kept here: it is told exactly, so that a page draws a piece where its magnet is; what moves is told as
often as an eye can follow, and once more when it rests.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from firmware_host.settings import Microseconds
from sim.table.table import Piece, Table

_EXACT_MM = 0.05
"""So near to a point a piece lies on it for all that can be seen."""


_BETWEEN: Microseconds = 20_000


class Lying:
    """The pieces of `table`."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._moved = False
        self._told: Microseconds = -_BETWEEN

    def touch(self) -> None:
        """A hand did something that is to be told soon."""
        self._moved = True

    def moved(self, now: Microseconds) -> bool:
        """Whether it is time to tell anew where they are."""
        moving = now <= self._table.rests_from()
        self._moved = self._moved or moving
        if not self._moved or now - self._told < _BETWEEN:
            return False
        self._moved, self._told = moving, now
        return True

    def at(self, now: Microseconds, kinds: Iterable[str]) -> dict[str, Any]:
        """Where they are at `now`; the box has room for these kinds, though there may be none."""
        box = dict.fromkeys(kinds, 0)
        for piece in self._table.box:
            box[piece.kind] += 1
        return {
            "pitch": self._table.pitch,
            "pieces": [{**self._named(piece), **self._place(piece, now)} for piece in self._table.wood],
            "held": [self._named(piece) for piece in self._table.hands],
            "box": box,
        }

    def _named(self, piece: Piece) -> dict[str, Any]:
        turned = {"turned": True} if piece.turned else {}
        return {"id": self._table.number(piece), "piece": piece.kind, **turned}

    def _place(self, piece: Piece, now: Microseconds) -> dict[str, Any]:
        point, lies = self._table.point_of(piece, now), self._table.wood[piece].at(now)
        spot = {"x": round(lies.x, 1), "y": round(lies.y, 1)}
        if point is None:
            return spot
        exact = self._table.spots[point.index].to(lies) < _EXACT_MM
        return {"at": point.name} if exact else {"at": point.name, **spot}
