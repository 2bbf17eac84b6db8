"""Step 6: the lid from above with all that lies on it, inside the frame."""

from __future__ import annotations

from hardware.case.housing import FrameSide, Window
from hardware.case.insides import windows
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


def frame_svg() -> str:
    """Draw the lid, the frame around it, and the boards, jack and blocks inside."""
    canvas = Canvas("Step 6: frame and lid")
    canvas.text("6  Frame and lid", 40, 34, size=20, bold=True, plain=True)
    made = recommended_board()
    scale = ViewScale(_LEFT, _BASE, _MM)
    shown = (
        "lid",
        "frame",
        "lid's block",
        "Pi",
        "Pi's sockets",
        "Pi's header",
        "Pi's card",
        "stripboard",
        "jack",
    )
    draw_above(canvas, [part for part in made.parts if part.name in shown], scale)
    for name, words in (("Pi", "Pi"), ("stripboard", "stripboard")):
        prism = next(made.named(name)).prism
        x, y = scale.at(prism.x, prism.y)
        canvas.text(words, x - 10, y + 5, anchor=Anchor.MIDDLE, bold=True)
    for window in windows(made.layout, made.measures):
        _window(canvas, scale, window)
    for row, words in enumerate(_NOTES):
        canvas.text(words, _LEFT + 598, 110 + 20 * row, size=13, plain=True)
    return canvas.svg(1040, _BASE + 60)


def _window(canvas: Canvas, scale: ViewScale, window: Window) -> None:
    """Mark an opening of the frame, and name it outside."""
    made = recommended_board()
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
