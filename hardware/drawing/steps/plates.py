"""Step 1: both plates from above, as they are cut."""

from __future__ import annotations

from firmware_host.games.rulesets import rule_set
from hardware.case.files.plates import board_sheets
from hardware.case.files.shapes import CUT, ENGRAVE, Circle, Line, Outline, Place, Shape, Sheet
from hardware.drawing.canvas import FAINT, INK, PAPER, Anchor, Canvas
from hardware.drawing.materials import OPAL, WOOD
from hardware.drawing.model import recommended_board

_SCALE = 1.42
_LEFT, _RIGHT, _TOP = 76, 560, 90
_INLAY_FROM_MM = 5.0
"""The radius that parts inlays and bores from holes for screws."""


def plates_svg() -> str:
    """Draw the upper plate with its inlays, and the lower one with its slots."""
    canvas = Canvas("Step 1: the plates of a Millwright board")
    made, game = recommended_board(), rule_set("standard", ())
    measures = made.measures
    upper, lower, *_ = board_sheets(made, game.box)
    canvas.text("1  The plates", 40, 34, size=20, bold=True, plain=True)
    for sheet, left, title in (
        (upper, _LEFT, f"Upper plate, {measures.upper_mm:g} mm, with lines and inlays"),
        (lower, _RIGHT, f"Lower plate, {measures.lower_mm:g} mm, with slots"),
    ):
        canvas.text(title, left, _TOP - 16, bold=True, plain=True)
        _sheet(canvas, sheet, left)
    bottom = _TOP + round(upper.height * _SCALE)
    _measure_across(canvas, _LEFT, bottom + 26, 0, upper.width, f"{upper.width:g} mm")
    edge, pitch = measures.edge_mm, measures.pitch_mm
    _measure_across(canvas, _LEFT, bottom + 62, edge, edge + pitch, f"{pitch:g} mm")
    _measure_across(canvas, _LEFT, bottom + 62, upper.width - edge, upper.width, f"{edge:g}")
    notes = (
        f"{len(made.layout)} inlays {measures.inlay_mm:g} mm wide, {measures.inlay_depth_mm:g} mm deep,",
        f"on bores {measures.bore_mm:g} mm wide through the plate.",
    )
    for row, words in enumerate(notes):
        canvas.text(words, _LEFT, bottom + 108 + 18 * row, size=12)
    drilled = sum(shape.layer.name == "DRILL" for shape in lower.shapes)
    beside = (
        "At each point a slot for the reed, and",
        f"{measures.led_offset_mm:g} mm to its right one for the LED's wires.",
        f"{drilled} holes for screws, 3.2 mm wide.",
    )
    for row, words in enumerate(beside):
        canvas.text(words, _RIGHT, bottom + 30 + 18 * row, size=12)
    return canvas.svg(1040, bottom + 150)


def _sheet(canvas: Canvas, sheet: Sheet, left: int) -> None:
    """Draw a sheet: its outline filled, then the lines and circles in it."""
    right, bottom = left + round(sheet.width * _SCALE), _TOP + round(sheet.height * _SCALE)
    canvas.shape([(left, _TOP), (right, _TOP), (right, bottom), (left, bottom)], fill=WOOD, ink=INK)
    for shape in sheet.shapes:
        _shape(canvas, sheet, shape, left)


def _shape(canvas: Canvas, sheet: Sheet, shape: Shape, left: int) -> None:
    def at(place: Place) -> tuple[int, int]:
        return left + round(place[0] * _SCALE), _TOP + round((sheet.height - place[1]) * _SCALE)

    match shape:
        case Line(layer, start, end) if layer == ENGRAVE:
            canvas.line([at(start), at(end)], width=2)
        case Outline(_, (x, y), width, tall, _) if width < sheet.width:
            (left_px, top), (right_px, low) = (
                at((x - width / 2, y + tall / 2)),
                at((x + width / 2, y - tall / 2)),
            )
            canvas.rect(left_px, top, right_px - left_px, low - top, fill=PAPER)
        case Circle(layer, centre, radius):
            inlay = layer.name.startswith("POCKET") and radius > _INLAY_FROM_MM
            fill = OPAL if inlay else PAPER if radius < _INLAY_FROM_MM else "none"
            ink = FAINT if layer == CUT else INK
            canvas.circle(*at(centre), max(2, round(radius * _SCALE)), fill=fill, ink=ink)


def _measure_across(canvas: Canvas, left: int, y: int, begin: float, end: float, words: str) -> None:
    """Draw a dimension line between two places of the plate, in mm, with its length below."""
    one, other = left + round(begin * _SCALE), left + round(end * _SCALE)
    for x in (one, other):
        canvas.line([(x, y - 6), (x, y + 6)], ink=FAINT)
    canvas.line([(one, y), (other, y)], ink=FAINT)
    canvas.text(words, (one + other) // 2, y + 18, size=12, anchor=Anchor.MIDDLE)
