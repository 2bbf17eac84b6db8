"""The doctor at a board of squares, whose linear sensors tell stacks: what it finds, and no more."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from firmware_host.games.layout import SQUARES
from firmware_host.ports import SensorKind
from firmware_host.settings import Lights, Sensors, Strip
from hardware.doctor.doctor import Doctor
from hardware.doctor.examination import Examination, ExaminedBoard
from hardware.doctor.findings import Finding, Verdict
from hardware.doctor.part_names import PartNames
from hardware.doctor.walk_checks import Visit, Walk, check_walk
from hardware.wiring.contacts import contacts_of, every_wire, recommended
from sim.clock import VirtualClock
from sim.electronics.board import SimulatedBoard
from sim.electronics.hall import measured
from sim.maker import SimulatedOperator
from tests.support.hardware.doctoring import checks

pytestmark = pytest.mark.ci("devices")

NAMES = [point.name for point in SQUARES.points]
SENSORS = recommended(SQUARES, SensorKind.PIECES)
MEASURED = replace(SENSORS, levels=measured(0, SQUARES, SensorKind.PIECES))
STRIP = Strip(leds=25)


def examined(fault: Mapping[str, Any] | None = None, thought: Sensors = MEASURED) -> list[Finding]:
    """Return the doctor's findings on a board with `fault` and the settings `sensors`."""
    clock = VirtualClock()
    board = SimulatedBoard(SQUARES, SensorKind.PIECES, clock, sensors=MEASURED, strip=STRIP)
    if fault:
        board.inject(fault)
    leds = {name: (number,) for number, name in enumerate(NAMES)}
    look = Examination(
        ExaminedBoard(SQUARES, thought, STRIP, Lights(), leds), board, SimulatedOperator(board), clock.sleep
    )
    return list(Doctor(look, board.supply.throttled, empty=False).findings())


def test_a_whole_board_passes_every_check() -> None:
    findings = examined()
    assert [finding for finding in findings if finding.verdict is not Verdict.PASS] == []
    assert {"chips", "select lines", "order", "neighbours", "levels"} <= {f.check for f in findings}


@pytest.mark.parametrize(
    ("fault", "check"),
    [
        pytest.param({"point": "c3", "kind": "stuck-off"}, "silent contacts", marks=pytest.mark.long),
        pytest.param({"point": "a5", "kind": "faint"}, "resting pieces", marks=pytest.mark.long),
        pytest.param({"mux": 1, "kind": "dead"}, "chips", marks=pytest.mark.long),
        pytest.param({"select": [0, 3], "kind": "swapped"}, "select lines", marks=pytest.mark.long),
        pytest.param({"select": 3, "kind": "open"}, "select lines", marks=pytest.mark.long),
        pytest.param({"wiring": "mirrored"}, "order", marks=pytest.mark.long),
        ({"wiring": ["a1", "e5"]}, "order"),
        pytest.param({"leds": "broken", "led": 24}, "LED order", marks=pytest.mark.long),
    ],
)
def test_a_fault_is_found_and_no_other(fault: Mapping[str, Any], check: str) -> None:
    assert [one for one in checks(examined(fault)) if one != "levels"] == [check]


def test_levels_that_were_never_measured_are_told_with_what_measures_them() -> None:
    (finding,) = (one for one in examined(thought=SENSORS) if one.check == "levels")
    assert finding.verdict is Verdict.WARNING
    assert "`millwright setup`" in finding.fix


def test_levels_of_other_magnets_are_told_where_a_stack_could_be_mistaken() -> None:
    levels = {
        name: (rest, *(one + 9 * (name == "b2") for one in under))
        for name, (rest, *under) in MEASURED.levels.items()
    }
    (finding,) = (one for one in examined(thought=replace(MEASURED, levels=levels)) if one.check == "levels")
    assert finding.verdict is Verdict.FAULT
    assert "b2 " in finding.found


def test_channels_without_a_sensor_that_read_what_was_read_before_are_told_to_be_open() -> None:
    contacts = contacts_of(SQUARES, SENSORS)
    visits = []
    for contact, wire in contacts.items():
        echoes = {(1, channel) for channel in range(9, 16)} if contact[0] == SQUARES["a5"].index else set()
        visits.append(Visit(contact, frozenset({wire, *echoes})))
    findings = check_walk(Walk(every_wire(SENSORS), tuple(visits)), PartNames(SQUARES, SENSORS))
    (wrong,) = (finding for finding in findings if finding.verdict is not Verdict.PASS)
    assert wrong.check == "open channels"
    assert "what a5 read" in wrong.found
    assert "GND" in wrong.fix
