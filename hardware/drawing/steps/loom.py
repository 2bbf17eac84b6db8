"""Step 4: the wires of the sensors, from below."""

from __future__ import annotations

from itertools import pairwise

from firmware_host.games.layout import MORRIS
from hardware.drawing.canvas import BODY, PAPER, Anchor, Canvas, Place
from hardware.drawing.materials import RINGS
from hardware.drawing.steps.below import BOTTOM, LEFT, SIZE, TOP, draw_plate, edge, notes, place
from hardware.wiring.circuit import build_circuit
from hardware.wiring.plan import BoardPlan

_RADIUS, _OUT = 9, 24
_EXIT, _APART = 30, 14
"""The distance of the inner ring's bundle from the middle, and of each bundle from the next."""
_BOARD_TOP, _BOARD_HEIGHT, _CHIP, _CHIPS_APART = BOTTOM + 26, 76, 122, 140
_NOTES = (
    "Black: one bare wire joins a leg of",
    "every reed to GND, ring by ring.",
    "",
    "Coloured: each reed's other leg has a",
    "wire of its own. The eight wires of a",
    "ring form a bundle, which leads to",
    "the chip of that ring.",
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
    """Draw the ground wire, a bundle for each chip, and the chips on their board."""
    plan = BoardPlan.recommended(MORRIS)
    circuit = build_circuit(plan)
    canvas = Canvas("Step 4: the wires of the sensors")
    canvas.text("4  The sensors' wires, from below", 40, 34, size=20, bold=True, plain=True)
    draw_plate(canvas)
    _stripboard(canvas, [f"{chip.name}: {chip.package.name}" for chip in circuit.chips])
    wire_of = {point: wire for (point, _), wire in plan.contacts.items()}
    middle = _middle()
    for chip, colour in enumerate(RINGS):
        ring = [place(point) for point in MORRIS.points if wire_of[point.index][0] == chip]
        _bundle(canvas, ring, middle, chip, colour)
    places = [place(point) for point in MORRIS.points]
    for one, other in pairwise(places):
        canvas.line([edge(one, other, _RADIUS), edge(other, one, _RADIUS)], width=2)
    for point, (x, y) in zip(MORRIS.points, places, strict=True):
        chip, channel = wire_of[point.index]
        canvas.circle(x, y, _RADIUS, fill=PAPER)
        name = circuit.chips[chip].package.channels[channel]
        left, anchor = (x + 13, Anchor.START) if x < middle[0] else (x - 13, Anchor.END)
        canvas.text(name, left, y + 16, size=11, anchor=anchor, ink=RINGS[chip], bold=True)
    notes(canvas, _NOTES, TOP + 16)
    return canvas.svg(1040, _BOARD_TOP + _BOARD_HEIGHT + 30)


def _middle() -> Place:
    return LEFT + SIZE // 2, TOP + SIZE // 2


def _bundle(canvas: Canvas, ring: list[Place], middle: Place, chip: int, colour: str) -> None:
    """Draw the bundle around a ring, a wire from each of its points, and the way to the chip."""
    half = max(abs(x - middle[0]) for x, _ in ring) + _OUT
    (x, y), turns = middle, ((-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1))
    canvas.line([(x + half * across, y + half * down) for across, down in turns], ink=colour, width=4)
    for at in ring:
        out = [_sign(at[axis] - middle[axis]) for axis in (0, 1)]
        far = max(abs(at[axis] - middle[axis]) for axis in (0, 1))
        along = [out[axis] if abs(at[axis] - middle[axis]) == far else 0 for axis in (0, 1)]
        goal = at[0] + along[0] * _OUT, at[1] + along[1] * _OUT
        canvas.line([edge(at, goal, _RADIUS), goal], ink=colour, width=2)
    leaves, turn, socket = x + _EXIT + _APART * chip, _BOARD_TOP + 16, _socket(chip)
    path = [
        (leaves, y + half),
        (leaves, turn),
        (socket + _CHIP // 2, turn),
        (socket + _CHIP // 2, _BOARD_TOP + 28),
    ]
    canvas.line(path, ink=colour, width=4)


def _stripboard(canvas: Canvas, names: list[str]) -> None:
    """Draw the stripboard with the chips, below the plate."""
    canvas.rect(_socket(0) - 24, _BOARD_TOP, 2 * _CHIPS_APART + _CHIP + 48, _BOARD_HEIGHT, fill=BODY)
    for chip, name in enumerate(names):
        canvas.rect(_socket(chip), _BOARD_TOP + 28, _CHIP, 34, fill=PAPER, ink=RINGS[chip])
        canvas.text(name, _socket(chip) + _CHIP // 2, _BOARD_TOP + 49, size=11, anchor=Anchor.MIDDLE)


def _socket(chip: int) -> int:
    """Return the left edge of a chip; the middle one is right below its bundle, so that none cross."""
    return _middle()[0] + _EXIT + _APART - _CHIP // 2 + _CHIPS_APART * (chip - 1)


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)
