"""A board file of KiCad's, read without KiCad."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any, NamedTuple

_TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"|([()])|([^\s()"]+)')


class BoardPad(NamedTuple):
    """A pad: its place in the Gerbers' coordinates, whose y points up, and its net, or ""."""

    ref: str
    number: str
    x: float
    y: float
    layers: frozenset[str]
    net: str


class BoardFile:
    """The footprints, pads and texts of a board file."""

    def __init__(self, path: Path) -> None:
        self.tree = _parsed(path.read_text(encoding="utf-8"))
        self.footprints = {_property(part, "Reference"): part for part in _sub(self.tree, "footprint")}

    @property
    def pads(self) -> list[BoardPad]:
        """All pads with copper."""
        return [pad for ref, part in self.footprints.items() for pad in _pads(ref, part)]

    @property
    def title(self) -> dict[str, str]:
        """The title and the first comment of the title block."""
        block = _sub(self.tree, "title_block")[0]
        return {"title": _sub(block, "title")[0][1], "comment": _sub(block, "comment")[0][2]}

    def holes(self) -> list[tuple[float, float]]:
        """Return the places of the holes without copper for screws, from above, y down."""
        found = [part for ref, part in self.footprints.items() if re.fullmatch(r"H\d+", ref)]
        return sorted((float(at[1]), float(at[2])) for part in found for at in _sub(part, "at"))

    def words(self, layer: str) -> list[str]:
        """Return the texts on a layer that belong to no part."""
        return [text[1] for text in _sub(self.tree, "gr_text") if _sub(text, "layer")[0][1] == layer]

    def value(self, ref: str) -> str:
        """Return the value of a part."""
        return _property(self.footprints[ref], "Value")


def _pads(ref: str, part: list[Any]) -> list[BoardPad]:
    x, y, turn = _place(part)
    cosine, sine = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    found = []
    for pad in _sub(part, "pad"):
        if pad[2] == "np_thru_hole":
            continue
        across, down, _ = _place(pad)
        named = {layer for layer in _sub(pad, "layers")[0][1:] if layer.endswith(".Cu")}
        layers = frozenset({"F.Cu", "B.Cu"} if "*.Cu" in named else named)
        nets = _sub(pad, "net")
        place = x + across * cosine + down * sine, -(y - across * sine + down * cosine)
        found.append(BoardPad(ref, pad[1], *place, layers, nets[0][2] if nets else ""))
    return found


def _place(part: list[Any]) -> tuple[float, float, float]:
    x, y, *turn = map(float, _sub(part, "at")[0][1:])
    return x, y, turn[0] if turn else 0.0


def _property(part: list[Any], name: str) -> str:
    return str(next(one[2] for one in _sub(part, "property") if one[1] == name))


def _sub(tree: list[Any], name: str) -> list[list[Any]]:
    return [one for one in tree if isinstance(one, list) and one and one[0] == name]


def _parsed(text: str) -> list[Any]:
    """Return an S-expression as lists of words."""
    stack: list[list[Any]] = [[]]
    for quoted, bracket, word in _TOKEN.findall(text):
        if bracket == "(":
            stack.append([])
        elif bracket == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(word or quoted)
    (tree,) = stack[0]
    return list(tree)
