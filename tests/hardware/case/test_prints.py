"""The parts for a 3D printer: closed meshes of the sizes that the model of the board has."""

import re
from collections import Counter
from math import pi
from typing import Any

import pytest

from firmware_host.games.rulesets import rule_set
from hardware.case.files.prints import holder, prints
from hardware.case.heights import Heights
from hardware.case.measures import ChipBoard, LightOutlet, Measures
from hardware.case.point import lower_holes, place
from hardware.case.sensor_types import SensorType

MILL, SHRINE = rule_set("standard", ()), rule_set("mitsudomoe", ())


def measures(rules=MILL, **choices):
    sensor = SensorType.LINEAR if rules is SHRINE else choices.pop("sensor", SensorType.REED)
    return Measures.recommended(rules.layout, rules.box, sensor=sensor, **choices)


def read(text):
    """The triangles of an STL file."""
    spots = [tuple(map(float, m)) for m in re.findall(r"vertex (\S+) (\S+) (\S+)", text)]
    return list(zip(spots[::3], spots[1::3], spots[2::3], strict=True))


def volume(triangles):
    """The volume of a mesh, positive if its triangles turn counter-clockwise seen from outside."""
    return (
        sum(
            a[0] * (b[1] * c[2] - b[2] * c[1])
            - a[1] * (b[0] * c[2] - b[2] * c[0])
            + a[2] * (b[0] * c[1] - b[1] * c[0])
            for a, b, c in triangles
        )
        / 6
    )


KINDS: list[tuple[Any, dict[str, Any]]] = [
    (MILL, {}),
    (MILL, {"sensor": SensorType.HALL}),
    (MILL, {"pitch_mm": 50.0}),
    (SHRINE, {}),
]
ALL = [
    pytest.param(rules, measures(rules, stacked=stacked, **choices), id=f"{number}-{stacked}")
    for stacked in (False, True)
    for number, (rules, choices) in enumerate(KINDS)
]


@pytest.mark.parametrize(("rules", "m"), ALL)
def test_each_edge_of_a_mesh_has_a_triangle_on_both_sides(rules, m):
    for name, text in prints(rules.box, m):
        edges = Counter(
            (one, other)
            for triangle in read(text)
            for one, other in zip(triangle, (*triangle[1:], triangle[0]), strict=True)
        )
        assert edges, name
        assert all(edges[other, one] == count for (one, other), count in edges.items()), name


@pytest.mark.parametrize(("rules", "m"), ALL)
def test_a_printed_piece_has_its_size_and_room_for_its_magnet(rules, m):
    texts = dict(prints(rules.box, m))
    mesh = read(texts["piece" if rules is MILL else "ring"])
    spans = [max(axis) - min(axis) for axis in zip(*(spot for one in mesh for spot in one), strict=True)]
    assert spans == pytest.approx([m.piece_mm, m.piece_mm, m.piece_height_mm], abs=0.01)
    pocket = pi * (m.magnet_mm / 2 + 0.1) ** 2 * m.pocket_mm
    hollow = pi * (m.piece_mm / 3) ** 2 * (3.0 if m.stacked else 2.0) if rules is SHRINE else 0.0
    whole = pi * (m.piece_mm / 2) ** 2 * m.piece_height_mm
    assert volume(mesh) == pytest.approx(whole - pocket - hollow, rel=0.01)


@pytest.mark.parametrize(("rules", "m"), ALL)
def test_a_holder_lies_in_the_bore_over_the_slots_of_its_point(rules, m):
    disc, post = holder(m)
    assert disc.outline.width < m.bore_mm
    assert post.top < m.upper_mm - m.inlay_depth_mm
    (x, y), slot = place(rules.layout.points[0], m), disc.holes[0]
    below = next(h.prism for h in lower_holes(rules.layout.points[0], m, Heights.of(m)) if "sensor" in h.name)
    assert (below.x - x, below.y - y, below.width, below.depth) == pytest.approx(
        (slot.x, slot.y, slot.width, slot.depth)
    )
    assert disc.holes[1].x == m.led_mm[0]


@pytest.mark.parametrize("choices", [{"electronics": ChipBoard.CONTROLLER}, {"outlet": LightOutlet.HOLE}])
def test_boards_without_room_for_holders_have_none(choices):
    assert {name for name, _ in prints(MILL.box, measures(**choices))} == {"piece"}
