"""Faults of the electronics, as they are said."""

from __future__ import annotations

import pytest

from firmware_host.errors import HandsError
from firmware_host.games.layout import MORRIS
from sim.contacts import Fault
from sim.faults import DeadMux, PointFault, UnpluggedLeds, read_fault


@pytest.mark.parametrize(
    ("described", "fault"),
    [
        ({"point": "d6", "kind": "stuck-on"}, PointFault(MORRIS["d6"], Fault.STUCK_ON)),
        ({"point": "d6", "kind": "stuck-off"}, PointFault(MORRIS["d6"], Fault.STUCK_OFF)),
        ({"kind": "chatter", "point": "a1"}, PointFault(MORRIS["a1"], Fault.CHATTER)),
        ({"point": "g7", "kind": "weak"}, PointFault(MORRIS["g7"], Fault.WEAK)),
        ({"mux": 2, "kind": "dead"}, DeadMux(2)),
        ({"leds": "unplugged"}, UnpluggedLeds()),
    ],
)
def test_every_fault_can_be_said(described, fault):
    assert read_fault(described, MORRIS, 3) == fault


@pytest.mark.parametrize(
    ("described", "said"),
    [
        ({"point": "d8", "kind": "weak"}, "there is no point d8: known are a1, a4, a7"),
        ({"point": "d6", "kind": "stuck"}, "stuck is no fault of a sensor: did you mean stuck-o"),
        (
            {"point": "d6", "kind": "gone"},
            "gone is no fault of a sensor: known are chatter, stuck-off, stuck-on, weak",
        ),
        ({"mux": 3, "kind": "dead"}, "there is no mux 3: the board has 0 to 2"),
        ({"mux": -1, "kind": "dead"}, "there is no mux -1"),
        ({"mux": 0, "kind": "asleep"}, "asleep is no fault of a mux: known are dead"),
        ({"leds": "loose"}, "loose is no fault of the LEDs: known are unplugged"),
    ],
)
def test_a_fault_that_is_not_there_is_answered_with_what_is(described, said):
    with pytest.raises(HandsError) as caught:
        read_fault(described, MORRIS, 3)
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
    ],
)
def test_what_makes_no_sense_is_answered_with_how_faults_are_said(described):
    with pytest.raises(HandsError, match="is no fault that the electronics can have: say"):
        read_fault(described, MORRIS, 3)
