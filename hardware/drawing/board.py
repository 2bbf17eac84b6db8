"""The board from below, as when it is wired, with the channel and the LED of each point."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import dist

from hardware.drawing.canvas import FAINT, PAPER, Anchor, Canvas, Place
from hardware.wiring.contacts import Contact
from hardware.wiring.netlist import Circuit, Net, NetKind, SensorType
from hardware.wiring.pinout import header_pin
from hardware.wiring.plan import BoardPlan, contact_name

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
