"""Views of the board's solids: from above, and cut upright.

Invariants: whatever is drawn comes from the solids, to scale. Holes are drawn after the wood they are in, and
everything else after both.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable
from math import sqrt

from firmware_host.frozen import frozen
from hardware.case.files.stl import ring
from hardware.case.solids import Prism, Solid
from hardware.drawing.canvas import BODY, FAINT, INK, PAPER, Canvas, Place
from hardware.drawing.materials import BOARD, COPPER, GLASS, GLOW, NORTH, OPAL, WOOD

WOODEN = ("upper plate", "lower plate", "frame", "lid's block", "lid")
_FILLS = {
    "piece": BODY,
    "inlay": OPAL,
    "magnet": NORTH,
    "reed": GLASS,
    "hall sensor": INK,
    "LED's carrier": GLOW,
    "module": BOARD,
    "module's LED": GLOW,
    "module's wires": COPPER,
    "Pi": BOARD,
    "stripboard": BOARD,
    "controller": BOARD,
    "LED's wires": COPPER,
    "reed's leg": COPPER,
    "reed's bent wire": COPPER,
    "hall sensor's legs": COPPER,
    "foot": INK,
}


class Side(enum.Enum):
    """The horizontal axis of an upright view."""

    FRONT = "front"
    """From the front: x runs to the right."""
    SIDE = "side"
    """From the right: y runs to the right."""


@frozen(slots=False)
class ViewScale:
    """The place on paper of a corner of the board, and the size of a millimetre."""

    left: int
    base: int
    mm: float
    right_mm: float = 0.0
    up_mm: float = 0.0

    def at(self, right: float, up: float) -> Place:
        """Return the place on paper of two coordinates of the view."""
        return self.left + round((right - self.right_mm) * self.mm), self.base - round(
            (up - self.up_mm) * self.mm
        )


def draw_above(canvas: Canvas, parts: Iterable[Solid], scale: ViewScale) -> None:
    """Draw parts seen from above, the lowest first, with the holes that open upwards."""
    for part in sorted(parts, key=lambda part: part.prism.top):
        _plan(canvas, part.prism, scale, fill(part))
        for hole in part.holes:
            if hole.prism.top >= part.prism.top - 1e-6:
                _plan(canvas, hole.prism, scale, PAPER)


def draw_cut(
    canvas: Canvas, parts: Iterable[Solid], scale: ViewScale, side: Side, plane: float, reach: float
) -> None:
    """Draw wood cut at an upright plane, and everything else within reach of it, the farthest first."""
    wood: list[Solid] = []
    others: list[Solid] = []
    for part in parts:
        (wood if part.name in WOODEN else others).append(part)
    for part in wood:
        _slice(canvas, part.prism, scale, side, plane, fill(part))
        for hole in part.holes:
            _slice(canvas, hole.prism, scale, side, plane, PAPER)
    near = [part for part in others if abs(_across(part.prism, side)[1] - plane) <= reach]
    for part in sorted(near, key=lambda part: -abs(_across(part.prism, side)[1] - plane)):
        middle, _, half = _across(part.prism, side)
        _box(canvas, scale, middle - half, middle + half, part.prism, fill(part))


def fill(part: Solid) -> str:
    """Return the colour of a part."""
    return WOOD if part.name in WOODEN else _FILLS.get(part.name, FAINT)


def _across(prism: Prism, side: Side) -> tuple[float, float, float]:
    """Return the middle along the view, that across it, and half of the width along it."""
    if side is Side.FRONT:
        return prism.x, prism.y, prism.width / 2
    return prism.y, prism.x, prism.depth / 2


def _slice(canvas: Canvas, prism: Prism, scale: ViewScale, side: Side, plane: float, colour: str) -> None:
    """Draw the cut of a prism by a plane; nothing if the plane passes it."""
    middle, across, half = _across(prism, side)
    deep = (prism.depth if side is Side.FRONT else prism.width) / 2
    off = abs(plane - across)
    if off >= deep:
        return
    beyond = max(0.0, off - (deep - prism.radius))
    half += sqrt(max(prism.radius**2 - beyond**2, 0.0)) - prism.radius
    _box(canvas, scale, middle - half, middle + half, prism, colour)


def _box(canvas: Canvas, scale: ViewScale, begin: float, end: float, prism: Prism, colour: str) -> None:
    (left, low), (right, high) = scale.at(begin, prism.bottom), scale.at(end, prism.top)
    canvas.shape([(left, high), (right, high), (right, low), (left, low)], fill=colour, ink=INK)


def _plan(canvas: Canvas, prism: Prism, scale: ViewScale, colour: str) -> None:
    if prism.width == prism.depth == 2 * prism.radius:
        canvas.circle(*scale.at(prism.x, prism.y), max(1, round(prism.radius * scale.mm)), fill=colour)
    else:
        canvas.shape([scale.at(*spot) for spot in ring(prism)], fill=colour, ink=INK)
