"""Waiting while somebody plays on the board of this machine."""

from __future__ import annotations

from typing import Any

import pytest

from firmware_host.commands import table_progress
from firmware_host.commands.table_progress import POLL_INTERVAL_S, REST_S, PlayWatch, game_here
from firmware_host.errors import NoBoardError, PageError


def status(turns: int, **members: Any) -> dict[str, Any]:
    game = {"turns": turns, "last_turn": "d6" if turns else None, "outcome": None}
    return {"status": "ready", "game": {**game, **members}}


class StatusBoard:
    """A board whose status a test sets."""

    def __init__(self, now: dict[str, Any] | None) -> None:
        self.now = now
        self.asked = 0

    def look(self) -> dict[str, Any] | None:
        self.asked += 1
        return self.now


def test_a_game_that_has_begun_is_being_played() -> None:
    assert PlayWatch(StatusBoard(status(1)).look).is_playing(0)


@pytest.mark.parametrize(
    "now",
    [
        None,
        {},
        {"game": None},
        status(0),
        status(9, outcome={"winner": "white"}),
        {**status(9), "status": "paused"},
    ],
)
def test_nobody_plays_otherwise(now: dict[str, Any] | None) -> None:
    assert not PlayWatch(StatusBoard(now).look).is_playing(0)


def test_a_game_that_rests_holds_nothing_up() -> None:
    board = StatusBoard(status(4))
    watch = PlayWatch(board.look)
    assert watch.is_playing(0)
    assert watch.is_playing(REST_S - 1)
    assert not watch.is_playing(REST_S + POLL_INTERVAL_S)
    board.now = status(5)
    assert watch.is_playing(REST_S + 2 * POLL_INTERVAL_S)


def test_the_board_is_asked_seldom() -> None:
    board = StatusBoard(status(4))
    watch = PlayWatch(board.look)
    for tenth in range(int(10 * POLL_INTERVAL_S)):
        watch.is_playing(tenth / 10)
    assert board.asked == 1
    watch.is_playing(POLL_INTERVAL_S)
    assert board.asked == 2


@pytest.mark.parametrize("error", [NoBoardError, PageError])
def test_a_board_that_does_not_answer_is_none(
    error: type[PageError], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise error("nobody")

    monkeypatch.setattr(table_progress, "get_object", fail)
    assert game_here() is None
