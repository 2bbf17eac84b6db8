"""A board's link in a room, by values: requests to the board, records, and the wishes of players."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from firmware_host.far.board_link import Request
from firmware_host.far.invitation import Invitation, new_invitation
from firmware_host.far.record import Offer
from firmware_host.far.sealing import sealed
from firmware_host.far.seat import FarSeat
from firmware_host.games.game import Outcome, Player, Reason
from firmware_host.games.rulesets import rule_set
from firmware_host.link.broker import Connected, Disconnected, Incoming
from firmware_host.link.member import CLAIM_AFTER, RoomMember
from firmware_host.link.messages.pair_seal import PairSeal
from firmware_host.link.noticeboard import parts_of_room
from firmware_host.link.rooms import Room
from firmware_host.link.topics import CARD, INFO, ON, RECORD, SAY, Topic
from firmware_host.maintenance.companion import Reply

A, B = "AAAAAAAAAAAAAAAA", "BBBBBBBBBBBBBBBB"
SECOND = 1_000_000
RULES = rule_set("standard")
INVITATION = new_invitation("127.0.0.1", 1883, bytes(range(40)))
HERE = {"white": "here", "black": "here"}


class BoardOfMember:
    """A board that carries out requests at once, and the broker's wire; all that a member needs."""

    def __init__(self, name: str, room: Room) -> None:
        self.name, self.room = name, room
        self.state: dict[str, Any] = {
            "turns": [],
            "to_move": "white",
            "rests": True,
            "seats": dict(HERE),
            "outcome": None,
            "moves": [],
            "status": "ready",
            "far": None,
        }
        self.asked: list[Request] = []
        self.published: list[tuple[str, bytes]] = []
        self.filters: set[str] = set()
        self.disk: Mapping[str, Any] | None = None
        self.refuses = ""
        self.is_there = True
        self._unanswered: list[Reply] = []
        self.member = RoomMember(name, room, self, 0, rest=0)

    # ---- what a member needs ---------------------------------------------------------------------------

    def ask(self, request: Mapping[str, Any]) -> int | None:
        if not self.is_there:
            return None
        self.asked.append(dict(request))
        error = "no" if request["do"] == self.refuses else None
        if error is None:
            self._carry_out(request)
        self._unanswered.append(Reply(len(self.asked), error))
        return len(self.asked)

    def publish(self, kind: Topic, topic: str, payload: bytes) -> bool:
        self.published.append((topic, payload))
        return True

    def subscribe(self, *filters: str) -> None:
        self.filters |= {*filters}

    def save(self, linked: Mapping[str, Any]) -> None:
        self.disk = linked

    def nonce(self) -> str:
        return {A: "00" * 16, B: "00" * 15 + "02"}[self.name]

    # ---- the board -------------------------------------------------------------------------------------

    def _carry_out(self, request: Mapping[str, Any]) -> None:
        match request["do"]:
            case "new-game":
                self._go_to([])
                self.state |= {"seats": {side: request[side] for side in HERE}, "outcome": None}
                self.state["far"] = {**(self.state["far"] or {}), "status": "away"}
            case "room":
                self.state["far"] = {"status": None, "wish": None, **(self.state["far"] or {})}
            case "choose":
                self.state["moves"] = ["d6"]
            case "far":
                if "turns" in request:
                    self._go_to(request["turns"])
                self.state["outcome"] = request.get("end", self.state["outcome"])
                shown = {name: request[name] for name in ("status", "led") if name in request}
                self.state["far"] = {**(self.state["far"] or {}), **shown}

    def _go_to(self, turns: list[str]) -> None:
        self.state |= {"turns": turns, "to_move": ("white", "black")[len(turns) % 2], "moves": []}

    def answer(self, now: int) -> None:
        """Answer all requests, and show nothing of what came of them."""
        while self._unanswered:
            replies, self._unanswered = self._unanswered, []
            for reply in replies:
                self.member.board_says(reply, now)

    def settle(self, now: int) -> None:
        """Answer all requests, and show what came of them, until the member is content."""
        for _ in range(20):
            replies, self._unanswered = self._unanswered, []
            for reply in replies:
                self.member.board_says(reply, now)
            self.member.board_says(dict(self.state), now)
            if not self._unanswered:
                return
        raise AssertionError(f"the link doesn't rest: {self.asked[-6:]}")

    def wish(self, what: str, now: int, **members: str) -> None:
        far = self.state["far"] or {"status": None}
        number = ((far.get("wish") or {}).get("number") or 0) + 1
        self.state["far"] = {**far, "wish": {"number": number, "what": what, **members}}
        self.settle(now)

    def play(self, turn: str, now: int) -> None:
        """Have a turn be accepted, whoever made it."""
        self._go_to([*self.state["turns"], turn])
        self.settle(now)

    @property
    def report(self) -> Request:
        """The last report of the room."""
        return [request for request in self.asked if request["do"] == "room"][-1]


def is_other_ready(board: BoardOfMember) -> bool:
    """Return whether a page says so in the room."""
    return bool(parts_of_room(board.room, board.member)["room"]["other"]["ready"])


class TwoBoards:
    """Two members and a broker that passes everything on."""

    def __init__(self) -> None:
        self.now = SECOND
        self.boards = {
            A: BoardOfMember(A, Room(INVITATION, RULES)),
            B: BoardOfMember(B, Room(INVITATION, None)),
        }
        self.join(A)
        self.join(B)
        self.run()

    def join(self, name: str) -> None:
        board = self.boards[name]
        board.member.broker_says(Connected(), self.now)
        for other in self.boards.values():
            other.member.broker_says(Incoming(ON.at(board=name), b"1"), self.now)
            board.member.broker_says(Incoming(ON.at(board=other.name), b"1"), self.now)

    def run(self) -> None:
        """Pass on messages and answer requests until nothing happens."""
        for _ in range(50):
            self.now += SECOND
            messages = [(board.name, board.published) for board in self.boards.values()]
            for board in self.boards.values():
                board.published = []
                board.settle(self.now)
                board.member.step(self.now)
            for sender, sent in messages:
                for topic, payload in sent:
                    for board in self.boards.values():
                        if board.name != sender:
                            board.member.broker_says(Incoming(topic, payload), self.now)
            if not any(sent for _, sent in messages) and not any(b.published for b in self.boards.values()):
                for board in self.boards.values():  # presence, as at a broker that retains it
                    other = B if board.name == A else A
                    board.member.broker_says(Incoming(ON.at(board=other), b"1"), self.now)
                    board.settle(self.now)
                if not any(b.published for b in self.boards.values()):
                    return
        raise AssertionError("the boards don't come to rest")

    def begin(self) -> None:
        for board in self.boards.values():
            board.wish("ready", self.now)
        self.run()

    def white(self) -> BoardOfMember:
        return next(board for board in self.boards.values() if board.state["seats"]["white"] == "here")

    def black(self) -> BoardOfMember:
        return next(board for board in self.boards.values() if board.state["seats"]["black"] == "here")


@pytest.fixture
def two() -> TwoBoards:
    found = TwoBoards()
    found.begin()
    return found


def test_a_room_begins_when_both_are_ready() -> None:
    two = TwoBoards()
    assert [board.report["stage"] for board in two.boards.values()] == ["waiting", "waiting"]
    two.boards[A].wish("ready", two.now)
    two.run()
    assert [board.report["stage"] for board in two.boards.values()] == ["ready", "waiting"]
    assert [is_other_ready(board) for board in two.boards.values()] == [False, True]
    two.boards[B].wish("ready", two.now)
    two.run()
    assert [board.report["stage"] for board in two.boards.values()] == ["playing", "playing"]
    assert [is_other_ready(board) for board in two.boards.values()] == [False, False]
    assert {*two.white().state["seats"].values()} == {"here", "far"}
    assert two.white() is not two.black()


def test_the_host_describes_the_room_and_both_subscribe_to_it() -> None:
    two = TwoBoards()
    room = INVITATION.room
    sent: list[str] = []
    host = BoardOfMember(A, Room(INVITATION, RULES))
    host.member.broker_says(Connected(), 0)
    sent += [topic for topic, _ in host.published]
    assert INFO.at(room=room, board=A) in sent
    of_room = {kind.every(room=room) for kind in (INFO, RECORD, SAY)}
    assert two.boards[B].filters == of_room | {ON.at(board=A), CARD.at(board=A)}


def test_a_turn_goes_to_the_other_board_and_is_chosen_there(two: TwoBoards) -> None:
    white, black = two.white(), two.black()
    white.play("d6", two.now)
    two.run()
    assert {"do": "choose", "turn": "d6"} in black.asked
    assert white.state["far"]["status"] == "arrived"
    black.play("d6", two.now)
    two.run()
    assert white.state["far"]["status"] == "stands"


def test_the_opponents_name_is_written_as_it_is_shown(two: TwoBoards) -> None:
    white, black = two.white(), two.black()
    card = json.dumps({"v": 1, "name": "K\u0456tchen (HHHH)\u3164" + "n" * 30}).encode()
    white.member.broker_says(Incoming(CARD.at(board=black.name), card), two.now)
    (named,) = (one["names"] for one in white.asked if one["do"] == "names")
    assert named == {"black": f"K\u0456tchen HHHH nnnnnnnnnn ({black.name[:4]})"}


def test_a_turn_is_saved_before_it_is_published(two: TwoBoards) -> None:
    white = two.white()
    white.published.clear()
    saved: list[list[str]] = []
    publish = white.publish

    def noting(kind: Topic, topic: str, payload: bytes) -> bool:
        assert white.disk is not None
        saved.append(list(white.disk["seat"]["record"]["turns"]))
        return publish(kind, topic, payload)

    white.publish = noting  # type: ignore[method-assign]
    white.play("d6", two.now)
    assert saved == [["d6"]]


def test_a_killed_link_goes_on_with_what_the_disk_has(two: TwoBoards) -> None:
    white = two.white()
    white.play("d6", two.now)
    two.run()
    again = Room(INVITATION, white.room.rules, white.disk)
    white.member = RoomMember(white.name, again, white, two.now, rest=0)
    two.join(white.name)
    two.run()
    black = two.black()
    black.play("d6", two.now)
    black.play("f4", two.now)
    two.run()
    assert {"do": "choose", "turn": "f4"} in white.asked


def test_offers_are_asked_declined_and_accepted(two: TwoBoards) -> None:
    white, black = two.white(), two.black()
    white.wish("draw", two.now)
    two.run()
    assert black.report["question"] == "draw"
    black.wish("decline", two.now)
    two.run()
    assert black.report["question"] is None
    assert parts_of_room(white.room, white.member)["room"]["declined"] == ["draw"]
    white.wish("draw", two.now)
    assert white.report["refused"]["key"] == "link.declined"
    white.play("d6", two.now)
    two.run()
    assert parts_of_room(white.room, white.member)["room"]["declined"] == []
    black.play("d6", two.now)
    white.wish("draw", two.now)
    two.run()
    black.wish("accept", two.now)
    two.run()
    end = {"reason": "agreed", "winner": None}
    for board in (white, black):
        assert {"do": "far", "end": end} in board.asked
        assert board.report["stage"] == "over"
    white.wish("ready", two.now)
    two.run()
    assert is_other_ready(black)
    assert not is_other_ready(white)


def test_a_wish_that_is_not_possible_is_refused_with_words(two: TwoBoards) -> None:
    two.white().wish("accept", two.now)
    report = two.white().report
    assert report["refused"] == {"key": "link.no-question", "slots": {}}
    assert report["done"] == 2


def test_a_game_can_be_claimed_after_ten_minutes_of_absence_only(two: TwoBoards) -> None:
    white, black = two.white(), two.black()
    white.wish("claim-win", two.now)
    assert white.report["refused"] == {"key": "link.no-claim", "slots": {}}
    white.member.broker_says(Incoming(ON.at(board=black.name), b"0"), two.now)
    white.settle(two.now)
    assert white.state["far"]["status"] == "away"
    black.member.broker_says(Disconnected("cut"), two.now)
    two.now += CLAIM_AFTER
    white.wish("claim-win", two.now)
    end = {"reason": "abandoned", "winner": "white"}
    assert {"do": "far", "end": end} in white.asked
    two.join(black.name)
    two.run()
    assert {"do": "far", "end": end} in black.asked


def test_a_result_that_was_claimed_while_this_board_was_there_is_a_disagreement(two: TwoBoards) -> None:
    white, black = two.white(), two.black()
    white.member.broker_says(Incoming(ON.at(board=black.name), b"0"), two.now)
    two.now += CLAIM_AFTER
    white.wish("claim-win", two.now)
    two.run()
    assert black.state["far"]["status"] == "disagree"
    assert white.report["trouble"] == {"key": "link.refused-there", "slots": {}}


def test_a_claim_after_a_start_without_a_clock_is_named(two: TwoBoards) -> None:
    white, black = two.white(), two.black()
    white.member.broker_says(Incoming(ON.at(board=black.name), b"0"), two.now)
    two.now += CLAIM_AFTER
    white.wish("claim-win", two.now)
    room = replace(black.room, linked=black.disk)
    black.member = RoomMember(black.name, room, black, two.now, rest=0, away=SECOND, is_away_known=False)
    two.join(black.name)
    two.run()
    assert black.report["trouble"] == {"key": "link.claim-undated", "slots": {}}
    black.member = RoomMember(black.name, room, black, two.now, rest=0, away=CLAIM_AFTER)
    two.join(black.name)
    two.run()
    assert {"do": "far", "end": {"reason": "abandoned", "winner": "white"}} in black.asked
    assert black.report["trouble"] is None


@pytest.mark.parametrize(
    "payload",
    [
        b"{",
        b"\xff",
        b"[]",
        b"[" * 10_000,
        b'{"v":1e999}',
        b"9" * 10_000,
        sealed({"v": 1}, b"another key"),
    ],
)
def test_hostile_messages_change_nothing(
    two: TwoBoards, payload: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    board = two.white()
    before = board.disk
    topic = RECORD.at(room=INVITATION.room, board=two.black().name)
    for _ in range(100):
        board.member.broker_says(Incoming(topic, payload), two.now)
    assert board.disk == before
    assert board.member.ignored == 100
    assert len(caplog.records) <= 8


def test_records_of_other_rooms_and_of_ones_own_are_not_read(two: TwoBoards) -> None:
    board = two.white()
    for topic in (
        RECORD.at(room="AAAAAAAAAA", board=two.black().name),
        RECORD.at(room=INVITATION.room, board=board.name),
        "mw/1/r/x/y/rec",
    ):
        board.member.broker_says(Incoming(topic, b"nonsense"), two.now)
    assert board.member.ignored == 0


def test_a_third_board_with_the_key_gets_no_seat(two: TwoBoards) -> None:
    board = two.white()
    third = FarSeat("C" * 16, "", INVITATION.room, RULES).ready("11" * 16)
    message = sealed(third.record.as_dict(), INVITATION.key)
    board.member.broker_says(Incoming(RECORD.at(room=INVITATION.room, board="C" * 16), message), two.now)
    board.settle(two.now)
    assert board.report["stage"] == "playing"


def test_a_refused_request_is_not_repeated_until_something_changes(two: TwoBoards) -> None:
    white, black = two.white(), two.black()
    black.refuses = "choose"
    white.play("d6", two.now)
    two.run()
    count = black.asked.count({"do": "choose", "turn": "d6"})
    two.run()
    assert black.asked.count({"do": "choose", "turn": "d6"}) == count
    black.refuses = ""
    black.state["status"] = "paused"
    two.run()
    assert black.asked.count({"do": "choose", "turn": "d6"}) == count + 1


def test_a_turn_taken_back_is_not_played_again_by_a_board_that_shows_it_for_longer(two: TwoBoards) -> None:
    white, black = two.white(), two.black()
    white.play("d6", two.now)
    two.run()
    white.wish("take-back", two.now)
    two.run()
    (before,) = white.state["turns"]
    black.wish("accept", two.now)
    topic, payload = black.published[-1]
    shown = dict(white.state)
    white.member.broker_says(Incoming(topic, payload), two.now)
    white.answer(two.now)
    assert (before, white.state["turns"]) == ("d6", [])
    two.now += SECOND
    white.member.board_says({**shown, "can": ["pause"]}, two.now)
    white.answer(two.now)
    white.settle(two.now)
    two.run()
    assert white.state["turns"] == black.state["turns"] == []
    white.play("f4", two.now)
    two.run()
    assert {"do": "choose", "turn": "f4"} in black.asked


def test_what_a_board_does_not_show_is_asked_again(two: TwoBoards) -> None:
    white, black = two.white(), two.black()
    white.play("d6", two.now)
    (topic, payload) = white.published[-1]
    black.member.broker_says(Incoming(topic, payload), two.now)
    black.answer(two.now)
    choice = {"do": "choose", "turn": "d6"}
    assert black.asked.count(choice) == 1
    black.member.step(two.now + 9 * SECOND)
    assert black.asked.count(choice) == 1
    black.member.step(two.now + 10 * SECOND)
    black.answer(two.now + 10 * SECOND)
    assert black.asked.count(choice) == 2


def test_without_a_board_nothing_is_asked(two: TwoBoards) -> None:
    board = two.white()
    board.is_there = False
    board.member.board_says(None, two.now)
    count = len(board.asked)
    board.member.step(two.now + SECOND)
    assert len(board.asked) == count


def test_an_invitation_says_where_to_go() -> None:
    assert Invitation.parse(str(INVITATION)) == INVITATION


def test_a_phrase_that_hands_say_is_reported_to_the_other_board(two: TwoBoards) -> None:
    two.white().wish("say", two.now, phrase="thanks")
    two.run()
    assert two.black().report["message"] == {"number": 1, "phrase": "thanks"}
    assert two.white().report["message"] is None
    two.white().wish("say", two.now, phrase="bye")
    two.white().wish("say", two.now, phrase="again")
    assert two.white().report["refused"]["key"] == "link.too-fast"


def test_a_board_that_leaves_is_away_though_it_is_connected(two: TwoBoards) -> None:
    white, black = two.white(), two.black()
    black.member.say_farewell()
    (topic, payload) = black.published[-1]
    white.member.broker_says(Incoming(topic, payload), two.now)
    white.settle(two.now)
    assert white.state["far"]["status"] == "away"
    assert not white.member.is_other_here
    two.join(black.name)  # it has come back, and publishes its record
    two.run()
    assert white.state["far"]["status"] == "stands"


def test_a_board_that_was_alone_leaves_no_record() -> None:
    board = BoardOfMember(A, Room(INVITATION, RULES))
    board.member.broker_says(Connected(), SECOND)
    board.settle(SECOND)
    assert board.member.is_alone
    board.member.say_farewell()
    topic, payload = RECORD.at(room=INVITATION.room, board=A), b""
    info = INFO.at(room=INVITATION.room, board=A)
    assert board.published[-2:] == [(topic, payload), (info, b"")]
    other = BoardOfMember(B, Room(INVITATION, None))
    other.member.broker_says(Incoming(topic, payload), SECOND)
    assert (other.member.is_alone, other.member.ignored) == (True, 0)


def sent_by_another(two: TwoBoards, to: BoardOfMember, record: Mapping[str, Any], board: str) -> None:
    """Have a stranger who has the room's key publish a record under its own topic."""
    topic = RECORD.at(room=INVITATION.room, board=board)
    to.member.broker_says(Incoming(topic, sealed(record, INVITATION.key)), two.now)
    to.settle(two.now)


def test_a_record_under_a_strangers_topic_changes_nothing(two: TwoBoards) -> None:
    white, black = two.white(), two.black()
    lie = replace(seat_of(black).record, declared=Outcome(Reason.RESIGNED, Player.WHITE))
    sent_by_another(two, white, lie.as_dict(), "C" * 16)
    assert (white.report["stage"], white.report["trouble"], white.member.ignored) == ("playing", None, 1)


def test_a_record_without_the_pairs_seal_changes_nothing(two: TwoBoards) -> None:
    white, black = two.white(), two.black()
    lie = replace(seat_of(black).record, declared=Outcome(Reason.RESIGNED, Player.WHITE))
    sent_by_another(two, white, lie.as_dict(), black.name)
    assert (white.report["stage"], white.report["trouble"], white.member.ignored) == ("playing", None, 1)


def seat_of(board: BoardOfMember) -> FarSeat:
    assert board.member.seat is not None
    return board.member.seat


def test_a_guest_of_the_lobby_plays_with_its_host_alone() -> None:
    guest = BoardOfMember(B, Room(INVITATION, None, is_public=True, host=A))
    guest.member.broker_says(Connected(), SECOND)
    for name, rules in (("C" * 16, rule_set("six")), (A, RULES)):
        record = FarSeat(name, "", INVITATION.room, rules).record.as_dict()
        message = PairSeal(name, INVITATION.key).record(record)
        guest.member.broker_says(Incoming(RECORD.at(room=INVITATION.room, board=name), message), SECOND)
    assert (seat_of(guest).other, seat_of(guest).rules) == (A, RULES)


def test_a_room_is_full_once_both_boards_of_a_game_say_so() -> None:
    two = TwoBoards()
    two.begin()
    guest = BoardOfMember("C" * 16, Room(INVITATION, None))
    guest.member.broker_says(Connected(), two.now)
    records = [seat_of(board).record for board in two.boards.values()]
    lie = replace(records[0], board="D" * 16, white="D" * 16, black=A).sealed_hash()
    for record, is_full in ((lie, False), (records[0], False), (records[1], True)):
        topic = RECORD.at(room=INVITATION.room, board=record.board)
        guest.member.broker_says(Incoming(topic, sealed(record.as_dict(), INVITATION.key)), two.now)
        assert guest.member.is_full is is_full


def test_a_room_is_full_only_by_a_game_of_its_host() -> None:
    two = TwoBoards()
    two.begin()
    for host, is_full in (("D" * 16, False), (A, True)):
        guest = BoardOfMember("C" * 16, Room(INVITATION, None, is_public=True, host=host))
        guest.member.broker_says(Connected(), two.now)
        for record in (seat_of(board).record for board in two.boards.values()):
            topic = RECORD.at(room=INVITATION.room, board=record.board)
            guest.member.broker_says(Incoming(topic, sealed(record.as_dict(), INVITATION.key)), two.now)
        assert guest.member.is_full is is_full


def test_a_record_that_is_refused_pairs_no_seal() -> None:
    host = BoardOfMember(A, Room(INVITATION, RULES, is_public=True))
    host.member.broker_says(Connected(), SECOND)
    jump = replace(FarSeat("C" * 16, "", INVITATION.room, RULES).record, takes_back=5000)
    message = PairSeal(jump.board, INVITATION.key).record(jump.as_dict())
    host.member.broker_says(Incoming(RECORD.at(room=INVITATION.room, board=jump.board), message), SECOND)
    host.published.clear()
    host.member.broker_says(Disconnected("gone"), SECOND)
    host.member.broker_says(Connected(), SECOND)
    host.settle(SECOND)
    host.member.step(2 * SECOND)
    topic, published = next(one for one in host.published if one[0].endswith("/rec"))
    assert (seat_of(host).other, host.member.ignored) == ("", 1)
    assert topic == RECORD.at(room=INVITATION.room, board=A)
    assert b'"pair"' not in published, "a guest would refuse what is sealed for another"


def test_a_host_with_a_free_seat_is_not_full() -> None:
    two = TwoBoards()
    two.begin()
    host = BoardOfMember("C" * 16, Room(INVITATION, RULES))
    host.member.broker_says(Connected(), two.now)
    for record in (seat_of(board).record for board in two.boards.values()):
        topic = RECORD.at(room=INVITATION.room, board=record.board)
        host.member.broker_says(Incoming(topic, sealed(record.as_dict(), INVITATION.key)), two.now)
    assert not host.member.is_full


def test_a_flood_of_texts_is_dropped_unread(two: TwoBoards) -> None:
    white, black = two.white(), two.black()
    topic = SAY.at(room=INVITATION.room, board=black.name)
    black.wish("say", two.now, phrase="thanks")
    white.member.broker_says(Incoming(topic, black.published[-1][1]), two.now)
    for _ in range(3000):
        white.member.broker_says(Incoming(topic, b"not even JSON"), two.now)
    assert (len(white.member.talk.messages), white.member.ignored) == (1, 0)
    white.member.talk.is_muted = True
    white.member.broker_says(Incoming(topic, b"not even JSON"), two.now + 60 * SECOND)
    assert white.member.ignored == 0


def test_offers_without_end_are_put_to_a_player_once_a_turn(two: TwoBoards) -> None:
    white, black = two.white(), two.black()
    asked = 0
    for number in range(1, 200):
        offer = Offer("draw", number, 0, 0)
        seat = replace(seat_of(black), offer=offer, offers=number)
        message = black.member._seal.record(seat.record.as_dict())
        white.member.broker_says(
            Incoming(RECORD.at(room=INVITATION.room, board=black.name), message), two.now
        )
        white.settle(two.now)
        if white.report["question"] is not None:
            asked += 1
            white.wish("decline", two.now)
    assert asked == 1


def test_a_link_that_starts_again_has_the_seal_of_its_pair(two: TwoBoards) -> None:
    white, black = two.white(), two.black()
    white.member = RoomMember(
        white.name, Room(INVITATION, white.room.rules, white.disk), white, two.now, rest=0
    )
    two.join(white.name)
    two.run()
    white.play("d6", two.now)
    two.run()
    assert {"do": "choose", "turn": "d6"} in black.asked
    assert (white.member.ignored, black.member.ignored) == (0, 0)
