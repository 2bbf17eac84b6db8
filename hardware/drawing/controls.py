"""The parts of the diagram beside the points: button and buzzer."""

from __future__ import annotations

from hardware.drawing.canvas import PAPER, Anchor, Canvas
from hardware.drawing.symbols import ground, push_button, resistor, rising_diode, supply, transistor, wire
from hardware.wiring.netlist import BUTTON, BUZZER, GROUND, SUPPLY, Circuit, Net
from hardware.wiring.pinout import HEADER

_PIN_X, _LEFT, _RIGHT, _GROUND_X = 190, 250, 320, 360


def draw_controls(canvas: Canvas, circuit: Circuit, top: int) -> int:
    """Draw the button from `top` on; return the lower edge."""
    y = top + 44
    _draw_pin(canvas, circuit, BUTTON, y)
    push_button(canvas, _LEFT, _RIGHT, y)
    wire(canvas, GROUND, (_RIGHT, y), (_GROUND_X, y))
    ground(canvas, (_GROUND_X, y))
    return y + 40


def draw_buzzer(canvas: Canvas, circuit: Circuit, top: int) -> int:
    """Draw the buzzer with its transistor from `top` on; return the lower edge."""
    y = top + 140
    _draw_pin(canvas, circuit, BUZZER, y)
    resistor(canvas, _LEFT, _LEFT + 50, y)
    canvas.text("1 kOhm", _LEFT + 25, y - 12, size=11, anchor=Anchor.MIDDLE)
    base, x = _LEFT + 70, _LEFT + 98
    canvas.line([(_LEFT + 50, y), (base, y)])
    transistor(canvas, base, y)
    canvas.text("NPN, 2N3904", x + 22, y + 4, size=11)
    ground(canvas, (x, y + 30))
    canvas.line([(x, y - 30), (x, y - 46)])
    canvas.circle(x, y - 64, 18, fill=PAPER)
    canvas.text("buzzer", x - 26, y - 60, size=11, anchor=Anchor.END)
    canvas.text("+", x, y - 68, size=12, anchor=Anchor.MIDDLE)
    canvas.line([(x, y - 82), (x, y - 96)])
    diode = x + 50
    canvas.line([(x, y - 38), (diode, y - 38)])
    rising_diode(canvas, diode, y - 90, y - 38)
    canvas.line([(x, y - 90), (diode, y - 90)])
    canvas.text("1N4148, for a magnetic one", diode + 14, y - 60, size=11)
    supply(canvas, SUPPLY, (x, y - 96))
    return y + 60


def _draw_pin(canvas: Canvas, circuit: Circuit, net: Net, y: int) -> None:
    """Draw the pin of a net, and its wire to the right."""
    pin = circuit.header.index(net) + 1
    canvas.text(f"header pin {pin}", _PIN_X - 12, y - 4, anchor=Anchor.END, bold=True)
    canvas.text(HEADER[pin - 1], _PIN_X - 12, y + 12, size=11, anchor=Anchor.END)
    canvas.pin(f"header {pin}", (_PIN_X, y))
    wire(canvas, net, (_PIN_X, y), (_LEFT, y))
