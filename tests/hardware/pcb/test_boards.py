"""The circuit boards' files, read without KiCad: their copper joins what the circuit joins, and is new."""

from __future__ import annotations

import csv
import io
from functools import cache

import pytest
from shapely.geometry import Point, box

from hardware.case import module
from hardware.case.measures import MODULE_LED_MM, MODULE_MM
from hardware.pcb.__main__ import FILES, parts_csv
from hardware.pcb.layouts.controller import CONTROLLER, PI_HOLES, PIN_1
from hardware.pcb.layouts.point import POINT
from hardware.pcb.netlist import boards, circuits
from hardware.wiring.pinout import HEADER
from tests.support.pcb.board_file import BoardFile
from tests.support.pcb.compare import differences
from tests.support.pcb.compare import main as compare_boards
from tests.support.pcb.faults import without_longest_track, without_vias
from tests.support.pcb.gerbers import LAYERS, Gerbers, carries, connection_faults

NAMES = ("controller", "point")
EACH = pytest.mark.parametrize("name", NAMES)
SOUND = {"split": set(), "shorted": set(), "bare": set()}

board_file = cache(lambda name: BoardFile(FILES / f"{name}.kicad_pcb"))
gerbers = cache(lambda name: Gerbers.of(FILES / f"{name}-gerber.zip"))
inputs = cache(boards)

_FIVE_VOLTS = 3.0
"""The least width of 5 V on each layer of the controller, in mm."""


def parts_of(name, circuit):
    return circuit.parts if name == "controller" else circuit.module


def pads_at(name, *wanted):
    return [pad for pad in board_file(name).pads if (pad.ref, pad.number) in wanted]


@EACH
def test_a_board_was_made_from_the_present_wiring_and_layout(name):
    title = board_file(name).title
    assert title["comment"] == f"inputs {inputs()[name]['hash']}", (
        "the wiring or layout changed: `make boards`"
    )


@EACH
@pytest.mark.parametrize("variant", ["presence", "polarity", "linear"])
def test_pads_are_joined_just_as_the_circuit_says(name, variant):
    wanted = {
        (part.ref, pad): str(net) for part in parts_of(name, circuits()[variant]) for pad, net in part.pads
    }
    on_board = {(pad.ref, pad.number): pad.net for pad in board_file(name).pads}
    assert wanted.keys() <= on_board.keys()
    pairs = {(net, on_board[pad]) for pad, net in wanted.items()}
    assert all(made for _, made in pairs), "a pad has no net"
    assert len({net for net, _ in pairs}) == len(pairs) == len({made for _, made in pairs})


@EACH
def test_the_copper_joins_what_the_board_file_says(name):
    assert connection_faults(gerbers(name), board_file(name).pads) == SOUND


@EACH
def test_the_parts_are_those_of_the_list_and_the_circuit(name):
    listed = (FILES / f"{name}-parts.csv").read_text(encoding="utf-8")
    assert listed == parts_csv(inputs()[name])
    refs = {ref for row in csv.DictReader(io.StringIO(listed)) for ref in row["References"].split()}
    fitted = {part.ref for circuit in circuits().values() for part in parts_of(name, circuit)}
    on_board = {ref for ref in board_file(name).footprints if not ref.startswith("H")}
    assert refs == fitted == on_board


@EACH
def test_placed_parts_stand_where_the_layout_has_them(name):
    placed = csv.DictReader(io.StringIO((FILES / f"{name}-placement.csv").read_text(encoding="utf-8")))
    layout = {"controller": CONTROLLER, "point": POINT}[name]
    rows = {row["Ref"]: (float(row["PosX"]), -float(row["PosY"]), row["Side"]) for row in placed}
    assert rows
    for ref, (x, y, side) in rows.items():
        place = layout.places[ref]
        assert (x, y) == pytest.approx((place.x, place.y))
        assert side == ("bottom" if place.below else "top")


@EACH
def test_each_layer_is_in_the_archive(name):
    sides = {f"{side}_{layer}" for side in "FB" for layer in ("Cu", "Mask", "Paste", "Silkscreen")}
    assert gerbers(name).files.keys() == sides | {"Edge_Cuts", "PTH", "NPTH"}


def test_the_header_is_where_a_pi_has_it():
    at = {int(pad.number): (pad.x, -pad.y) for pad in board_file("controller").pads if pad.ref == "J1"}
    assert len(at) == len(HEADER)
    for pin, place in at.items():
        column, row = divmod(pin - 1, 2)
        assert place == pytest.approx((PIN_1[0] + 2.54 * column, PIN_1[1] - 2.54 * row))
    assert ["layer", "B.Cu"] in board_file("controller").footprints["J1"], "a socket below"


def test_the_holes_are_those_of_a_pi():
    holes = board_file("controller").holes()
    assert set(PI_HOLES) <= set(holes)
    # From the Pi's mechanical drawing: holes 58 x 49 mm apart, pin 1 at 4.87 and 1.27 mm from one of them.
    (right, top), (left, bottom), _ = PI_HOLES
    assert (right - left, bottom - top) == (58, 49)
    assert (PIN_1[0] - left, PIN_1[1] - top) == pytest.approx((4.87, 1.27))
    drilled = [hole.centroid for hole in gerbers("controller").holes("NPTH") if hole.area > 5]
    assert sorted((round(hole.x, 2), round(-hole.y, 2)) for hole in drilled) == holes


def test_the_controller_fits_a_panel_and_leaves_the_pis_sockets_free():
    left, bottom, right, top = gerbers("controller").outline.bounds
    assert (right - left, top - bottom) == pytest.approx((100, 100), abs=0.01)
    pis_left = PI_HOLES[1][0] - 3.5
    assert right <= pis_left + 66, "USB and network sockets begin 66 mm from the Pi's left edge"


def test_nothing_below_touches_the_pins_for_power_over_ethernet():
    pis_left, pis_top = PI_HOLES[1][0] - 3.5, PI_HOLES[0][1] - 3.5
    pins = box(pis_left + 57, -(pis_top + 15), pis_left + 66, -(pis_top + 6.5))
    drilled = [pad for pad in board_file("controller").pads if len(pad.layers) == 2 and pad.ref != "J1"]
    assert not [pad.ref for pad in drilled if pins.contains(Point(pad.x, pad.y))]


@pytest.mark.parametrize("layer", LAYERS)
def test_5_volts_are_3_mm_wide_from_each_input_to_each_output(layer):
    ends = pads_at(
        "controller",
        ("Q2", "2"),
        ("F1", "2"),
        ("J1", "2"),
        ("J1", "4"),
        *((f"J{n}", "1") for n in (10, 11, 12)),
    )
    assert len(ends) == 7
    copper = gerbers("controller").copper(layer)
    places = [Point(pad.x, pad.y) for pad in ends]
    assert carries(copper, _FIVE_VOLTS, places)
    assert not carries(copper, 12, places)


@pytest.mark.parametrize("layer", LAYERS)
@pytest.mark.parametrize("ends", [(("J9", "1"), ("F2", "1")), (("F2", "2"), ("Q2", "6"))])
def test_the_second_input_is_as_wide_up_to_the_fuse(layer, ends):
    places = [Point(pad.x, pad.y) for pad in pads_at("controller", *ends)]
    assert carries(gerbers("controller").copper(layer), _FIVE_VOLTS, places)


def test_the_point_is_a_disc_for_a_bore_of_30_mm():
    left, bottom, right, top = gerbers("point").outline.bounds
    assert MODULE_MM <= 29
    assert (right - left, top - bottom) == pytest.approx((MODULE_MM, MODULE_MM), abs=0.02)
    x, y = POINT.centre
    led = POINT.places["D1"]
    assert (led.x - x, led.y - y) == (MODULE_LED_MM, 0)


def test_the_names_of_holes_are_printed_on_both_sides_of_the_point():
    wanted = {"5V", "DIN", "DOUT", "GND", "3V", "A", "B"}
    assert wanted <= set(board_file("point").words("F.SilkS"))
    assert wanted <= set(board_file("point").words("B.SilkS"))


def test_the_points_names_are_printed_at_the_controllers_plugs():
    words = board_file("controller").words("F.SilkS")
    for point in ("d5", "c5", "d6", "b6", "d7", "a7"):
        assert words.count(point) == 2, "for each of its two multiplexers"


# ---- faults put in on purpose ---------------------------------------------------------------------------


@EACH
@pytest.mark.parametrize("layer", LAYERS.values())
def test_a_missing_track_is_found(name, layer):
    found = connection_faults(without_longest_track(gerbers(name), layer), board_file(name).pads)
    assert found["split"]


def test_missing_vias_are_found():  # those of the point only join ground that its holes join as well
    found = connection_faults(without_vias(gerbers("controller")), board_file("controller").pads)
    assert len(found["split"]) > 10


@EACH
def test_two_nets_in_each_others_place_are_found(name):
    pads = board_file(name).pads
    one, other = {"controller": ("select_0", "select_1"), "point": ("A", "B")}[name]
    swapped = {one: other, other: one}
    drawn = [
        pad._replace(net=swapped.get(pad.net, pad.net)) if pad.ref in ("U1", "S1") else pad for pad in pads
    ]
    found = connection_faults(gerbers(name), drawn)
    assert {one, other} <= found["split"] | found["shorted"]


def test_a_mirrored_header_is_found():
    pads = [
        pad._replace(y=pad.y + (2.54 if int(pad.number) % 2 else -2.54)) if pad.ref == "J1" else pad
        for pad in board_file("controller").pads
    ]
    found = connection_faults(gerbers("controller"), pads)
    assert {"GND", "5_V"} <= found["shorted"]


def test_boards_are_compared_as_geometry():
    made = gerbers("point")
    assert list(differences(made, made)) == []
    changed = list(differences(made, without_longest_track(made)))
    assert [what.split()[0] for what in changed] == ["F_Cu"]


def test_boards_that_were_not_made_do_not_count_as_the_same(tmp_path, capsys):
    assert compare_boards(tmp_path, take=False) == 1
    assert "controller-gerber.zip is missing" in capsys.readouterr().out


def test_the_model_of_the_wood_has_the_holes_of_the_point():
    at = {
        (pad.ref, pad.number): (round(pad.x - 50, 3), round(pad.y + 50, 3))
        for pad in board_file("point").pads
    }
    assert [at["J1", str(n)] for n in (1, 2, 3)] == list(module.SUPPLY_HOLES_MM[:3])
    assert [at["J2", str(n)] for n in (1, 2, 3)] == list(module.SUPPLY_HOLES_MM[3:])
    assert [at["J3", str(n)] for n in (1, 2, 3, 4)] == list(module.SENSOR_HOLES_MM)
    assert (at["S1", "2"], at["S1", "3"]) == (module.REED_MM, module.BACK_MM)
    first, across = module.S1_MM, module.PIN_MM
    assert [at["S2", str(n)] for n in (1, 2, 3)] == [(first[0] + n * across, -first[1]) for n in range(3)]


def test_the_model_of_the_wood_has_the_parts_of_the_controller():
    assert (CONTROLLER.places["J8"].y, CONTROLLER.corners[2]) == (module.USB_C_MM, module.CONTROLLER_MM)
    left, rear = module.PI_IN_CONTROLLER_MM
    assert {(left + x, rear + y) for x, y in ((61.5, 3.5), (3.5, 52.5), (61.5, 52.5))} == {*PI_HOLES}
    assert {*module.POSTS_MM} == {*CONTROLLER.holes} - {*PI_HOLES}
    refs = {
        "socket": ("J8",),
        "supply terminal": ("J9",),
        "strip terminals": ("J10", "J11", "J12"),
        "fuse": ("F2",),
        "capacitor": ("C11",),
        "plugs": ("J5", "J6", "J7"),
        "front plugs": ("J2", "J3", "J4"),
        "button's pins": ("J13",),
        "buzzer's pins": ("J14",),
    }
    for name, wanted in refs.items():
        left, rear, right, front, _ = module.CONTROLLER_PARTS[name]
        pads = [pad for pad in board_file("controller").pads if pad.ref in wanted]
        assert {pad.ref for pad in pads} == {*wanted}
        assert all(left <= pad.x <= right and rear <= -pad.y <= front for pad in pads), name
