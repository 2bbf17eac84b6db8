"""People of sloppy habits: what they do can be done, and the oracle always finds what they meant.

Whether the board decides as it should is measured by the commands `tests.fuzz.rates` and `tests.fuzz.grid`.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from tests.fuzz import grid
from tests.fuzz.actors import habits
from tests.fuzz.actors.sloppy import SloppyBoard
from tests.fuzz.episodes.catalogue import COLOURS_ONLY, SLOPPY, STACK_HABITS
from tests.fuzz.grid import Cell, delays_of, hand_of, play_cell
from tests.fuzz.grid_cases import CASES, GridCase
from tests.fuzz.rates import RatesPart, play_part, rate, table
from tests.support.matrix import CI, sampled

DECIDABLE = {"plain", "slide", "drag", "other-point", "rim", "second-thought"}
"""Habits that have always been understood."""


@pytest.mark.parametrize("rules", sampled(["standard", "lasker", "the-mill", "twelve", "six", "simple"]))
@pytest.mark.parametrize("habit", sampled(sorted(SLOPPY), 4, others=CI))
def test_habit_has_its_truth_among_the_readings(habit: str, rules: str) -> None:
    sensors = "polarity" if habit in COLOURS_ONLY or len(habit) % 2 else "presence"
    counts = play_part(RatesPart(habit, sensors, rules, 2, "quick"))
    assert counts["turns"] == 2
    assert not counts["plain turns refused"]
    if habit in DECIDABLE:
        assert not counts["wrong"] + counts["lost"] + counts["mend"], counts


@pytest.mark.parametrize("habit", sampled(sorted(STACK_HABITS), others=CI))
def test_habit_at_stacks_has_its_truth_among_the_readings(habit: str) -> None:
    assert play_part(RatesPart(habit, "pieces", "mitsudomoe", 1, "quick"))["turns"] == 1


def test_part_is_the_same_by_its_seed() -> None:
    part = RatesPart("straighten-slow", "presence", "standard", 6, "1")
    assert play_part(part) == play_part(part)


def test_rates_have_their_interval() -> None:
    assert rate(5, 100) == "5.0 (2.2-11.2)"
    assert rate(0, 0) == "-"
    counts = Counter({"turns": 200, "ambiguous": 100, "mend": 5, "shown, ambiguous": 100, "wrong": 3})
    (line,) = table({("brush", "presence"): counts}).splitlines()[2:]
    assert "| 5.0 (2.2-11.2) | 100.0 (96.3-100.0) |" in line
    assert line.endswith("| 3 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 |")


@pytest.mark.parametrize("case", sampled(CASES, 8, others=CI), ids=lambda case: case.name)
def test_case_has_its_truth_among_the_readings(case: GridCase) -> None:
    cells = list(delays_of(case))
    for delays in (cells[0], cells[-1]):
        cell = play_cell(case, case.sensors[len(case.name) % 2], delays)
        assert cell.judgement.ambiguous == (cell.judgement.count != 1)
        assert cell.judgement.ambiguous or cell.decision == "right", cell


@pytest.mark.ci("examples")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case_is_right_in_every_cell_with_one_reading(case: GridCase) -> None:
    for sensors in case.sensors:
        cells = list(delays_of(case))
        for delays in cells[7 :: max(1, len(cells) // 4)]:
            cell = play_cell(case, sensors, delays)
            assert cell.judgement.ambiguous or cell.decision == "right", cell


def test_grid_goes_on_after_the_cells_of_its_journal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = tmp_path / "cells.jsonl"
    arguments = ["chip-0-drops-out", "--every", "40", "--sensors", "presence", "--journal", str(journal)]
    assert grid.main(arguments) == 0
    monkeypatch.setattr(grid, "play_cell", None)
    assert grid.main(arguments) == 0
    first, again = capsys.readouterr().out.split("case ")[1:]
    assert first == again
    assert "4 chip-0-drops-out" in first


def test_cells_that_only_colour_decides_are_ambiguous_without() -> None:
    case = next(case for case in CASES if case.name == "flights-that-cross")
    delays = {"a": 100, "b": 100}
    assert play_cell(case, "presence", delays).judgement.ambiguous
    assert not play_cell(case, "polarity", delays).judgement.ambiguous


def test_hand_of_case_fills_its_delays_in() -> None:
    case = next(case for case in CASES if case.name == "brush-beside-capture")
    times = [deed.at for deed in hand_of(case, {"a": 60, "b": 200}).deeds]
    assert times == [0, 0.3, 1.3, 1.36, 1.5]


def test_board_that_is_told_a_turn_nobody_meant_is_wrong() -> None:
    board = SloppyBoard("standard", "presence", 1)
    plan = board.plan(habits.plain_turn, Random(1))
    assert plan is not None
    try:
        other = next(point for point in ("a1", "g7") if point != plan.steps[0])
        judgement = board.play(type(plan)(plan.deeds, (other,)), judged=False)
    finally:
        board.close()
    assert judgement.wrong
    assert Cell({}, judgement, late=False).decision == "wrong"
