"""The lobby of a club: the rooms that anybody of it can join or watch, and the game that is watched.

Invariants: whatever a broker sends is a room within the limits, or a FarError. A room that is listed is on
this broker. A board lists one room, and nobody else can change that, nor make it look full: its host alone
says who has the other seat. Records count with the key of their room. Nothing here takes part in a game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from firmware_host.errors import FarError
from firmware_host.far.address import BrokerAddress
from firmware_host.i18n import Message
from firmware_host.link.messages.listing import Listing
from firmware_host.link.messages.reading import ListingMessage, TopicAddress, address_of, read
from firmware_host.link.picture import drawn_game, look_of, named_game
from firmware_host.link.published import FollowedRoom, PublishedGame, Rooms
from firmware_host.link.topics import CARD, LOBBY, ON, RECORD

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
