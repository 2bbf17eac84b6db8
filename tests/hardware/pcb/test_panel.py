"""The panel of nine points: each copy's copper is the point's, and comes out of the panel as a disc."""

from functools import cache

import pytest
from shapely.affinity import translate
from shapely.geometry import Point, Polygon
from shapely.ops import unary_union

from hardware.case.measures import MODULE_MM
from hardware.pcb.__main__ import FILES
from hardware.pcb.layouts.point import POINT
from tests.support.pcb.board_file import BoardFile
from tests.support.pcb.compare import PANEL
from tests.support.pcb.faults import without_longest_track
from tests.support.pcb.gerbers import LAYERS, Gerbers, connection_faults

PLACES = [(x, -y) for y in (19.0, 50.0, 81.0) for x in (19.0, 50.0, 81.0)]
RADIUS = MODULE_MM / 2
TABS, HOLES_OF_A_TAB = 4, 4
SLOT_MM = 2.0

panel = cache(lambda: Gerbers.of(FILES / f"{PANEL}-gerber.zip"))
point = cache(lambda: Gerbers.of(FILES / "point-gerber.zip"))


def moved(shape, place):
    return translate(shape, place[0] - POINT.centre[0], place[1] + POINT.centre[1])


@cache
def pads():
    """The pads of the point's own file, in each place, with nets of their own."""
    by = [(x - POINT.centre[0], y + POINT.centre[1]) for x, y in PLACES]
    names = [f"{number}." for number in range(len(PLACES))]
    return [
        pad._replace(x=pad.x + x, y=pad.y + y, ref=name + pad.ref, net=pad.net and name + pad.net)
        for name, (x, y) in zip(names, by, strict=True)
        for pad in BoardFile(FILES / "point.kicad_pcb").pads
    ]


@cache
def solid():
    """The panel after all slots are milled."""
    edges = list(unary_union(panel().shapes("Edge_Cuts")).geoms)
    outer, *slots = sorted((Polygon(edge.exterior) for edge in edges), key=lambda part: -part.area)
    return outer.difference(unary_union(slots))


def test_the_copper_joins_what_that_of_each_point_does():
    assert connection_faults(panel(), pads()) == {"split": set(), "shorted": set(), "bare": set()}


@pytest.mark.parametrize("layer", LAYERS.values())
def test_a_missing_track_of_the_panel_is_found(layer):
    assert connection_faults(without_longest_track(panel(), layer), pads())["split"]


@pytest.mark.parametrize("key", ["F_Mask", "B_Mask", "F_Paste", "F_Silkscreen", "B_Silkscreen"])
def test_each_copy_is_printed_and_masked_as_the_point(key):
    one, all_of_it = unary_union(point().shapes(key)), unary_union(panel().shapes(key))
    for place in PLACES:
        within = Point(place).buffer(RADIUS - 0.8)
        wanted = moved(one, place).intersection(within)
        assert wanted.symmetric_difference(all_of_it.intersection(within)).area < 0.01


def test_each_copy_is_drilled_as_the_point():
    own = [hole for place in PLACES for hole in (moved(hole, place) for hole in point().holes())]
    assert unary_union(own).symmetric_difference(unary_union(panel().holes())).area < 0.01
    assert len(panel().holes("NPTH")) == len(PLACES) * TABS * HOLES_OF_A_TAB


def test_the_panel_is_one_board_of_100_mm_with_all_points_in_it():
    left, bottom, right, top = solid().bounds
    assert (right - left, top - bottom) == pytest.approx((100, 100), abs=0.2)
    assert solid().geom_type == "Polygon", "the frame and what lies between the discs hold together"
    for place in PLACES:
        assert solid().covers(Point(place).buffer(RADIUS - 0.1))


def test_each_point_hangs_in_slots_on_four_short_tabs():
    for place in PLACES:
        # The circle begins at the right, in a slot, so no tab is counted twice.
        around = Point(place).buffer(RADIUS + SLOT_MM / 2, quad_segs=90).exterior
        tabs = [tab.length for tab in around.intersection(solid()).geoms]
        assert len(tabs) == TABS
        assert all(2 < tab < 5 for tab in tabs)


def test_a_broken_tab_leaves_a_disc_that_fits_its_bore():
    for x, y in PLACES:
        for hole in panel().holes("NPTH"):
            apart = hole.centroid.distance(Point(x, y))
            if apart < RADIUS + 1:
                assert RADIUS - 0.3 < apart < RADIUS, "the holes lie inside the edge"


def test_no_copper_is_near_the_holes_of_the_tabs():
    holes = unary_union(panel().holes("NPTH"))
    for layer in LAYERS:
        assert unary_union(panel().copper(layer)).distance(holes) > 0.2
