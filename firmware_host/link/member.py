"""One board in one room: what its link does upon each event, as values.

The program around it passes on events, and has the clock, the sockets and the disk, which it lends.

Invariants: the board is asked one thing at a time, and asked again only once it has shown what came of it. A
fault of a message changes nothing. All that a player wants goes through the seat's rules, which refuse it
with words.
"""

from __future__ import annotations

import json
import logging
from collections import deque
from collections.abc import Mapping
from typing import Any, Protocol

from firmware_host.errors import FarError, MillwrightError
from firmware_host.far.board_link import BoardState, Request
from firmware_host.far.judging import take_theirs
from firmware_host.far.linked_seat import LinkedSeat
from firmware_host.far.parsing import parse_record
from firmware_host.far.presence import CLAIM_AFTER, Presence
from firmware_host.far.seat import FarSeat
from firmware_host.games.game import Outcome, Reason, Rules
from firmware_host.games.rulesets import parse_rules
from firmware_host.i18n import Message
from firmware_host.link.broker import BrokerEvent, Connected, Disconnected, Incoming
from firmware_host.link.rooms import Room
from firmware_host.link.topics import INFO, ON, RECORD, Topic
from firmware_host.maintenance.companion import Reply
from firmware_host.settings import Microseconds

_LOG = logging.getLogger(__name__)

_SETTLES_AFTER: Microseconds = 50_000
"""The time in which the board shows what a request changed, if it wasn't shown before the reply."""
_WAS_AWAY_FOR: Microseconds = 60_000_000
"""The time after a long absence in which the other player may have claimed the game."""
_BOARD_TIMEOUT: Microseconds = 10_000_000
"""The time after which a reply is no longer waited for."""

REPORT_NOTHING: Request = {"do": "room", "stage": None}


class Outside(Protocol):
    """The things that the program lends to a link."""

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

    def __init__(
        self,
        board: str,
        room: Room,
        outside: Outside,
        now: Microseconds,
        *,
        rest: Microseconds,
        away: Microseconds = 0,
    ) -> None:
        """Enter the room as `board`; `away` is the time for which its link may have been absent."""
        self._board, self._room, self._outside, self._rest = board, room, outside, rest
        self._seat: LinkedSeat | None = None
        self._presence = Presence(now)
        self._offline_since: Microseconds | None = now - away
        self._was_away_until: Microseconds = 0
        self._state: Mapping[str, Any] | None = None
        self._shown: tuple[BoardState, object] | None = None
        self._plan: deque[Request] = deque()
        self._asked: tuple[int, Request] | None = None
        self._quiet_until: Microseconds = 0
        self._wish: int | None = None
        """The number of the last wish; None until the board's first state."""
        self._refusal: Message | None = None
        self._reported: Request | None = None
        self.ignored = 0
        """The number of messages that could not be read or were not sealed."""
        if room.linked is not None:
            rules = parse_rules(room.linked["seat"]["record"]["rules"])
            self._seat = LinkedSeat.restored(room.linked, rules, self._key, outside.save, rest=rest)
        elif room.rules is not None:
            self._sit_down(room.rules)
        outside.subscribe(RECORD.every(room=room.invitation.room))
        self._watch_other()

    # ---- events ----------------------------------------------------------------------------------------

    def board_says(self, news: Mapping[str, Any] | Reply | None, now: Microseconds) -> None:
        """Take in the board's state, a reply, or None: the connection to the board has ended."""
        if isinstance(news, Reply):
            self._replied(news, now)
        elif news is None:
            self._state, self._shown = None, None
            self._plan.clear()
            self._asked, self._reported, self._quiet_until = None, None, 0
        else:
            shown = BoardState.of(news), news.get("far")
            is_new = shown != self._shown
            self._state, self._shown = news, shown
            if not is_new:  # only its lights have changed
                return
            if self._asked is None:
                self._quiet_until = 0
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
            self._was_away_until = now + _WAS_AWAY_FOR
        self._offline_since = None
        self._presence = Presence(now)  # nobody knows yet how long the other board has been away
        if self._seat is not None:
            self._seat.publish_again()
        if self._room.rules is not None:
            info = {"v": 1, "host": self._board, "public": False, "rules": self._room.rules.describe()}
            self._outside.publish(INFO, INFO.at(room=self._room.invitation.room), json.dumps(info).encode())

    def _receive(self, topic: str, payload: bytes, now: Microseconds) -> None:
        room = self._room.invitation.room
        record, on = RECORD.names(topic), ON.names(topic)
        if on is not None and self._other == on["board"]:
            self._presence = self._presence.seen(now, on=payload == b"1")
        if record is None or record["room"] != room or record["board"] == self._board:
            return
        try:
            self._judge(payload, now)
        except MillwrightError as error:
            self.ignored += 1
            if self.ignored.bit_count() == 1:  # 1, 2, 4, 8 ...: a flood fills no log
                _LOG.warning("a message was ignored, %s in all: %s", self.ignored, error)

    def _judge(self, payload: bytes, now: Microseconds) -> None:
        if self._seat is None:  # the board that opened the room says by which rules is played
            record = parse_record(payload, self._key)
            self._sit_down(parse_rules(record.rules))
        before = self._other
        if self._seat is not None:
            self._seat.receive(payload, now, was_away=now < self._was_away_until)
        if before != self._other:
            self._watch_other()

    # ---- what is due -----------------------------------------------------------------------------------

    def step(self, now: Microseconds) -> None:
        """Do what is due."""
        self._heed_wish(now)
        self._lead(now)
        if self._offline_since is None and self._seat is not None:
            message = self._seat.message_due(now)
            if message is not None:
                topic = RECORD.at(room=self._room.invitation.room, board=self._board)
                self._outside.publish(RECORD, topic, message)
        self._report(now)

    def due(self, now: Microseconds) -> Microseconds:
        """Return the time at which `step` has to be called if nothing happens: within a second."""
        times = [now + 1_000_000]
        if self._quiet_until > now:
            times.append(self._quiet_until)
        if self._seat is not None and (due := self._seat.due()) is not None and due > now:
            times.append(due)
        return min(times)

    def leave(self) -> None:
        """Tell the board that there is no link any more."""
        self._outside.ask(REPORT_NOTHING)

    # ---- the board -------------------------------------------------------------------------------------

    def _lead(self, now: Microseconds) -> None:
        """Ask the board for the next thing that brings it to the seat's game."""
        if self._shown is None or self._seat is None:
            return
        if self._asked is not None and now < self._quiet_until:  # after the timeout, it is asked again
            return
        if not self._plan and now < self._quiet_until:
            return
        if not self._plan:
            wanted = self._seat.follow(self._shown[0], now, is_away=self._presence.is_away)
            if wanted is None:
                return
            self._plan.extend(wanted)
        if not self._plan:
            self._seat.has_led()
            return
        request = self._plan.popleft()
        number = self._outside.ask(request)
        if number is not None:
            self._asked = number, request
            self._quiet_until = now + _BOARD_TIMEOUT

    def _replied(self, reply: Reply, now: Microseconds) -> None:
        if self._asked is None or reply.request != self._asked[0]:
            if reply.error is not None:
                _LOG.warning("the board refuses: %s", reply.error)
            return
        request = self._asked[1]
        self._asked = None
        self._quiet_until = 0 if self._plan else now + _SETTLES_AFTER
        if reply.error is not None and self._seat is not None:
            _LOG.warning("the board refuses %s: %s", request, reply.error)
            self._seat.has_refused(request)
            self._plan.clear()
        elif not self._plan and self._seat is not None:
            self._seat.has_led()

    def _heed_wish(self, now: Microseconds) -> None:
        """Do what a player here wants, once."""
        if self._state is None:
            return
        wish = (self._state.get("far") or {}).get("wish") or {"number": 0, "what": ""}
        before, self._wish = self._wish, int(wish["number"])
        if before in (None, self._wish) or not wish["what"]:
            return
        self._refusal = None
        try:
            if self._seat is None:
                raise FarError(Message("link.alone"))
            self._seat.take(self._wished(self._seat.seat, wish["what"], now))
        except FarError as error:
            self._refusal = error.message

    def _wished(self, seat: FarSeat, what: str, now: Microseconds) -> FarSeat:
        match what:
            case "ready":
                return seat.ready(self._outside.nonce())
            case "draw":
                return seat.offer_draw()
            case "take-back":
                return seat.offer_take_back()
            case "accept":
                return seat.accept()
            case "decline":
                return seat.decline()
            case "take-theirs":
                return take_theirs(seat)
        if not self._presence.may_claim(now) or seat.game is None or seat.outcome is not None:
            raise FarError(Message("link.no-claim"))
        if what == "claim-draw":
            return seat.declare(Outcome(Reason.AGREED, None))
        return seat.declare(Outcome(Reason.ABANDONED, seat.player))

    def _report(self, now: Microseconds) -> None:
        if self._state is None:
            return
        seat = None if self._seat is None else self._seat.seat
        offer = None if seat is None else seat.theirs_to_answer
        report: Request = {
            "do": "room",
            "stage": self._stage(seat),
            "question": None if offer is None else offer.what,
            "may_claim": self._presence.may_claim(now) and seat is not None and seat.game is not None,
            "done": self._wish or 0,
            "refused": None if self._refusal is None else self._refusal.as_dict(),
            "trouble": None if seat is None or seat.trouble is None else seat.trouble.as_dict(),
        }
        if report != self._reported and self._outside.ask(report) is not None:
            self._reported = report

    def _stage(self, seat: FarSeat | None) -> str:
        if self._offline_since is not None:
            return "unconnected"
        if seat is None or not seat.other:
            return "alone"
        if seat.game is None:
            return "ready" if seat.nonce else "waiting"
        return "playing" if seat.outcome is None else "over"

    # ---- the seat --------------------------------------------------------------------------------------

    def _sit_down(self, rules: Rules) -> None:
        seat = FarSeat(self._board, "", self._room.invitation.room, rules)
        self._seat = LinkedSeat(seat, self._key, self._outside.save, rest=self._rest)
        self._seat.save()

    def _watch_other(self) -> None:
        if self._other:
            self._outside.subscribe(ON.at(board=self._other))

    @property
    def _other(self) -> str:
        return "" if self._seat is None else self._seat.seat.other

    @property
    def _key(self) -> bytes:
        return self._room.invitation.key
