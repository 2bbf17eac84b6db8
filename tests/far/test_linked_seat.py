"""A link's decisions, by states of its board, messages and times."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from firmware_host.errors import FarError, LinkError
from firmware_host.far.board_link import BoardState, asks_by_itself, far_status
from firmware_host.far.judging import MAX_JUMP
from firmware_host.far.linked_seat import LinkedSeat
from firmware_host.far.parsing import parse_record
from firmware_host.far.seat import FarSeat
from firmware_host.games.rulesets import rule_set
from tests.far.boards import KEY, NONCES, A, B, agreed, message, playing, seats

SECOND = 1_000_000
REST = 300_000
WHITE_HERE = {"white": "here", "black": "far"}


def board(*turns: str, **changes: Any) -> BoardState:
    values = {"seats": WHITE_HERE, "outcome": None, "status": "stands", "chosen": False, **changes}
    return BoardState(turns, **values)


class LastSavedDisk:
    """A disk that keeps what was saved last."""

    def __init__(self) -> None:
        self.kept: Mapping[str, Any] = {}
        self.count = 0

    def save(self, stored: Mapping[str, Any]) -> None:
        self.kept, self.count = stored, self.count + 1


def linked(seat: FarSeat, disk: LastSavedDisk | None = None, *, rest: int = REST) -> LinkedSeat:
    return LinkedSeat(seat, KEY, (disk or LastSavedDisk()).save, rest=rest)


def test_a_turn_of_hands_rests_before_it_is_taken_over() -> None:
    link = linked(playing()[0])
    link.message_due(0)
    link.follow(board(), 0, is_away=False)
    assert link.follow(board("d6"), SECOND, is_away=False) is None
    assert link.due() == SECOND + REST
    assert not link.seat.turns
    link.follow(board("d6"), SECOND + REST, is_away=False)
    assert link.seat.turns == ("d6",)


def test_a_turn_of_the_game_before_is_none_of_the_next() -> None:
    white, black = playing("d6")
    disk = LastSavedDisk()
    link = linked(white, disk)
    lost = {"winner": "black", "reason": "resigned"}
    link.follow(board("d6", outcome=lost), 0, is_away=False)
    white, black = agreed(link.seat, black)
    white, black = agreed(white.ready(NONCES[A]), black.ready(NONCES[B]))
    assert (white.round, white.game is None, white.may_play) == (2, False, True)
    link.take(white)
    begin = {"do": "new-game", "rules": "standard", **WHITE_HERE}
    assert link.follow(board("d6", outcome=lost), SECOND, is_away=False) == [begin]
    link = LinkedSeat.restored(disk.kept, rule_set(), KEY, disk.save)  # a power cut
    link.follow(board("d6", outcome=lost), 2 * SECOND, is_away=False)
    assert not link.seat.turns
    link.follow(board(), 3 * SECOND, is_away=False)
    link.follow(board("f4"), 4 * SECOND, is_away=False)
    assert link.seat.turns == ("f4",)


def test_a_board_that_waits_for_the_roll_still_has_the_game_before() -> None:
    white, black = playing("d6")
    link = linked(white)
    lost = {"winner": "black", "reason": "resigned"}
    over = board("d6", outcome=lost)
    link.follow(over, 0, is_away=False)
    white, black = agreed(link.seat, black)
    link.take(white.ready(NONCES[A]))
    assert link.follow(over, SECOND, is_away=False) == []
    link.has_led()
    white, _ = agreed(link.seat, black.ready(NONCES[B]))
    link.take(white)
    begin = {"do": "new-game", "rules": "standard", **WHITE_HERE}
    assert link.follow(over, 2 * SECOND, is_away=False) == [begin]
    assert (link.seat.turns, link.seat.outcome) == ((), None)


def test_a_change_of_mind_within_the_rest_stays_on_this_board() -> None:
    link = linked(playing()[0])
    link.follow(board("d6"), 0, is_away=False)
    link.follow(board(), REST - 1, is_away=False)
    link.follow(board("f4"), REST, is_away=False)
    assert link.follow(board("f4"), 2 * REST - 1, is_away=False) is None
    link.follow(board("f4"), 2 * REST, is_away=False)
    assert link.seat.turns == ("f4",)
    assert link.seat.edition == 0


def test_carrying_out_the_far_turn_counts_at_once_and_is_free() -> None:
    white, black = playing("d6")
    black = black.carry(1).play("f4", 1)
    link = linked(white.carry(1))
    link.follow(board("d6"), 0, is_away=False)
    link.receive(message(black), 10 * SECOND)
    link.follow(board("d6", "f4"), 14 * SECOND, is_away=False)
    assert link.seat.carried == 2
    link.follow(board("d6", "f4", "a1"), 20 * SECOND, is_away=False)
    link.follow(board("d6", "f4", "a1"), 20 * SECOND + REST, is_away=False)
    assert link.seat.used_ms[-1] == 6_000


def test_a_seat_is_saved_when_its_record_changes_and_not_otherwise() -> None:
    disk = LastSavedDisk()
    link = linked(playing()[0], disk, rest=0)
    for second in range(3):
        link.follow(board("d6"), second * SECOND, is_away=False)
    assert disk.count == 1
    again = LinkedSeat.restored(disk.kept, rule_set("standard"), KEY, disk.save)
    assert again.seat.record == link.seat.record


@pytest.mark.parametrize("stored", [{}, {"seat": {}, "led": 0}, {"seat": None, "led": 0}])
def test_what_is_no_seat_is_not_restored(stored: Mapping[str, Any]) -> None:
    with pytest.raises(FarError, match="stored seat"):
        LinkedSeat.restored(stored, rule_set("standard"), KEY, LastSavedDisk().save)


def test_a_refused_request_waits_for_a_change_of_the_board() -> None:
    white, black = playing("d6")
    link = linked(white.carry(1))
    link.receive(message(black.carry(1).play("f4", 1)), 0)
    wanted = link.follow(board("d6"), 0, is_away=False)
    assert wanted is not None
    link.has_refused(wanted[0])
    assert link.follow(board("d6"), SECOND, is_away=False) is None
    assert link.follow(board("d6", paused=True), SECOND, is_away=False) == wanted


def test_a_board_is_led_on_to_what_the_other_one_changed_while_it_was_led() -> None:
    white, black = playing("d6")
    link = linked(white)
    black = black.carry(1).play("f4", 1)
    link.receive(message(black), 0)
    first = link.follow(board("d6"), 0, is_away=False)
    assert first is not None
    assert {"do": "choose", "turn": "f4"} in first
    link.receive(message(black.revise().play("f2", 1)), 1)
    link.has_led()
    then = link.follow(board("d6", chosen=True), 2, is_away=False)
    assert then is not None
    assert {"do": "choose", "turn": "f2"} in then


def test_the_first_board_with_the_key_has_the_other_seat() -> None:
    mine, other = seats()
    link = linked(FarSeat(mine.board, "", mine.room, mine.rules))
    link.receive(message(other), 0)
    assert link.seat.other == other.board
    link.receive(message(FarSeat("C" * 16, mine.board, mine.room, mine.rules)), 0)
    assert link.seat.other == other.board


def test_a_record_is_published_once_and_again_after_each_connection() -> None:
    link = linked(playing()[0])
    assert link.message_due(0) is not None
    assert link.message_due(1) is None
    link.publish_again()
    assert link.message_due(2) is not None


def test_the_other_board_learns_that_this_one_asks() -> None:
    white, black = playing()
    disk = LastSavedDisk()
    link, other = linked(white, disk, rest=0), linked(black)
    for is_asking, status in ((True, "asking"), (False, "stands")):
        link.follow(board(is_asking=is_asking), SECOND, is_away=False)
        published = link.message_due(SECOND)
        assert published is not None
        other.receive(published, SECOND)
        assert far_status(other.seat, is_away=False) == status
    assert disk.count == 0  # it is of no use after a power cut


def test_a_farewell_says_that_a_board_has_left_and_no_more() -> None:
    white, black = playing("d6")
    other = linked(black)
    record = linked(white).farewell()
    assert record.doing == "left"
    other.judge(record, SECOND)
    assert other.seat.is_agreed
    assert other.seat.turns == ("d6",)


@pytest.mark.parametrize("question", ["game", "room", "new-game", "result"])
def test_a_menu_that_players_open_is_seen_by_the_other(question: str) -> None:
    assert asks_by_itself({"question": question})


@pytest.mark.parametrize("asking", [None, {"question": "offer"}, {"question": "begin"}])
def test_a_question_of_the_room_is_known_to_the_other(asking: Mapping[str, Any] | None) -> None:
    assert not asks_by_itself(asking)


def test_a_record_says_nothing_else_that_a_board_does() -> None:
    with pytest.raises(FarError, match="doing"):
        parse_record(message(playing()[0], doing="dancing"), KEY)


def test_peer_that_jumps_editions_is_ignored() -> None:
    white, black = playing("d6")
    disk = LastSavedDisk()
    link = linked(white, disk)
    link.save()
    before = link.seat
    with pytest.raises(FarError, match="editions ahead"):
        link.receive(message(replace(black, edition=2**53 - 1)), 0)
    assert link.seat == before
    link.receive(message(replace(black, edition=MAX_JUMP)), 0)
    assert link.seat.edition == MAX_JUMP
    link.take(link.seat.revise())
    again = LinkedSeat.restored(disk.kept, rule_set("standard"), KEY, disk.save)
    assert (again.seat.edition, again.seat.turns) == (MAX_JUMP + 1, ())


def test_seat_that_the_disk_refuses_is_not_taken() -> None:
    def refuse(_stored: Mapping[str, Any]) -> None:
        raise LinkError("the disk is full")

    white, black = playing("d6")
    link = LinkedSeat(white, KEY, refuse)
    with pytest.raises(LinkError):
        link.receive(message(black.carry(1).play("f4", 1)), 0)
    assert link.seat.turns == ("d6",)
