"""The wishes of pages, and what a board in no room reports."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from firmware_host.far import invitation
from firmware_host.far.address import BrokerAddress
from firmware_host.far.invitation import Invitation, Meeting
from firmware_host.far.seat import FarSeat
from firmware_host.games.rulesets import parse_rules
from firmware_host.link.broker import Connected, Incoming
from firmware_host.link.messages.pair_seal import PairSeal
from firmware_host.link.rooms import LinkFolder
from firmware_host.link.topics import LOBBY, RECORD, Topic
from firmware_host.link.visit import RoomVisit
from firmware_host.runtime.clock import MachineClock
from firmware_host.settings import Link
from tests.support.hardware.clock import NOON_S, ForgetfulPi

BOARD = "AAAAAAAAAAAAAAAA"
ADDRESS = BrokerAddress("broker.example", 8883)
INVITATION = Invitation("broker.example", 8883, "BBBBBBBBBB", bytes(16))
SECOND = 1_000_000
STATE: dict[str, Any] = {
    "rules": "lasker",
    "turns": [],
    "to_move": "white",
    "rests": True,
    "seats": {"white": "here", "black": "here"},
    "outcome": None,
    "moves": [],
    "status": "ready",
    "far": None,
}
LINKED = STATE | {"far": {"status": None, "wish": None}}
"""The state once a link has reported that it is there."""


class VisitedBroker:
    """A visit with a board and a broker that keep what they get."""

    def __init__(
        self,
        folder: Path,
        settings: Link,
        address: BrokerAddress | None = ADDRESS,
        time_s: float | None = 0.0,
        clock: MachineClock | None = None,
    ) -> None:
        self.time_s = time_s
        self.asked: list[dict[str, Any]] = []
        self.published: list[tuple[str, bytes]] = []
        self.folder = LinkFolder(folder, clock=clock)
        room = self.folder.current()
        self.visit = RoomVisit(BOARD, settings, self.folder, self, room, address, 0)
        self.visit.board_says(LINKED, 0)

    def ask(self, request: Mapping[str, Any]) -> int | None:
        self.asked.append(dict(request))
        return len(self.asked)

    def publish(self, kind: Topic, topic: str, payload: bytes) -> bool:
        self.published.append((topic, payload))
        return True

    def subscribe(self, *filters: str) -> None: ...

    def unsubscribe(self, *filters: str) -> None: ...

    def save(self, linked: Mapping[str, Any]) -> None: ...

    def nonce(self) -> str:
        return "00" * 16

    def time_of_day(self) -> float | None:
        return self.time_s

    def wish(self, **wish: object) -> str:
        """Return the key of the refusal, or nothing."""
        refused = self.visit.wished(wish, 0)
        return "" if refused is None else refused.key


SETTINGS = Link(broker="broker.example", club="mill-club", name="Kitchen")


@pytest.fixture
def _few_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Derive the rooms of four points at once."""
    monkeypatch.setattr(invitation, "ROUNDS", 1)


@pytest.fixture
def place(tmp_path: Path) -> VisitedBroker:
    return VisitedBroker(tmp_path, SETTINGS)


def test_a_board_in_no_room_reports_that_and_refuses_wishes_there(place: VisitedBroker) -> None:
    assert place.asked[-1]["stage"] == "outside"
    count = len(place.asked)
    place.visit.step(SECOND)
    assert len(place.asked) == count
    state = STATE | {"far": {"wish": {"number": 3, "what": "ready"}}}
    place.visit.board_says(state, 2 * SECOND)
    assert place.asked[-1]["done"] == 3
    assert place.asked[-1]["refused"]["key"] == "link.no-room"


def test_a_room_is_opened_by_the_rules_of_the_board(place: VisitedBroker, tmp_path: Path) -> None:
    assert place.wish(do="open", name="Sunday", public=True, broker="") == ""
    room = LinkFolder(tmp_path).current()
    assert room is not None
    assert room.rules is not None
    assert (room.title, room.is_public, room.rules.describe()) == ("Sunday", True, "lasker")
    assert (room.invitation.host, room.invitation.port) == ("broker.example", 8883)


@pytest.mark.parametrize(
    ("settings", "wish", "why"),
    [
        (Link(), {"broker": "", "public": False, "name": ""}, "link.no-broker"),
        (Link(), {"broker": "no broker!", "public": False, "name": ""}, "link.broker"),
        (Link(), {"broker": "broker.example", "public": True, "name": ""}, "link.no-club"),
        (SETTINGS, {"broker": "other.example", "public": True, "name": ""}, "link.no-club"),
        (SETTINGS, {"broker": "", "public": False, "name": "x" * 100}, "link.room-name"),
        (SETTINGS, {"broker": "", "public": False, "name": "a\nb"}, "link.room-name"),
        (SETTINGS, {"broker": "", "public": "yes", "name": ""}, "link.no-room"),
        (SETTINGS, {}, "link.no-room"),
    ],
)
def test_a_room_that_cannot_be_opened_is_refused(
    tmp_path: Path, settings: Link, wish: dict[str, Any], why: str
) -> None:
    assert VisitedBroker(tmp_path, settings, None).wish(do="open", **wish) == why
    assert LinkFolder(tmp_path).current() is None


@pytest.mark.parametrize("text", ["{}", " {}\n", "Come here: http://board.local/#{} !"])
def test_an_invitation_is_found_in_other_text(place: VisitedBroker, tmp_path: Path, text: str) -> None:
    assert place.wish(do="join", invitation=text.format(INVITATION)) == ""
    room = LinkFolder(tmp_path).current()
    assert room is not None
    assert room.invitation == INVITATION
    assert room.rules is None


@pytest.mark.parametrize(
    ("wish", "why"),
    [
        ({"do": "join", "invitation": "hello"}, "link.invitation"),
        ({"do": "join", "invitation": 7}, "link.no-room"),
        ({"do": "enter", "host": BOARD}, "link.no-listing"),
        ({"do": "watch", "host": BOARD}, "link.no-listing"),
        ({"do": "say", "text": "hello"}, "link.no-room"),
        ({"do": "mute", "on": True}, "link.no-room"),
        ({"do": "sing"}, "link.no-room"),
        ({}, "link.no-room"),
    ],
)
def test_wishes_that_are_not_possible_are_refused(
    place: VisitedBroker, wish: dict[str, Any], why: str
) -> None:
    assert place.wish(**wish) == why


def test_a_public_room_is_listed_each_hour_and_taken_off(place: VisitedBroker, tmp_path: Path) -> None:
    place.wish(do="open", name="Open table", public=True, broker="")
    host = VisitedBroker(tmp_path, SETTINGS)
    room = host.folder.current()
    assert room is not None
    topic = LOBBY.at(club="mill-club", board=BOARD)
    host.visit.broker_says(Connected(), SECOND)
    assert [one for one, _ in host.published].count(topic) == 1
    host.visit.step(2 * SECOND)
    host.visit.step(3602 * SECOND)
    assert [one for one, _ in host.published].count(topic) == 2
    host.visit.leave(for_good=True)
    assert host.published[-1] == (topic, b"")


def test_a_host_lists_who_has_the_other_seat(place: VisitedBroker, tmp_path: Path) -> None:
    place.wish(do="open", name="Open table", public=True, broker="")
    host = VisitedBroker(tmp_path, SETTINGS)
    room = host.folder.current()
    assert room is not None
    host.visit.broker_says(Connected(), SECOND)
    guest, own = "G" * 16, room.invitation
    record = FarSeat(guest, "", own.room, parse_rules("lasker")).record.as_dict()
    message = PairSeal(guest, own.key).record(record)
    host.visit.broker_says(Incoming(RECORD.at(room=own.room, board=guest), message), 2 * SECOND)
    listed = [payload for topic, payload in host.published if LOBBY.names(topic)]
    assert [json.loads(one)["other"] for one in listed] == ["", guest]


def test_the_room_and_its_chat_are_parts_for_pages(place: VisitedBroker, tmp_path: Path) -> None:
    place.wish(do="join", invitation=str(INVITATION))
    guest = VisitedBroker(tmp_path, SETTINGS)
    parts = guest.visit.parts()
    assert parts["here"] == {
        "name": "Kitchen",
        "broker": "broker.example",
        "club": "mill-club",
        "connected": False,
    }
    assert parts["room"]["invitation"] == str(INVITATION)
    assert parts["chat"]["free"] is True
    assert guest.wish(do="join", invitation=str(INVITATION)) == "link.same-room"
    assert guest.wish(do="say", text="hello") == "link.alone"
    assert guest.wish(do="say", text=7) == "link.no-chat"
    assert guest.wish(do="mute", on=True) == ""
    assert guest.visit.parts()["chat"]["muted"] is True
    assert guest.wish(do="leave") == ""
    assert guest.folder.current() is None


def wished(number: int, what: str, **members: object) -> dict[str, Any]:
    """Return the board's state after a wish of hands."""
    return STATE | {"far": {"status": None, "wish": {"number": number, "what": what, **members}}}


POINTS = ["a1", "g7", "d6", "a1"]


@pytest.mark.usefixtures("_few_rounds")
def test_two_boards_meet_in_the_room_of_four_points(tmp_path: Path) -> None:
    rooms = []
    for name in ("one", "other"):
        place = VisitedBroker(tmp_path / name, SETTINGS)
        place.visit.board_says(wished(1, "meet", points=POINTS), SECOND)
        rooms.append(place.folder.current())
    one, other = rooms
    assert one is not None
    assert other is not None
    assert one.is_touched
    assert one.invitation == other.invitation
    assert (one.rules, one.is_public) == (parse_rules("lasker"), False)


def test_four_points_need_a_broker(tmp_path: Path) -> None:
    place = VisitedBroker(tmp_path, Link(), None)
    place.visit.board_says(wished(1, "meet", points=POINTS), SECOND)
    assert place.folder.current() is None
    assert place.asked[-1]["refused"]["key"] == "link.no-broker"
    assert place.asked[-1]["done"] == 1


def test_a_wish_from_before_the_link_began_is_not_carried_out(tmp_path: Path) -> None:
    place = VisitedBroker(tmp_path, SETTINGS)
    place.visit.board_says(None, SECOND)
    visit = RoomVisit(BOARD, SETTINGS, place.folder, place, None, ADDRESS, SECOND)
    visit.board_says(wished(1, "meet", points=POINTS), SECOND)
    assert place.folder.current() is None


@pytest.mark.parametrize(("is_touched", "is_left"), [(True, True), (False, False)])
def test_a_room_of_four_points_is_gone_after_two_minutes(
    tmp_path: Path, *, is_touched: bool, is_left: bool
) -> None:
    folder = LinkFolder(tmp_path)
    if is_touched:
        folder.meet(Meeting(INVITATION), parse_rules("lasker"), "Kitchen")
    else:
        folder.enter(INVITATION, parse_rules("lasker"))
    place = VisitedBroker(tmp_path, SETTINGS)
    place.visit.step(119 * SECOND)
    assert folder.current() is not None
    place.visit.step(121 * SECOND)
    assert (folder.current() is None) is is_left


NOON = 495_000 * 3_600


@pytest.mark.usefixtures("_few_rounds")
def test_a_board_alone_goes_to_the_room_of_the_next_hour(tmp_path: Path) -> None:
    found = {}
    for name, clock in (("early", NOON - 30.0), ("late", NOON + 30.0)):
        place = VisitedBroker(tmp_path / name, SETTINGS, time_s=clock)
        place.visit.board_says(wished(1, "meet", points=POINTS), SECOND)
        found[name] = place.folder.current()
    early, late = found["early"], found["late"]
    assert early is not None
    assert late is not None
    assert early.invitation != late.invitation
    place = VisitedBroker(tmp_path / "early", SETTINGS, time_s=NOON + 4.9)
    place.visit.step(35 * SECOND)
    assert place.folder.current() == early
    place.time_s = NOON + 5.0
    place.visit.step(35 * SECOND)
    moved = place.folder.current()
    assert moved is not None
    assert moved.invitation == late.invitation
    assert (moved.rules, moved.title, moved.is_touched) == (early.rules, early.title, True)
    place = VisitedBroker(tmp_path / "early", SETTINGS)
    place.visit.step(121 * SECOND)
    assert place.folder.current() is None


def test_boards_without_the_time_are_told_why_they_cannot_meet(tmp_path: Path) -> None:
    place = VisitedBroker(tmp_path, SETTINGS, time_s=None)
    place.visit.board_says(wished(1, "meet", points=POINTS), SECOND)
    assert place.folder.current() is None
    assert place.asked[-1]["refused"]["key"] == "link.no-clock"
    assert place.visit.parts()["here"]["clock"] is False


@pytest.mark.usefixtures("_few_rounds")
def test_boards_whose_clocks_differ_are_told_why_nobody_came(tmp_path: Path) -> None:
    rooms, visits = [], []
    for name, time_s in (("one", NOON), ("other", NOON + 26 * 3600)):
        place = VisitedBroker(tmp_path / name, SETTINGS, time_s=time_s)
        place.visit.board_says(wished(1, "meet", points=POINTS), SECOND)
        rooms.append(place.folder.current())
        inside = VisitedBroker(tmp_path / name, SETTINGS, time_s=time_s)
        assert inside.visit.parting is None
        inside.visit.step(121 * SECOND)
        visits.append(inside.visit)
    assert rooms[0] != rooms[1]
    why = visits[0].parting
    assert why is not None
    assert why.key == "link.nobody-came"
    assert ":" in str(why.args["time"])
    after = RoomVisit(BOARD, SETTINGS, place.folder, place, None, ADDRESS, SECOND, why)
    for state in (wished(1, "meet", points=POINTS), STATE, wished(1, "meet")):  # the link of before is gone
        after.board_says(state, SECOND)
    assert place.asked[-1]["refused"] == why.as_dict()


@pytest.mark.usefixtures("_few_rounds")
def test_a_touched_room_is_left_in_time_without_a_clock(tmp_path: Path) -> None:
    LinkFolder(tmp_path).meet(Meeting(INVITATION, INVITATION, NOON), parse_rules("lasker"), "Kitchen")
    place = VisitedBroker(tmp_path, SETTINGS, time_s=None)
    place.visit.step(119 * SECOND)
    assert place.folder.current() is not None
    place.visit.step(121 * SECOND)
    assert place.folder.current() is None


def test_a_visit_begins_again_once_an_absence_can_be_told(tmp_path: Path) -> None:
    pi = ForgetfulPi(tmp_path / "pi")
    pi.synchronise(NOON_S)
    LinkFolder(tmp_path, clock=pi.clock).enter(INVITATION, parse_rules("lasker"))
    pi.reboot()
    waiting = VisitedBroker(tmp_path, SETTINGS, time_s=None, clock=pi.clock)
    assert waiting.visit.awaits_clock
    pi.synchronise(NOON_S + 3600)
    again = VisitedBroker(tmp_path, SETTINGS, time_s=pi.clock.time_s(), clock=pi.clock)
    assert not again.visit.awaits_clock


def test_a_room_is_left_by_touch(tmp_path: Path) -> None:
    folder = LinkFolder(tmp_path)
    folder.enter(INVITATION, parse_rules("lasker"))
    place = VisitedBroker(tmp_path, SETTINGS)
    place.visit.board_says(wished(1, "leave"), SECOND)
    assert folder.current() is None


@pytest.mark.parametrize("is_in_a_room", [True, False])
def test_a_listing_of_an_earlier_room_is_taken_off(tmp_path: Path, *, is_in_a_room: bool) -> None:
    folder = LinkFolder(tmp_path)
    if is_in_a_room:
        folder.enter(INVITATION, parse_rules("lasker"))
    place = VisitedBroker(tmp_path, SETTINGS)
    place.visit.broker_says(Connected(), SECOND)
    for second in range(2, 4000, 500):
        place.visit.step(second * SECOND)
    topic = LOBBY.at(club="mill-club", board=BOARD)
    assert [message for message in place.published if message[0] == topic] == [(topic, b"")]


@pytest.mark.parametrize("broker", ["other.example", "no broker!", ""])
def test_nothing_is_listed_on_another_broker(tmp_path: Path, broker: str) -> None:
    LinkFolder(tmp_path).enter(INVITATION, parse_rules("lasker"), is_public=True)
    place = VisitedBroker(tmp_path, Link(broker=broker, club="mill-club"))
    place.visit.broker_says(Connected(), SECOND)
    place.visit.leave(for_good=True)
    assert [topic for topic, _ in place.published if LOBBY.names(topic)] == []
