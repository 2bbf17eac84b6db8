"""The lobby of a club, from what a broker sends: rooms to join and to watch, and nothing else."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest

from firmware_host.errors import FarError
from firmware_host.far.address import BrokerAddress
from firmware_host.far.invitation import Invitation
from firmware_host.far.sealing import sealed
from firmware_host.far.seat import FarSeat
from firmware_host.games.rulesets import rule_set
from firmware_host.link.messages.reading import Listing
from firmware_host.link.topics import LOBBY, RECORD
from firmware_host.link.visit import MAX_LISTED, Lobby
from tests.club.rooms import KEY, match, named, presence

HERE = BrokerAddress("broker.example", 8883)
CLUB = "mill-club"
HOST = named(2, 16)


class ShownLobby:
    """A lobby, and the filters to which it listens."""

    def __init__(self) -> None:
        self.filters: set[str] = set()
        self.lobby = Lobby(HERE, CLUB, self.filters.add, self.filters.discard)

    def list(
        self, room: str, name: str = "Open table", host: str = HOST, key: bytes = KEY, **changes: Any
    ) -> None:
        invitation = Invitation(HERE.host, HERE.port, room, key)
        members = json.loads(Listing(host, name, "standard", invitation).message()) | changes
        self.lobby.receive(LOBBY.at(club=CLUB, board=host), json.dumps(members).encode())

    @property
    def rows(self) -> dict[str, Any]:
        return {name: value for name, value in self.lobby.parts() if name.startswith("lobby:")}


@pytest.fixture
def shown() -> ShownLobby:
    return ShownLobby()


def test_a_listed_room_can_be_joined_until_it_is_taken_off(shown: ShownLobby) -> None:
    room = named(1, 10)
    shown.list(room)
    row = shown.rows[f"lobby:{HOST}"]
    assert (row["name"], row["stage"], row["players"]) == ("Open table", "free", [HOST])
    assert RECORD.every(room=room) in shown.filters
    assert shown.lobby.listing(HOST).invitation.room == room
    shown.lobby.receive(LOBBY.at(club=CLUB, board=HOST), b"")
    assert not shown.rows
    assert RECORD.every(room=room) not in shown.filters
    with pytest.raises(FarError):
        shown.lobby.listing(HOST)


def test_a_game_of_a_listed_room_can_be_watched(shown: ShownLobby) -> None:
    game = match(1, (named(2, 16), named(3, 16)), 4)
    topic = next(topic for topic, _ in game.messages() if RECORD.names(topic))
    room = (RECORD.names(topic) or {})["room"]
    shown.list(room)
    for name, seat in zip(("Kitchen", "Attic"), game.seats, strict=True):
        for topic, message in presence(seat.board, name):
            shown.lobby.receive(topic, message)
    for topic, message in game.messages():
        shown.lobby.receive(topic, message)
    row = shown.rows[f"lobby:{HOST}"]
    assert (row["stage"], sorted(row["players"]), row["here"]) == ("playing", ["Attic", "Kitchen"], True)
    shown.lobby.watch(HOST)
    parts = dict(shown.lobby.parts())
    assert len(parts["watched"]["standing"]) == 4
    assert parts["look"]["layout"]["points"]
    shown.lobby.watch("")
    assert "watched" not in dict(shown.lobby.parts())


@pytest.mark.parametrize("key", [KEY, bytes(16)], ids=["the room's key", "no key"])
def test_a_stranger_makes_no_room_look_full(shown: ShownLobby, key: bytes) -> None:
    room, stranger, guest = named(1, 10), named(8, 16), named(9, 16)
    shown.list(room)
    record = sealed(FarSeat(stranger, "", room, rule_set("standard")).record.as_dict(), key)
    with suppress(FarError):
        shown.lobby.receive(RECORD.at(room=room, board=stranger), record)
    row = shown.rows[f"lobby:{HOST}"]
    assert (row["stage"], row["players"]) == ("free", [HOST])
    shown.list(room, other=guest)
    row = shown.rows[f"lobby:{HOST}"]
    assert (row["stage"], row["players"]) == ("full", [HOST, guest])
    shown.list(room)
    assert shown.rows[f"lobby:{HOST}"]["stage"] == "free", "a room is full as long as its host says so"


def test_a_record_without_the_key_of_its_room_is_refused(shown: ShownLobby) -> None:
    game = match(1, (HOST, named(3, 16)), 4)
    shown.list(game.room, key=bytes(16))
    for topic, message in game.messages():
        with pytest.raises(FarError, match="didn't come"):
            shown.lobby.receive(topic, message)
    thief = named(7, 16)
    shown.list(game.room, host=thief)
    (of_host, message), (of_guest, other) = game.messages()
    with pytest.raises(FarError, match="didn't come"):
        shown.lobby.receive(of_host, message)
    shown.lobby.receive(of_guest, other)
    assert shown.rows[f"lobby:{HOST}"]["stage"] == "free"


def test_records_of_rooms_that_are_not_listed_are_left_alone(shown: ShownLobby) -> None:
    for topic, message in match(1, (named(2, 16), named(3, 16)), 4).messages():
        shown.lobby.receive(topic, message)
    assert not shown.rows


@pytest.mark.parametrize(
    "changes",
    [
        {"v": 2},
        {"name": "x" * 100},
        {"name": "two\nlines"},
        {"name": 7},
        {"rules": "no such rules"},
        {"rules": None},
        {"invitation": "MW1:elsewhere.example:8883/AAAAAAAAAA#" + "A" * 26},
        {"board": named(3, 16)},
        {"board": None},
        {"other": None},
        {"other": "somebody"},
        {"invitation": "hello"},
        {"invitation": None},
    ],
)
def test_a_hostile_listing_is_refused(shown: ShownLobby, changes: dict[str, Any]) -> None:
    with pytest.raises(FarError):
        shown.list("AAAAAAAAAA", **changes)
    assert not shown.rows


def test_a_lobby_lists_a_limited_number_of_rooms(shown: ShownLobby) -> None:
    for number in range(MAX_LISTED):
        shown.list(named(number, 10), host=named(number, 16))
    with pytest.raises(FarError):
        shown.list(named(MAX_LISTED, 10), host=named(MAX_LISTED, 16))
    shown.list(named(0, 10), name="Another name", host=named(0, 16))
    assert len(shown.rows) == MAX_LISTED


def test_rooms_of_another_club_are_left_alone(shown: ShownLobby) -> None:
    invitation = Invitation(HERE.host, HERE.port, "AAAAAAAAAA", bytes(16))
    message = Listing(HOST, "Theirs", "standard", invitation).message()
    assert shown.lobby.receive(LOBBY.at(club="others", board=HOST), message)
    assert not shown.rows


def test_a_member_lists_one_room_however_many_it_sends(shown: ShownLobby) -> None:
    for number in range(200):
        shown.list(named(number, 10))
    shown.list(named(7, 10), name="Honest", host=named(9, 16))
    names = {name: row["name"] for name, row in shown.rows.items()}
    assert names == {f"lobby:{HOST}": "Open table", f"lobby:{named(9, 16)}": "Honest"}
    assert {one for one in shown.filters if one.endswith("/rec")} == {
        RECORD.every(room=named(7, 10)),
        RECORD.every(room=named(199, 10)),
    }


def test_a_room_listed_by_another_keeps_its_own_row(shown: ShownLobby) -> None:
    room, thief = named(1, 10), named(3, 16)
    shown.list(room)
    shown.list(room, name="Free money", host=thief)
    assert shown.rows[f"lobby:{HOST}"]["name"] == "Open table"
    shown.lobby.receive(LOBBY.at(club=CLUB, board=thief), b"")
    assert list(shown.rows) == [f"lobby:{HOST}"]
    assert RECORD.every(room=room) in shown.filters


def test_boards_of_one_name_are_told_apart(shown: ShownLobby) -> None:
    other = "B" * 16
    for number, host in enumerate((HOST, other)):
        shown.list(named(number, 10), host=host)
        for topic, message in presence(host, ("Kitchen", "\uff2bitchen ")[number]):
            shown.lobby.receive(topic, message)
    names = [row["players"] for row in shown.rows.values()]
    assert names == [[f"Kitchen ({HOST[:4]})"], ["Kitchen (BBBB)"]]
