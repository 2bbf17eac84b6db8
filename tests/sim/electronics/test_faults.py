"""Descriptions of faults of the electronics."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from firmware_host import web
from firmware_host.errors import HandsError
from firmware_host.games.layout import MORRIS
from sim.electronics.breakable import BreakableBoard
from sim.electronics.contacts import ContactFault
from sim.electronics.faults import (
    FORMS,
    BadDiode,
    BadLeds,
    BadMatrixWire,
    BadSelect,
    BadSignal,
    BounceOf,
    DeadMux,
    MagnetsOf,
    OtherMagnets,
    OtherWiring,
    PointFault,
    SaggingSupply,
    WoodOf,
    read_fault,
)
from sim.electronics.matrix import Diode

BOARD = BreakableBoard(MORRIS, chips=3, select=3, signals=3, rows=4, columns=6)
SCHEMA = json.loads((Path(web.__file__).parent / "protocol.schema.json").read_text("utf-8"))


def test_protocol_describes_each_form_of_fault() -> None:
    described = SCHEMA["$defs"]["defect"]["properties"]
    for form in FORMS:
        fault = json.loads(form.replace("NUMBER", "1").replace("NAME", '"d6"').replace("KIND", '"weak"'))
        assert fault.keys() <= described.keys(), form
        for name in fault.keys() & {"kind", "leds", "supply", "button", "buzzer"}:
            assert fault[name] in described[name].get("enum", [described[name].get("const")]), form


@pytest.mark.parametrize(
    ("described", "fault"),
    [
        ({"point": "d6", "kind": "stuck-on"}, PointFault(MORRIS["d6"], ContactFault.STUCK_ON)),
        ({"point": "d6", "kind": "stuck-off"}, PointFault(MORRIS["d6"], ContactFault.STUCK_OFF)),
        ({"kind": "chatter", "point": "a1"}, PointFault(MORRIS["a1"], ContactFault.CHATTER)),
        ({"point": "g7", "kind": "weak"}, PointFault(MORRIS["g7"], ContactFault.WEAK)),
        ({"mux": 2, "kind": "dead"}, DeadMux(2)),
        ({"point": "g7", "kind": "faint"}, PointFault(MORRIS["g7"], ContactFault.FAINT)),
        ({"point": "g7", "kind": "wrong-pole"}, PointFault(MORRIS["g7"], ContactFault.WRONG_POLE)),
        ({"signal": 1, "kind": "floating"}, BadSignal("floating", 1)),
        ({"signal": 0, "kind": "slow"}, BadSignal("slow", 0)),
        ({"select": 2, "kind": "open"}, BadSelect("open", (2,))),
        ({"select": 2, "kind": "open", "mux": 1}, BadSelect("open", (2,), 1)),
        ({"select": 0, "kind": "high"}, BadSelect("high", (0,))),
        ({"select": [0, 2], "kind": "swapped"}, BadSelect("swapped", (0, 2))),
        ({"select": [1, 0], "kind": "shorted"}, BadSelect("shorted", (1, 0))),
        ({"row": 3, "kind": "open"}, BadMatrixWire("open", rows=(3,))),
        ({"row": [0, 3], "kind": "touching"}, BadMatrixWire("touching", rows=(0, 3))),
        ({"row": 0, "column": 5, "kind": "touching"}, BadMatrixWire("touching", (0,), (5,))),
        ({"column": 5, "kind": "grounded"}, BadMatrixWire("grounded", columns=(5,))),
        ({"column": 0, "kind": "slow"}, BadMatrixWire("slow", columns=(0,))),
        ({"column": [2, 1], "kind": "touching"}, BadMatrixWire("touching", columns=(2, 1))),
        ({"diode": "d6", "kind": "shorted"}, BadDiode(MORRIS["d6"], Diode.SHORTED)),
        ({"wiring": ["d6", "f6"]}, OtherWiring(((MORRIS["d6"], MORRIS["f6"]),))),
        ({"magnets": "strong"}, OtherMagnets(strong=True)),
        ({"magnets": "weak"}, OtherMagnets(strong=False)),
        ({"magnets": "field", "millitesla": 7.5}, MagnetsOf(7.5)),
        ({"wood": "thickness", "mm": 12}, WoodOf(12)),
        ({"contacts": "bounce", "ms": 0}, BounceOf(0)),
        ({"leds": "unplugged"}, BadLeds("unplugged")),
        ({"leds": "reversed"}, BadLeds("reversed")),
        ({"leds": "first-green"}, BadLeds("first-green")),
        ({"leds": "broken", "led": 8}, BadLeds("broken", led=8)),
        ({"leds": "colours", "order": "RGB"}, BadLeds("colours", order="RGB")),
        ({"supply": "sags"}, SaggingSupply()),
    ],
)
def test_every_fault_can_be_said(described, fault):
    assert read_fault(described, BOARD) == fault


@pytest.mark.parametrize(
    ("described", "said"),
    [
        ({"point": "d8", "kind": "weak"}, "there is no point d8: known are a1, a4, a7"),
        ({"point": "d6", "kind": "stuck"}, "stuck is not a fault of a sensor: did you mean stuck-o"),
        (
            {"point": "d6", "kind": "gone"},
            "gone is not a fault of a sensor: known are chatter, faint, stuck-off, stuck-on, weak, wrong-p",
        ),
        ({"mux": 3, "kind": "dead"}, "there is no mux 3: the board has 0 to 2"),
        ({"mux": -1, "kind": "dead"}, "there is no mux -1"),
        ({"mux": 0, "kind": "asleep"}, "asleep is not a fault of a mux: known are dead"),
        ({"leds": "loose"}, "loose is not a fault of the LEDs: known are first-green, reversed, unplugged"),
        ({"select": 3, "kind": "open"}, "there is no select line 3: the board has 0 to 2"),
        ({"select": [0, 1], "kind": "open"}, "open is not a fault of two select lines: known are short"),
        ({"signal": 7, "kind": "slow"}, "there is no signal line 7: the board has 0 to 2"),
        ({"row": 4, "kind": "open"}, "there is no row 4: the board has 0 to 3"),
        ({"column": 6, "kind": "open"}, "there is no column 6: the board has 0 to 5"),
        ({"row": 1, "kind": "slow"}, "slow is not a fault of a row: known are grounded, open"),
        ({"column": 1, "kind": "lost"}, "lost is not a fault of a column: known are grounded, open, slow"),
        ({"row": [0, 1], "kind": "open"}, "open is not a fault of two rows: known are touching"),
        ({"row": 0, "column": 1, "kind": "open"}, "open is not a fault of a row and a column: known are"),
        ({"diode": "d6", "kind": "good"}, "good is not a fault of a diode: known are open, reversed, sh"),
        ({"diode": "d9", "kind": "open"}, "there is no point d9: known are a1"),
        ({"wiring": "sideways"}, "sideways is not a fault of the wiring: known are half-turned, mirr"),
        ({"wiring": ["d6", "d9"]}, "there is no point d9: known are a1"),
        ({"magnets": "gone"}, "gone is not a fault of the magnets: known are strong, weak"),
        ({"magnets": "field", "millitesla": -1}, '"millitesla" must be a number from 0 to 2000'),
        ({"wood": "thickness", "mm": 51}, '"mm" must be a number from 0 to 50'),
        ({"wood": "thick", "mm": 5}, "thick is not a fault of the wood: did you mean thickness?"),
        ({"supply": "gone"}, "gone is not a fault of the supply: known are sags"),
        ({"leds": "colours", "order": "RGR"}, "RGR is not a fault of the LEDs"),
    ],
)
def test_a_fault_that_is_not_there_is_answered_with_what_is(described, said):
    with pytest.raises(HandsError) as caught:
        read_fault(described, BOARD)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    "described",
    [
        {},
        {"point": "d6"},
        {"point": 6, "kind": "weak"},
        {"point": "d6", "kind": None},
        {"point": "d6", "kind": "weak", "seconds": 1},
        {"mux": True, "kind": "dead"},
        {"mux": 0.0, "kind": "dead"},
        {"mux": 0},
        {"leds": "unplugged", "point": "d6"},
        {"cup": "spilt"},
        {"select": [1, 1], "kind": "shorted"},
        {"select": [1], "kind": "shorted"},
        {"select": 1, "kind": "open", "mux": "0"},
        {"select": True, "kind": "open"},
        {"signal": 0},
        {"row": [1, 1], "kind": "touching"},
        {"row": [1], "kind": "touching"},
        {"row": 1, "mux": 1, "kind": "touching"},
        {"row": True, "kind": "open"},
        {"diode": 1, "kind": "open"},
        {"wiring": ["d6"]},
        {"wiring": ["d6", "f6", "d6"]},
        {"wiring": "mirrored", "kind": "odd"},
        {"leds": "broken"},
        {"leds": "broken", "led": True},
        {"supply": None},
        {"magnets": "field"},
        {"magnets": "field", "mm": 3},
        {"wood": "thickness", "mm": True},
        {"contacts": "bounce", "ms": "5"},
        {"contacts": "bounce", "ms": 5, "point": "d6"},
    ],
)
def test_malformed_fault_is_answered_with_the_forms(described):
    with pytest.raises(HandsError, match="is not a fault of the electronics: use"):
        read_fault(described, BOARD)


@pytest.mark.parametrize(
    "described",
    [
        {"row": 0, "kind": "open"},
        {"column": [0, 1], "kind": "touching"},
        {"diode": "d6", "kind": "open"},
    ],
)
def test_only_a_matrix_has_rows_columns_and_diodes(described):
    with pytest.raises(HandsError, match=r"there is no (row|column|diode)"):
        read_fault(described, BreakableBoard(MORRIS, chips=3, select=3, signals=3))


@pytest.mark.parametrize(
    ("how", "d5", "g7"),
    [
        ("mirrored", "d5", "a7"),
        ("upside-down", "d3", "g1"),
        ("half-turned", "d3", "a1"),
        ("turned-right", "e4", "g1"),
        ("turned-left", "c4", "a7"),
    ],
)
def test_turned_board_moves_every_point(how, d5, g7):
    fault = read_fault({"wiring": how}, BOARD)
    assert isinstance(fault, OtherWiring)
    goes = {
        point.name: after.name
        for cycle in fault.points
        for point, after in zip(cycle, (*cycle[1:], cycle[0]), strict=True)
    }
    assert (goes.get("d5", "d5"), goes["g7"]) == (d5, g7)
    assert len(set(goes.values())) == len(goes)
