"""Reads a drawing back from its SVG: texts with the room they take, wires with their nets, pins."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from xml.etree import ElementTree

SVG = "{http://www.w3.org/2000/svg}"
Spot = tuple[int, int]
Box = tuple[int, int, int, int]
POWER = ("GND", "3.3 V", "5 V", "USB 5V")


@dataclass(frozen=True)
class PlacedText:
    words: str
    left: float
    top: float
    right: float
    bottom: float
    line: int

    def overlaps(self, other: "PlacedText") -> bool:
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )

    def is_crossed(self, a: Spot, b: Spot) -> bool:
        """Return True if a stroke from a to b passes through this text."""
        (ax, ay), (bx, by) = a, b
        if min(ax, bx) >= self.right or max(ax, bx) <= self.left:
            return False
        if min(ay, by) >= self.bottom or max(ay, by) <= self.top:
            return False
        if ax == bx or ay == by:
            return True
        walk = ((ax + (bx - ax) * n / 20, ay + (by - ay) * n / 20) for n in range(21))
        return any(self.left < x < self.right and self.top < y < self.bottom for x, y in walk)


class Paper:
    """One drawing."""

    def __init__(self, svg: str) -> None:
        root = ElementTree.fromstring(svg)  # noqa: S314 - it was drawn here
        assert root.tag == f"{SVG}svg"
        self.width, self.height = (int(root.attrib[side]) for side in ("width", "height"))
        self.texts = [_text(element) for element in root.iter(f"{SVG}text")]
        lines = list(root.iter(f"{SVG}polyline"))
        self.wires = [(e.attrib["data-net"], _places(e)) for e in lines if "data-net" in e.attrib]
        self.strokes = [pair for e in lines for pair in pairwise(_places(e))]
        circles = list(root.iter(f"{SVG}circle"))
        self.pins = {e.attrib["data-pin"]: _centre(e) for e in circles if "data-pin" in e.attrib}
        self.joints = [(e.attrib["data-net"], _centre(e)) for e in circles if "data-net" in e.attrib]

    def joined(self) -> list[tuple[set[str], set[str]]]:
        """For each piece of joined wire the nets that its wires claim, and the pins that it touches."""
        groups: list[list[int]] = []
        boxes = [_box(places) for _, places in self.wires]
        for number, (_, places) in enumerate(self.wires):
            apart, united = [], [number]
            for group in groups:
                near = [other for other in group if _meet(boxes[number], boxes[other])]
                if any(_touch(places, self.wires[other][1]) for other in near):
                    united += group
                else:
                    apart.append(group)
            groups = [*apart, united]
        return [
            (
                {self.wires[number][0] for number in group},
                {
                    name
                    for name, at in self.pins.items()
                    if any(at in (self.wires[n][1][0], self.wires[n][1][-1]) for n in group)
                },
            )
            for group in groups
        ]


def assert_readable(paper: Paper) -> None:
    """No text lies on another, under a stroke or beyond the edge."""
    for text in paper.texts:
        assert 0 <= text.left <= text.right <= paper.width, text
        assert 0 <= text.top <= text.bottom <= paper.height, text
    texts = sorted(paper.texts, key=lambda text: text.top)
    for number, one in enumerate(texts, start=1):
        for other in islice(texts, number, None):
            if other.top >= one.bottom:
                break
            assert not one.overlaps(other), (one, other)
    for a, b in paper.strokes:
        _, top, _, bottom = _box((a, b))
        near = [text for text in texts if text.top < bottom + 1 and top - 1 < text.bottom]
        assert not [text for text in near if text.is_crossed(a, b)], (a, b)


def _box(places: Sequence[Spot]) -> Box:
    """The room that a wire takes: left, top, right, bottom."""
    across, down = zip(*places, strict=True)
    return min(across), min(down), max(across), max(down)


def _meet(one: Box, other: Box) -> bool:
    return one[0] <= other[2] and other[0] <= one[2] and one[1] <= other[3] and other[1] <= one[3]


def _touch(a: Sequence[Spot], b: Sequence[Spot]) -> bool:
    """Wires are joined where one begins or ends on the other."""
    return any(_on(end, b) for end in (a[0], a[-1])) or any(_on(end, a) for end in (b[0], b[-1]))


def _on(place: Spot, places: Sequence[Spot]) -> bool:
    x, y = place
    return (
        any(
            (ax == x == bx and min(ay, by) <= y <= max(ay, by))
            or (ay == y == by and min(ax, bx) <= x <= max(ax, bx))
            for (ax, ay), (bx, by) in pairwise(places)
        )
        or place in places
    )


def _text(element: ElementTree.Element) -> PlacedText:
    size, words = int(element.attrib["font-size"]), element.text or ""
    width = size * 0.62 * len(words)
    x, y = int(element.attrib["x"]), int(element.attrib["y"])
    left = x - width * {"start": 0, "middle": 0.5, "end": 1}[element.attrib.get("text-anchor", "start")]
    return PlacedText(words, left, y - 0.75 * size, left + width, y + 0.15 * size, y)


def _places(element: ElementTree.Element) -> list[Spot]:
    pairs = (place.split(",") for place in element.attrib["points"].split())
    return [(int(x), int(y)) for x, y in pairs]


def _centre(element: ElementTree.Element) -> Spot:
    return int(element.attrib["cx"]), int(element.attrib["cy"])
