"""The doctor presses the button, and finds what is wrong with it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from firmware_host.games.layout import MORRIS
from firmware_host.ports import SensorKind
from firmware_host.settings import Controls, Sensors
from hardware.doctor.controls.button import ButtonReadings, check_button
from hardware.doctor.doctor import Doctor
from hardware.doctor.examination import Examination
from hardware.doctor.findings import Finding, Verdict
from sim.clock import VirtualClock
from sim.electronics.board import SimulatedBoard
from sim.maker import SimulatedOperator
from tests.support.hardware.doctoring import plan

CONTROLS = Controls(button=26)


def examined(fault: dict[str, Any] | None, *, hands: bool = True, wired: Controls = CONTROLS) -> Finding:
    """Return the finding on the button of a board."""
    clock = VirtualClock()
    board = SimulatedBoard(MORRIS, SensorKind.PRESENCE, clock, controls=wired)
    if fault:
        board.inject(fault)
    maker = SimulatedOperator(board) if hands else None
    look = Examination(replace(plan(Sensors()), controls=CONTROLS), board, maker, clock.sleep)
    found = Doctor(look, board.supply.throttled).findings()
    return next(finding for finding in found if finding.check == "button")


@pytest.mark.parametrize(
    ("fault", "verdict", "found"),
    [
        (None, Verdict.PASS, "GPIO 26 (header pin 37) follows it"),
        ({"button": "bounces", "ms": 30}, Verdict.PASS, "follows it"),
        ({"button": "stuck"}, Verdict.FAULT, "is always low, though nobody presses the button"),
        ({"button": "open"}, Verdict.FAULT, "stayed high while the button was pressed"),
    ],
)
def test_each_fault_of_a_button_is_found(fault: Any, verdict: Verdict, found: str) -> None:
    finding = examined(fault)
    assert finding.verdict is verdict
    assert found in finding.found


def test_without_hands_only_a_stuck_button_is_found() -> None:
    assert examined(None, hands=False).verdict is Verdict.SKIPPED
    assert examined({"button": "stuck"}, hands=False).verdict is Verdict.FAULT


def test_a_contact_that_bounces_for_long_is_a_warning() -> None:
    readings = ButtonReadings((False,) * 20, (False, True) * 8)
    assert check_button(readings, CONTROLS).verdict is Verdict.WARNING


def test_a_button_on_another_line_than_configured_is_found() -> None:
    assert "stayed high" in examined(None, wired=Controls(button=4)).found
