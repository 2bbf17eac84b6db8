"""Step 9: everything that lies one above the other, cut through a row of points and drawn apart."""

from __future__ import annotations

from firmware_host.games.layout import MORRIS
from hardware.case.heights import Heights
from hardware.case.point import place
from hardware.case.solids import Solid
from hardware.drawing.canvas import FAINT, Canvas
from hardware.drawing.model import recommended_board
from hardware.drawing.views import Side, ViewScale, draw_cut

_LEFT, _MM, _LABELS = 50, 2.1, 700
_LAYERS = (
    (("piece", "magnet"), 90),
    (("inlay",), 116),
    (("upper plate",), 170),
    (("lower plate", "reed", "reed's leg", "LED's carrier", "LED's wires"), 260),
    (("frame", "lid's block", "jack"), 430),
    (("lid", "Pi", "Pi's sockets", "Pi's header", "stripboard", "spacer", "foot"), 600),
)
"""The parts that lie at one height, and the place of their lowest solid on paper."""


def closing_svg() -> str:
    """Draw the layers of the board from the pieces down to the feet, cut through its front row of points."""
    canvas = Canvas("Step 9: closing the board")
    canvas.text("9  Closing", 40, 34, size=20, bold=True, plain=True)
    canvas.text("cut through the points of the middle row, or behind it", 190, 34, ink=FAINT, plain=True)
    made = recommended_board()
    m, h = made.measures, Heights.of(made.measures)
    plane = place(MORRIS["a4"], m)[1]
    for names, base in _LAYERS:
        parts = [part for part in made.parts if part.name in names]
        low = min(part.prism.bottom for part in parts)
        reach = 400.0 if "lid" in names or "frame" in names else 3.0
        draw_cut(
            canvas, _without_sides(parts), ViewScale(_LEFT, base, _MM, 0.0, low), Side.FRONT, plane, reach
        )
    for y, words in _labels(h):
        canvas.text(words, _LABELS, y, size=12)
    return canvas.svg(1040, 640)


def _without_sides(parts: list[Solid]) -> list[Solid]:
    """Return parts without the front and the back of the frame, which would hide the inside."""
    return [part for part in parts if part.where not in ("front", "back")]


def _labels(h: Heights) -> tuple[tuple[int, str], ...]:
    made = recommended_board()
    m = made.measures
    long = round(max(part.prism.top for part in made.named("screw")) - h.lower)
    return (
        (80, "pieces, with magnets of one pole down"),
        (114, f"inlays, {m.inlay_mm:g} mm, glued in flush"),
        (156, f"upper plate, {m.upper_mm:g} mm, with its bores"),
        (250, f"lower plate, {m.lower_mm:g} mm, with reeds and LEDs"),
        (290, f"screws, 3 x {long} mm, from below,"),
        (306, "inside the frame"),
        (366, f"frame, {m.frame_mm:g} mm thick and {m.frame_height_mm:g} mm high,"),
        (382, "flush with the rim, glued to that plate;"),
        (398, "jack, and blocks for the lid's screws"),
        (540, "Pi behind, stripboard in front, on spacers"),
        (594, f"lid, {m.lid_mm:g} mm, screwed to the blocks"),
        (618, "feet"),
    )
