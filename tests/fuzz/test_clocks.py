"""Clocks under random hands: each turn is charged exactly, and nothing adds up."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz import clocks
from tests.fuzz.clocks import FRAME, ClockErrors, TimedBoard, measure
from tests.fuzz.gestures import HOLD_UPS


@pytest.mark.ci("games")
@pytest.mark.parametrize(("turns", "seed"), [(150, 1), pytest.param(20_000, 2, marks=pytest.mark.long)])
def test_turns_are_charged_to_within_a_frame(turns: int, seed: int) -> None:
    found = measure(turns, seed)
    assert all(0 <= difference <= FRAME for difference in found.differences)
    assert set(found.sums) == {0}


@pytest.mark.ci("games")
def test_run_that_was_broken_off_goes_on(tmp_path: Path) -> None:
    journal = tmp_path / "games.jsonl"
    measure(20, 3, journal)
    begun = journal.read_text("utf-8")
    whole = measure(60, 3, journal)
    assert journal.read_text("utf-8").startswith(begun)
    assert whole == measure(60, 3)


def test_menu_opened_by_chance_is_kept_in_the_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def play(board: TimedBoard, found: ClockErrors) -> None:
        found.differences.append(0)
        found.gestures[HOLD_UPS] += 1

    monkeypatch.setattr(clocks, "_play_game", play)
    journal = tmp_path / "games.jsonl"
    measure(1, journal=journal)
    assert measure(2, journal=journal).gestures == {HOLD_UPS: 2}
