"""Messages of a broker that may be hostile: each is taken over or refused with words."""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.errors import FarError
from firmware_host.far.record import replayed, with_turn
from firmware_host.far.sealing import sealed
from firmware_host.games.game import Game, Outcome, Player, Reason
from firmware_host.link.published import FILTERS, MAX_BOARDS, MAX_ROOMS_OF_BOARD, MAX_SEATS, RoomNews, Rooms
from firmware_host.link.topics import CARD, INFO, ON, RECORD
from tests.club.rooms import KEY, given_up, match, named, presence

A, B = named(0, 16), named(1, 16)
GAME = match(1, (A, B), 5)
TOPICS = [
    RECORD.at(room=GAME.room, board=A),
    RECORD.at(room=GAME.room, board=B),
    INFO.at(room=GAME.room, board=A),
    CARD.at(board=A),
    ON.at(board=A),
    "mw/1/r/x/y/rec",
    "",
]


def titled(name: str, board: str = A) -> bytes:
    """Return the description of a room by a board."""
    return json.dumps({"v": 1, "board": board, "name": name}).encode()


def told(rooms: Rooms, messages: Iterable[tuple[str, bytes]]) -> RoomNews | None:
    """Return the last news of messages."""
    news = None
    for topic, message in messages:
        news = rooms.receive(topic, message) or news
    return news


def test_filters_are_those_of_what_is_kept() -> None:
    assert FILTERS == ("mw/1/b/+/card", "mw/1/b/+/on", "mw/1/r/+/+/info", "mw/1/r/+/+/rec")


def test_a_room_is_news_only_once() -> None:
    rooms = Rooms()
    (topic, record), _ = GAME.messages()
    found = rooms.receive(topic, record)
    assert found is not None
    assert rooms.receive(topic, record) is None
    for wanted in (1, 0):
        news = rooms.receive(INFO.at(room=GAME.room, board=A), titled("Table 1"))
        assert (news is not None) is bool(wanted)
    assert [room.titles for room in rooms.all] == [{A: "Table 1"}]


def test_a_record_costs_the_turns_that_are_new_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[str] = []

    def counted(game: Game, turn: str) -> Game:
        played.append(turn)
        return with_turn(game, turn)

    monkeypatch.setattr("firmware_host.far.record.with_turn", counted)
    rooms, long = Rooms(), match(1, (A, B), 40)
    record = long.one.record
    shorter: dict[str, Any] = {"turns": record.turns[:-1], "used_ms": record.used_ms[:-1], "carried": 39}
    steps: list[dict[str, Any]] = [
        shorter,
        {},
        {"declined": 1},
        {"declared": Outcome(Reason.RESIGNED, Player.WHITE)},
        {**shorter, "takes_back": 1},
    ]
    costs = []
    for changes in steps:
        played.clear()
        changed = replace(record, **changes).sealed_hash()
        news = rooms.receive(RECORD.at(room=long.room, board=A), sealed(changed.as_dict(), KEY))
        assert news is not None
        costs.append(len(played))
        assert news.room.seats[A].game == replayed(changed)
    assert costs == [39, 1, 0, 0, 0]


def test_a_record_that_was_removed_is_no_news() -> None:
    rooms = Rooms()
    assert rooms.receive(RECORD.at(room=GAME.room, board=A), b"") is None
    assert rooms.all == ()


def test_boards_without_a_card_go_by_their_own_name() -> None:
    rooms = Rooms()
    assert (rooms.name_of(A), rooms.is_present(A)) == (A, False)
    for topic, message in presence(A, "Kitchen"):
        rooms.receive(topic, message)
    assert (rooms.name_of(A), rooms.is_present(A)) == ("Kitchen", True)
    rooms.receive(CARD.at(board=A), b"")
    assert rooms.name_of(A) == A


@pytest.mark.parametrize("name", ["x" * 61, "a\nb", 5, None])
def test_names_that_nobody_can_read_are_refused(name: object) -> None:
    message = f'{{"name": {"null" if name is None else repr(name).replace(chr(39), chr(34))}}}'.encode()
    with pytest.raises(FarError):
        Rooms().receive(CARD.at(board=A), message)


@given(
    st.sampled_from(TOPICS),
    st.binary(max_size=300)
    | st.tuples(st.integers(0, 600), st.binary(max_size=4)).map(
        lambda cut: (record := next(GAME.messages())[1])[: cut[0]] + cut[1] + record[cut[0] + len(cut[1]) :]
    ),
)
def test_whatever_comes_is_taken_over_or_refused(topic: str, message: bytes) -> None:
    rooms = Rooms()
    for own, record in GAME.messages():
        rooms.receive(own, record)
    with suppress(FarError):
        rooms.receive(topic, message)
    for room in rooms.all:
        for board in room.seats:
            with suppress(FarError):
                room.verified(board)


def test_boards_that_were_silent_for_longest_are_forgotten() -> None:
    rooms = Rooms()
    for number in range(MAX_BOARDS + 1):
        told(rooms, presence(named(number, 16), "Board"))
    assert not rooms.is_present(named(0, 16))
    assert rooms.name_of(named(0, 16)) == named(0, 16)
    assert rooms.is_present(named(1, 16))


def test_a_board_in_many_rooms_loses_its_own_oldest() -> None:
    rooms, flood = Rooms(), named(2, 16)
    told(rooms, GAME.messages())
    for number in range(100, 100 + 2 * MAX_SEATS):
        room = named(number, 10)
        rooms.receive(INFO.at(room=room, board=flood), titled("Mine", flood))
    kept = rooms.room(GAME.room)
    assert kept is not None
    assert kept.game_of(A) is not None
    assert len(rooms.all) == 1 + MAX_ROOMS_OF_BOARD


def test_strangers_in_a_room_hide_no_game_of_others() -> None:
    rooms = Rooms()
    told(rooms, given_up(GAME).messages())
    liars = match(1, (named(5, 16), named(6, 16)), 9)
    for number in range(7, 20):
        record = replace(liars.one.record, board=named(number, 16), round=9)
        told(rooms, [(RECORD.at(room=GAME.room, board=record.board), sealed(record.as_dict(), KEY))])
    news = told(rooms, given_up(liars).messages())
    assert news is not None
    assert news.room.verified(A) is not None
    game = news.room.game_of(A)
    assert game is not None
    assert {game.record.white, game.record.black} == {A, B}


def test_a_game_that_the_other_board_does_not_publish_is_none() -> None:
    rooms, liar = Rooms(), named(2, 16)
    told(rooms, given_up(GAME).messages())
    claimed = replace(GAME.one.record, board=liar, white=liar, black=A).sealed_hash()
    news = told(rooms, [(RECORD.at(room=GAME.room, board=liar), sealed(claimed.as_dict(), KEY))])
    assert news is not None
    assert news.room.game_of(liar) is None
    assert news.room.verified(liar) is None


def test_a_room_has_the_title_that_its_players_give_it() -> None:
    rooms, stranger = Rooms(), named(2, 16)
    told(rooms, GAME.messages())
    told(rooms, [(INFO.at(room=GAME.room, board=stranger), titled("Free money", stranger))])
    news = told(rooms, [(INFO.at(room=GAME.room, board=A), titled("Table 1"))])
    assert news is not None
    game = news.room.game_of(B)
    assert game is not None
    assert news.room.title_of(game) == "Table 1"


@pytest.mark.parametrize(
    ("topic", "message"),
    [
        (RECORD.at(room=GAME.room, board=B), next(GAME.messages())[1]),
        (INFO.at(room=GAME.room, board=B), titled("Table 1", A)),
        (INFO.at(room=GAME.room, board=B), b'{"v": 1, "name": "Table 1"}'),
        (CARD.at(board=B), b'{"v": 1, "name": "Kitchen", "board": "AAAAAAAAAAAAAAAA"}'),
    ],
)
def test_a_message_counts_only_under_its_own_boards_topic(topic: str, message: bytes) -> None:
    rooms = Rooms()
    with pytest.raises(FarError, match="another board"):
        rooms.receive(topic, message)
    assert rooms.all == ()


def test_boards_of_one_name_have_labels_of_their_own() -> None:
    rooms = Rooms()
    for board, name in ((A, "Kitchen"), (B, " \uff2bITCHEN")):
        told(rooms, presence(board, name))
    short = {board: rooms.label_of(board) for board in (A, B)}
    assert short == {A: f"Kitchen ({A})", B: f"KITCHEN ({B})"}, "their own names begin alike"
    told(rooms, presence(B, "Attic"))
    assert rooms.label_of(A) == "Kitchen"
    told(rooms, presence(B, A.lower()))
    assert rooms.label_of(B) == B, "no card makes it another board"
