"""The points of a board in a set-up: their order, their names, and the likeness of one wiring to another.

Invariants: a board is seen from White's side, with a1 at the lower left.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TypeVar

from firmware_host.games.layout import Layout, Point
from firmware_host.i18n import Message

_T = TypeVar("_T")
_Turn = Callable[[float, float], tuple[float, float]]

_RINGS = (Message("setup.ring.outer"), Message("setup.ring.middle"), Message("setup.ring.inner"))

_TURNS: tuple[tuple[Message, _Turn], ...] = (
    (Message("setup.wired.as-recommended"), lambda x, y: (x, y)),
    (Message("setup.wired.mirrored.left-right"), lambda x, y: (-x, y)),
    (Message("setup.wired.mirrored.top-bottom"), lambda x, y: (x, -y)),
    (Message("setup.wired.rotated.right"), lambda x, y: (y, -x)),
    (Message("setup.wired.rotated.left"), lambda x, y: (-y, x)),
    (Message("setup.wired.rotated.half"), lambda x, y: (-x, -y)),
    (Message("setup.wired.mirrored.diagonal"), lambda x, y: (y, x)),
    (Message("setup.wired.mirrored.other-diagonal"), lambda x, y: (-y, -x)),
)


def clockwise(layout: Layout) -> tuple[str, ...]:
    """Return all points, square after square from the outside, each clockwise from its upper left corner."""
    places = _places(layout)

    def order(point: Point) -> tuple[float, float]:
        x, y = places[point.name]
        return -max(abs(x), abs(y)), round(math.atan2(x, y) - math.atan2(-1, 1), 6) % math.tau

    return tuple(point.name for point in sorted(layout.points, key=order))


def describe_point(name: str, layout: Layout) -> Message:
    """Return a point's name and its place: `a7, the upper left corner of the outer square`.

    Where points form a grid, the place is given by column and row.
    """
    places = _places(layout)
    radii = sorted({max(abs(x), abs(y)) for x, y in places.values()}, reverse=True)
    if any(x and y and abs(x) != abs(y) for x, y in places.values()):
        point = layout[name]
        return Message("setup.place.square", {"points": (name,), "column": point.x + 1, "row": point.y + 1})
    x, y = places[name]
    across = "left" if x < 0 else "right"
    along = "upper" if y > 0 else "lower"
    if x and y:
        seat = Message(f"setup.corner.{along}.{across}")
    else:
        seat = Message(f"setup.side.{along}") if y else Message(f"setup.side.{across}")
    ring = _RINGS[radii.index(max(abs(x), abs(y)))]
    return Message("setup.place.seat", {"points": (name,), "seat": seat, "ring": ring})


def likeness(layout: Layout, found: Mapping[str, _T], recommended: Mapping[str, _T]) -> Message | None:
    """Return how `found` follows from `recommended` by turning the board; None where it does not."""
    places = _places(layout)
    at = {spot: name for name, spot in places.items()}
    for message, turn in _TURNS:
        turned = {name: at.get(turn(*spot)) for name, spot in places.items()}
        if all(to is not None and found.get(to) == recommended[name] for name, to in turned.items()):
            return message
    return None


def _places(layout: Layout) -> dict[str, tuple[float, float]]:
    """Return the place of each point, from the middle of the board."""
    xs, ys = [p.x for p in layout.points], [p.y for p in layout.points]
    middle_x, middle_y = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    return {point.name: (point.x - middle_x, point.y - middle_y) for point in layout.points}
