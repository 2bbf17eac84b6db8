"""The circuit boards to order are part of the model of the wood."""

from dataclasses import replace

import pytest

from firmware_host.errors import ConfigError
from firmware_host.games.layout import MORRIS, SQUARES
from firmware_host.games.rulesets import rule_set
from hardware.case import insides, looms, module
from hardware.case.check import check
from hardware.case.heights import Heights
from hardware.case.measures import ChipBoard, LightOutlet, Measures
from hardware.case.module import module_bottom
from hardware.case.sensor_types import SensorType
from hardware.wiring.bom import parts
from tests.support.hardware.plans import PRESENCE

BOX = rule_set("standard", ()).box


def measures(sensor=SensorType.REED, **changes):
    made = Measures.recommended(MORRIS, BOX, sensor=sensor, electronics=ChipBoard.CONTROLLER)
    return replace(made, **changes)


def test_a_reed_of_14_mm_needs_a_thicker_plate_above_its_board():
    with pytest.raises(ConfigError, match=r"reeds of at most 11 mm, or an upper plate of 17\.5 mm"):
        check(MORRIS, BOX, measures(reed_mm=14.0))
    check(MORRIS, BOX, measures(reed_mm=14.0, upper_mm=18.0))
    check(MORRIS, BOX, measures(reed_mm=11.0))


def test_a_board_inside_the_bore_leaves_no_room_for_a_reed(monkeypatch):
    monkeypatch.setattr(module, "module_bottom", lambda m, h: h.upper)
    with pytest.raises(ConfigError, match="no room above its circuit board: take reeds of at most 5 mm"):
        check(MORRIS, BOX, measures())


def test_boards_hang_below_the_plate_with_reeds_and_lie_on_it_with_halls():
    for sensor, part in ((SensorType.REED, "below"), (SensorType.HALL, "on"), (SensorType.LINEAR, "on")):
        h = Heights.of(measures(sensor))
        bottom = module_bottom(measures(sensor), h)
        assert (bottom + module.BOARD_MM == h.lower) if part == "below" else (bottom == h.upper)


def test_wires_that_cross_a_board_are_found(monkeypatch):
    monkeypatch.setattr(looms, "wires_top", lambda m, h: h.lower)
    with pytest.raises(ConfigError, match="the module and the wires of the LEDs meet"):
        check(MORRIS, BOX, measures())


def test_a_controller_above_a_block_of_the_frame_is_found(monkeypatch):
    monkeypatch.setattr(insides, "_WIRE_ROOM_MM", 10.0)  # the lid's block is 12 mm deep
    with pytest.raises(ConfigError, match="the controller and the lid's block meet"):
        check(MORRIS, BOX, measures())


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"outlet": LightOutlet.HOLE}, "below the piece: choose inlays, or the stripboard"),
        ({"inlay_mm": 33.0}, "don't fit bores of 29 mm: make the inlays at least 34 mm wide"),
        ({"frame_height_mm": 39.0}, "controller's capacitor and the (module|lower plate) meet"),
    ],
)
def test_wood_without_room_for_circuit_boards_is_refused(changes, words):
    with pytest.raises(ConfigError, match=words):
        check(MORRIS, BOX, measures(**changes))


def test_25_squares_have_no_circuit_boards():
    box = rule_set("mitsudomoe", ()).box
    made = Measures.recommended(SQUARES, box, sensor=SensorType.LINEAR, electronics=ChipBoard.CONTROLLER)
    with pytest.raises(ConfigError, match="for boards with 24 points"):
        check(SQUARES, box, made)


def test_the_parts_list_names_reeds_that_fit_circuit_boards():
    def reed(plan):
        return next(row.remark for row in parts(plan) if row.what.startswith("reed"))

    on_boards = replace(PRESENCE, sensors=replace(PRESENCE.sensors, boards=True))
    assert "glass 10 or 11 mm" in reed(on_boards)
    assert "glass 10 to 14 mm" in reed(PRESENCE)
