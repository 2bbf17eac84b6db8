"""The board from below, as it lies when it is wired: what hangs on which channel, and which LED is where."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import dist

from hardware.drawing.canvas import FAINT, PAPER, Anchor, Place, Sheet
from hardware.wiring.netlist import Circuit, Sensor
from hardware.wiring.pinout import header_pin
from hardware.wiring.plan import BoardPlan, contact_name

_ACROSS, _DOWN, _RADIUS = 132, 96, 17


def draw_board(sheet: Sheet, plan: BoardPlan, made: Circuit, at: Place) -> int:
    """Draw the board in mirror image with its upper left corner at a place; returns where it ends."""
    layout = plan.layout
    right, top = max(p.x for p in layout.points), max(p.y for p in layout.points)
    spots = [(at[0] + (right - p.x) * _ACROSS, at[1] + (top - p.y) * _DOWN) for p in layout.points]
    for line in layout.lines:
        for one, other in pairwise(spots[point.index] for point in line):
            sheet.line([_edge(one, other), _edge(other, one)], ink=FAINT)
    for point, (x, y) in zip(layout.points, spots, strict=True):
        sheet.circle(x, y, _RADIUS, fill=PAPER)
        sheet.text(point.name, x, y + 5, size=14, anchor=Anchor.MIDDLE, bold=True)
        for row, text in enumerate(_notes(plan, made, point.index)):
            sheet.text(text, x + 21, y + 20 + 15 * row, size=11)
    return at[1] + top * _DOWN + 80


def _edge(at: Place, towards: Place) -> Place:
    """Where the line between two points leaves the circle of the first."""
    share = _RADIUS / dist(at, towards)
    return at[0] + round((towards[0] - at[0]) * share), at[1] + round((towards[1] - at[1]) * share)


def _notes(plan: BoardPlan, made: Circuit, point: int) -> list[str]:
    """What is at a point, a line each: where its contacts are wired, then its LED."""
    notes = []
    for contact, (chip, channel) in sorted(plan.contacts.items()):
        if contact[0] == point:
            pole = contact_name(plan, contact).partition(" ")[2] if plan.sensor is Sensor.HALL else ""
            notes.append(f"{_place(plan, made, chip, channel)} {pole}".rstrip())
    return [*notes, *_leds(plan.places[point])]


def _leds(leds: Sequence[int]) -> list[str]:
    """The LEDs of a point, three a line, or as a span where they follow each other."""
    if len(leds) > 2 and tuple(leds) == tuple(range(leds[0], leds[-1] + 1)):
        return [f"LED {leds[0]}-{leds[-1]}"]
    lines = [" ".join(map(str, leds[start : start + 3])) for start in range(0, len(leds), 3)]
    return [f"LED {line}" for line in lines]


def _place(plan: BoardPlan, made: Circuit, chip: int, channel: int) -> str:
    """Where a contact hangs: the pin of the header, or the chip and the name of its channel."""
    if plan.has_lines:
        return f"pin {header_pin(plan.signals[chip])}"
    if not made.chips[0].package.numbered:
        return f"board {chip}.{channel}"
    name = made.chips[chip].name.replace("expander", "exp")
    return f"{name} {made.chips[chip].package.channels[channel]}"
