"""The wiring of a board as an SVG sheet: what feels, what shines, and where all that is, from below."""

from __future__ import annotations

from hardware.drawing.board import draw_board
from hardware.drawing.canvas import FAINT, Sheet
from hardware.drawing.leds import draw_light
from hardware.drawing.sensors import draw_sensors
from hardware.wiring.circuit import circuit
from hardware.wiring.plan import BoardPlan

_WIDTH, _MARGIN = 1040, 40


def wiring_svg(plan: BoardPlan) -> str:
    """Draw the whole wiring; raises ConfigError where the plan cannot be wired."""
    made = circuit(plan)
    sheet = Sheet("The wiring of a Millwright board")
    top = _heading(sheet, 30, "Sensors", "the Pi's header from above; from below, pin 1 has a square pad")
    sensors = draw_sensors(sheet, plan, made, top)
    top = _heading(
        sheet, sensors.bottom + 30, "Light", "all signs of ground are joined, and all of one voltage", 354
    )
    bottom = draw_light(sheet, plan, made, (sensors.data_x, sensors.bottom), top)
    top = _heading(
        sheet,
        bottom + 30,
        "From below",
        "as the board lies when it is wired: left and right have changed places",
    )
    bottom = draw_board(sheet, plan, made, (_MARGIN + 60, top + 40))
    return sheet.svg(max(_WIDTH, sensors.right), bottom)


def _heading(sheet: Sheet, y: int, title: str, remark: str, indent: int = 150) -> int:
    sheet.text(title, _MARGIN, y, size=20, bold=True, plain=True)
    sheet.text(remark, _MARGIN + indent, y, ink=FAINT, plain=True)
    return y + 20
