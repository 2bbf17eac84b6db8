"""The sheets of the frame: its four sides seen from outside, in a stack layer by layer, and its blocks."""

from __future__ import annotations

from collections.abc import Iterator

from hardware.case.assembly import Assembly
from hardware.case.files.shapes import CUT, DRILL, Circle, Layer, Outline, Shape, Sheet, pocket
from hardware.case.housing import BLOCK_MM, PILOT_DEPTH_MM, PILOT_MM, FrameSide, Window
from hardware.case.insides import windows
from hardware.case.measures import SHEET_MM

_NEST_MM = 3.0


def frame_sheet(made: Assembly) -> Sheet:
    """Return the sides of the frame below one another; in a stack each as its layers, the outer one first."""
    m = made.measures
    layers = round(m.frame_mm / SHEET_MM) if m.stacked else 1
    shapes: list[Shape] = []
    widest, y = 0.0, _NEST_MM
    for part in made.named("frame"):
        wall = FrameSide(part.where)
        long = max(part.prism.width, part.prism.depth)
        widest = max(widest, long)
        for layer in range(layers):
            outline = Outline(
                CUT, (_NEST_MM + long / 2, y + m.frame_height_mm / 2), long, m.frame_height_mm, 0.0
            )
            shapes += [*_openings(made, wall, layer, y), outline]
            y += m.frame_height_mm + _NEST_MM
    each = (
        f"{m.frame_mm:g} mm" if layers == 1 else f"{SHEET_MM:g} mm, {layers} layers a side, outer ones first"
    )
    names = ", ".join(part.where for part in made.named("frame"))
    title = f"frame, {each}; from below: {names}"
    return Sheet("frame", title, widest + 2 * _NEST_MM, y, tuple(shapes))


def _openings(made: Assembly, wall: FrameSide, layer: int, y: float) -> Iterator[Shape]:
    """Yield the windows of a side, as seen from outside, or those of one of its layers."""
    m = made.measures
    width, depth = made.measures.size_mm(made.layout)
    for window in windows(made.layout, m):
        if window.wall is not wall:
            continue
        if m.stacked:
            middle = (layer + 0.5) * SHEET_MM
            if not window.outer < middle < window.inner:
                continue
            on = CUT
        else:
            on = _depth_of(window, m.frame_mm)
        along = {
            FrameSide.FRONT: window.along,
            FrameSide.BACK: width - window.along,
            FrameSide.LEFT: depth - window.along - m.frame_mm,
            FrameSide.RIGHT: window.along - m.frame_mm,
        }[wall]
        at = _NEST_MM + along, y + window.height
        yield (
            Circle(on, at, window.width / 2)
            if window.round
            else Outline(on, at, window.width, window.tall, min(2.0, window.tall / 2))
        )


def _depth_of(window: Window, thick: float) -> Layer:
    """Return the layer of a window: through, even if it opens into a wider one, or a pocket from inside."""
    if window.outer == 0:
        return CUT
    return pocket(thick - window.outer, below=True)


def block_sheet(made: Assembly) -> Sheet:
    """Return the layers of the blocks for the lid's screws; the top one of each has no hole."""
    long, deep, high = BLOCK_MM
    count, layers = len([*made.named("lid's block")]), round(high / SHEET_MM)
    shapes: list[Shape] = []
    for row in range(count):
        for layer in range(layers):
            at = (
                _NEST_MM + long / 2 + layer * (long + _NEST_MM),
                _NEST_MM + deep / 2 + row * (deep + _NEST_MM),
            )
            if layer * SHEET_MM < PILOT_DEPTH_MM:
                shapes.append(Circle(DRILL, at, PILOT_MM / 2))
            shapes.append(Outline(CUT, at, long, deep, 0.0))
    size = _NEST_MM + layers * (long + _NEST_MM), _NEST_MM + count * (deep + _NEST_MM)
    return Sheet(
        "blocks", f"blocks for the lid's screws, {SHEET_MM:g} mm, {layers} layers each", *size, tuple(shapes)
    )
