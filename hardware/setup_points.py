"""The points of a board as set-up speaks of them: in which order, how each is called, and what their wires
have in common with the recommended ones.

Rules kept here: a board is looked at from White's side, with a1 at the lower left.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TypeVar

from firmware_host.games.layout import Layout, Point

_T = TypeVar("_T")
_Turn = Callable[[float, float], tuple[float, float]]

_RINGS: Mapping[int, tuple[str, ...]] = {
    1: ("of the square",),
    2: ("of the outer square", "of the inner square"),
    3: ("of the outer square", "of the middle square", "of the inner square"),
}

_TURNS: Mapping[str, _Turn] = {
    "as recommended": lambda x, y: (x, y),
    "as recommended, but mirrored from left to right": lambda x, y: (-x, y),
    "as recommended, but mirrored from top to bottom": lambda x, y: (x, -y),
    "as recommended, but rotated by a quarter to the right": lambda x, y: (y, -x),
    "as recommended, but rotated by a quarter to the left": lambda x, y: (-y, x),
    "as recommended, but rotated by a half": lambda x, y: (-x, -y),
    "as recommended, but mirrored about the diagonal from a1": lambda x, y: (y, x),
    "as recommended, but mirrored about the other diagonal": lambda x, y: (-y, -x),
}


def walk(layout: Layout) -> tuple[str, ...]:
    """All points, square after square from the outside, each clockwise from its upper left corner."""
    where = _places(layout)

    def stop(point: Point) -> tuple[float, float]:
        x, y = where[point.name]
        return -max(abs(x), abs(y)), round(math.atan2(x, y) - math.atan2(-1, 1), 6) % math.tau

    return tuple(point.name for point in sorted(layout.points, key=stop))


def called(name: str, layout: Layout) -> str:
    """A point by its name and where it is: `a7, the upper left corner of the outer square`."""
    where = _places(layout)
    radii = sorted({max(abs(x), abs(y)) for x, y in where.values()}, reverse=True)
    x, y = where[name]
    rings = _RINGS.get(len(radii))
    if rings is None or (x and y and abs(x) != abs(y)):
        return name
    across = "left" if x < 0 else "right" if x else ""
    along = "upper" if y > 0 else "lower" if y else ""
    seat = f"{along} {across} corner" if x and y else f"middle of the {along or across} side"
    return f"{name}, the {seat} {rings[radii.index(max(abs(x), abs(y)))]}"


def likeness(layout: Layout, found: Mapping[str, _T], recommended: Mapping[str, _T]) -> str | None:
    """How `found` follows from what is recommended by turning the board over or around; None: in no way."""
    where = _places(layout)
    at = {spot: name for name, spot in where.items()}
    for text, turn in _TURNS.items():
        turned = {name: at.get(turn(*spot)) for name, spot in where.items()}
        if all(to is not None and found.get(to) == recommended[name] for name, to in turned.items()):
            return text
    return None


def _places(layout: Layout) -> dict[str, tuple[float, float]]:
    """Where each point is, from the middle of the board."""
    xs, ys = [p.x for p in layout.points], [p.y for p in layout.points]
    middle_x, middle_y = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    return {point.name: (point.x - middle_x, point.y - middle_y) for point in layout.points}
