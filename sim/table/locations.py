"""Parsing of places and pieces in the commands for hands.

Invariants: a place is the name of a point, or millimetres from the layout's origin. A piece on the board is
identified by its place or its number. Every invalid name has its own error text.
"""

from __future__ import annotations

import math
from typing import TypeGuard

from firmware_host.errors import HandsError, did_you_mean
from firmware_host.games.layout import Point
from firmware_host.i18n import Message
from firmware_host.settings import Microseconds
from sim.table.table import PIECE_MM, Spot, Table, TablePiece

_MAX_MM = 100_000.0


class PlaceParser:
    """The places of one table; all methods raise HandsError if there is no such place or piece."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def point(self, name: object) -> Point:
        """Return the point of this name."""
        if not isinstance(name, str):
            raise HandsError(f'a point must be a text such as "d6", not {name!r}')
        points = self._table.layout.by_name
        if name not in points:
            text = f"there is no point {name!r}; {did_you_mean(name, points)}"
            raise HandsError(text, Message("refused.no-point", {"text": name}))
        return points[name]

    def spot(self, place: object) -> Spot:
        """Return the spot of a place, which may be off the board."""
        if isinstance(place, list):
            return self.pair(place, 'a place that is not a point such as "d6"')
        return self._table.spots[self.point(place).index]

    def pair(self, given: object, name: str) -> Spot:
        """Return two numbers as a spot."""
        if not isinstance(given, list) or len(given) != 2 or not all(map(_is_measure, given)):
            raise HandsError(f"{name} must be two numbers such as [80, 200.5], not {given!r}")
        x, y = given
        return Spot(float(x), float(y))

    def numbered(self, number: int) -> TablePiece:
        """Return the piece of this number, wherever it is."""
        piece = self._table.numbered(number)
        if piece is None:
            raise HandsError(f"there is no piece {number}", Message("hands.gone"))
        return piece

    def standing(self, point: Point, now: Microseconds, verb: str) -> TablePiece:
        """Return the piece on a point; `verb` is the purpose, for the error text."""
        piece = self._table.standing(point, now)
        if piece is None:
            message = Message("hands.none-there", {"points": (point.name,)})
            raise HandsError(f"there is no piece on {point} to {verb}", message)
        return piece

    def piece_at(self, named: object, now: Microseconds, verb: str) -> TablePiece:
        """Return the piece at a place or with a number; `verb` is the purpose, for the error text."""
        if is_number(named):
            piece = self.numbered(named)
            if piece not in self._table.wood:
                raise HandsError(f"piece {named} is not on the board to {verb}", Message("hands.gone"))
            if (top := self._table.upon(piece, now)) is not None:
                raise HandsError(f"a {top.kind} piece lies on piece {named}", Message("hands.beneath"))
            return piece
        if not isinstance(named, list):
            return self.standing(self.point(named), now, verb)
        spot = self.spot(named)
        near = [
            (track.at(now).to(spot), -n, piece) for n, (piece, track) in enumerate(self._table.wood.items())
        ]
        distance, _, nearest = min(near, default=(math.inf, 0, None))
        if nearest is None or distance > PIECE_MM / 2:
            raise HandsError(f"there is no piece at {named} to {verb}", Message("hands.gone"))
        return nearest


def is_number(given: object) -> TypeGuard[int]:
    """Return True if this may be the number of a piece."""
    return isinstance(given, int) and not isinstance(given, bool)


def _is_measure(given: object) -> bool:
    return isinstance(given, int | float) and not isinstance(given, bool) and abs(given) <= _MAX_MM
