"""Shapes of a sheet for a laser cutter or a milling machine.

Invariants: lengths are in millimetres, x to the right and y up, from the sheet's lower left corner, as seen
from above. A layer is one operation of the machine at one depth.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import cos, radians, sin

Place = tuple[float, float]


@dataclass(frozen=True)
class Layer:
    """An operation: its name, which every version of DXF accepts, and its colours in DXF and SVG."""

    name: str
    dxf_colour: int
    colour: str


CUT = Layer("CUT", 1, "#ff0000")
"""Through the whole thickness."""

ENGRAVE = Layer("ENGRAVE", 7, "#000000")
"""A line on the surface, for a veneer of another wood, a groove or a burnt line."""

DRILL = Layer("DRILL", 3, "#008000")
"""A hole for a screw."""


def pocket(depth_mm: float, *, below: bool = False) -> Layer:
    """Return the layer of pockets of this depth, from above or from below."""
    depth = f"{depth_mm:g}".replace(".", "_")
    return Layer(
        f"POCKET_{'BELOW_' if below else ''}{depth}MM", 6 if below else 5, "#c000c0" if below else "#0000ff"
    )


@dataclass(frozen=True)
class Line:
    """A straight line."""

    layer: Layer
    start: Place
    end: Place


@dataclass(frozen=True)
class Circle:
    """A circle."""

    layer: Layer
    centre: Place
    radius: float


@dataclass(frozen=True)
class Arc:
    """A part of a circle, counter-clockwise between two angles in degrees; 0 is to the right."""

    layer: Layer
    centre: Place
    radius: float
    begin: float
    end: float

    def at(self, angle: float) -> Place:
        """Return the place on its circle at an angle."""
        return (
            self.centre[0] + self.radius * cos(radians(angle)),
            self.centre[1] + self.radius * sin(radians(angle)),
        )


Shape = Line | Circle | Arc


@dataclass(frozen=True)
class Sheet:
    """A drawing for one piece of material: its file's name, its title, its size and its shapes."""

    name: str
    title: str
    width: float
    height: float
    shapes: tuple[Shape, ...]

    @property
    def layers(self) -> tuple[Layer, ...]:
        """The layers in use, in the order of work: what is cut comes last, so that the sheet stays put."""
        used = dict.fromkeys(shape.layer for shape in self.shapes)
        return tuple(sorted(used, key=lambda layer: (layer == CUT, layer.name)))


def rounded_rectangle(
    layer: Layer, centre: Place, width: float, height: float, radius: float
) -> Iterator[Shape]:
    """Yield the outline of a rectangle with round corners; a slot if the radius is half its height."""
    (x, y), across, up = centre, width / 2 - radius, height / 2 - radius
    if across > 0:
        yield Line(layer, (x - across, y - up - radius), (x + across, y - up - radius))
        yield Line(layer, (x + across, y + up + radius), (x - across, y + up + radius))
    if up > 0:
        yield Line(layer, (x + across + radius, y - up), (x + across + radius, y + up))
        yield Line(layer, (x - across - radius, y + up), (x - across - radius, y - up))
    for quarter, (right, top) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        begin = 90.0 * quarter
        yield Arc(layer, (x + right * across, y + top * up), radius, begin, begin + 90)
