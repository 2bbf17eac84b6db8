"""Messages of a broker that may be hostile: each is taken over or refused with words."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.errors import FarError
from firmware_host.link.published import FILTERS, MAX_BOARDS, MAX_ROOMS, Rooms
from firmware_host.link.topics import CARD, INFO, ON, RECORD
from tests.club.rooms import match, named, presence

A, B = named(0, 16), named(1, 16)
GAME = match(1, (A, B), 5)
TOPICS = [
    RECORD.at(room=GAME.room, board=A),
    RECORD.at(room=GAME.room, board=B),
    INFO.at(room=GAME.room),
    CARD.at(board=A),
    ON.at(board=A),
    "mw/1/r/x/y/rec",
    "",
]


def test_filters_are_those_of_what_is_kept() -> None:
    assert FILTERS == ("mw/1/b/+/card", "mw/1/b/+/on", "mw/1/r/+/info", "mw/1/r/+/+/rec")


def test_a_room_is_news_only_once() -> None:
    rooms = Rooms()
    (topic, record), _ = GAME.messages()
    found = rooms.receive(topic, record)
    assert found is not None
    assert rooms.receive(topic, record) is None
    assert rooms.receive(INFO.at(room=GAME.room), b'{"name": "Table 1"}') is not None
    assert rooms.receive(INFO.at(room=GAME.room), b'{"name": "Table 1"}') is None
    assert [room.title for room in rooms.all] == ["Table 1"]


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
        with suppress(FarError):
            room.verified()


def test_rooms_and_boards_that_were_silent_for_longest_are_forgotten() -> None:
    rooms = Rooms()
    for number in range(MAX_ROOMS + 5):
        rooms.receive(INFO.at(room=named(number, 10)), b'{"v": 1, "name": "Room"}')
    assert len(rooms.all) == MAX_ROOMS
    assert rooms.all[0].name == named(5, 10)
    for number in range(MAX_BOARDS + 1):
        for topic, message in presence(named(number, 16), "Board"):
            rooms.receive(topic, message)
    assert not rooms.is_present(named(0, 16))
    assert rooms.is_present(named(1, 16))
