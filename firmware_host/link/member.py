"""One board in one room: what its link does upon each event, as values.

The program around it passes on events, and has the clock, the sockets and the disk, which it lends.

Invariants: a fault of a message changes nothing. The seat's rules grant what a player wants, or say why not.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Protocol

from firmware_host.errors import FarError, MillwrightError
from firmware_host.far.board_link import BoardState, Request
from firmware_host.far.linked_seat import LinkedSeat
from firmware_host.far.record import LEFT, SeatRecord
from firmware_host.far.seat import FarSeat
from firmware_host.far.verifying import check_sides
from firmware_host.far.wishing import WishReader, granted, room_report
from firmware_host.frozen import frozen
from firmware_host.games.game import Rules
from firmware_host.games.rulesets import parse_rules
from firmware_host.i18n import Message
from firmware_host.link.broker import BrokerEvent, Connected, Disconnected, Incoming
from firmware_host.link.leading import BoardLeader
from firmware_host.link.messages import names
from firmware_host.link.messages.pair_seal import PairSeal
from firmware_host.link.messages.reading import (
    BrokerMessage,
    CardMessage,
    InfoMessage,
    PresenceMessage,
    RecordMessage,
    SayMessage,
    address_of,
    read,
)
from firmware_host.link.rooms import Room
from firmware_host.link.talk import Talk
from firmware_host.link.topics import CARD, INFO, ON, RECORD, SAY, Topic
from firmware_host.maintenance.companion import Reply
from firmware_host.settings import FAR, LEAVE, MAX_PLAYER_NAME, MEET, SAY_PHRASE, Microseconds

# ---- the presence of the other board --------------------------------------------------------------------
# The presence of the other board: by its own connection, never by a browser's.
#
# Invariants: one cut of the network costs nobody a game. The clock of a player who is away runs on for a
# minute, and only after ten may the other player claim anything.


CLOCK_RUNS_FOR: Microseconds = 60_000_000
"""The time of absence that is charged to the player who is away."""
CLAIM_AFTER: Microseconds = 600_000_000
"""The absence after which the other player may claim a win or a draw, or adjourn."""


@frozen
class Presence:
    """The presence of the other board."""

    away_since: Microseconds | None = 0
    """None while it is there."""
    is_connected: bool = False
    has_left: bool = False
    """True if it has left the room; it may still be connected, and may come back."""

    def seen(self, now: Microseconds, *, on: bool) -> Presence:
        """Return the presence after the other board's connection was reported as `on`, or as lost."""
        return replace(self, is_connected=on)._at(now)

    def read(self, now: Microseconds, *, has_left: bool) -> Presence:
        """Return the presence after a record of the other board, which may say that it has left."""
        return replace(self, has_left=has_left)._at(now)

    def _at(self, now: Microseconds) -> Presence:
        if self.is_connected and not self.has_left:
            return replace(self, away_since=None)
        return self if self.away_since is not None else replace(self, away_since=now)

    @property
    def is_away(self) -> bool:
        """True if the other board is not there, or nobody knows."""
        return self.away_since is not None

    def clocks_stand(self, now: Microseconds) -> bool:
        """Return whether both clocks stand because the other board is away."""
        return self.away_since is not None and now - self.away_since >= CLOCK_RUNS_FOR

    def may_claim(self, now: Microseconds) -> bool:
        """Return whether the player who is there may claim the game."""
        return self.away_since is not None and now - self.away_since >= CLAIM_AFTER


# ---- a board in a room ----------------------------------------------------------------------------------


_LOG = logging.getLogger(__name__)

_WAS_AWAY_FOR: Microseconds = 60_000_000
"""The time after a long absence in which the other player may have claimed the game."""
_NOTHING: tuple[Mapping[str, Any] | None, tuple[BoardState, object] | None] = (None, None)
"""The board's state, and what of it matters to a link, before it is known."""
REPORT_NOTHING: Request = {"do": "room", "stage": None}
_MAX_OTHERS = 8
"""The most boards of a room whose games are remembered, besides the two that play."""


class Outside(Protocol):
    """The things that the program lends to a link, which tests replace by ones without a broker or disk."""

    def ask(self, request: Mapping[str, Any]) -> int | None:
        """Send a request to the board; return its number, None without a board."""

    def publish(self, kind: Topic, topic: str, payload: bytes) -> bool:
        """Publish a message, if there is a connection."""

    def subscribe(self, *filters: str) -> None:
        """Subscribe, from now on and at each connection."""

    def save(self, linked: Mapping[str, Any]) -> None:
        """Save a seat, and return once the disk has it."""

    def nonce(self) -> str:
        """Return 32 random hexadecimal digits."""


class RoomMember:
    """A board's link while it is in a room."""

    others_ready_round = 0
    """The round for which the other player is ready, or was."""

    def __init__(
        self,
        board: str,
        room: Room,
        outside: Outside,
        now: Microseconds,
        *,
        rest: Microseconds,
        away: Microseconds = 0,
        is_away_known: bool = True,
    ) -> None:
        """Enter the room as `board`; `away` is the time for which its link was absent, if that is known."""
        self._board, self._room, self._outside, self._rest = board, room, outside, rest
        self._seal = PairSeal(board, room.invitation.key, room.linked, is_required=room.is_public)
        self.talk = Talk(board, self._seal, is_free=not room.is_public)
        self.other_name = self._others_card = ""
        """The name of the other board, as it is shown and on its card; empty until that has come."""
        self.is_full = False
        """True if two other boards play in this room."""
        self._third_boards: dict[str, SeatRecord] = {}  # the games that boards without a seat say they play
        self._named: tuple[str, int] | None = None
        self._seat: LinkedSeat | None = None
        self._presence = Presence(now)
        self._offline_since: Microseconds | None = now - away
        self._is_away_known = is_away_known
        self._was_away: tuple[bool | None, Microseconds] = False, 0
        self._state, self._shown = _NOTHING
        self._leader = BoardLeader(outside.ask)
        self._wishes = WishReader()
        self._refusal: Message | None = None
        self._reported: Request | None = None
        self.ignored = 0
        """The number of messages that could not be read or were not sealed."""
        if room.linked is not None:
            rules = parse_rules(room.linked["seat"]["record"]["rules"])
            self._seat = LinkedSeat.restored(room.linked, rules, self._key, self._save, rest=rest)
        elif room.rules is not None:
            self._sit_down(room.rules)
        outside.subscribe(*(kind.every(room=room.invitation.room) for kind in (INFO, RECORD, SAY)))
        self._watch_other()

    # ---- events ----------------------------------------------------------------------------------------

    def board_says(self, news: Mapping[str, Any] | Reply | None, now: Microseconds) -> None:
        """Take in the board's state, a reply, or None: the connection to the board has ended."""
        if isinstance(news, Reply):
            is_led = self._seat is not None and self._leader.hear(news, self._seat)
            if news.error is not None and not is_led:
                _LOG.warning("the board refuses: %s", news.error)
        elif news is None:
            self._state, self._shown = None, None
            self._reported = None
            self._leader.forget()
            if self._seat is not None:
                self._seat.lose_board()
        else:
            shown = BoardState.of(news), news.get("far")
            is_new = shown != self._shown
            self._state, self._shown = news, shown
            if not is_new:  # only its lights have changed
                return
        self.step(now)

    def broker_says(self, event: BrokerEvent, now: Microseconds) -> None:
        """Take in what has happened at the broker."""
        match event:
            case Connected():
                self._came_online(now)
            case Disconnected():
                self._offline_since = now if self._offline_since is None else self._offline_since
                self._presence = self._presence.seen(now, on=False)
            case Incoming(topic=topic, payload=payload):
                self._receive(topic, payload, now)
        self.step(now)

    def _came_online(self, now: Microseconds) -> None:
        if self._offline_since is not None and now - self._offline_since >= CLAIM_AFTER:
            self._was_away = True, now + _WAS_AWAY_FOR
        elif not self._is_away_known:
            self._was_away = None, now + _WAS_AWAY_FOR
        self._is_away_known = True  # from now on this program counts itself
        self._offline_since = None
        self._presence = Presence(now)  # nobody knows yet how long the other board has been away
        if self._seat is not None:
            self._seat.publish_again()
        room = self._room
        if room.rules is not None:
            about = {"name": room.title, "public": room.is_public, "rules": room.rules.describe()}
            info = self._seal.message({"v": 1, "board": self._board, **about})
            self._outside.publish(INFO, INFO.at(room=room.invitation.room, board=self._board), info)

    def _receive(self, topic: str, payload: bytes, now: Microseconds) -> None:
        address = address_of(topic)
        room = self._room.invitation.room
        if address is None or address.room not in ("", room) or address.board == self._board:
            return
        if address.kind is SAY and (address.board != self._other or not self.talk.may_receive(now)):
            return  # a flood is dropped before it costs anything
        try:
            self._take(read(address, payload, self._key), now)
        except MillwrightError as error:
            self.ignored += 1
            if self.ignored.bit_count() == 1:  # 1, 2, 4, 8 ...: a flood fills no log
                _LOG.warning("a message was ignored, %s in all: %s", self.ignored, error)

    def _take(self, message: BrokerMessage, now: Microseconds) -> None:
        """Take over a message that is of the board which its topic names."""
        match message:
            case PresenceMessage(board=board, is_on=is_on) if board == self._other:
                self._presence = self._presence.seen(now, on=is_on)
            case CardMessage(board=board, name=name) if board == self._other:
                self._others_card = names.board_name(name)
                self.other_name = names.label(self._others_card, board)
            case InfoMessage(
                is_public=True
            ):  # in a public room no free text is sent, whoever says that it is one
                self.talk.is_free, self._seal.is_required = False, True
            case SayMessage(board=board, members=members):
                self._seal.check(board, members)
                self.talk.receive(members, now)
            case RecordMessage(record=SeatRecord() as record, members=members):
                if self._may_be_from_other_player(record):
                    self._judge(record, members, now)

    def _may_be_from_other_player(self, record: SeatRecord) -> bool:
        """Return whether a record may be that of the other player; note whether others play here.

        Once a board has the other seat, only its records are. Until then, a record of a game without this
        board is not; any other is if it comes from the host of the room, or if the room has no host.
        """
        if self._other:
            return record.board == self._other
        room = self._room
        if record.game and self._board not in (record.white, record.black):
            if room.host not in ("", record.white, record.black):
                return False  # the room is its host's, whoever else says that they play here
            self._third_boards[record.board] = record
            while len(self._third_boards) > _MAX_OTHERS:
                del self._third_boards[next(iter(self._third_boards))]
            other = self._third_boards.get(record.black if record.board == record.white else record.white)
            if other is not None:
                check_sides(room.invitation.room, record, other)
                self.is_full = self._seat is None
            return False
        return room.host in ("", record.board)

    def _judge(self, record: SeatRecord, members: Mapping[str, Any], now: Microseconds) -> None:
        """Take over the other board's record, whose topic is its own, as far as the seat's rules allow."""
        self._seal.check(record.board, members)
        if self._seat is None:  # the board that opened the room says by which rules is played
            self._sit_down(parse_rules(record.rules))
        seat, before = self._seat, self._other
        if seat is None:
            return
        was_away, until = self._was_away
        seat.judge(record, now, was_away=was_away if now < until else False)
        self.is_full = self.is_full and not self._other
        # Only the board that took the seat is met: from now on it wants the seal of both.
        if record.board == self._other and self._seal.meet(record.board, members):
            seat.save()
            seat.publish_again()
        if record.board == self._other:
            self.others_ready_round = record.round if record.ready else 0
            self._presence = self._presence.read(now, has_left=record.doing == LEFT)
        if before != self._other:
            self._watch_other()

    # ---- what is due -----------------------------------------------------------------------------------

    def step(self, now: Microseconds) -> None:
        """Do what is due."""
        self._heed_wish(now)
        self._lead(now)
        self._name_other()
        if self._offline_since is None and self._seat is not None:
            record = self._seat.record_due(now)
            if record is not None:
                self._publish(self._seal.record(record.as_dict()))
        self._report(now)

    def due(self, now: Microseconds) -> Microseconds:
        """Return the time at which `step` has to be called if nothing happens: within a second."""
        times = [now + 1_000_000]
        if (given_up := self._leader.due(now)) is not None:
            times.append(given_up)
        if self._seat is not None and (due := self._seat.due()) is not None and due > now:
            times.append(due)
        return min(times)

    def say(self, now: Microseconds, text: str, phrase: str) -> None:
        """Say something to the other player; raise FarError if that isn't possible now."""
        if not self._other or self._offline_since is not None:
            raise FarError(Message("link.alone"))
        message = self.talk.say(now, self._outside.nonce(), text=text, phrase=phrase)
        topic = SAY.at(room=self._room.invitation.room, board=self._board)
        self._outside.publish(SAY, topic, message)

    def say_farewell(self) -> None:
        """Say that this board has left, or, if nobody has come, remove all that it published in the room."""
        if self._offline_since is not None or self._seat is None:
            return
        if not self.is_alone:
            self._publish(self._seal.record(self._seat.farewell().as_dict()))
            return
        self._publish(b"")
        if self._room.rules is not None:
            self._outside.publish(INFO, INFO.at(room=self._room.invitation.room, board=self._board), b"")

    def _publish(self, record: bytes) -> None:
        self._outside.publish(RECORD, RECORD.at(room=self._room.invitation.room, board=self._board), record)

    # ---- the board -------------------------------------------------------------------------------------

    def _lead(self, now: Microseconds) -> None:
        """Ask the board for the next thing that brings it to the seat's game."""
        if self._state is None or self._shown is None or self._seat is None:
            return
        led = int((self._state.get("far") or {}).get("led", 0))
        self._leader.lead(self._seat, self._shown[0], led, now, is_away=self._presence.is_away)

    def _name_other(self) -> None:
        """Name the other player on the board like their board, once in a game, unless people have."""
        seat = None if self._seat is None else self._seat.seat
        if self._state is None or seat is None or seat.player is None or not self.other_name:
            return
        side, called = str(seat.player.other), self._state.get("names") or {}
        is_led = (self._state.get("seats") or {}).get(side) == FAR
        if is_led and self._named != (self.other_name, seat.round):
            self._named = self.other_name, seat.round
            if not called.get(side):
                name = names.label(self._others_card, seat.other, MAX_PLAYER_NAME)
                self._outside.ask({"do": "names", "names": {side: name}})

    def _heed_wish(self, now: Microseconds) -> None:
        """Do what a player here wants, once."""
        if self._state is None:
            return
        wish = self._wishes.new_wish(self._state)
        if wish is None or wish["what"] in (MEET, LEAVE):  # the visit enters and leaves
            return
        self._refusal = None
        try:
            if wish["what"] == SAY_PHRASE:
                self.say(now, "", wish["phrase"])
                return
            if self.is_full:
                raise FarError(Message("link.full"))
            if self._seat is None:
                raise FarError(Message("link.alone"))
            claims = self._presence.may_claim(now)
            self._seat.take(granted(self._seat.seat, wish["what"], self._outside.nonce(), may_claim=claims))
        except FarError as error:
            self._refusal = error.message

    def _report(self, now: Microseconds) -> None:
        if self._state is None:
            return
        report = room_report(
            self.seat,
            is_connected=self._offline_since is None,
            may_claim=self._presence.may_claim(now),
            done=self._wishes.done,
            refused=self._refusal,
            message=self.talk.last_phrase,
        )
        if report != self._reported and self._outside.ask(report) is not None:
            self._reported = report

    # ---- the seat --------------------------------------------------------------------------------------

    def _sit_down(self, rules: Rules) -> None:
        seat = FarSeat(self._board, "", self._room.invitation.room, rules)
        self._seat = LinkedSeat(seat, self._key, self._save, rest=self._rest)
        self._seat.save()

    def _save(self, linked: Mapping[str, Any]) -> None:
        self._outside.save({**linked, **self._seal.kept()})

    def _watch_other(self) -> None:
        if self._other:
            self._outside.subscribe(ON.at(board=self._other), CARD.at(board=self._other))

    @property
    def seat(self) -> FarSeat | None:
        """The seat; None until the rules are known."""
        return None if self._seat is None else self._seat.seat

    @property
    def is_alone(self) -> bool:
        """True if no other board has come into the room."""
        return not self._other

    @property
    def is_other_here(self) -> bool:
        """True if the other board is connected."""
        return not self._presence.is_away

    @property
    def _other(self) -> str:
        return "" if self._seat is None else self._seat.seat.other

    @property
    def _key(self) -> bytes:
        return self._room.invitation.key
