"""The parts of a board for a 3D printer: pieces, and a holder for the sensor and the LED of a point."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from firmware_host.games.game import Piece
from hardware.case.files.stl import Slab, slabs, stl
from hardware.case.measures import LightOutlet, Measures
from hardware.case.point import piece_part, sensor_slot
from hardware.case.solids import Prism

_BASE_MM, _POST_MM = 2.0, 6.0
"""The heights of a holder's floor, and of the post around its sensor."""
_WALL_MM, _PLAY_MM = 0.8, 0.3
"""The least wall that prints, and the room around whatever is put into it."""


def prints(box: Mapping[Piece, int], m: Measures) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each STL file."""
    kinds = {piece.flat for piece in box if not piece.magnet}
    for flat in sorted(kinds):
        name = "ring" if flat else "piece"
        yield name, stl(name, slabs(piece_part(m, "", 0.0, 0.0, 0.0, flat=flat)))
    if pile := holder(m):
        yield "holder", stl("holder", pile)


def holder(m: Measures) -> tuple[Slab, ...]:
    """Return the holder that lies on the lower plate in a bore; nothing where its walls would be too thin.

    A post keeps the sensor upright, and the LED's carrier lies in an opening beside it.
    """
    if m.has_modules or m.outlet is not LightOutlet.INLAY:
        return ()
    c, (right, up) = m.carrier, m.led_mm
    slot = sensor_slot(m, 0.0, 0.0, 0.0, _BASE_MM + _POST_MM)
    post = slot.grown(_WALL_MM)
    room = Prism(right, up, c.width, c.depth, c.radius, 0.0, _BASE_MM).grown(_PLAY_MM)
    disc = Prism.disc(0.0, 0.0, m.bore_mm - 2 * _PLAY_MM, 0.0, _BASE_MM)
    if post.gap(room) < 0 or not disc.grown(-_WALL_MM).holds(room):
        return ()
    return Slab(disc, (slot, room), 0.0, _BASE_MM), Slab(post, (slot,), _BASE_MM, _BASE_MM + _POST_MM)
