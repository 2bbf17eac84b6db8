"""A canvas for drawings, which becomes SVG.

Invariants: the same strokes give the same text, byte for byte. Coordinates are whole pixels. Nothing is drawn
by transformation or style sheet, so a program can read where everything is. Wires carry the name of their net
and pins that of their chip, so that a test can trace a drawing.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from xml.etree.ElementTree import Element, SubElement, indent, tostring

INK, FAINT, PAPER, BODY = "#22303c", "#8a949c", "#fffdf8", "#f1ede2"

_SANS = "'DejaVu Sans', Verdana, Helvetica, Arial, sans-serif"
_MONO = "'DejaVu Sans Mono', Menlo, Consolas, monospace"

_COMMON = {"font-family": _MONO, "stroke-width": "1.5", "stroke-linejoin": "round"}
"""Default attributes of all strokes and letters, set once for the whole canvas."""

Place = tuple[int, int]


class Anchor(enum.Enum):
    """The part of a text that is at its place: its start, its middle or its end."""

    START = "start"
    MIDDLE = "middle"
    END = "end"


class Canvas:
    """The elements drawn so far, in their order."""

    def __init__(self, title: str) -> None:
        self._svg = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "role": "img", **_COMMON})
        SubElement(self._svg, "title").text = title
        self._paper = SubElement(self._svg, "rect", {"fill": PAPER})

    def rect(self, x: int, y: int, width: int, height: int, *, fill: str = "none", ink: str = INK) -> None:
        """Draw a box with round corners."""
        shape = {"x": x, "y": y, "width": width, "height": height, "rx": 4}
        self._draw("rect", shape, fill=fill, stroke=ink)

    def circle(self, x: int, y: int, radius: int, *, fill: str = "none", ink: str = INK) -> None:
        """Draw a circle about a place."""
        self._draw("circle", {"cx": x, "cy": y, "r": radius}, fill=fill, stroke=ink)

    def line(
        self, places: Iterable[Place], *, ink: str = INK, width: float = 1.5, dashed: bool = False
    ) -> None:
        """Draw straight strokes from place to place."""
        look = {"stroke_dasharray": "5 4"} if dashed else {}
        if width != 1.5:
            look["stroke_width"] = str(width)
        self._draw("polyline", {"points": _points(places)}, fill="none", stroke=ink, **look)

    def shape(self, places: Iterable[Place], *, fill: str, ink: str = "none") -> None:
        """Draw a filled polygon."""
        self._draw("polygon", {"points": _points(places)}, fill=fill, stroke=ink)

    def wire(self, net: str, ink: str, *places: Place) -> None:
        """Draw a wire of a net; it joins whatever it begins and ends on, and nothing that it crosses."""
        look = {"stroke_width": 2, "data_net": net}
        self._draw("polyline", {"points": _points(places)}, fill="none", stroke=ink, **look)

    def joint(self, net: str, ink: str, at: Place) -> None:
        """Draw a dot where wires of a net join."""
        self._draw("circle", {"cx": at[0], "cy": at[1], "r": 4}, fill=ink, data_net=net)

    def pin(self, name: str, at: Place) -> None:
        """Mark a pin, on which wires may end; `name` is the part's name, a blank and the pin's number."""
        self._draw("circle", {"cx": at[0], "cy": at[1], "r": 2}, fill=INK, data_pin=name)

    def text(
        self,
        text: str,
        x: int,
        y: int,
        *,
        size: int = 13,
        anchor: Anchor = Anchor.START,
        ink: str = INK,
        bold: bool = False,
        plain: bool = False,
    ) -> None:
        """Draw one line of text on a base line; `plain` uses a proportional font, as for a sentence."""
        look = {"font_size": size, "fill": ink}
        if plain:
            look["font_family"] = _SANS
        if bold:
            look["font_weight"] = "bold"
        if anchor is not Anchor.START:
            look["text_anchor"] = anchor.value
        self._draw("text", {"x": x, "y": y}, **look).text = text

    def svg(self, width: int, height: int) -> str:
        """Return the canvas, cut to this size, as an SVG file."""
        size = {"width": str(width), "height": str(height)}
        self._paper.attrib |= size
        self._svg.attrib |= {**size, "viewBox": f"0 0 {width} {height}"}
        indent(self._svg, " ")
        return tostring(self._svg, encoding="unicode") + "\n"

    def _draw(self, tag: str, shape: Mapping[str, int | str], **look: object) -> Element:
        attributes = {name.replace("_", "-"): str(value) for name, value in {**shape, **look}.items()}
        return SubElement(self._svg, tag, attributes)


def _points(places: Iterable[Place]) -> str:
    return " ".join(f"{x},{y}" for x, y in places)
