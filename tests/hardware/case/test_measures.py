"""The measures of the wood: what is recommended fits, and what does not fit is refused with the remedy."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.errors import ConfigError
from firmware_host.games.layout import MORRIS, SQUARES
from firmware_host.games.rulesets import rule_set
from hardware.case.carriers import CARRIERS
from hardware.case.check import check, longest_reed_mm
from hardware.case.magnets import REED_CLOSES_MT, axial_field_mt, neighbour_field_mt
from hardware.case.measures import LightOutlet, Measures
from hardware.wiring.bom import parts
from hardware.wiring.netlist import SensorType
from tests.support.hardware.plans import PRESENCE
from tests.support.paths import PROJECT

BOX = rule_set("standard", ()).box
BOXES = {MORRIS: BOX, SQUARES: rule_set("mitsudomoe", ()).box}


def default(layout=MORRIS, **changes):
    sensor = SensorType.LINEAR if layout is SQUARES else SensorType.REED
    return replace(Measures.recommended(layout, BOXES[layout], sensor=sensor), **changes)


def refused(measures, words):
    with pytest.raises(ConfigError, match=re.escape(words)) as error:
        check(MORRIS, BOX, measures)
    return str(error.value)


GUIDE = (PROJECT / "hardware" / "README.md").read_text("utf-8")


@pytest.mark.parametrize("layout", [MORRIS, SQUARES], ids=["morris", "squares"])
def test_recommended_measures_fit_and_make_a_board_of_300_mm(layout):
    measures = default(layout)
    check(layout, BOXES[layout], measures)
    assert measures.size_mm(layout) == (300, 300)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"piece_mm": 39}, "pieces 39 mm wide overlap on points 40 mm apart: make them at most 38 mm wide"),
        ({"inlay_mm": 39}, "inlays 39 mm wide leave no wood"),
        ({"piece_mm": 32}, "hide the light of inlays 34 mm wide: make the inlays at least 36 mm wide"),
        ({"edge_mm": 15}, "reach the rim: make the edge at least 19 mm"),
        ({"upper_mm": 12}, "take reeds of at most 12 mm, or an upper plate of 14 mm"),
        ({"led_offset_mm": 14}, "the LED's carrier and the upper plate meet at a1, a4, a7 and 21 more"),
        ({"led_offset_mm": 3}, "the LED's carrier and the reed meet"),
        ({"magnet_mm": 22}, "a magnet of 22 x 3 mm does not fit into a piece of 24 x 8 mm"),
        ({"magnet_height_mm": 6}, "a magnet of 8 x 6 mm does not fit"),
        ({"magnet_mm": 2, "magnet_height_mm": 1}, "a magnet of 2 x 1 mm is too weak"),
        ({"magnet_mm": 12, "magnet_height_mm": 5}, "the sensors are too close for a magnet of 12 x 5 mm"),
        ({"outlet": LightOutlet.HOLE, "edge_mm": 20}, "LED's wires and the frame meet at a7, d7, g7"),
        (
            {"outlet": LightOutlet.HOLE, "piece_mm": 14},
            "thinner than 2 mm between bore of a1 and light of a1",
        ),
        ({"pitch_mm": 0}, "pitch must be more than 0"),
        ({"piece_mm": -1, "upper_mm": 1e9}, "upper must be more than 0"),
        ({"inlay_mm": float("nan")}, "inlay must be more than 0"),
    ],
)
def test_measures_that_do_not_fit_are_refused_with_the_reason(change, words):
    refused(default(**change), words)


def test_every_misfit_is_reported_at_once():
    assert len(refused(default(piece_mm=39, upper_mm=12), "overlap").splitlines()) == 3


def test_the_pitch_that_is_proposed_for_a_strong_magnet_is_wide_enough():
    strong = default(magnet_mm=12, magnet_height_mm=4)
    (apart,) = map(int, re.findall(r"set the points (\d+) mm apart", refused(strong, "too close")))
    check(MORRIS, BOX, replace(strong, pitch_mm=apart))


def test_a_whole_board_of_other_pieces_does_not_close_a_reed():
    stray = default().stray_mt(MORRIS, BOX)
    single = neighbour_field_mt(8, 3, 40)
    assert single < 0.3 * REED_CLOSES_MT  # one neighbour alone would disturb nothing
    assert 2 * single < stray < 0.85 * REED_CLOSES_MT
    refused(default(magnet_mm=10), "all other pieces together have 1.02 mT")


@pytest.mark.parametrize("reed", [10, 12, 14, 15])
def test_reeds_of_usual_lengths_fit_with_their_bent_wires(reed):
    check(MORRIS, BOX, default(reed_mm=float(reed)))


def test_a_reed_that_is_too_long_is_refused_with_the_longest_that_fits():
    words = refused(default(reed_mm=18.0), "would stand 6 mm below the lower plate")
    (longest,) = map(int, re.findall(r"take reeds of at most (\d+) mm", words))
    check(MORRIS, BOX, default(reed_mm=float(longest)))


def test_the_parts_list_names_no_reed_that_does_not_fit():
    (remark,) = [row.remark for row in parts(PRESENCE) if row.what.startswith("reed")]
    (longest,) = map(int, re.findall(r"glass 10 to (\d+) mm", remark))
    assert longest <= longest_reed_mm(default())
    assert longest == Measures().reed_mm


@pytest.mark.parametrize("name", ["strip-30", "strip-60"])
def test_long_pieces_of_strip_do_not_fit_and_are_not_in_the_parts_list(name):
    carrier = CARRIERS[name]
    for offset in (6.0, 7.0, 7.3, 8.0, 8.5, 10.0):
        refused(default(carrier=carrier, led_offset_mm=offset), "a strip with 144 a metre")
    per_metre = name.removeprefix("strip-")
    (remark,) = [row.remark for row in parts(PRESENCE) if "LED" in row.what]
    assert f"{per_metre} a metre" not in remark
    assert "10 mm" in remark
    assert "144 a metre" in remark


@pytest.mark.parametrize("name", ["pixel", "strip-144"])
def test_short_carriers_of_leds_fit(name):
    check(MORRIS, BOX, Measures.recommended(MORRIS, BOX, carrier=CARRIERS[name]))


def test_a_magnet_that_a_narrow_board_allows_is_recommended():
    assert Measures.recommended(MORRIS, BOX, pitch_mm=30).magnet == (6, 2)
    assert Measures.recommended(MORRIS, BOX).magnet == (8, 3)
    assert Measures.recommended(MORRIS, BOX, pitch_mm=38).magnet == (8, 3)
    assert Measures.recommended(MORRIS, BOX, pitch_mm=38, outlet=LightOutlet.HOLE).magnet == (6, 2)
    assert Measures.recommended(MORRIS, BOX, pitch_mm=38, lengths={"reed_mm": 8.0}).magnet == (6, 2)


def test_the_guide_has_the_fields_that_are_calculated_here():
    rows = re.findall(r"^\| (\d+) x (\d+) mm \| (.*) \|$", GUIDE, re.M)
    assert len(rows) == 3
    for diameter, height, cells in rows:
        *near, beside = [float(cell.removesuffix(" mT")) for cell in cells.split(" | ")]
        for distance, given_mt in zip((4, 6, 8, 10, 15), near, strict=True):
            assert axial_field_mt(int(diameter), int(height), distance) == pytest.approx(given_mt, rel=0.03)
        assert neighbour_field_mt(int(diameter), int(height), 40) == pytest.approx(beside, abs=0.05)


@given(st.floats(2, 20), st.floats(1, 10), st.floats(1, 50))
def test_a_field_falls_with_the_distance_and_never_exceeds_the_remanence(diameter, height, distance):
    near, far = (axial_field_mt(diameter, height, distance + more) for more in (0, 1))
    assert 0 < far < near < 1300
    assert neighbour_field_mt(diameter, height, distance + 1) < neighbour_field_mt(diameter, height, distance)
