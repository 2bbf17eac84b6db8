"""A whole board as one set of solids, from which its drawings, sheets and lists are derived."""

from __future__ import annotations

from collections.abc import Iterator

from firmware_host.frozen import frozen
from firmware_host.games.layout import Layout
from hardware.case.heights import Heights
from hardware.case.housing import frame, lid, plates, screw_parts
from hardware.case.insides import inside_parts, lid_holes, windows
from hardware.case.looms import Looms, looms
from hardware.case.measures import Measures
from hardware.case.point import point_parts
from hardware.case.solids import Solid


@frozen(slots=False)
class Assembly:
    """All parts of a board in their places, and its wires."""

    layout: Layout
    measures: Measures
    parts: tuple[Solid, ...]
    wires: Looms

    def named(self, name: str) -> Iterator[Solid]:
        """Yield the parts of one name."""
        return (part for part in self.parts if part.name == name)


def assemble(layout: Layout, m: Measures) -> Assembly:
    """Return the solids of a board; whether they meet is for `hardware.case.check` to say."""
    h = Heights.of(m)
    wires = looms(layout, m)
    parts = [
        *plates(layout, m),
        *frame(layout, m, windows(layout, m)),
        *lid(layout, m, lid_holes(layout, m)),
        *screw_parts(layout, m),
        *inside_parts(layout, m),
        *(part for point in layout.points for part in point_parts(point, m, h)),
        *wires.parts,
    ]
    return Assembly(layout, m, tuple(parts), wires)
