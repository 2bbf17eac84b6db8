"""Step 4: the wires of the sensors, from below."""

from __future__ import annotations

from itertools import pairwise

from firmware_host.games.layout import MORRIS
from hardware.case.looms import exit_mm, hop, to_exit
from hardware.case.point import place as at_mm
from hardware.drawing.canvas import BODY, PAPER, Anchor, Canvas
from hardware.drawing.materials import RINGS
from hardware.drawing.model import recommended_board
from hardware.drawing.steps.below import BOTTOM, TOP, draw_obstacles, draw_plate, notes, place, spot
from hardware.wiring.circuit import build_circuit
from hardware.wiring.plan import BoardPlan

_RADIUS = 9
_BOARD_TOP, _BOARD_HEIGHT, _CHIP, _CHIPS_APART = BOTTOM + 30, 76, 122, 140
_NOTES = (
    "Black: one wire joins a leg of",
    "every reed to GND, ring by ring.",
    "",
    "Coloured: each reed's other leg has a",
    "wire of its own. They run along the",
    "front of each row to the trunk beside",
    "the middle file, and leave in front:",
    "eight wires of a ring to each chip.",
    "",
    "The label is the chip's channel. If you",
    "mix wires up, set-up finds out; within",
    "a ring, the order doesn't matter.",
    "",
    "Tie the bundles every 50 mm, and glue",
    "them down beside the slots.",
    "",
    "Measure each channel at the socket:",
    "open, and connected to GND with a",
    "piece on its point.",
)


def loom_svg() -> str:
    """Draw the ground wire, the ways of all signals to the exit, and the chips on their board."""
    plan = BoardPlan.recommended(MORRIS)
    circuit = build_circuit(plan)
    made = recommended_board()
    canvas = Canvas("Step 4: the wires of the sensors")
    canvas.text("4  The sensors' wires, from below", 40, 34, size=20, bold=True, plain=True)
    draw_plate(canvas)
    draw_obstacles(canvas)
    for one, other in pairwise(MORRIS.points):
        right, up = made.measures.led_mm
        canvas.line([spot((x - right, y - up)) for x, y in hop(one, other, made.measures)], width=2)
    for (point, _), (chip, channel) in plan.contacts.items():
        where = MORRIS.points[point]
        x, y = at_mm(where, made.measures)
        way = to_exit(x, y, y, MORRIS, made.measures)
        canvas.line([spot(at, 5 * (chip - 1)) for at in way], ink=RINGS[chip], width=2)
        canvas.circle(*place(where), _RADIUS, fill=PAPER)
        name = circuit.chips[chip].package.channels[channel]
        left, top = place(where)[0] - 19, place(where)[1] - 6
        canvas.text(name, left, top, size=11, anchor=Anchor.END, ink=RINGS[chip], bold=True)
    _stripboard(canvas, [f"{chip.name}: {chip.package.name}" for chip in circuit.chips])
    notes(canvas, (*_NOTES, *_lengths()), TOP + 16)
    return canvas.svg(1040, _BOARD_TOP + _BOARD_HEIGHT + 30)


def _lengths() -> tuple[str, ...]:
    """Return what the wires to the chips measure."""
    lengths = sorted(run.length_mm for run in recommended_board().wires.runs if run.net == "signal")
    return (
        "",
        f"Cut these wires to {lengths[0]:.0f} to {lengths[-1]:.0f} mm:",
        "wires.csv has each length, with enough",
        "to lay the lid beside the board.",
    )


def _stripboard(canvas: Canvas, names: list[str]) -> None:
    """Draw the stripboard with the chips below the plate, where the bundles leave it."""
    leaves = spot(exit_mm(MORRIS, recommended_board().measures))
    left = leaves[0] - _CHIPS_APART - _CHIP // 2
    canvas.rect(left - 24, _BOARD_TOP, 2 * _CHIPS_APART + _CHIP + 48, _BOARD_HEIGHT, fill=BODY)
    for chip, name in enumerate(names):
        socket, colour, aside = left + chip * _CHIPS_APART, RINGS[chip], 5 * (chip - 1)
        turn = _BOARD_TOP + 14
        start = leaves[0] + aside, leaves[1] + aside
        way = [start, (start[0], turn), (socket + _CHIP // 2, turn), (socket + _CHIP // 2, turn + 14)]
        canvas.line(way, ink=colour, width=4)
        canvas.rect(socket, _BOARD_TOP + 28, _CHIP, 34, fill=PAPER, ink=colour)
        canvas.text(name, socket + _CHIP // 2, _BOARD_TOP + 49, size=11, anchor=Anchor.MIDDLE)
