"""The times of clocks after each turn: written as a tag, and as comments that read back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from firmware_host.games.clock_times import clock_comments, clock_times_of_comments, clock_times_text

TIMES = st.lists(st.none() | st.integers(0, 359_999_999), max_size=9)


def test_a_time_has_hours_minutes_and_tenths_of_seconds() -> None:
    assert clock_times_text([303_000, None, 3_600_250, -1]) == "0:05:03.0 - 1:00:00.2 0:00:00.0"


@given(TIMES)
def test_times_read_back_from_comments(times: list[int | None]) -> None:
    text = clock_times_text(times)
    kept = text.split()
    while kept and kept[-1] == "-":
        kept.pop()
    assert clock_times_of_comments(clock_comments(text), len(times)) == " ".join(kept)


def test_times_stand_beside_other_comments() -> None:
    comments = {1: "Well played! [%clk 0:04:57] [%emt 3]", 2: "no time"}
    assert clock_times_of_comments(comments, 4) == "- 0:04:57"
    assert clock_times_of_comments({}, 4) == ""


def test_other_words_are_no_times() -> None:
    assert clock_comments("soon } 5:3 0:05:03.0") == {3: "[%clk 0:05:03.0]"}
