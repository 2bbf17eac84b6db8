"""A sheet as SVG: in millimetres, with a group for each layer, as laser cutters' programs read it.

Invariants: one unit is one millimetre. Lines are hairlines, and nothing is filled. Groups are layers to
Inkscape and LightBurn. The same sheet gives the same text, byte for byte.
"""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement, indent, tostring

from hardware.case.files.shapes import Circle, Line, Outline, Place, Shape, Sheet

_HAIRLINE_MM = "0.1"
_INKSCAPE = "http://www.inkscape.org/namespaces/inkscape"


def sheet_svg(sheet: Sheet) -> str:
    """Return a sheet as the text of an SVG file."""
    root = Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "xmlns:inkscape": _INKSCAPE,
            "width": f"{_number(sheet.width)}mm",
            "height": f"{_number(sheet.height)}mm",
            "viewBox": f"0 0 {_number(sheet.width)} {_number(sheet.height)}",
            "fill": "none",
            "stroke-width": _HAIRLINE_MM,
        },
    )
    SubElement(root, "title").text = sheet.title
    for layer in sheet.layers:
        group = SubElement(
            root,
            "g",
            {
                "id": layer.name,
                "inkscape:groupmode": "layer",
                "inkscape:label": layer.name,
                "stroke": layer.colour,
            },
        )
        for shape in sheet.shapes:
            if shape.layer == layer:
                _draw(group, shape, sheet.height)
    indent(root, " ")
    return tostring(root, encoding="unicode") + "\n"


def _draw(group: Element, shape: Shape, top: float) -> None:
    match shape:
        case Line(_, start, end):
            (x1, y1), (x2, y2) = _place(start, top), _place(end, top)
            SubElement(group, "line", {"x1": x1, "y1": y1, "x2": x2, "y2": y2})
        case Circle(_, centre, radius):
            x, y = _place(centre, top)
            SubElement(group, "circle", {"cx": x, "cy": y, "r": _number(radius)})
        case Outline(_, (middle, height), width, tall, radius):
            x, y = _place((middle - width / 2, height + tall / 2), top)
            size = {"width": _number(width), "height": _number(tall), "rx": _number(radius)}
            SubElement(group, "rect", {"x": x, "y": y, **size})


def _place(place: Place, top: float) -> tuple[str, str]:
    """Return a place from the upper left corner, as SVG counts."""
    return _number(place[0]), _number(top - place[1])


def _number(value: float) -> str:
    return f"{round(value, 3):g}" if abs(value) < 1000 else f"{value:.2f}"
