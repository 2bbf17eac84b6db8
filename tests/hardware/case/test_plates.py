"""The sheets of a board's wood, and the files that hold them."""

import warnings
from dataclasses import replace
from itertools import combinations, pairwise
from math import dist
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host.errors import ConfigError
from firmware_host.games.layout import DIAGONAL_MORRIS, MORRIS, SQUARES
from firmware_host.games.rulesets import rule_set
from hardware.case.check import check
from hardware.case.files.dxf import sheet_dxf
from hardware.case.files.plates import sheets
from hardware.case.files.shapes import CUT, DRILL, ENGRAVE, Circle, Line, Outline, pocket
from hardware.case.files.svg import sheet_svg
from hardware.case.measures import ChipBoard, LightOutlet, Measures
from hardware.wiring.netlist import SensorType

MILL, SHRINE = rule_set("standard", ()), rule_set("mitsudomoe", ())
HOLE = LightOutlet.HOLE


def recommended(rules, **choices):
    sensor = SensorType.LINEAR if rules is SHRINE else SensorType.REED
    return Measures.recommended(rules.layout, rules.box, sensor=sensor, **choices)


def drawn(rules=MILL, **changes):
    measures = replace(recommended(rules), **changes)
    return {sheet.name: sheet for sheet in sheets(rules.layout, rules.box, measures)}


EVERY_SHEET = [
    pytest.param(sheet, id=f"{rules.layout.name}-{outlet.value}-{sheet.name}")
    for rules in (MILL, SHRINE)
    for outlet in LightOutlet
    for sheet in drawn(rules, outlet=outlet).values()
]


def circles(sheet, layer):
    return [shape for shape in sheet.shapes if isinstance(shape, Circle) and shape.layer == layer]


def ends(shape):
    match shape:
        case Line(_, start, end):
            return [start, end]
        case Circle(_, (x, y), r):
            return [(x - r, y - r), (x + r, y + r)]
        case Outline():
            return [place for place, _ in shape.vertices()]


@st.composite
def measures_that_fit(draw, rules):
    made = replace(
        recommended(rules),
        pitch_mm=draw(st.integers(30, 70)),
        edge_mm=draw(st.integers(20, 50)),
        piece_mm=draw(st.integers(16, 40)),
        inlay_mm=draw(st.integers(24, 60)),
        led_offset_mm=draw(st.integers(5, 16)),
        outlet=draw(st.sampled_from(LightOutlet)),
    )
    try:
        check(rules.layout, rules.box, made)
    except ConfigError:
        made = replace(recommended(rules), outlet=made.outlet)
    return made


@pytest.mark.parametrize("sheet", EVERY_SHEET)
def test_every_shape_is_on_its_sheet(sheet):
    for shape in sheet.shapes:
        for x, y in ends(shape):
            assert -1e-6 <= x <= sheet.width + 1e-6
            assert -1e-6 <= y <= sheet.height + 1e-6


@pytest.mark.ci("examples")
@settings(max_examples=10, deadline=None)
@given(st.sampled_from([MILL, SHRINE]), st.data())
def test_holes_of_the_upper_plate_never_meet(rules, data):
    measures = data.draw(measures_that_fit(rules))
    upper, *_ = sheets(rules.layout, rules.box, measures)
    holes = [shape for shape in upper.shapes if isinstance(shape, Circle) and shape.layer != ENGRAVE]
    for one, other in combinations(holes, 2):
        if one.centre != other.centre:  # a bore is below its inlay
            assert dist(one.centre, other.centre) >= one.radius + other.radius, (one, other)


@settings(max_examples=10, deadline=None)
@given(st.sampled_from([MILL, SHRINE]), st.data())
def test_plates_of_any_measures_are_screwed_at_the_same_places(rules, data):
    measures = data.draw(measures_that_fit(rules))
    upper, lower, *_ = sheets(rules.layout, rules.box, measures)
    pilots = [shape.centre for shape in circles(upper, pocket(12, below=True))]
    assert pilots == [shape.centre for shape in circles(lower, DRILL)]
    sides = 8 if rules is MILL else 16
    assert len(pilots) in (sides, sides + 4)
    assert (upper.width, upper.height) == (lower.width, lower.height)


def test_lower_plates_without_inlays_have_slots_below_each_light():
    upper, lower = (drawn(outlet=HOLE)[name] for name in ("upper-plate", "lower-plate"))
    slots = [shape.centre for shape in lower.shapes if isinstance(shape, Outline)]
    lights = [hole.centre for hole in circles(upper, CUT)]
    assert len(lights) == 24
    assert all(any(dist(hole, slot) < 5 for slot in slots) for hole in lights)


def test_every_point_has_an_inlay_with_a_narrower_bore_below():
    sheet = drawn()["upper-plate"]
    inlays, bores = circles(sheet, pocket(3)), circles(sheet, CUT)
    assert [inlay.centre for inlay in inlays] == [bore.centre for bore in bores]
    assert {(inlay.radius, bore.radius) for inlay, bore in zip(inlays, bores, strict=True)} == {(17, 15)}
    corner = next(inlay for inlay, point in zip(inlays, MORRIS.points, strict=True) if point.name == "a1")
    assert corner.centre == (30, 30)


def test_lines_of_play_end_at_the_inlays():
    sheet = drawn()["upper-plate"]
    lines = [shape for shape in sheet.shapes if isinstance(shape, Line) and shape.layer == ENGRAVE]
    assert len(lines) == 32
    for line in lines:
        for end in ends(line):
            assert min(dist(end, inlay.centre) for inlay in circles(sheet, pocket(3))) == pytest.approx(17)


def test_squares_are_bordered_by_lines_between_them():
    lines = [shape for shape in drawn(SHRINE)["upper-plate"].shapes if isinstance(shape, Line)]
    assert len([line for line in lines if line.layer == ENGRAVE]) == 8
    wider = drawn(SHRINE, edge_mm=40.0)["upper-plate"]
    assert len([shape for shape in wider.shapes if shape.layer == ENGRAVE]) == 12


def test_there_is_a_piece_for_each_in_the_box_with_a_pocket_for_its_magnet():
    pieces = drawn()["pieces"]
    assert [len(circles(pieces, layer)) for layer in (CUT, pocket(3.5, below=True))] == [18, 18]
    assert {magnet.radius for magnet in circles(pieces, pocket(3.5, below=True))} == {4.1}
    for one, other in combinations(circles(pieces, CUT), 2):
        assert dist(one.centre, other.centre) > one.radius + other.radius


def test_rings_have_a_hollow_for_a_ball_and_balls_are_not_drawn():
    pieces = drawn(SHRINE)["pieces"]
    assert [len(circles(pieces, layer)) for layer in (CUT, pocket(2))] == [16, 16]


def test_with_light_at_holes_there_are_no_inlays_and_pieces_leave_the_holes_free():
    with_holes = drawn(outlet=HOLE)
    assert set(with_holes) == {"upper-plate", "lower-plate", "frame", "lid", "pieces"}
    holes = circles(with_holes["upper-plate"], CUT)
    for hole, dot in zip(holes, circles(with_holes["upper-plate"], ENGRAVE), strict=True):
        assert dist(hole.centre, dot.centre) - hole.radius > 24 / 2


def test_frame_and_lid_have_the_openings_for_what_is_inside():
    wired, made = drawn(), drawn(electronics=ChipBoard.CONTROLLER, reed_mm=10.0)
    (jack,) = circles(wired["frame"], CUT)
    (behind,) = circles(wired["frame"], pocket(7, below=True))
    assert (jack.centre, 2 * jack.radius, 2 * behind.radius) == (behind.centre, 8, 14)
    for sheets_of, outlet, holes in ((wired, (26, 16), 10), (made, (16, 11), 9)):
        openings = [(one.width, one.height) for one in sheets_of["frame"].shapes if isinstance(one, Outline)]
        assert openings.count((40, 5)) == 2  # air
        assert openings.count(outlet) == 1  # the memory card, or the plug of USB-C
        assert len(circles(sheets_of["lid"], DRILL)) == 4 + holes  # screws; Pi and the board with the chips
    assert not circles(made["frame"], CUT)


def test_measures_that_do_not_fit_are_not_drawn():
    with pytest.raises(ConfigError, match="overlap"):
        drawn(piece_mm=39.0)


@pytest.mark.parametrize("sheet", EVERY_SHEET)
def test_svg_is_in_millimetres_with_a_group_for_each_layer(sheet):
    root = ElementTree.fromstring(sheet_svg(sheet))  # noqa: S314 - it was drawn here
    assert root.attrib["width"] == f"{sheet.width:g}mm"
    assert root.attrib["viewBox"] == f"0 0 {sheet.width:g} {sheet.height:g}"
    groups = root.findall("{http://www.w3.org/2000/svg}g")
    assert [group.attrib["id"] for group in groups] == [layer.name for layer in sheet.layers]
    assert sum(len(group) for group in groups) == len(sheet.shapes)
    assert groups[-1].attrib == groups[-1].attrib | {"id": "CUT", "stroke": "#ff0000"}


def test_each_slot_and_the_rim_are_one_closed_curve():
    sheet = drawn()["lower-plate"]
    *slots, rim = [shape for shape in sheet.shapes if isinstance(shape, Outline)]
    assert len(slots) == 48
    assert (rim.width, rim.height) == (sheet.width, sheet.height)
    assert sheet.shapes[-1] is rim  # what is inside is cut first
    assert [len(list(shape.vertices())) for shape in (slots[0], rim)] == [6, 8]
    root = ElementTree.fromstring(sheet_svg(sheet))  # noqa: S314 - it was drawn here
    rects = list(root.iter("{http://www.w3.org/2000/svg}rect"))
    assert [float(rect.attrib["rx"]) for rect in rects] == [1.7, 1.0] * 24 + [rim.radius]
    for rect, slot in zip(rects, slots, strict=False):
        middle = float(rect.attrib["x"]) + float(rect.attrib["width"]) / 2
        assert middle == pytest.approx(slot.centre[0])
        assert float(rect.attrib["y"]) + slot.height / 2 == pytest.approx(sheet.height - slot.centre[1])


def test_svg_has_rank_1_at_the_bottom():
    sheet = drawn()["inlays"]
    root = ElementTree.fromstring(sheet_svg(sheet))  # noqa: S314 - it was drawn here
    first = next(root.iter("{http://www.w3.org/2000/svg}circle"))
    assert float(first.attrib["cy"]) == pytest.approx(sheet.height - sheet.shapes[0].centre[1])


def pairs(text):
    lines = text.splitlines()
    assert len(lines) % 2 == 0
    return [(int(code), value) for code, value in zip(lines[::2], lines[1::2], strict=True)]


@pytest.mark.parametrize("sheet", EVERY_SHEET)
def test_dxf_is_a_sequence_of_pairs_with_every_shape_on_a_layer_of_the_table(sheet):
    found = pairs(sheet_dxf(sheet))
    assert found[-1] == (0, "EOF")
    kinds = [value for code, value in found if code == 0]
    assert kinds.count("SECTION") == kinds.count("ENDSEC") == 3
    assert sum(kinds.count(kind) for kind in ("LINE", "CIRCLE", "POLYLINE")) == len(sheet.shapes)
    assert {value for code, value in found if code == 8} == {layer.name for layer in sheet.layers}


@pytest.mark.parametrize("sheet", EVERY_SHEET)
def test_dxf_says_that_its_unit_is_the_millimetre(sheet):
    found = pairs(sheet_dxf(sheet))
    header = found[found.index((2, "HEADER")) : found.index((0, "ENDSEC"))]
    named = {name: value for (code, name), (_, value) in pairwise(header) if code == 9}
    assert (named["$INSUNITS"], named["$MEASUREMENT"]) == ("4", "1")  # millimetres, metric


@pytest.mark.ci("examples")
@pytest.mark.parametrize("sheet", EVERY_SHEET)
def test_dxf_is_read_back_as_it_was_drawn(sheet, tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # whatever that library's own libraries deprecate
        ezdxf = pytest.importorskip("ezdxf", reason="DXF is not read back: `pip install ezdxf`")
    file = tmp_path / "sheet.dxf"
    file.write_text(sheet_dxf(sheet), encoding="utf-8")
    document = ezdxf.readfile(file)
    assert document.dxfversion == "AC1009"
    assert document.units == ezdxf.units.MM
    audit = document.audit()
    assert not audit.errors
    assert not audit.fixes
    found = list(document.modelspace())
    assert len(found) == len(sheet.shapes)
    by_layer = [shape for layer in sheet.layers for shape in sheet.shapes if shape.layer == layer]
    for entity, shape in zip(found, by_layer, strict=True):
        kind = "POLYLINE" if isinstance(shape, Outline) else type(shape).__name__.upper()
        assert (entity.dxftype(), entity.dxf.layer) == (kind, shape.layer.name)
        if isinstance(shape, Line):
            assert tuple(entity.dxf.end)[:2] == pytest.approx(shape.end, abs=1e-3)
        elif isinstance(shape, Outline):
            assert entity.is_closed
            arcs = [part for part in entity.virtual_entities() if part.dxftype() == "ARC"]
            assert len(arcs) == (4 if shape.radius else 0)
            for arc in arcs:
                assert arc.dxf.radius == pytest.approx(shape.radius, abs=1e-3)
                x, y = tuple(arc.dxf.center)[:2]
                assert abs(x - shape.centre[0]) == pytest.approx(shape.width / 2 - shape.radius, abs=1e-3)
                assert abs(y - shape.centre[1]) == pytest.approx(shape.height / 2 - shape.radius, abs=1e-3)
        else:
            assert tuple(entity.dxf.center)[:2] == pytest.approx(shape.centre, abs=1e-3)
            assert entity.dxf.radius == pytest.approx(shape.radius, abs=1e-3)


def test_a_diagonal_board_has_its_diagonals():
    sheet, *_ = sheets(DIAGONAL_MORRIS, MILL.box, Measures())
    lines = [shape for shape in sheet.shapes if isinstance(shape, Line) and shape.layer == ENGRAVE]
    slanted = [line for line in lines if line.start[0] != line.end[0] and line.start[1] != line.end[1]]
    assert (len(lines), len(slanted)) == (40, 8)


def test_squares_and_points_have_the_same_size_by_default():
    assert Measures().size_mm(MORRIS) == recommended(SHRINE).size_mm(SQUARES)
