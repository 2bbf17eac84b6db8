"""Time controls and their texts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.errors import NotationError
from firmware_host.games.game import Player
from firmware_host.games.time_control import MAX_MINUTES, MAX_SECONDS, TimeControl, TimeControls

per_turn = st.builds(TimeControl, st.just(0), st.integers(1, MAX_SECONDS), st.just(value=True))
fischer = st.builds(
    lambda minutes, seconds: TimeControl(60 * minutes, seconds),
    st.integers(1, MAX_MINUTES),
    st.integers(0, MAX_SECONDS),
)
one = st.none() | per_turn | fischer


@given(st.builds(TimeControls, one, one))
def test_text_of_a_time_control_reads_back(controls: TimeControls) -> None:
    assert TimeControls.parse(str(controls)) == controls


@pytest.mark.parametrize(
    ("text", "white", "black"),
    [
        ("none", None, None),
        ("10", TimeControl(600), TimeControl(600)),
        ("5+3", TimeControl(300, 3), TimeControl(300, 3)),
        ("0+10", TimeControl(0, 10), TimeControl(0, 10)),
        ("move:30", TimeControl(0, 30, is_per_turn=True), TimeControl(0, 30, is_per_turn=True)),
        ("5+3/10", TimeControl(300, 3), TimeControl(600)),
        ("none / 3", None, TimeControl(180)),
    ],
)
def test_time_control_is_read(text: str, white: TimeControl | None, black: TimeControl | None) -> None:
    controls = TimeControls.parse(text)
    assert controls == TimeControls(white, black)
    assert (controls.at(Player.WHITE), controls.at(Player.BLACK)) == (white, black)
    assert controls.is_none == (text == "none")


@pytest.mark.parametrize(
    "text",
    ["", "0", "5+", "+3", "5:00", "-5", "301", "5+601", "move:0", "move:601", "move:", "1/2/3", "five", "٣"],
)
def test_wrong_time_control_is_refused_with_a_reason(text: str) -> None:
    with pytest.raises(NotationError, match=r"time control|seconds|more than two"):
        TimeControls.parse(text)


def test_increment_is_there_for_the_first_turn() -> None:
    assert TimeControl(300, 3).first_s == 303
    assert TimeControl(0, 30, is_per_turn=True).first_s == 30


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("none", {}),
        ("10", {"TimeControl": "600"}),
        ("5+3", {"TimeControl": "300+3"}),
        ("move:30", {"TimeControl": "1/30"}),
        ("none/5", {"WhiteTimeControl": "-", "BlackTimeControl": "300"}),
    ],
)
def test_record_says_which_clocks_were_used(text: str, tags: dict[str, str]) -> None:
    assert TimeControls.parse(text).tags == tags
