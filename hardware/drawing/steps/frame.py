"""Step 6: the lid from above with all that lies on it, inside the frame."""

from __future__ import annotations

from collections.abc import Sequence

from hardware.case.assembly import Assembly
from hardware.case.housing import FrameSide, Window
from hardware.case.insides import windows
from hardware.case.measures import ChipBoard
from hardware.drawing.canvas import FAINT, Anchor, Canvas
from hardware.drawing.model import recommended_board
from hardware.drawing.views import ViewScale, draw_above

_MM, _LEFT, _BASE = 1.8, 60, 620
_NOTES = (
    "The lid from above, in the frame. The board",
    "with the chips lies in front, where the wires",
    "of the points leave the lower plate.",
    "",
    "The Pi's memory card points to its window at",
    "the left: wide enough for two fingers or",
    "tweezers. Its header is at the back.",
    "",
    "The jack goes through 8 mm, and from inside a",
    "wider hole leaves 3 mm of wood for its nut.",
    "",
    "Glue four blocks to the frame, for the screws",
    "of the lid. Two slots let warm air out, high",
    "up in the front and the back.",
    "",
    "The holes of the lid fit every Pi with four",
    "holes, and a Zero on the rear two of them and",
    "the two in the middle.",
)


_CONTROLLER_NOTES = (
    "The lid from above, in the frame, with the",
    "controller on the Pi's header. It covers the",
    "Pi but for its USB sockets.",
    "",
    "Spacers of 5 mm carry the Pi, and of 11 mm",
    "the controller on it. Three of 17.6 mm carry",
    "the controller's free corners: 5 and 12 mm,",
    "and a washer.",
    "",
    "The plug of USB-C comes through the left side.",
    "The terminals beside it are for a supply by",
    "wire (Pi 5), and below it for the LEDs.",
    "",
    "Open the lid to change the memory card.",
)


def frame_svg() -> str:
    """Draw the lid, the frame around it, and the boards, jack and blocks inside."""
    return _lid_svg("Step 6: frame and lid", "6  Frame and lid", recommended_board(), "stripboard", _NOTES)


def controller_svg() -> str:
    """Draw the same of a board with the circuit boards to order."""
    made = recommended_board(ChipBoard.CONTROLLER)
    title = "Frame and lid with the controller"
    return _lid_svg(title, title, made, "controller", _CONTROLLER_NOTES)


def _lid_svg(title: str, head: str, made: Assembly, chips: str, notes: Sequence[str]) -> str:
    canvas = Canvas(title)
    canvas.text(head, 40, 34, size=20, bold=True, plain=True)
    scale = ViewScale(_LEFT, _BASE, _MM)
    names = ("lid", "frame", "jack", "spacer")
    shown = [
        part for part in made.parts if part.name in names or part.name.startswith(("Pi", chips, "lid's"))
    ]
    draw_above(canvas, [part for part in shown if part.name != "controller's chips"], scale)
    for name in ("Pi", chips):
        prism = next(made.named(name)).prism
        x, y = scale.at(prism.x, prism.y)
        if name != "Pi" or chips == "stripboard":
            canvas.text(name, x - 10, y + 5, anchor=Anchor.MIDDLE, bold=True)
    for window in windows(made.layout, made.measures):
        _window(canvas, scale, window, made)
    for row, words in enumerate(notes):
        canvas.text(words, _LEFT + 598, 110 + 20 * row, size=13, plain=True)
    return canvas.svg(1040, _BASE + 60)


def _window(canvas: Canvas, scale: ViewScale, window: Window, made: Assembly) -> None:
    """Mark an opening of the frame, and name it outside."""
    prism = window.prism(made.measures, made.measures.size_mm(made.layout))
    corners = (
        (prism.left, prism.front),
        (prism.right, prism.front),
        (prism.right, prism.back),
        (prism.left, prism.back),
    )
    canvas.shape([scale.at(*corner) for corner in corners], fill="#fffdf8", ink=FAINT)
    if window.outer:
        return
    x, y = scale.at(prism.x, prism.y)
    right, down, anchor = {
        FrameSide.FRONT: (0, 30, Anchor.MIDDLE),
        FrameSide.BACK: (0, -18, Anchor.MIDDLE),
        FrameSide.LEFT: (-16, 5, Anchor.END),
        FrameSide.RIGHT: (16, 5, Anchor.START),
    }[window.wall]
    canvas.text(window.name.split(" at ")[0], x + right, y + down, size=12, anchor=anchor)
