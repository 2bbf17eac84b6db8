"""The wiring of a board as an SVG drawing: sensors, light, and the board from below."""

from __future__ import annotations

from hardware.drawing.board import draw_board
from hardware.drawing.canvas import FAINT, Canvas
from hardware.drawing.controls import draw_buzzer, draw_controls
from hardware.drawing.leds import draw_light
from hardware.drawing.sensors import draw_sensors
from hardware.wiring.circuit import build_circuit
from hardware.wiring.plan import BoardPlan

_WIDTH, _MARGIN = 1040, 40


def wiring_svg(plan: BoardPlan) -> str:
    """Draw the whole wiring; raises ConfigError if the plan cannot be wired."""
    circuit = build_circuit(plan)
    canvas = Canvas("The wiring of a Millwright board")
    top = _heading(canvas, 30, "Sensors", _orientation(plan))
    sensors = draw_sensors(canvas, plan, circuit, top)
    top = _heading(
        canvas, sensors.bottom + 30, "Light", "all signs of ground are joined, and all of one voltage", 354
    )
    bottom = draw_light(canvas, plan, circuit, (sensors.data_x, sensors.bottom), top)
    if plan.button_gpio is not None:
        top = _heading(canvas, bottom + 30, "Button", "no resistor: the Pi's own pulls its line up")
        bottom = draw_controls(canvas, circuit, top)
    if plan.buzzer_gpio is not None:
        top = _heading(
            canvas, bottom + 30, "Buzzer", "its current is too much for a line, hence the transistor"
        )
        bottom = draw_buzzer(canvas, circuit, top)
    top = _heading(
        canvas,
        bottom + 30,
        "From below",
        "as the board lies when it is wired: left and right have changed places",
    )
    bottom = draw_board(canvas, plan, circuit, (_MARGIN + 60, top + 40))
    return canvas.svg(max(_WIDTH, sensors.right), bottom)


def _orientation(plan: BoardPlan) -> str:
    """Return how the pins at the left lie, or a warning where they are easily taken for another board's."""
    if plan.pico:
        return "the Pico from above, its USB socket at the top; 5 V on a pin destroys it"
    if plan.sensors.kind == "serial":
        return (
            "an Arduino Nano at 5 V; a Pico must not be wired so: millwright wiring --pico direct --svg FILE"
        )
    return "the Pi's header from above; from below, pin 1 has a square pad"


def _heading(canvas: Canvas, y: int, title: str, remark: str, indent: int = 150) -> int:
    canvas.text(title, _MARGIN, y, size=20, bold=True, plain=True)
    canvas.text(remark, _MARGIN + indent, y, ink=FAINT, plain=True)
    return y + 20
