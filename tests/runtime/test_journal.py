"""A line a turn, each with its priority where the journal reads, and nothing in a loop."""

from __future__ import annotations

import os
import sys
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.games.game import Player, Reason
from firmware_host.games.layout import MORRIS
from firmware_host.play import events as ev
from firmware_host.runtime.journal import Chronicle, Journal, Line, Priority, is_journal

SECOND = 1_000_000
FOUND = ev.FaultFound("leds", "it is unplugged")
CLEARED = ev.FaultCleared("leds")


def texts(chronicle: Chronicle, *events: ev.Event, at: float = 0) -> list[str]:
    return [f"{line.priority:d} {line.text}" for line in chronicle.lines(events, round(at * SECOND))]


def test_a_game_is_told_in_turns() -> None:
    events = (
        ev.GameContinued("six", 4),
        ev.GameBegun("standard", Player.WHITE),
        ev.PieceLifted(MORRIS["d6"]),
        ev.StepPlayed("d6", Player.WHITE),
        ev.TurnPlayed("d6", Player.WHITE),
        ev.TakenBack(0),
        ev.GameOver(None, Reason.ABANDONED, 0),
    )
    assert texts(Chronicle(), *events) == [
        "6 a game of six goes on, after step 4",
        "6 a game of standard begins; white is first",
        "6 white: d6",
        "6 taken back to after step 0",
        "6 the game is over: nobody won (abandoned), after 0 steps",
    ]


def test_a_sensor_that_is_masked_is_a_notice() -> None:
    assert texts(Chronicle(), ev.Masked(MORRIS["d6"]), ev.Unmasked(MORRIS["d6"])) == [
        "5 the sensor at d6 is masked: it is not believed",
        "5 the sensor at d6 is believed again",
    ]


def test_what_breaks_is_an_error_and_what_is_mended_a_notice() -> None:
    chronicle = Chronicle()
    assert texts(chronicle, FOUND) == ["3 leds: it is unplugged"]
    assert texts(chronicle, at=1) == []
    assert texts(chronicle, CLEARED, at=2) == ["5 leds: all is well again"]


def test_what_comes_and_goes_is_told_four_times_a_minute_and_then_how_often_it_was() -> None:
    chronicle = Chronicle()
    told = [texts(chronicle, FOUND if second % 2 == 0 else CLEARED, at=second) for second in range(60)]
    assert sum(map(len, told)) == 4
    assert texts(chronicle, at=60) == ["5 leds: all is well again (this changed 56 times)"]
    assert texts(chronicle, at=61) == []


@given(st.lists(st.tuples(st.integers(0, 20 * SECOND), st.booleans()), max_size=200))
def test_whatever_flaps_no_minute_has_more_than_four_lines_and_the_last_state_is_told(
    changes: list[tuple[int, bool]],
) -> None:
    chronicle, now, told = Chronicle(), 0, []
    for passed, broken in changes:
        now += passed
        told += [(now, line.text) for line in chronicle.lines((FOUND if broken else CLEARED,), now)]
    now += 60 * SECOND
    told += [(now, line.text) for line in chronicle.lines((), now)]
    for index in range(4, len(told)):
        assert told[index][0] - told[index - 4][0] >= 60 * SECOND
    if changes:
        assert told[-1][1].startswith("leds: it is unplugged" if changes[-1][1] else "leds: all is well")


def test_in_the_journal_each_line_has_its_priority(tmp_path: Path) -> None:
    with (tmp_path / "out").open("w") as out, (tmp_path / "errors").open("w") as errors:
        status = os.fstat(errors.fileno())
        journal = Journal(out, errors, {"JOURNAL_STREAM": f"{status.st_dev}:{status.st_ino}"})
        journal(Line(Priority.ERROR, "one\ntwo"))
        journal(Line(Priority.INFO, "white: d6"))
        assert (tmp_path / "errors").read_text() == "<3>one\n<3>two\n"
        assert (tmp_path / "out").read_text() == "white: d6\n"


@pytest.mark.parametrize("told", ["", "1:2", "nonsense"])
def test_a_stream_that_the_journal_does_not_read_is_told_so(told: str, tmp_path: Path) -> None:
    with (tmp_path / "out").open("w") as out:
        assert not is_journal(out, {"JOURNAL_STREAM": told})
    assert not is_journal(sys.stdout, {})


class Gone(StringIO):
    """A journal that is started anew, or a disk that is full."""

    def __init__(self) -> None:
        super().__init__()
        self.there = False

    def write(self, text: str) -> int:
        if not self.there:
            raise BrokenPipeError
        return super().write(text)


def test_a_journal_that_is_gone_stops_nothing_and_is_told_what_it_missed() -> None:
    out = Gone()
    journal = Journal(out, out, {})
    for number in range(3):
        journal(Line(Priority.INFO, f"turn {number}"))
    out.there = True
    journal(Line(Priority.INFO, "turn 3"))
    journal(Line(Priority.INFO, "turn 4"))
    assert out.getvalue().splitlines() == ["3 lines could not be written here", "turn 3", "turn 4"]
    out.close()
    journal(Line(Priority.ERROR, "nobody reads this"))
