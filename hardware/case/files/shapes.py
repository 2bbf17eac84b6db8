"""Shapes of a sheet for a laser cutter or a milling machine.

Invariants: lengths are in millimetres, x to the right and y up, from the sheet's lower left corner, as seen
from above. A layer is one operation of the machine at one depth.
"""

from __future__ import annotations

from collections.abc import Iterator

from firmware_host.frozen import frozen

Place = tuple[float, float]


@frozen(slots=False)
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


@frozen(slots=False)
class Line:
    """A straight line."""

    layer: Layer
    start: Place
    end: Place


@frozen(slots=False)
class Circle:
    """A circle."""

    layer: Layer
    centre: Place
    radius: float


_OUT = ((0, -1), (1, 0), (0, 1), (-1, 0), (0, -1))
"""The directions in which the quarters of an outline begin and end, counter-clockwise."""


@frozen(slots=False)
class Outline:
    """A rectangle with round corners, or a slot if the radius is half its height.

    It is one closed curve, which a machine follows at a stretch, and on whose outer or inner side it can stay
    by half the width of its cut.
    """

    layer: Layer
    centre: Place
    width: float
    height: float
    radius: float

    def vertices(self) -> Iterator[tuple[Place, bool]]:
        """Yield its corners counter-clockwise, True for those from which a quarter of a circle goes on."""
        (x, y), across, up = self.centre, self.width / 2 - self.radius, self.height / 2 - self.radius
        for quarter, (right, top) in enumerate(((1, -1), (1, 1), (-1, 1), (-1, -1))):
            begin, end = (
                (x + right * across + self.radius * out[0], y + top * up + self.radius * out[1])
                for out in _OUT[quarter : quarter + 2]
            )
            yield begin, self.radius > 0
            if self.radius and (across if quarter % 2 else up) > 0:  # a slot has no straight ends
                yield end, False


Shape = Line | Circle | Outline


@frozen(slots=False)
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
