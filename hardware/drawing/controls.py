"""The part of the diagram for what is pressed beside the points: the button."""

from __future__ import annotations

from hardware.drawing.canvas import Anchor, Canvas
from hardware.drawing.symbols import ground, push_button, wire
from hardware.wiring.netlist import BUTTON, GROUND, Circuit
from hardware.wiring.pinout import HEADER

_PIN_X, _LEFT, _RIGHT, _GROUND_X = 190, 250, 320, 360


def draw_controls(canvas: Canvas, circuit: Circuit, top: int) -> int:
    """Draw the button from `top` on; return the lower edge."""
    y = top + 44
    pin = circuit.header.index(BUTTON) + 1
    canvas.text(f"header pin {pin}", _PIN_X - 12, y - 4, anchor=Anchor.END, bold=True)
    canvas.text(HEADER[pin - 1], _PIN_X - 12, y + 12, size=11, anchor=Anchor.END)
    canvas.pin(f"header {pin}", (_PIN_X, y))
    wire(canvas, BUTTON, (_PIN_X, y), (_LEFT, y))
    push_button(canvas, _LEFT, _RIGHT, y)
    wire(canvas, GROUND, (_RIGHT, y), (_GROUND_X, y))
    ground(canvas, (_GROUND_X, y))
    return y + 40
