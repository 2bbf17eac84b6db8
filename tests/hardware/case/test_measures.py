"""The measures of the wood: what is recommended fits, and what does not fit is refused with the remedy."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.errors import ConfigError
from firmware_host.games.layout import MORRIS, SQUARES
from hardware.case.measures import LightOutlet, Measures, axial_field_mt, check, neighbour_field_mt
from tests.support.paths import PROJECT

GUIDE = (PROJECT / "hardware" / "README.md").read_text("utf-8")


@pytest.mark.parametrize("layout", [MORRIS, SQUARES], ids=["morris", "squares"])
def test_recommended_measures_fit_and_make_a_board_of_300_mm(layout):
    measures = Measures.recommended(layout)
    check(measures)
    assert measures.size_mm(layout) == (300, 300)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"piece_mm": 39}, "pieces 39 mm wide overlap on points 40 mm apart: make them at most 38 mm wide"),
        ({"inlay_mm": 39}, "inlays 39 mm wide leave no wood"),
        ({"piece_mm": 32}, "hide the light of inlays 34 mm wide: make the inlays at least 36 mm wide"),
        ({"edge_mm": 15}, "reach the rim: make the edge at least 19 mm"),
        ({"upper_mm": 12}, "does not fit into a plate of 12 mm: take one of 14 mm"),
        ({"led_offset_mm": 14}, "an LED 14 mm off the centre does not fit"),
        ({"led_offset_mm": 3}, "an LED 3 mm off the centre does not fit"),
        ({"magnet_mm": 22}, "a magnet of 22 x 3 mm does not fit into a piece of 24 x 8 mm"),
        ({"magnet_height_mm": 6}, "a magnet of 8 x 6 mm does not fit"),
        ({"magnet_mm": 2, "magnet_height_mm": 1}, "a magnet of 2 x 1 mm is too weak"),
        ({"magnet_mm": 12, "magnet_height_mm": 5}, "the sensors are too close for a magnet of 12 x 5 mm"),
        (
            {"outlet": LightOutlet.HOLE, "edge_mm": 20},
            "reach the screws in the corners: make the edge at least 26",
        ),
        ({"outlet": LightOutlet.HOLE, "piece_mm": 14}, "meet the sensors' bores"),
        ({"pitch_mm": 0}, "pitch must be more than 0"),
        ({"piece_mm": -1, "upper_mm": 1e9}, "upper must be more than 0"),
        ({"inlay_mm": float("nan")}, "inlay must be more than 0"),
    ],
)
def test_measures_that_do_not_fit_are_refused_with_the_reason(change, words):
    with pytest.raises(ConfigError, match=re.escape(words)):
        check(replace(Measures(), **change))


def test_every_misfit_is_reported_at_once():
    with pytest.raises(ConfigError) as refused:
        check(replace(Measures(), piece_mm=39, upper_mm=12))
    assert len(str(refused.value).splitlines()) == 3


def test_the_pitch_that_is_proposed_for_a_strong_magnet_is_wide_enough():
    strong = replace(Measures(), magnet_mm=12, magnet_height_mm=4)
    with pytest.raises(ConfigError, match="too close") as refused:
        check(strong)
    (apart,) = map(int, re.findall(r"set the points (\d+) mm apart", str(refused.value)))
    check(replace(strong, pitch_mm=apart))


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
