"""The doctor plays the buzzer, and asks what it does."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_host.games.layout import MORRIS
from firmware_host.ports import SensorKind
from firmware_host.settings import Sensors, Sound
from hardware.doctor.controls.buzzer import ALWAYS, BEEPS, QUESTION, SILENT, check_buzzer
from hardware.doctor.doctor import Doctor
from hardware.doctor.examination import Examination
from hardware.doctor.findings import Finding, Verdict
from sim.clock import VirtualClock
from sim.electronics.board import SimulatedBoard
from sim.maker import SimulatedOperator
from tests.support.hardware.doctoring import plan

SOUND = Sound(buzzer=12)


def findings(
    wired: Sound, *, hands: bool = True, configured: Sound = SOUND, fault: str | None = None
) -> list[Finding]:
    """Return the findings on the buzzer of a board."""
    clock = VirtualClock()
    board = SimulatedBoard(MORRIS, SensorKind.PRESENCE, clock, sound=wired)
    if fault is not None:
        board.inject({"buzzer": fault})
    maker = SimulatedOperator(board) if hands else None
    look = Examination(replace(plan(Sensors()), sound=configured), board, maker, clock.sleep)
    found = Doctor(look, board.supply.throttled).findings()
    told = [finding for finding in found if finding.check == "buzzer"]
    assert board.buzzer.is_on is (fault == "stuck")
    return told


@pytest.mark.parametrize(
    ("wired", "verdict", "found"),
    [
        (SOUND, Verdict.PASS, "GPIO 12 (header pin 32) drives it"),
        (Sound(buzzer=13), Verdict.FAULT, "nothing was heard while GPIO 12 (header pin 32) went high"),
    ],
)
def test_a_buzzer_is_played_and_listened_to(wired: Sound, verdict: Verdict, found: str) -> None:
    (finding,) = findings(wired)
    assert finding.verdict is verdict
    assert finding.found == found


@pytest.mark.parametrize(
    ("fault", "found"),
    [
        ("open", "nothing was heard while GPIO 12 (header pin 32) went high"),
        ("stuck", "it also sounds while GPIO 12 (header pin 32) is low"),
    ],
)
def test_each_fault_of_a_buzzer_is_found(fault: str, found: str) -> None:
    (finding,) = findings(SOUND, fault=fault)
    assert finding.verdict is Verdict.FAULT
    assert finding.found == found


def test_without_ears_nothing_is_concluded_of_it() -> None:
    (finding,) = findings(SOUND, hands=False)
    assert finding.verdict is Verdict.SKIPPED


def test_a_board_without_a_buzzer_is_not_asked_about() -> None:
    assert findings(SOUND, configured=Sound()) == []


def test_each_answer_has_a_finding() -> None:
    verdicts = {answer: check_buzzer(answer, SOUND).verdict for answer in QUESTION.answers}
    assert verdicts == {BEEPS: Verdict.PASS, SILENT: Verdict.FAULT, ALWAYS: Verdict.FAULT}
