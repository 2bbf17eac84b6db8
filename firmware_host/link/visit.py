"""A board on one broker, in a room, in its lobby or in none: what becomes of events, and of what pages want.

Invariants: a page's wish is carried out, or refused with words. A room is entered or left by the link's
folder alone, after which this visit ends and another begins.
"""

from __future__ import annotations

import logging
import re
import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol

from firmware_host.errors import FarError, MillwrightError
from firmware_host.far.address import BrokerAddress
from firmware_host.far.invitation import (
    KEY_BYTES,
    TOUCHED_ROOM_LASTS,
    Invitation,
    Meeting,
    meeting,
    new_invitation,
)
from firmware_host.far.parsing import ROOM_LENGTH
from firmware_host.far.wishing import WishReader
from firmware_host.games.game import Rules
from firmware_host.games.rulesets import DEFAULT, RULE_SETS, parse_rules, rule_set
from firmware_host.i18n import Message
from firmware_host.link.broker import BrokerEvent, Connected, Disconnected, Incoming
from firmware_host.link.identity import board_name
from firmware_host.link.member import REPORT_NOTHING, Outside, RoomMember
from firmware_host.link.messages.reading import Listing, ListingMessage, TopicAddress, address_of, read
from firmware_host.link.noticeboard import parts_of_room
from firmware_host.link.published import FollowedRoom, PublishedGame, Rooms, drawn_game, look_of, named_game
from firmware_host.link.rooms import LinkFolder, Room
from firmware_host.link.topics import CARD, LOBBY, ON, RECORD
from firmware_host.maintenance.companion import Reply
from firmware_host.settings import MAX_BOARD_NAME, Link, Microseconds

# ---- the lobby ------------------------------------------------------------------------------------------
# The lobby of a club: the rooms that anybody of it can join or watch, and the game that is watched.
#
# Invariants: whatever a broker sends is a room within the limits, or a FarError. A room that is listed is on
# this broker. A board lists one room, and nobody else can change that, nor make it look full: its host alone
# says who has the other seat. Records count with the key of their room. Nothing here takes part in a game.


MAX_LISTED = 100
"""The most rooms of a lobby, one of each host."""
RENEWED_EVERY_S = 3600
"""The interval at which the host of a room lists it again."""

Subscribe = Callable[[str], object]


class Lobby:
    """The rooms of a club on one broker, as they appear to one board."""

    def __init__(self, address: BrokerAddress, club: str, subscribe: Subscribe, leave: Subscribe) -> None:
        """Begin with an empty lobby; `subscribe` and `leave` begin and end the messages of a filter."""
        self._address, self._club = address, club
        self._subscribe, self._leave = subscribe, leave
        self._listed: dict[str, Listing] = {}
        """The listing of each host."""
        self._published = Rooms()
        self._watched = ""
        self._drawn: tuple[PublishedGame, dict[str, Any]] | None = None
        for one in (LOBBY.every(club=club), CARD.every(), ON.every()):
            subscribe(one)

    def receive(self, topic: str, message: bytes) -> bool:
        """Take over a message; return False if it isn't for a lobby. Raise FarError if it is refused."""
        address = address_of(topic)
        if address is None or address.kind not in (LOBBY, CARD, ON, RECORD):
            return False
        if address.kind is LOBBY:
            self._list(address, message)
        elif address.kind is not RECORD:
            self._published.receive(topic, message)
        else:
            self._take_record(address, topic, message)
        return True

    def listing(self, host: str) -> Listing:
        """Return the room that a board has listed; raise FarError if it doesn't list one any more."""
        if host not in self._listed:
            raise FarError(Message("link.no-listing"))
        return self._listed[host]

    def watch(self, host: str) -> None:
        """Watch the game of a listed room, or with an empty name none; raise FarError if it isn't listed."""
        if host:
            self.listing(host)
        self._watched, self._drawn = host, None

    def parts(self) -> Iterator[tuple[str, Any]]:
        """Yield what pages show of the lobby and of the game that is watched."""
        for host, listing in self._listed.items():
            yield f"lobby:{host}", self._row(listing)
        watched = self._listed.get(self._watched)
        room = None if watched is None else self._room(watched)
        seat = None if room is None else room.game_of(self._watched)
        if room is None or seat is None:
            return
        if self._drawn is None or self._drawn[0] is not seat:
            self._drawn = seat, drawn_game(room, seat)[0]
        yield "watched", {**named_game(self._published, room, seat), **self._drawn[1]}
        yield "look", look_of(seat.game.rules)

    def _take_record(self, address: TopicAddress, topic: str, message: bytes) -> None:
        """Take over a record with the key of a listed room; others may list rooms of the same name."""
        listings = [one for one in self._listed.values() if one.invitation.room == address.room]
        own = [one for one in listings if one.board == address.board]
        refusal: FarError | None = None
        for key in {one.invitation.key for one in own or listings}:
            try:
                self._published.receive(topic, message, key)
            except FarError as error:
                refusal = error
            else:
                return
        if refusal is not None:
            raise refusal

    def _row(self, listing: Listing) -> dict[str, Any]:
        room = self._room(listing)
        seat = None if room is None else room.game_of(listing.board)
        seats = [listing.board, *filter(None, [listing.other])]
        boards = seats if seat is None else [seat.record.white, seat.record.black]
        over = seat is not None and seat.game.outcome is not None
        return {
            "name": listing.name,
            "rules": listing.rules,
            "players": [self._published.label_of(board) for board in boards],
            "here": all(self._published.is_present(board) for board in boards),
            "stage": "free" if len(boards) < 2 else "over" if over else "playing" if seat else "full",
        }

    def _room(self, listing: Listing) -> FollowedRoom | None:
        return self._published.room(listing.invitation.room)

    def _is_listed(self, room: str) -> bool:
        return any(one.invitation.room == room for one in self._listed.values())

    def _list(self, address: TopicAddress, message: bytes) -> None:
        if address.club != self._club:
            return
        found = read(address, message)
        listing = found.listing if isinstance(found, ListingMessage) else None
        if listing is not None:
            self._check(listing)
        before = self._listed.pop(address.board, None)
        if before is not None and not self._is_listed(before.invitation.room):
            self._leave(RECORD.every(room=before.invitation.room))
        if listing is not None:
            if not self._is_listed(listing.invitation.room):
                self._subscribe(RECORD.every(room=listing.invitation.room))
            self._listed[address.board] = listing

    def _check(self, listing: Listing) -> None:
        """Raise FarError unless a room can be listed."""
        invitation = listing.invitation
        if (invitation.host, invitation.port) != (self._address.host, self._address.port):
            raise FarError("a listed room must be on this broker")
        if listing.board not in self._listed and len(self._listed) >= MAX_LISTED:
            raise FarError(f"a lobby has {MAX_LISTED} rooms at most")


# ---- a board on a broker --------------------------------------------------------------------------------


_LOG = logging.getLogger(__name__)
_MS: Microseconds = 1_000
_SECOND: Microseconds = 1_000_000
_IN_A_LINK = re.compile(r"MW1:\S+")


class Network(Outside, Protocol):
    """The things that the program lends to a visit; tests know what time of day it is."""

    def unsubscribe(self, *filters: str) -> None:
        """End subscriptions."""

    def time_of_day(self) -> float | None:
        """Return the seconds since 1970; None if nobody knows."""


class RoomVisit:
    """A board in a room, or in none."""

    def __init__(
        self,
        board: str,
        settings: Link,
        folder: LinkFolder,
        outside: Network,
        room: Room | None,
        address: BrokerAddress | None,
        now: Microseconds,
        refusal: Message | None = None,
    ) -> None:
        """Begin a visit of `board` at a broker; without an address it has none.

        `refusal` is why the visit before ended, if players don't know.
        """
        self._board, self._settings, self._folder, self._outside = board, settings, folder, outside
        self._room, self._address = room, address
        self._is_at_the_club = _is_at_the_club(address, settings)
        self.awaits_clock = False
        """True if the visit has to begin again once the time is known."""
        self.parting: Message | None = None
        """The reason why this visit ends, if players don't know."""
        self._member = None if room is None else self._entered(room, now)
        self._lobby: Lobby | None = None
        if address is not None and room is None and settings.club:
            self._lobby = Lobby(address, settings.club, outside.subscribe, outside.unsubscribe)
        self._state: Mapping[str, Any] | None = None
        self._reported: Mapping[str, Any] | None = None
        self._wishes = WishReader()
        self._refusal = refusal
        self._began = now
        self._is_connected = False
        self._listed_at: Microseconds | None = None
        self._listed = b""
        """The message that lists the room in the lobby, as it was published last."""
        self._ignored = 0
        """The number of messages of the lobby that were refused."""

    # ---- events ----------------------------------------------------------------------------------------

    def board_says(self, news: Mapping[str, Any] | Reply | None, now: Microseconds) -> None:
        """Take in the board's state, a reply, or None: the connection to the board has ended."""
        if not isinstance(news, Reply):
            self._state = news
            self._reported = None if news is None else self._reported
        if self._member is not None:
            self._member.board_says(news, now)
        self.step(now)

    def broker_says(self, event: BrokerEvent, now: Microseconds) -> None:
        """Take in what has happened at the broker."""
        match event:
            case Connected():
                self._is_connected, self._listed_at = True, None
            case Disconnected():
                self._is_connected = False
            case Incoming(topic=topic, payload=payload) if self._lobby is not None:
                try:
                    self._lobby.receive(topic, payload)
                except FarError as error:
                    self._ignored += 1
                    if self._ignored.bit_count() == 1:  # 1, 2, 4, 8 ...: a flood fills no log
                        _LOG.warning(
                            "a message of the lobby was ignored, %s in all: %s", self._ignored, error
                        )
        if self._member is not None:
            self._member.broker_says(event, now)
        self.step(now)

    def step(self, now: Microseconds) -> None:
        """Do what is due."""
        if self._member is not None:
            self._member.step(now)
        self._list(now)
        self._heed_wish(now)
        if self._member is None:
            self._report_no_room()

    def due(self, now: Microseconds) -> Microseconds:
        """Return the time at which `step` has to be called if nothing happens: within a second."""
        return now + _SECOND if self._member is None else self._member.due(now)

    def leave(self, *, for_good: bool) -> None:
        """Tell the board that there is no link, and, if the room is left `for_good`, the lobby as well."""
        self._outside.ask(REPORT_NOTHING)
        if for_good and self._member is not None:
            self._member.say_farewell()
        if for_good and self._listing():
            self._outside.publish(LOBBY, self._lobby_topic(), b"")

    # ---- what pages see and want -------------------------------------------------------------------------

    def parts(self) -> dict[str, Any]:
        """Return all that pages show of this link."""
        own = {
            "name": board_name(self._settings),
            "broker": self._settings.broker,
            "club": self._settings.club,
            "connected": self._is_connected,
            **({"clock": False} if self._outside.time_of_day() is None else {}),
        }
        room = {}
        if self._room is not None and self._member is not None:
            room = parts_of_room(self._room, self._member)
        return {"here": own, **room, **({} if self._lobby is None else dict(self._lobby.parts()))}

    def wished(self, wish: Mapping[str, Any], now: Microseconds) -> Message | None:
        """Carry out what a page wants; return why it is refused, None if it isn't."""
        try:
            self._carry_out(wish, now)
        except MillwrightError as error:
            return error.message or Message("link.failed", {"text": str(error)})
        return None

    def _carry_out(self, wish: Mapping[str, Any], now: Microseconds) -> None:
        match wish:
            case {"do": "open", "name": str(name), "public": bool(public), "broker": str(broker)}:
                self._open(name, broker, is_public=public)
            case {"do": "join", "invitation": str(text)}:
                self._join(text)
            case {"do": "enter", "host": str(host)} if self._lobby is not None:
                listing = self._lobby.listing(host)
                self._folder.enter(listing.invitation, is_public=True, host=listing.board)
            case {"do": "watch", "host": str(host)} if self._lobby is not None:
                self._lobby.watch(host)
            case {"do": "leave"}:
                self._folder.leave()
            case {"do": "say"} if self._member is not None and self._room is not None:
                text, phrase = wish.get("text", ""), wish.get("phrase", "")
                if not (isinstance(text, str) and isinstance(phrase, str)):
                    raise FarError(Message("link.no-chat"))
                self._member.say(now, text, phrase)
            case {"do": "mute", "on": bool(on)} if self._member is not None:
                self._member.talk.is_muted = on
            case _:
                raise FarError(Message("link.no-room"))

    def _open(self, name: str, broker: str, *, is_public: bool) -> None:
        if len(name) > MAX_BOARD_NAME or not name.isprintable():
            raise FarError(Message("link.room-name", {"count": MAX_BOARD_NAME}))
        wanted = broker.strip() or self._settings.broker
        if not wanted:
            raise FarError(Message("link.no-broker"))
        if is_public and (not self._settings.club or wanted != self._settings.broker):
            raise FarError(Message("link.no-club"))
        try:
            address = BrokerAddress.parse(wanted, self._settings.ca)
        except FarError as error:
            raise FarError(Message("link.broker", {"text": wanted[:MAX_BOARD_NAME]})) from error
        chance = secrets.token_bytes(KEY_BYTES + ROOM_LENGTH)
        invitation = new_invitation(address.host, address.port, chance)
        title = name.strip() or board_name(self._settings)
        self._folder.enter(invitation, self._rules(), title=title, is_public=is_public)

    def _rules(self) -> Rules:
        """Return the rules of the board's game; those of a lesson are for nobody else."""
        rules = str((self._state or {}).get("rules", DEFAULT))
        return parse_rules(rules) if rules.split(" ")[0] in RULE_SETS else rule_set(DEFAULT)

    def _join(self, text: str) -> None:
        """Enter the room of an invitation, which may stand in a link or in other text."""
        found = _IN_A_LINK.search(text)
        invitation = Invitation.parse(found[0] if found else text)
        if self._room is not None and self._room.invitation == invitation:
            raise FarError(Message("link.same-room"))
        self._folder.enter(invitation)

    # ---- the room ----------------------------------------------------------------------------------------

    def _entered(self, room: Room, now: Microseconds) -> RoomMember:
        absence, rest = self._folder.absence(room), self._settings.far_rest_ms * _MS
        self.awaits_clock = not absence.is_known and self._outside.time_of_day() is None
        away, is_known = absence.ms * _MS, absence.is_known
        return RoomMember(self._board, room, self._outside, now, rest=rest, away=away, is_away_known=is_known)

    def _list(self, now: Microseconds) -> None:
        """List a public room in the lobby, again each hour, and once its other seat is taken.

        Otherwise an earlier listing is taken off.
        """
        if not self._is_connected or not self._is_at_the_club:
            return
        listing = self._listing()
        is_old = self._listed_at is None or now - self._listed_at >= RENEWED_EVERY_S * _SECOND
        is_due = self._listed_at is None or (bool(listing) and (is_old or listing != self._listed))
        if is_due and self._outside.publish(LOBBY, self._lobby_topic(), listing):
            self._listed_at, self._listed = now, listing

    def _listing(self) -> bytes:
        """Return the message that lists the room; an empty one unless this board hosts a public room."""
        room = self._room
        if room is None or room.rules is None or not room.is_public or not self._is_at_the_club:
            return b""
        seat = None if self._member is None else self._member.seat
        other = "" if seat is None else seat.other
        return Listing(self._board, room.title, room.rules.describe(), room.invitation, other).message()

    def _lobby_topic(self) -> str:
        return LOBBY.at(club=self._settings.club, board=self._board)

    def _heed_wish(self, now: Microseconds) -> None:
        """Enter or leave a room as hands want; the member of a room sees to all else that is wished there."""
        self._leave_if_alone(now)
        if self._state is None:
            return
        wish = self._wishes.new_wish(self._state)
        if wish is None:
            return
        self._refusal = None
        try:
            match wish:
                case {"what": "meet", "points": [*points]}:
                    self._meet(tuple(map(str, points)))
                case {"what": "leave"} if self._room is not None:
                    self._folder.leave()
                case _ if self._member is None:
                    raise FarError(Message("link.no-room"))
        except MillwrightError as error:
            self._refusal = error.message or Message("link.failed", {"text": str(error)})

    def _meet(self, points: tuple[str, ...]) -> None:
        """Enter the room of four touched points, on the configured broker."""
        if not self._settings.broker:
            raise FarError(Message("link.no-broker"))
        address = BrokerAddress.parse(self._settings.broker, self._settings.ca)
        rules = self._rules()
        time_s = self._outside.time_of_day()
        if time_s is None:
            raise FarError(Message("link.no-clock"))
        found = meeting(address.host, address.port, points, rules.describe(), time_s)
        self._folder.meet(found, rules, board_name(self._settings))

    def _leave_if_alone(self, now: Microseconds) -> None:
        """Leave a room of four touched points for that of the next hour, or for none, if nobody comes."""
        room, member = self._room, self._member
        if room is None or not room.is_touched or member is None or not member.is_alone:
            return
        time_s = self._outside.time_of_day()
        if room.then is not None and time_s is not None:
            if time_s >= room.moves_at:
                self._folder.meet(Meeting(room.then), room.rules, room.title)
        elif now - self._began >= TOUCHED_ROOM_LASTS:
            self.parting = _nobody_came(time_s)
            self._folder.leave()

    def _report_no_room(self) -> None:
        """Report to the board that there is a link but no room, where only a room can be wished."""
        if self._state is None:
            return
        refused = None if self._refusal is None else self._refusal.as_dict()
        report = {"do": "room", "stage": "outside", "done": self._wishes.done, "refused": refused}
        if report != self._reported and self._outside.ask(report) is not None:
            self._reported = report


def _is_at_the_club(address: BrokerAddress | None, settings: Link) -> bool:
    """Return whether an address is that of the club's broker."""
    if address is None or not (settings.club and settings.broker):
        return False
    try:
        return BrokerAddress.parse(settings.broker, settings.ca) == address
    except FarError:  # rooms on other brokers can still be played in
        return False


def _nobody_came(time_s: float | None) -> Message:
    """Return why boards may have failed to meet at four points; `time_s` is the time here, if it is known."""
    if time_s is None:
        return Message("link.no-clock")
    return Message("link.nobody-came", {"time": time.strftime("%Y-%m-%d %H:%M", time.localtime(time_s))})
