"""A point with a circuit board: with a reed below the lower plate, with hall sensors inside the bore."""

from __future__ import annotations

from math import floor

from firmware_host.games.layout import MORRIS
from hardware.case.heights import Heights
from hardware.case.measures import ChipBoard
from hardware.case.module import OPENING_MM, longest_reed_on_module_mm
from hardware.case.point import place
from hardware.case.sensor_types import SensorType
from hardware.drawing.canvas import Canvas
from hardware.drawing.model import recommended_board, within
from hardware.drawing.views import Side, ViewScale, draw_above, draw_cut

_MM, _BASE, _HALF_MM, _APART = 8, 400, 20.0, 470
_SHOWN = ("upper plate", "lower plate", "inlay", "module", "module's LED", "module's wires")
_ON_MODULE = ("reed", "reed's leg", "reed's bent wire", "hall sensor", "hall sensor's legs")
_KINDS = ((SensorType.REED, "With a reed: from below"), (SensorType.HALL, "With hall sensors: from above"))


def module_svg() -> str:
    """Draw a point with each kind of sensor, cut through its middle, and a module from above."""
    canvas = Canvas("A point with a circuit board")
    canvas.text("A point with a circuit board", 40, 34, size=20, bold=True, plain=True)
    for number, (sensor, title) in enumerate(_KINDS):
        made = recommended_board(ChipBoard.CONTROLLER, sensor)
        x, y = place(MORRIS["d5"], made.measures)
        shown = tuple(p for p in made.parts if p.name in (*_SHOWN, *_ON_MODULE))
        near = within(shown, x - _HALF_MM, x + _HALF_MM, y - _HALF_MM, y + _HALF_MM)
        floor = Heights.of(made.measures).lower - 12.0
        left = 60 + number * _APART
        draw_cut(canvas, near, ViewScale(left, _BASE, _MM, x - _HALF_MM, floor), Side.FRONT, y, 13.0)
        canvas.text(title, left, 74, bold=True, plain=True)
        if sensor is SensorType.REED:
            above = [part for part in near if part.name not in ("upper plate", "inlay", "lower plate")]
            scale = ViewScale(60, 780, _MM, x - _HALF_MM, y - _HALF_MM)
            draw_above(canvas, above, scale)
            canvas.circle(*scale.at(x, y), round(OPENING_MM / 2 * _MM), ink="#e69f00")
    canvas.text("From above, with a reed", 60, 446, bold=True, plain=True)
    for row, line in enumerate(_words()):
        canvas.text(line, 390, 490 + 22 * row, size=13, plain=True)
    return canvas.svg(1040, 810)


def _words() -> tuple[str, ...]:
    m = recommended_board(ChipBoard.CONTROLLER).measures
    longest = longest_reed_on_module_mm(m, Heights.of(m))
    return (
        f"The lower plate has an opening of {OPENING_MM:g} mm at each point (orange).",
        "The rim of the board lies on its edge, and the parts inside it centre the board.",
        "",
        "Reeds need height: glue the board to the underside. A glass of up to",
        f"{floor(longest)} mm stands over the middle hole of S1; its upper wire is bent back into",
        "hole 3, right below the inlay. With an upper plate of 18 mm, 14 mm fit.",
        "",
        "Hall sensors have legs of 14 mm: put the board into the bore, on the rim.",
        "S1 is bent backwards over the middle, its flat face up; S2 forwards, below it,",
        "face down. Both lie right below the inlay. Cut the legs that stand out below.",
        "",
        "All wires come from below.",
    )
