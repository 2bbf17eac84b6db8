"""The lobby of a club: the rooms that anybody of it can join or watch, and the game that is watched.

Invariants: whatever a broker sends is a room within the limits, or a FarError. A room that is listed is on
this broker. Nothing here takes part in a game.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from firmware_host.errors import FarError, NotationError
from firmware_host.far.address import BrokerAddress
from firmware_host.far.invitation import Invitation
from firmware_host.far.parsing import MAX_RULES_LENGTH
from firmware_host.far.sealing import parsed
from firmware_host.frozen import frozen
from firmware_host.games.rulesets import parse_rules
from firmware_host.i18n import Message
from firmware_host.link.picture import drawn_game, look_of, named_game
from firmware_host.link.published import FollowedRoom, PublishedGame, Rooms
from firmware_host.link.topics import CARD, LOBBY, ON, RECORD
from firmware_host.settings import MAX_BOARD_NAME

MAX_LISTED = 100
"""The most rooms of a lobby."""
RENEWED_EVERY_S = 3600
"""The interval at which the host of a room lists it again."""

Subscribe = Callable[[str], object]


@frozen
class Listing:
    """A room as its host lists it in the lobby."""

    name: str
    rules: str
    invitation: Invitation

    def message(self) -> bytes:
        """Return the message that the broker keeps."""
        members = {"v": 1, "name": self.name, "rules": self.rules, "invitation": str(self.invitation)}
        return json.dumps(members, separators=(",", ":")).encode()

    @classmethod
    def parse(cls, message: bytes) -> Listing:
        """Return the listing of a message; raise FarError if it isn't one."""
        members = parsed(message)
        name, rules, invitation = (members.get(key) for key in ("name", "rules", "invitation"))
        if members.get("v") != 1 or not (isinstance(name, str) and isinstance(invitation, str)):
            raise FarError("a listed room needs a name and an invitation")
        if len(name) > MAX_BOARD_NAME or not name.isprintable():
            raise FarError(f"the name of a room must be a line of {MAX_BOARD_NAME} characters at most")
        if not isinstance(rules, str) or len(rules) > MAX_RULES_LENGTH:
            raise FarError("a listed room needs rules")
        try:
            parse_rules(rules)
        except NotationError as error:
            raise FarError(f"the rules of a listed room can't be read: {error}") from error
        return cls(name, rules, Invitation.parse(invitation))


class Lobby:
    """The rooms of a club on one broker, as they appear to one board."""

    def __init__(self, address: BrokerAddress, club: str, subscribe: Subscribe, leave: Subscribe) -> None:
        """Begin with an empty lobby; `subscribe` and `leave` begin and end the messages of a filter."""
        self._address, self._club = address, club
        self._subscribe, self._leave = subscribe, leave
        self._listed: dict[str, Listing] = {}
        self._published = Rooms()
        self._watched = ""
        self._drawn: tuple[PublishedGame, dict[str, Any]] | None = None
        for one in (LOBBY.every(club=club), CARD.every(), ON.every()):
            subscribe(one)

    def receive(self, topic: str, message: bytes) -> bool:
        """Take over a message; return False if it isn't for a lobby. Raise FarError if it is refused."""
        names = LOBBY.names(topic)
        if names is not None:
            if names["club"] == self._club:
                self._list(names["room"], message)
            return True
        record = RECORD.names(topic)
        if record is None and CARD.names(topic) is None and ON.names(topic) is None:
            return False
        if record is None or record["room"] in self._listed:
            self._published.receive(topic, message)
        return True

    def listing(self, room: str) -> Listing:
        """Return a listed room; raise FarError if it isn't listed any more."""
        if room not in self._listed:
            raise FarError(Message("link.no-listing"))
        return self._listed[room]

    def watch(self, room: str) -> None:
        """Watch the game of a listed room, or with an empty name none; raise FarError if it isn't listed."""
        if room:
            self.listing(room)
        self._watched, self._drawn = room, None

    def parts(self) -> Iterator[tuple[str, Any]]:
        """Yield what pages show of the lobby and of the game that is watched."""
        rooms = {room.name: room for room in self._published.all}
        for name, listing in self._listed.items():
            yield f"lobby:{name}", self._row(listing, rooms.get(name))
        room = rooms.get(self._watched)
        seat = None if room is None else room.shown
        if room is None or seat is None:
            return
        if self._drawn is None or self._drawn[0] is not seat:
            self._drawn = seat, drawn_game(room, seat)[0]
        yield "watched", {**named_game(self._published, room, seat), **self._drawn[1]}
        yield "look", look_of(seat.game.rules)

    def _row(self, listing: Listing, room: FollowedRoom | None) -> dict[str, Any]:
        seat = None if room is None else room.shown
        seats = [] if room is None else list(room.seats)
        boards = seats if seat is None else [seat.record.white, seat.record.black]
        over = seat is not None and seat.game.outcome is not None
        return {
            "name": listing.name,
            "rules": listing.rules,
            "players": [self._published.name_of(board) for board in boards],
            "here": all(self._published.is_present(board) for board in boards),
            "stage": "free" if len(seats) < 2 else "over" if over else "playing" if seat else "full",
        }

    def _list(self, room: str, message: bytes) -> None:
        if not message:
            if self._listed.pop(room, None) is not None:
                self._leave(RECORD.every(room=room))
            return
        listing = Listing.parse(message)
        invitation = listing.invitation
        here = (self._address.host, self._address.port)
        if invitation.room != room or (invitation.host, invitation.port) != here:
            raise FarError("a listed room must be the one of its topic, on this broker")
        if room not in self._listed and len(self._listed) >= MAX_LISTED:
            raise FarError(f"a lobby has {MAX_LISTED} rooms at most")
        if room not in self._listed:
            self._subscribe(RECORD.every(room=room))
        self._listed[room] = listing
