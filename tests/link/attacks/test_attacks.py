"""Attacks of a member and of an opponent, on two real links at a real mosquitto."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from queue import Queue
from typing import Any

import pytest

from firmware_host.far.address import BrokerAddress
from firmware_host.far.invitation import Invitation
from firmware_host.far.parsing import parse_record
from firmware_host.far.sealing import sealed
from firmware_host.games.game import Outcome, Player, Reason
from firmware_host.games.rulesets import rule_set
from firmware_host.link.broker import BrokerConnection, Connected, Incoming
from firmware_host.link.identity import Login
from firmware_host.link.messages.reading import Listing
from firmware_host.link.permissions import FILE
from firmware_host.link.topics import CARD, LOBBY, RECORD, SAY, STATE, Topic
from tests.fuzz.link.machines import LinkedMachine
from tests.support.link.pages import RoomsPage
from tests.support.mosquitto import PASSWORDS, PROGRAM, free_port, mosquitto, next_of, with_users

pytest.importorskip("paho")
pytestmark = [
    pytest.mark.ci("programs"),
    pytest.mark.skipif(
        PROGRAM is None or PASSWORDS is None, reason="mosquitto isn't installed (apt install mosquitto)"
    ),
]

CLUB, MEMBER = "mill-club", "MEMBERMEMBERMEMB"
NAMES = ("Kitchen", "Attic")
TIMEOUT_S = 60.0
OPEN = "allow_anonymous true\n"


class HostileClient:
    """A client of the broker that reads all it may, and writes whatever it likes."""

    def __init__(self, port: int, user: str, password: str = "") -> None:
        self.inbox: Queue[Any] = Queue()
        self._newest: dict[str, bytes] = {}
        """The newest message of each topic that has been read."""
        address = BrokerAddress("127.0.0.1", port)
        self.broker = BrokerConnection(address, Login(user, password, secrets.token_hex(8)), self.inbox)
        self.broker.subscribe("#")
        self.broker.open()
        next_of(self.inbox, Connected)

    def read(self, kind: Topic, holds: Callable[[bytes], object] = bool, **names: str) -> bytes:
        """Return the newest message of a topic with these names, as soon as one is as it should be."""
        while True:
            for topic, payload in self._newest.items():
                if names.items() <= (kind.names(topic) or {"": ""}).items() and holds(payload):
                    return payload
            message = next_of(self.inbox, Incoming)
            self._newest[message.topic] = message.payload

    def write(self, kind: Topic, topic: str, payload: bytes) -> None:
        """Publish a message, as soon as there is room for it."""
        while not self.broker.publish(kind, topic, payload):
            time.sleep(0.005)


@dataclass
class Club:
    """Two boards with their links, both in no room, and a member who is neither."""

    port: int
    machines: list[LinkedMachine]
    member: HostileClient
    pages: list[RoomsPage] = field(default_factory=list)

    @property
    def boards(self) -> list[str]:
        """The names of both boards."""
        return [machine.links.identity().board for machine in self.machines]

    def meet(self) -> Invitation:
        """Have the first board list a room, and the second enter it from the lobby; return its invitation."""
        host, guest = self.pages
        assert host.want(do="open", name="Open table", public=True, broker="") == ""
        guest.until(lambda _: self.boards[0] in guest.rows)
        assert guest.want(do="enter", host=self.boards[0]) == ""
        self.be_together()
        listing = json.loads(self.member.read(LOBBY, board=self.boards[0]))
        return Invitation.parse(listing["invitation"])

    def be_together(self) -> None:
        """Wait until both boards see each other."""
        for page in self.pages:
            page.until(lambda parts: (parts.get("room") or {}).get("other", None))
            page.until(lambda parts: parts["room"]["other"]["here"])

    def begin(self) -> None:
        """Have both players be ready, and wait for the game."""
        for machine in self.machines:
            until(partial(self._may_be_ready, machine), "a second board")
            machine.ask({"do": "wish", "wish": "ready"})
        until(lambda: all(self.stage(machine) == "playing" for machine in self.machines), "a game")
        until(lambda: all("far" in machine.state["seats"].values() for machine in self.machines), "seats")

    def _may_be_ready(self, machine: LinkedMachine) -> bool:
        return self.stage(machine) in ("waiting", "ready")

    @staticmethod
    def stage(machine: LinkedMachine) -> str:
        """Return the stage of a board's room."""
        room = (machine.state.get("far") or {}).get("room") or {}
        return str(room.get("stage"))

    def play(self, turn: str) -> None:
        """Have whoever is to move place a piece, which the other board lights, and carry it out there."""
        mover = next(one for one in self.machines if not one.is_others_turn(one.state))
        other = next(one for one in self.machines if one is not mover)
        count = len(mover.turns)
        mover.play((mover.game.position.legal_step(turn),))
        until(lambda: len(other.turns) == count and other.state.get("moves"), f"{turn} on the other board")
        other.play((other.game.position.legal_step(turn),))
        until(lambda: len(other.turns) == count + 1 == len(mover.turns), f"{turn} on both boards")

    def troubles(self) -> list[Any]:
        """Return what is wrong between the boards."""
        rooms = [machine.state["far"]["room"] for machine in self.machines]
        return [room["trouble"] for room in rooms if room["trouble"]] + [
            machine.state["outcome"] for machine in self.machines if machine.state["outcome"]
        ]


def has_turns(message: bytes) -> bool:
    """Return whether a message is a record with turns."""
    return bool(message) and bool(parse_record(message, None).turns)


def until(holds: Callable[[], object], what: str) -> None:
    """Wait until something holds."""
    end = time.monotonic() + TIMEOUT_S
    while not holds():
        assert time.monotonic() < end, f"no {what}"
        time.sleep(0.02)


@contextmanager
def club_of(folder: Path, *, has_users: bool) -> Iterator[Club]:
    """Run a club whose broker has users and permissions, or lets everybody write everything."""
    machines = [LinkedMachine(folder / name, rule_set("standard"), rest_ms=100) for name in NAMES]
    port = free_port()
    address = BrokerAddress("127.0.0.1", port)
    logins = [machine.links.identity().login(address) for machine in machines]
    users = {one.user: one.password for one in logins}
    lines = with_users(folder, {**users, MEMBER: "secret"}, FILE.read_text("utf-8")) if has_users else OPEN
    with mosquitto(folder, lines, port) as broker:
        for machine, name in zip(machines, NAMES, strict=True):
            machine.configure(f'broker = "127.0.0.1:{broker.port}"\nclub = "{CLUB}"\nname = "{name}"\n')
            for what in ("board", "link"):
                machine.start(what)
        club = Club(broker.port, machines, HostileClient(broker.port, MEMBER, "secret"))
        try:
            for machine in machines:
                page = RoomsPage(machine.port)
                club.pages.append(page)
                page.until(lambda parts: (parts.get("here") or {}).get("connected"))
            yield club
        finally:
            for page in club.pages:
                page.close()
            for machine in machines:
                machine.close()
            club.member.broker.close()


@pytest.fixture(params=[True, False], ids=["permissions", "open broker"])
def club(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Club]:
    with club_of(tmp_path, has_users=request.param) as found:
        yield found


@pytest.fixture
def open_club(tmp_path: Path) -> Iterator[Club]:
    with club_of(tmp_path, has_users=False) as found:
        yield found


def test_a_reader_of_the_lobby_speaks_for_no_other_board(club: Club) -> None:
    room = club.meet()
    club.begin()
    club.play("d6")
    victims = club.boards
    for victim, other in (victims, victims[::-1]):
        message = club.member.read(RECORD, has_turns, room=room.room, board=victim)
        record = parse_record(message, None)
        winner = Player.BLACK if record.white == victim else Player.WHITE
        lie = replace(record, declared=Outcome(Reason.RESIGNED, winner))
        for sender in (MEMBER, victim, other):
            for forged in (
                lie,
                replace(lie, declared=None, takes_back=9),
                replace(lie, turns=(), used_ms=()),
            ):
                message = sealed(forged.sealed_hash().as_dict(), room.key)
                club.member.write(RECORD, RECORD.at(room=room.room, board=sender), message)
            said = {"v": 1, "board": victim, "id": secrets.token_hex(8), "phrase": "bye"}
            club.member.write(SAY, SAY.at(room=room.room, board=sender), sealed(said, room.key))
    club.play("f4")
    club.play("d2")
    assert club.troubles() == []
    assert [name for page in club.pages for name in page.parts if name.startswith("message:")] == []


def test_a_member_changes_the_lobby_only_by_its_own_row(tmp_path: Path) -> None:
    with club_of(tmp_path, has_users=True) as club:
        host, guest = club.pages
        assert host.want(do="open", name="Open table", public=True, broker="") == ""
        guest.until(lambda _: club.boards[0] in guest.rows)
        real = Invitation.parse(json.loads(club.member.read(LOBBY, board=club.boards[0]))["invitation"])
        for number in range(150):
            room = secrets.token_hex(5).upper().translate(str.maketrans("0189", "ABCD"))
            fake = Listing(MEMBER, f"Bogus {number}", "standard", replace(real, room=room)).message()
            club.member.write(LOBBY, LOBBY.at(club=CLUB, board=MEMBER), fake)
            club.member.read(LOBBY, fake.__eq__, board=MEMBER)  # a queue that is full would drop the last
            club.member.write(LOBBY, LOBBY.at(club=CLUB, board=club.boards[0]), b"")
            stolen = Listing(club.boards[0], "Stolen", "standard", real).message()
            club.member.write(LOBBY, LOBBY.at(club=CLUB, board=club.boards[0]), stolen)
        club.member.write(CARD, CARD.at(board=club.boards[0]), b'{"v": 1, "name": "Renamed"}')
        club.member.write(CARD, CARD.at(board=MEMBER), b'{"v": 1, "name": "kitchen"}')
        guest.until(lambda _: (guest.rows.get(MEMBER) or {}).get("name") == "Bogus 149")
        guest.until(lambda _: any("(" in name for name in guest.rows[club.boards[0]]["players"]))
        row = guest.rows[club.boards[0]]
        assert len(guest.rows) == 2
        assert (row["name"], row["players"]) == ("Open table", [f"Kitchen ({club.boards[0][:4]})"])
        assert guest.want(do="enter", host=club.boards[0]) == ""
        club.be_together()


def test_a_board_that_leaves_takes_its_row_off_the_lobby(open_club: Club) -> None:
    host, guest = open_club.pages
    assert host.want(do="open", name="Open table", public=True, broker="") == ""
    guest.until(lambda _: guest.rows)
    assert host.want(do="leave") == ""
    guest.until(lambda _: not guest.rows)


def test_a_room_that_was_left_leaves_nothing_behind(open_club: Club) -> None:
    first, second = open_club.pages
    assert first.want(do="open", name="Private", public=False, broker="") == ""
    first.until(lambda parts: "room" in parts)
    invitation = first.parts["room"]["invitation"]
    assert second.want(do="join", invitation=invitation) == ""
    open_club.be_together()
    assert second.want(do="say", text="a secret") == ""
    first.until(lambda parts: "message:1" in parts)
    assert first.want(do="leave") == ""
    first.until(lambda parts: "room" not in parts and not any(name.startswith("message:") for name in parts))
    again = RoomsPage(open_club.machines[0].port)
    again.until(lambda parts: "here" in parts)
    left = json.dumps(again.parts)
    assert [text for text in (invitation, "a secret", "Private") if text in left] == []
    assert again.want(do="open", name="Next", public=False, broker="") == ""
    again.until(lambda parts: "room" in parts)
    left = json.dumps(again.parts)
    assert [text for text in (invitation, "a secret", "Private", NAMES[1]) if text in left] == []
    again.close()


def test_a_flood_in_a_room_makes_nothing_else_fail(open_club: Club) -> None:
    """A wish fails after 8 s; `test_inbox.py` proves by counting that others' messages don't wait."""
    room = open_club.meet()
    open_club.begin()
    open_club.play("d6")
    page, other = open_club.pages[0], open_club.boards[1]
    text = sealed({"v": 1, "board": other, "id": "x" * 32, "text": "x" * 200}, room.key)
    record = parse_record(open_club.member.read(RECORD, room=room.room, board=other), None)
    for turn in ("f4", "d2"):
        for number in range(1500):
            open_club.member.write(SAY, SAY.at(room=room.room, board=other), text)
            offer = replace(record, declined=number).as_dict()
            open_club.member.write(RECORD, RECORD.at(room=room.room, board=other), sealed(offer, room.key))
        assert page.want(do="mute", on=bool(turn == "f4")) == ""
        open_club.play(turn)
    assert open_club.troubles() == []


def test_a_member_reads_no_state_of_a_board(tmp_path: Path) -> None:
    with club_of(tmp_path, has_users=True) as club:
        login = club.machines[0].links.identity().login(BrokerAddress("127.0.0.1", club.port))
        board = login.user
        own = HostileClient(club.port, board, login.password)
        own.write(STATE, STATE.at(board=board), b"mine")
        own.write(CARD, CARD.at(board=board), b'{"v": 1, "name": "after it"}')
        seen = set()
        while not any(b"after it" in payload for _, payload in seen):
            message = next_of(club.member.inbox, Incoming)
            seen.add((message.topic, message.payload))
        assert [topic for topic, _ in seen if STATE.names(topic)] == []
        own.broker.close()
