"""A sheet as DXF, release 12: lines, circles and closed polylines on layers, for any CAD or CAM program.

Written from Autodesk's public description of the format: a file is a sequence of pairs, a group code on one
line and its value on the next. Release 12 needs neither handles nor a section of classes. Its units are a
variable of later releases, which programs read in this one as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import pi, tan

from hardware.case.files.shapes import Circle, Line, Outline, Place, Shape, Sheet

_Pair = tuple[int, str]
_MILLIMETRES = "4"
_QUARTER = tan(pi / 8)
"""The bulge of a quarter of a circle, counter-clockwise: the tangent of a quarter of its angle."""


def sheet_dxf(sheet: Sheet) -> str:
    """Return a sheet as the text of a DXF file."""
    pairs = [*_header(sheet), *_tables(sheet), *_section("ENTITIES", _entities(sheet)), (0, "EOF")]
    return "".join(f"{code:3}\n{value}\n" for code, value in pairs)


def _section(name: str, content: Iterable[_Pair]) -> Iterator[_Pair]:
    yield from ((0, "SECTION"), (2, name), *content, (0, "ENDSEC"))


def _header(sheet: Sheet) -> Iterator[_Pair]:
    content = [
        (999, f"Millwright: {sheet.title}; in millimetres"),
        (9, "$ACADVER"),
        (1, "AC1009"),
        (9, "$INSUNITS"),
        (70, _MILLIMETRES),
        (9, "$MEASUREMENT"),
        (70, "1"),
        (9, "$EXTMIN"),
        *_place(10, (0, 0)),
        (9, "$EXTMAX"),
        *_place(10, (sheet.width, sheet.height)),
    ]
    yield from _section("HEADER", content)


def _tables(sheet: Sheet) -> Iterator[_Pair]:
    lines = [(0, "TABLE"), (2, "LTYPE"), (70, "1"), (0, "LTYPE"), (2, "CONTINUOUS"), (70, "0")]
    lines += [(3, "Solid line"), (72, "65"), (73, "0"), (40, "0.0"), (0, "ENDTAB")]
    layers: list[_Pair] = [(0, "TABLE"), (2, "LAYER"), (70, str(len(sheet.layers)))]
    for layer in sheet.layers:
        layers += [(0, "LAYER"), (2, layer.name), (70, "0"), (62, str(layer.dxf_colour)), (6, "CONTINUOUS")]
    yield from _section("TABLES", [*lines, *layers, (0, "ENDTAB")])


def _entities(sheet: Sheet) -> Iterator[_Pair]:
    for layer in sheet.layers:
        for shape in sheet.shapes:
            if shape.layer == layer:
                yield from _entity(shape)


def _entity(shape: Shape) -> Iterator[_Pair]:
    match shape:
        case Line(layer, start, end):
            yield from ((0, "LINE"), (8, layer.name), *_place(10, start), *_place(11, end))
        case Circle(layer, centre, radius):
            yield from ((0, "CIRCLE"), (8, layer.name), *_place(10, centre), (40, _number(radius)))
        case Outline(layer):
            yield from ((0, "POLYLINE"), (8, layer.name), (66, "1"), *_place(10, (0, 0)), (70, "1"))
            for place, turns in shape.vertices():
                yield from ((0, "VERTEX"), (8, layer.name), *_place(10, place))
                yield from ((42, _number(_QUARTER)),) if turns else ()
            yield from ((0, "SEQEND"), (8, layer.name))


def _place(code: int, place: Place) -> Iterator[_Pair]:
    yield from ((code, _number(place[0])), (code + 10, _number(place[1])), (code + 20, "0.0"))


def _number(value: float) -> str:
    return f"{value:.4f}"
