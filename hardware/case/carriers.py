"""The boards that LEDs are bought on: their sizes, and where wires leave them.

Invariants: lengths are in millimetres. A carrier lies on the lower plate; x and y count from its middle. It
has six wires, three in and three out. The sizes are those that shops give; measure what you have bought.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from firmware_host.frozen import frozen

THICK_MM, THIN_MM = 2.2, 1.2
"""The diameters of a wire of 0.5 mm² and one of 0.14 mm², with their insulation."""

_SPARE_MM = 0.4
"""The room of a slot that its wires leave."""


class WireEnd(NamedTuple):
    """A wire that leaves a carrier downwards: its place from the carrier's middle, and its diameter."""

    x: float
    y: float
    diameter: float


class Opening(NamedTuple):
    """A slot below a carrier: its middle from the carrier's, its size, and the radius of its corners."""

    x: float
    y: float
    width: float
    depth: float
    radius: float


@frozen(slots=False)
class Carrier:
    """A board or a piece of strip with one LED; each group of its wires leaves through one slot."""

    name: str
    title: str
    width: float
    depth: float
    radius: float
    height: float
    groups: tuple[tuple[WireEnd, ...], ...]

    @property
    def ends(self) -> tuple[WireEnd, ...]:
        """All of its wires."""
        return tuple(end for group in self.groups for end in group)

    def openings(self) -> Iterator[Opening]:
        """Yield the slots that its wires need, as narrow as can be."""
        for group in self.groups:
            left, right = _span([(end.x, end.diameter) for end in group])
            front, back = _span([(end.y, end.diameter) for end in group])
            size = right - left, back - front
            yield Opening(
                (left + right) / 2, (front + back) / 2, *size, min(1.0, *(side / 2 for side in size))
            )


def _span(ends: list[tuple[float, float]]) -> tuple[float, float]:
    half = _SPARE_MM / 2
    return min(at - wide / 2 for at, wide in ends) - half, max(at + wide / 2 for at, wide in ends) + half


def _pixel(diameter: float) -> Carrier:
    """Return a round board with its pads on the back, three on each side."""
    kinds = ((-(THICK_MM + THIN_MM) / 2, THICK_MM), (0.0, THIN_MM), ((THICK_MM + THIN_MM) / 2, THICK_MM))
    ends = tuple(WireEnd(side * THICK_MM / 2, y, wide) for side in (-1, 1) for y, wide in kinds)
    title = f"WS2812B on a round board {diameter:g} mm wide"
    return Carrier("pixel", title, diameter, diameter, diameter / 2, 3.0, (ends,))


def _strip(per_metre: int, wide: float) -> Carrier:
    """Return a piece of strip, whose pads lie at the two ends where it was cut, on its face."""
    long = 1000 / per_metre
    pads = ((-_PADS_MM, THICK_MM), (0.0, THIN_MM), (_PADS_MM, THICK_MM))
    groups = tuple(
        tuple(WireEnd(x, side * (long + THICK_MM) / 2, thick) for x, thick in pads) for side in (-1, 1)
    )
    title = f"piece of a strip with {per_metre} a metre, {long:.1f} x {wide:g} mm"
    return Carrier(f"strip-{per_metre}", title, wide, long, 0.0, 2.0, groups)


_PADS_MM = 3.3
"""The distance of a strip's pads from one another."""

PIXEL = _pixel(10.0)
"""The recommended one."""

CARRIERS = {
    carrier.name: carrier for carrier in (PIXEL, _strip(144, 12.0), _strip(60, 10.0), _strip(30, 10.0))
}
"""The carriers by name; the last two are too long for the bores of usual boards."""
