"""The wiring of a board as an SVG drawing: sensors, light, and the board from below."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import dist

from firmware_host.ports import Contact
from hardware.drawing.canvas import FAINT, PAPER, Anchor, Canvas, Place
from hardware.drawing.leds import draw_light
from hardware.drawing.sensors import draw_sensors
from hardware.drawing.symbols import ground, push_button, resistor, rising_diode, supply, transistor, wire
from hardware.wiring.circuit import build_circuit
from hardware.wiring.netlist import BUTTON, BUZZER, GROUND, SUPPLY, Circuit, Net, NetKind, SensorType
from hardware.wiring.pinout import HEADER, header_pin
from hardware.wiring.plan import BoardPlan, contact_name

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


_ACROSS, _DOWN, _RADIUS = 132, 96, 17
_BAR, _BAR_STEP = 86, 64
"""The distance of a side bar from the outermost points, and of its LEDs from each other."""


def draw_board(canvas: Canvas, plan: BoardPlan, circuit: Circuit, at: Place) -> int:
    """Draw the board in mirror image, its upper left corner at a place; return its lower edge."""
    layout = plan.layout
    if plan.strip.black_bar:
        at = at[0], at[1] + _BAR
    right, top = max(p.x for p in layout.points), max(p.y for p in layout.points)
    spots = [(at[0] + (right - p.x) * _ACROSS, at[1] + (top - p.y) * _DOWN) for p in layout.points]
    for line in layout.lines:
        for one, other in pairwise(spots[point.index] for point in line):
            canvas.line([_edge(one, other), _edge(other, one)], ink=FAINT)
    for point, (x, y) in zip(layout.points, spots, strict=True):
        canvas.circle(x, y, _RADIUS, fill=PAPER)
        canvas.text(point.name, x, y + 5, size=14, anchor=Anchor.MIDDLE, bold=True)
        for row, text in enumerate(_notes(plan, circuit, point.index)):
            canvas.text(text, x + 21, y + 20 + 15 * row, size=11)
    bottom = at[1] + top * _DOWN
    sides = (("W", plan.strip.white_bar, bottom + _BAR), ("B", plan.strip.black_bar, at[1] - _BAR))
    for side, leds, y in sides:
        _bar(canvas, side, leds, (at[0] + right * _ACROSS // 2, y))
    return bottom + (80 if not plan.strip.white_bar else 130)


def _bar(canvas: Canvas, side: str, leds: Sequence[int], middle: Place) -> None:
    """Draw the LEDs of a side bar along a player's edge; the first one is at the board's left from above."""
    for number, led in enumerate(leds):
        x, y = middle[0] + _BAR_STEP * (len(leds) - 1 - 2 * number) // 2, middle[1]
        canvas.rect(x - 10, y - 10, 20, 20, fill=PAPER)
        canvas.circle(x, y, 6, ink=FAINT)
        canvas.text(f"{side}{number + 1}", x, y - 16, size=11, anchor=Anchor.MIDDLE, bold=True)
        canvas.text(f"LED {led}", x, y + 26, size=11, anchor=Anchor.MIDDLE)


def _edge(at: Place, towards: Place) -> Place:
    """Return the place where the line between two points leaves the circle of the first."""
    share = _RADIUS / dist(at, towards)
    return at[0] + round((towards[0] - at[0]) * share), at[1] + round((towards[1] - at[1]) * share)


def _notes(plan: BoardPlan, circuit: Circuit, point: int) -> list[str]:
    """Return the notes at a point, a line each: the channels of its contacts, then its LEDs."""
    notes = []
    for contact in sorted(plan.contacts):
        if contact[0] == point:
            pole = contact_name(plan, contact).partition(" ")[2] if plan.sensor is SensorType.HALL else ""
            notes.append(f"{_place(plan, circuit, contact)} {pole}".rstrip())
    return [*notes, *_leds(plan.places[point])]


def _leds(leds: Sequence[int]) -> list[str]:
    """Return the LEDs of a point, three a line, or as a span if they are consecutive."""
    if len(leds) > 2 and tuple(leds) == tuple(range(leds[0], leds[-1] + 1)):
        return [f"LED {leds[0]}-{leds[-1]}"]
    lines = [" ".join(map(str, leds[start : start + 3])) for start in range(0, len(leds), 3)]
    return [f"LED {line}" for line in lines]


def _place(plan: BoardPlan, circuit: Circuit, contact: Contact) -> str:
    """Return the place of a contact: a pin of the header or the Pico, a crossing, or a chip's channel."""
    chip, channel = plan.contacts[contact]
    if plan.has_lines:
        return f"pin {header_pin(plan.signals[chip])}"
    net = Net(NetKind.CONTACT, contact_name(plan, contact))
    for crossing in circuit.crossings:
        if crossing.contact == net:
            return f"row {crossing.row.which} col {crossing.column.which}"
    if circuit.pico and net in circuit.pico.nets:
        return f"pin {circuit.pico.nets.index(net) + 1}"
    if not circuit.chips[0].package.numbered:
        return f"board {chip}.{channel}"
    name = circuit.chips[chip].name.replace("expander", "exp")
    return f"{name} {circuit.chips[chip].package.channels[channel]}"


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
