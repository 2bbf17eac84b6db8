"""Nothing of a board is in the way of anything else, and each fault that once was is found again."""

import re
from dataclasses import replace
from itertools import product

import pytest

from firmware_host.errors import ConfigError
from firmware_host.games.layout import MORRIS
from firmware_host.games.rulesets import rule_set
from hardware.case import housing
from hardware.case.assembly import assemble
from hardware.case.carriers import CARRIERS, PIXEL
from hardware.case.check import check, clashes
from hardware.case.heights import Heights
from hardware.case.measures import (
    GAP_MM,
    MODULE_MM,
    MODULE_PLAY_MM,
    RIM_MM,
    ChipBoard,
    LightOutlet,
    Measures,
)
from hardware.case.solids import Hole, Prism, Solid, meetings
from hardware.wiring.netlist import SensorType

STRIPBOARD, CONTROLLER = ChipBoard.STRIPBOARD, ChipBoard.CONTROLLER
MILL, SHRINE = rule_set("standard", ()), rule_set("mitsudomoe", ())
SOME_MM = (*range(30, 41), 45, 50, 60)
"""Distances from row to row, close to each other where it becomes narrow."""


def boards(pitches):
    """Every kind of board that is recommended at these distances from row to row."""
    wide, squares = ([pitch for pitch in pitches if pitch >= least] for least in (CONTROLLER_MM, SQUARES_MM))
    kinds = SensorType, LightOutlet, [STRIPBOARD], (False, True)
    with_modules = SensorType, [LightOutlet.INLAY], [CONTROLLER], (False, True)
    linear = [SensorType.LINEAR], LightOutlet, [STRIPBOARD], (False, True)
    yield from product([MILL], pitches, *kinds)
    yield from product([MILL], wide, *with_modules)
    yield from product([SHRINE], squares, *linear)


CONTROLLER_MM, SQUARES_MM = 36, 39
"""The least distances: below, circuit boards are wider than bores, and stacks on squares disturb others."""

BOARDS = list(boards(SOME_MM))


def recommended(rules=MILL, **choices):
    return Measures.recommended(rules.layout, rules.box, **choices)


def faults(parts_of=None, **changes):
    """The clashes of the recommended board after a change of measures, or of its parts."""
    made = assemble(MORRIS, replace(recommended(), **changes))
    if parts_of:
        made = replace(made, parts=tuple(parts_of(made.parts)))
    return "\n".join(clashes(made))


def built(rules, pitch, sensor, outlet, electronics, stacked):
    measures = recommended(
        rules,
        pitch_mm=float(pitch),
        sensor=sensor,
        outlet=outlet,
        electronics=electronics,
        stacked=stacked,
    )
    return check(rules.layout, rules.box, measures)


@pytest.mark.parametrize("board", BOARDS[::29])
def test_recommended_boards_of_all_kinds_and_sizes_can_be_built(board):
    built(*board)


@pytest.mark.ci("examples")
def test_every_recommended_board_can_be_built():
    for board in BOARDS:
        built(*board)


@pytest.mark.long
def test_boards_of_every_millimetre_can_be_built():
    for board in boards(range(30, 61)):
        built(*board)


@pytest.mark.parametrize("stacked", [False, True])
@pytest.mark.parametrize("pitch", range(30, CONTROLLER_MM))
def test_bores_that_circuit_boards_do_not_fit_are_refused(pitch, stacked):
    assert pitch - GAP_MM - 2 * RIM_MM < MODULE_MM + MODULE_PLAY_MM
    with pytest.raises(ConfigError, match=r"29 mm wide don't fit bores of .* apart, or take the stripboard"):
        built(MILL, pitch, SensorType.REED, LightOutlet.INLAY, CONTROLLER, stacked)


@pytest.mark.parametrize("pitch", range(30, SQUARES_MM))
def test_squares_are_refused_where_no_magnet_is_weak_enough(pitch):
    with pytest.raises(ConfigError, match=r"sensors are too close .* allowed: set the points 39 mm apart$"):
        built(SHRINE, pitch, SensorType.LINEAR, LightOutlet.INLAY, STRIPBOARD, stacked=False)


def test_a_weaker_magnet_is_named_only_where_it_helps():
    def refusal(pitch):
        strong = recommended(SHRINE, pitch_mm=pitch, sensor=SensorType.LINEAR)
        with pytest.raises(ConfigError) as refused:
            check(SHRINE.layout, SHRINE.box, replace(strong, magnet_mm=8.0, magnet_height_mm=3.0))
        return str(refused.value)

    assert "allowed: take magnets of 6 x 2 mm, or set" in refusal(42.0)
    assert "allowed: set the points" in refusal(38.0)


def test_the_balls_of_a_box_count_for_more_than_rings():
    rings = {piece: count for piece, count in SHRINE.box.items() if not piece.magnet}
    few = dict.fromkeys(rings, 11)
    m = recommended(SHRINE, sensor=SensorType.LINEAR)
    assert sum(few.values()) == sum(SHRINE.box.values())
    assert 1.1 < m.stray_mt(SHRINE.layout, SHRINE.box) / m.stray_mt(SHRINE.layout, few) < 1.5


@pytest.mark.parametrize("pitch", [39, 42, 45])
@pytest.mark.parametrize("outlet", LightOutlet)
def test_small_boards_of_squares_get_an_edge_with_room(pitch, outlet):
    m = recommended(SHRINE, pitch_mm=float(pitch), sensor=SensorType.LINEAR, outlet=outlet)
    narrow = outlet is LightOutlet.HOLE or pitch == 39
    assert (m.edge_mm > 30) is narrow
    if narrow:
        with pytest.raises(ConfigError, match="make the edge wider"):
            check(SHRINE.layout, SHRINE.box, replace(m, edge_mm=30.0))


@pytest.mark.parametrize(
    ("rules", "choices"),
    [
        (MILL, {"pitch_mm": 30.0, "electronics": CONTROLLER}),
        (MILL, {"pitch_mm": 35.0, "electronics": CONTROLLER, "stacked": True}),
        (SHRINE, {"pitch_mm": 33.0, "outlet": LightOutlet.HOLE}),
        (SHRINE, {"pitch_mm": 35.0, "outlet": LightOutlet.HOLE, "stacked": True}),
        (SHRINE, {"pitch_mm": 30.0}),
    ],
)
def test_who_follows_the_advice_of_refusals_gets_a_board(rules, choices):
    choices = {"sensor": SensorType.LINEAR} | choices
    lengths = {}
    for _ in range(12):
        try:
            check(rules.layout, rules.box, recommended(rules, lengths=lengths, **choices))
        except ConfigError as refused:
            advice = str(refused)
        else:
            break
        if apart := re.search(r"set the points (?:at least )?(\d+) mm apart", advice):
            choices["pitch_mm"] = float(apart[1])
        elif "the edge wider" in advice and lengths.get("edge_mm", 30.0) < 50:
            lengths["edge_mm"] = lengths.get("edge_mm", 30.0) + 5
        else:
            assert "set the points further apart" in advice
            choices["pitch_mm"] += 1
    else:
        pytest.fail(f"after a dozen changes still: {advice}")
    assert lengths or choices["pitch_mm"] > 35


def test_a_frame_inside_the_screws_is_found_over_led_slots():
    def moved(parts):
        for part in parts:
            if part.name == "frame" and part.where == "right":
                prism = replace(part.prism, x=300 - 16.0)  # 11 to 21 mm from the rim
                part = replace(part, prism=prism, holes=())
            yield part

    found = faults(moved)
    assert "the frame and the screw meet" in found
    assert (
        "the LED" in faults(moved, led_offset_mm=10.0, frame_mm=10.0) or "LED's wires and the frame" in found
    )


def test_wires_that_a_slot_is_too_narrow_for_are_found():
    def narrowed(parts):
        for part in parts:
            if part.name == "lower plate":
                holes = (
                    replace(hole, prism=replace(hole.prism, width=8.0, depth=3.0, radius=1.5))
                    if hole.name == "slot of the LED at d5"
                    else hole
                    for hole in part.holes
                )
                part = replace(part, holes=tuple(holes))
            yield part

    assert "LED's wires and the lower plate meet at d5" in faults(narrowed)


def test_a_strip_that_covers_the_slot_of_its_reed_is_found():
    lengthwise = replace(PIXEL, width=16.7, depth=10.0, radius=0.0)
    found = faults(carrier=lengthwise, led_offset_mm=9.0)
    assert "the LED's carrier and the reed" in found
    assert "the LED's carrier and the upper plate meet" in found


def test_a_piece_of_33_mm_fits_no_bore_wherever_it_lies():
    for offset in range(2, 15):
        assert "LED's carrier" in faults(carrier=CARRIERS["strip-30"], led_offset_mm=float(offset))


def test_a_reed_without_room_for_its_bent_wire_is_found():
    def lifted(parts):
        for part in parts:
            if part.unit == "sensor d5":
                part = replace(
                    part, prism=replace(part.prism, top=part.prism.top + 1, bottom=part.prism.bottom + 1)
                )
            yield part

    assert "the inlay and the reed's bent wire meet at d5" in faults(lifted)


def test_a_low_frame_is_found_to_press_wires_onto_the_boards():
    assert "the stripboard" in faults(frame_height_mm=30.0)


def test_a_wire_across_a_screw_or_a_glass_is_found():
    h = Heights.of(recommended())
    for name, at in (("screw", (90.0, 16.0)), ("reed", (30.0, 30.0))):
        wire = Solid("wires of the LEDs", "", Prism.disc(*at, 2.0, h.lower - 2.0, h.lower), soft=True)
        assert f"{name} and the wires of the LEDs meet" in faults(lambda parts, wire=wire: (*parts, wire))


def test_a_screw_that_is_longer_than_its_pilot_hole_is_found(monkeypatch):
    monkeypatch.setattr(housing, "screw_mm", lambda through: 20.0)
    assert "the screw and the upper plate meet" in faults()


def test_a_block_below_a_screw_of_the_plates_is_found(monkeypatch):
    corner = dict.fromkeys(housing.FrameSide, (16.0, 90.0))
    monkeypatch.setattr(housing, "lid_screws", lambda layout, m: corner)
    assert "the lid's block and the screwdriver meet" in faults()


def test_walls_between_holes_and_at_the_rim_are_found():
    def drilled(parts):
        for part in parts:
            if part.name == "lower plate":
                near = Hole("screw too near", Prism.disc(1.5, 150, 3.2, part.prism.bottom, part.prism.top))
                beside = replace(near, name="screw beside", prism=replace(near.prism, x=33.0, y=30.0))
                part = replace(part, holes=(*part.holes, near, beside))
            yield part

    found = faults(drilled)
    assert "at the rim at screw too near" in found
    assert "slot of the sensor at a1 and screw beside" in found or "screw beside and slot" in found


def test_stacks_of_odd_thickness_are_refused():
    with pytest.raises(ConfigError, match="upper of 16 mm can't be made from sheets of 3 mm: take 18 mm"):
        check(MORRIS, MILL.box, replace(recommended(stacked=True), upper_mm=16.0))


@pytest.mark.parametrize(
    ("one", "other", "meet"),
    [
        (Prism.disc(0, 0, 10, 0, 1), Prism.disc(9.9, 0, 10, 0, 1), True),
        (Prism.disc(0, 0, 10, 0, 1), Prism.disc(10, 0, 10, 0, 1), False),
        (Prism.disc(0, 0, 10, 0, 1), Prism.disc(7, 7.2, 10, 0, 1), False),
        (Prism.box(0, 0, 10, 10, 0, 1), Prism.disc(13, 13, 8, 0, 1), False),
        (Prism.box(0, 0, 10, 10, 0, 1), Prism.disc(12, 12, 8, 0, 1), True),
        (Prism.box(0, 0, 10, 10, 0, 1), Prism.box(2, 2, 3, 3, 0.5, 2), True),
        (Prism.box(0, 0, 10, 10, 0, 1), Prism.box(2, 2, 3, 3, 1, 2), False),
    ],
)
def test_prisms_meet_where_they_claim_the_same_room(one, other, meet):
    assert one.meets(other) is other.meets(one) is meet
    assert bool([*meetings([Solid("a", "", one), Solid("b", "", other)])]) is meet


def test_a_part_is_admitted_by_holes_that_follow_one_another():
    wood = Prism.box(0, 0, 20, 20, 0, 10)
    wide, narrow = Hole("a", Prism.disc(10, 10, 10, 0, 6)), Hole("a", Prism.disc(10, 10, 8, 6, 10))
    plate = Solid("plate", "", wood, (wide, narrow))
    assert plate.admits(Prism.disc(10, 10, 8, -5, 15))
    assert not plate.admits(Prism.disc(10, 10, 9, -5, 15))
    assert plate.admits(Prism.disc(10, 10, 9, -5, 6))
