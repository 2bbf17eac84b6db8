"""The board from below, as when it is wired, with the channel and the LED of each point."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import dist

from hardware.drawing.canvas import FAINT, PAPER, Anchor, Canvas, Place
from hardware.wiring.netlist import Circuit, SensorType
from hardware.wiring.pinout import header_pin
from hardware.wiring.plan import BoardPlan, contact_name

_ACROSS, _DOWN, _RADIUS = 132, 96, 17


def draw_board(canvas: Canvas, plan: BoardPlan, circuit: Circuit, at: Place) -> int:
    """Draw the board in mirror image, its upper left corner at a place; return its lower edge."""
    layout = plan.layout
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
    return at[1] + top * _DOWN + 80


def _edge(at: Place, towards: Place) -> Place:
    """Return the place where the line between two points leaves the circle of the first."""
    share = _RADIUS / dist(at, towards)
    return at[0] + round((towards[0] - at[0]) * share), at[1] + round((towards[1] - at[1]) * share)


def _notes(plan: BoardPlan, circuit: Circuit, point: int) -> list[str]:
    """Return the notes at a point, a line each: the channels of its contacts, then its LEDs."""
    notes = []
    for contact, (chip, channel) in sorted(plan.contacts.items()):
        if contact[0] == point:
            pole = contact_name(plan, contact).partition(" ")[2] if plan.sensor is SensorType.HALL else ""
            notes.append(f"{_place(plan, circuit, chip, channel)} {pole}".rstrip())
    return [*notes, *_leds(plan.places[point])]


def _leds(leds: Sequence[int]) -> list[str]:
    """Return the LEDs of a point, three a line, or as a span if they are consecutive."""
    if len(leds) > 2 and tuple(leds) == tuple(range(leds[0], leds[-1] + 1)):
        return [f"LED {leds[0]}-{leds[-1]}"]
    lines = [" ".join(map(str, leds[start : start + 3])) for start in range(0, len(leds), 3)]
    return [f"LED {line}" for line in lines]


def _place(plan: BoardPlan, circuit: Circuit, chip: int, channel: int) -> str:
    """Return the place of a contact: the pin of the header, its crossing, or the chip and its channel."""
    if plan.has_lines:
        return f"pin {header_pin(plan.signals[chip])}"
    if circuit.crossings:
        return f"row {chip} col {channel}"
    if not circuit.chips[0].package.numbered:
        return f"board {chip}.{channel}"
    name = circuit.chips[chip].name.replace("expander", "exp")
    return f"{name} {circuit.chips[chip].package.channels[channel]}"
