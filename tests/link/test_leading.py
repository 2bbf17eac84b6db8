"""Leading a board, by the requests that reach it and the numbers that it shows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from firmware_host.far.board_link import BoardState
from firmware_host.far.linked_seat import LinkedSeat
from firmware_host.link.leading import BoardLeader
from firmware_host.maintenance.companion import Reply
from tests.far.boards import KEY, playing

SECOND = 1_000_000
CHOICE = {"do": "choose", "turn": "f4"}
STATUS = {"do": "far", "status": "stands"}
SHOWN = BoardState(("d6",), {"white": "here", "black": "far"}, None, "away", chosen=False)
"""White's board, which lacks the turn f4 of the other board."""


class LedBoard:
    """A leader, what it has asked so far, and the seat to whose game it leads."""

    def __init__(self) -> None:
        white, _ = playing("d6", "f4")
        self.seat = LinkedSeat(white, KEY, lambda _: None)
        self.asked: list[Mapping[str, Any]] = []
        self.leader = BoardLeader(self._ask)

    def _ask(self, request: Mapping[str, Any]) -> int:
        self.asked.append(request)
        return len(self.asked)

    def lead(self, led: int = 0, now: int = 0) -> None:
        self.leader.lead(self.seat, SHOWN, led, now, is_away=False)

    def reply(self, error: str | None = None) -> None:
        assert self.leader.hear(Reply(len(self.asked), error), self.seat)


@pytest.fixture
def board() -> LedBoard:
    return LedBoard()


def test_requests_follow_one_another_and_end_with_a_number(board: LedBoard) -> None:
    for _ in range(3):
        board.lead()
        board.lead()
        board.reply()
        board.lead()
    assert [*map(dict, board.asked)] == [CHOICE, STATUS, {"do": "far", "led": 1}]


def test_nothing_is_asked_until_the_board_shows_the_number(board: LedBoard) -> None:
    for _ in range(3):
        board.lead(led=7)
        board.reply()
    assert board.asked[-1] == {"do": "far", "led": 8}
    board.lead(led=7)
    assert len(board.asked) == 3
    board.lead(led=8)
    assert board.asked[3:] == [CHOICE]


def test_what_follows_a_refusal_is_left_out(board: LedBoard) -> None:
    board.lead()
    board.reply("no")
    board.lead()
    assert [*map(dict, board.asked)] == [CHOICE, {"do": "far", "led": 1}]
    board.reply()
    board.lead(led=1)
    assert len(board.asked) == 2, "the same is refused again as long as nothing changes"


def test_what_is_not_shown_in_time_is_asked_again_under_another_number(board: LedBoard) -> None:
    for _ in range(3):
        board.lead()
        board.reply()
    end = 10 * SECOND
    assert board.leader.due(SECOND) == end
    board.lead(now=end - 1)
    assert len(board.asked) == 3
    for _ in range(3):
        board.lead(now=end)
        board.reply()
    assert [*map(dict, board.asked[3:])] == [CHOICE, STATUS, {"do": "far", "led": 2}]


def test_a_new_connection_begins_anew(board: LedBoard) -> None:
    board.lead()
    board.leader.forget()
    board.lead()
    assert [*map(dict, board.asked)] == [CHOICE, CHOICE]


def test_replies_to_others_are_left_to_them(board: LedBoard) -> None:
    board.lead()
    assert not board.leader.hear(Reply(99, "no"), board.seat)
    assert not board.leader.hear(Reply(0), board.seat)
