"""The copper of a board, read back from its Gerber and drill files: what a manufacturer will make of them."""

from __future__ import annotations

import cmath
import math
import warnings
import zipfile
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from functools import cached_property, lru_cache
from pathlib import Path

from gerbonara import ExcellonFile, GerberFile
from gerbonara import graphic_primitives as primitives
from gerbonara.utils import MM
from shapely.affinity import rotate
from shapely.geometry import LineString, MultiPolygon, Point, Polygon, box
from shapely.ops import unary_union
from shapely.strtree import STRtree

from tests.support.pcb.board_file import BoardPad

LAYERS = {"F.Cu": "F_Cu", "B.Cu": "B_Cu"}
_TOUCH = 0.02


class Gerbers:
    """The files of a board, as texts by the end of their names, such as `F_Cu` or `PTH`."""

    def __init__(self, files: dict[str, str]) -> None:
        self.files = files

    @classmethod
    def of(cls, archive: Path) -> Gerbers:
        """Return the files in an archive."""
        with zipfile.ZipFile(archive) as opened:
            names = opened.namelist()
            return cls({_key(name): opened.read(name).decode() for name in names})

    def copper(self, layer: str) -> list[Polygon]:
        """Return the pieces of copper of a layer."""
        return _copper_of(self.files[LAYERS[layer]])

    def shapes(self, key: str) -> list[Polygon]:
        """Return everything drawn on a layer."""
        return _shapes_of(self.files[key])

    def holes(self, key: str = "PTH") -> list[Polygon]:
        """Return the holes of a drill file, slots as they are milled."""
        with warnings.catch_warnings():  # KiCad repeats a statement of the header behind it
            warnings.filterwarnings("ignore", "(?s).*header statement found after", SyntaxWarning)
            read = ExcellonFile.from_string(self.files[key])
        return [_shape(part) for one in read.objects for part in one.to_primitives(unit=MM)]

    @cached_property
    def outline(self) -> Polygon:
        """The board, as its edge is drawn."""
        edge = unary_union(self.shapes("Edge_Cuts"))
        return Polygon(max((_polygons(edge)), key=lambda one: one.area).exterior).buffer(-0.05)

    def nets(self) -> Conductors:
        """Return what is joined by copper and drilled holes."""
        return Conductors({layer: self.copper(layer) for layer in LAYERS}, self.holes())


class Conductors:
    """Pieces of copper on both layers, and the groups that plated holes join them to."""

    def __init__(self, copper: dict[str, list[Polygon]], holes: Iterable[Polygon]) -> None:
        self.pieces = [(layer, piece) for layer, pieces in copper.items() for piece in pieces]
        self._tree = STRtree([piece for _, piece in self.pieces])
        self._parent = list(range(len(self.pieces)))
        for hole in holes:
            joined = list(self._touching(hole.buffer(_TOUCH)))
            for other in joined[1:]:
                self._parent[self._group(other)] = self._group(joined[0])

    def groups_at(self, pad: BoardPad) -> set[int]:
        """Return the groups that the copper of a pad belongs to: one, unless it is missing."""
        # The middle of a pad with a hole has no copper of its own.
        for reach in (0.05, 1.0):
            around = Point(pad.x, pad.y).buffer(reach)
            found = {self._group(one) for one in self._touching(around) if self.pieces[one][0] in pad.layers}
            if found:
                return found
        return set()

    def _touching(self, shape: Polygon) -> Iterator[int]:
        yield from (int(one) for one in self._tree.query(shape, predicate="intersects"))

    def _group(self, piece: int) -> int:
        while self._parent[piece] != piece:
            piece = self._parent[piece]
        return piece


def connection_faults(gerbers: Gerbers, pads: Collection[BoardPad]) -> dict[str, set[str]]:
    """Return the nets that are split, shorted, or have a pad without copper, each by name.

    A pad without a net stands for one of its own.
    """
    conductors = gerbers.nets()
    groups, owners, bare = defaultdict(set), defaultdict(set), set()
    for pad in pads:
        net = pad.net or f"{pad.ref}.{pad.number}"
        found = conductors.groups_at(pad)
        if not found:
            bare.add(net)
        groups[net] |= found
        for group in found:
            owners[group].add(net)
    return {
        "split": {net for net, found in groups.items() if len(found) > 1},
        "shorted": {net for nets in owners.values() if len(nets) > 1 for net in nets},
        "bare": bare,
    }


def carries(copper: Collection[Polygon], width: float, places: Collection[Point]) -> bool:
    """Return whether all places are joined by copper that is at least so wide everywhere."""
    wide = _pieces([piece.buffer(-width / 2, quad_segs=16) for piece in copper])
    return any(all(piece.distance(place) <= width for place in places) for piece in wide)


@lru_cache(maxsize=32)
def _copper_of(text: str) -> list[Polygon]:
    """Return the pieces of a layer; layers that a fault leaves alone are joined once."""
    return _pieces(_shapes_of(text))


def _shapes_of(text: str) -> list[Polygon]:
    read = GerberFile.from_string(text)
    return [_shape(part) for one in read.objects for part in _dark(one.to_primitives(unit=MM))]


def _key(name: str) -> str:
    stem = name.rsplit(".", 1)[0]
    return stem.rsplit("-", 1)[1]


def _pieces(shapes: Iterable[Polygon]) -> list[Polygon]:
    return _polygons(unary_union(list(shapes)))


def _polygons(shape: Polygon | MultiPolygon) -> list[Polygon]:
    return list(shape.geoms) if isinstance(shape, MultiPolygon) else [shape]


def _dark(parts: Iterable[primitives.GraphicPrimitive]) -> Iterator[primitives.GraphicPrimitive]:
    for part in parts:
        if not part.polarity_dark:
            raise ValueError("a Gerber file erases what it drew, which is not read here")
        yield part


def _shape(part: primitives.GraphicPrimitive) -> Polygon:
    match part:
        case primitives.Circle():
            return Point(part.x, part.y).buffer(part.r, quad_segs=16)
        case primitives.Line():
            return LineString([(part.x1, part.y1), (part.x2, part.y2)]).buffer(part.width / 2, quad_segs=8)
        case primitives.Rectangle():
            across, along = part.w / 2, part.h / 2
            upright = box(part.x - across, part.y - along, part.x + across, part.y + along)
            return rotate(upright, part.rotation, use_radians=True)
        case primitives.Arc():
            return _arc(part)
        case primitives.ArcPoly() if not any(centre for _, centre in filter(None, part.arc_centers)):
            return Polygon(part.outline).buffer(0)
    raise ValueError(f"{type(part).__name__} is not read here")


def _arc(part: primitives.Arc) -> Polygon:
    """Return a drawn arc; from a point to itself, it is a circle."""
    centre, start, end = (complex(*at) for at in ((part.cx, part.cy), (part.x1, part.y1), (part.x2, part.y2)))
    swept = cmath.phase((end - centre) / (start - centre)) * (-1 if part.clockwise else 1)
    swept = (swept if swept > 1e-6 else swept + 2 * math.pi) * (-1 if part.clockwise else 1)
    along = [centre + (start - centre) * cmath.exp(1j * swept * step / 90) for step in range(91)]
    return LineString([(at.real, at.imag) for at in along]).buffer(part.width / 2)
