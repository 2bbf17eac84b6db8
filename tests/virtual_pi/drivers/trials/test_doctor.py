"""`millwright doctor` on the virtual Pi: it names what is broken in the kernel, and no other fault."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from firmware_host.games.layout import MORRIS
from firmware_host.ports import SensorKind
from firmware_host.settings import Sensors
from hardware.wiring.contacts import MuxWiring
from tests.contract.virtual_pi_rigs import KernelSensors, MatrixBoard, MuxBoard, tell

MILLWRIGHT = Path(sys.executable).with_name("millwright")
MATRIX = Sensors(kind="matrix")
D5 = 1 << MORRIS["d5"].index


@pytest.fixture
def board():
    board = MuxBoard(MuxWiring.recommended(MORRIS, SensorKind.PRESENCE))
    yield board
    tell("muxboard", closed=0, stuck_closed=0, floats=0, mute=0, rise_ns=7000)


def examined(folder: Path, settings: str, *more: str) -> dict[str, Any]:
    """Return the doctor's findings, as JSON."""
    config = folder / "millwright.toml"
    config.write_text(f"[sensors]\n{settings}\n")
    command = [str(MILLWRIGHT), "doctor", "--json", "--no-walk", "--config", str(config), *more]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)  # noqa: S603
    told: dict[str, Any] = json.loads(done.stdout)
    assert done.returncode == told["status"], done.stderr
    return told


def faults(told: dict[str, Any]) -> dict[str, str]:
    return {each["check"]: each["found"] for each in told["findings"] if each["verdict"] == "fault"}


def test_a_board_that_is_well_has_no_fault(board, tmp_path):
    told = examined(tmp_path, "", "--empty")
    assert faults(told) == {}
    passed = {each["check"] for each in told["findings"] if each["verdict"] == "pass"}
    assert {"header", "free lines", "permissions", "signal lines", "open contacts"} <= passed


@pytest.mark.parametrize(
    ("broken", "settings", "more", "check", "found"),
    [
        ({"stuck_closed": D5}, "", ["--empty"], "open contacts", "d5"),
        ({"floats": 0b010}, "pull_up = false", ["--empty"], "signal lines", "GPIO 24"),
        ({"dead": 0, "closed": D5, "rise_ns": 150_000}, "settling_us = 20", [], "settling", "differ at"),
        ({"mute": 1}, "", ["--empty"], "sensors", "cannot read the sensors"),
    ],
    ids=["a contact sticks", "a line floats", "lines rise too slowly", "the chip does not answer"],
)
def test_what_is_broken_is_found_and_nothing_else(board, tmp_path, broken, settings, more, check, found):
    tell("muxboard", **broken)
    assert list(seen := faults(examined(tmp_path, settings, *more))) == [check]
    assert found in seen[check]


@pytest.fixture
def matrix():
    board = MatrixBoard(MATRIX.rows, MATRIX.columns)
    yield board
    tell("muxboard", rows=0, floats=0, stuck_closed=0, shorted=0)


def test_a_matrix_that_is_well_has_no_fault(matrix, tmp_path):
    told = examined(tmp_path, 'kind = "matrix"', "--empty")
    assert faults(told) == {}
    passed = {each["check"] for each in told["findings"] if each["verdict"] == "pass"}
    assert {"columns", "open contacts"} <= passed


def test_a_column_without_a_resistor_and_a_stuck_reed_of_a_matrix_are_found(matrix, tmp_path):
    tell("muxboard", floats=0b10)
    seen = faults(examined(tmp_path, 'kind = "matrix"\npull_up = false', "--empty"))
    assert f"GPIO {MATRIX.columns[1]}" in seen["columns"]
    tell("muxboard", floats=0, stuck_closed=matrix.mask([(0, 0)]))
    assert list(seen := faults(examined(tmp_path, 'kind = "matrix"', "--empty"))) == ["open contacts"]
    assert "d5" in seen["open contacts"]


def test_a_crossing_of_a_matrix_that_conducts_both_ways_is_found(matrix, tmp_path):
    tell("muxboard", stuck_closed=matrix.mask([(0, 0)]), shorted=matrix.mask([(0, 0)]))
    assert list(seen := faults(examined(tmp_path, 'kind = "matrix"', "--empty"))) == ["rows"]
    assert "conduct both ways without any piece" in seen["rows"]


def test_lines_that_somebody_holds_are_named(tmp_path):
    rig = KernelSensors(Sensors())
    seen = faults(examined(tmp_path, "", "--empty"))
    rig.port.close()
    assert "by millwright" in seen["free lines"]
    assert "GPIO 17" in seen["free lines"]
