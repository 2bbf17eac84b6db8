"""The one place where a message of a broker is read and held against its topic, for every program.

    address = address_of(topic)                      # cheap: the message has not been read
    match read(address, payload, key):
        case RecordMessage(record=record): ...

A broker with the shipped permissions lets a board write topics with its own name alone, so the topic says who
has written a message. Its contents may claim anything.

Invariants: a message that is returned is of the board, and of the room, that its topic names, and within all
limits. Everything else is a FarError with the reason.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any

from firmware_host.errors import FarError, NotationError
from firmware_host.far.invitation import Invitation
from firmware_host.far.parsing import BOARD_LENGTH, MAX_RULES_LENGTH, is_name, record_in
from firmware_host.far.record import SeatRecord
from firmware_host.far.sealing import opened, parsed
from firmware_host.frozen import frozen
from firmware_host.games.rulesets import parse_rules
from firmware_host.link.broker import PRESENT
from firmware_host.link.messages.names import readable
from firmware_host.link.topics import CARD, INFO, LOBBY, ON, RECORD, SAY, Topic
from firmware_host.settings import MAX_BOARD_NAME

# ---- the room in a lobby --------------------------------------------------------------------------------
# The room that a board lists in the lobby of a club.
#
# Invariants: a listing that was read is within the limits, and its rules can be played here.


@frozen
class Listing:
    """A room as its host lists it in the lobby."""

    board: str
    """The host."""
    name: str
    rules: str
    invitation: Invitation
    other: str = ""
    """The board that has the other seat; empty while anybody may take it."""

    def message(self) -> bytes:
        """Return the message that the broker keeps."""
        about = {
            "name": self.name,
            "rules": self.rules,
            "invitation": str(self.invitation),
            "other": self.other,
        }
        return json.dumps({"v": 1, "board": self.board, **about}, separators=(",", ":")).encode()

    @classmethod
    def of(cls, members: Mapping[str, Any]) -> Listing:
        """Return the listing with these members; raise FarError if they aren't one."""
        board, name, rules, invitation = (
            members.get(key) for key in ("board", "name", "rules", "invitation")
        )
        other = members.get("other", "")
        is_text = all(isinstance(one, str) for one in (board, name, invitation))
        if members.get("v") != 1 or not is_text:
            raise FarError("a listed room needs a board, a name and an invitation")
        if len(str(name)) > MAX_BOARD_NAME or not str(name).isprintable():
            raise FarError(f"the name of a room must be a line of {MAX_BOARD_NAME} characters at most")
        if other != "" and not is_name(other, BOARD_LENGTH):
            raise FarError('"other" must be the name of a board, or empty')
        if not isinstance(rules, str) or len(rules) > MAX_RULES_LENGTH:
            raise FarError("a listed room needs rules")
        try:
            parse_rules(rules)
        except NotationError as error:
            raise FarError(f"the rules of a listed room can't be read: {error}") from error
        title = readable(str(name))[:MAX_BOARD_NAME]
        return cls(str(board), title, rules, Invitation.parse(str(invitation)), str(other))


# ---- messages -------------------------------------------------------------------------------------------


@frozen
class TopicAddress:
    """The kind of a topic, and the names in it."""

    kind: Topic
    board: str
    """The board that has written the message."""
    room: str = ""
    club: str = ""


@frozen
class PresenceMessage:
    """The report that a board is connected, or isn't."""

    board: str
    is_on: bool


@frozen
class CardMessage:
    """The name of a board; empty if it has withdrawn its card."""

    board: str
    name: str


@frozen
class InfoMessage:
    """A room as the board that opened it describes it."""

    room: str
    board: str
    title: str
    is_public: bool


@frozen
class RecordMessage:
    """A board's record in a room; None if it was removed."""

    room: str
    board: str
    record: SeatRecord | None
    members: Mapping[str, Any] = field(default_factory=dict)
    """All members of the message, of which a record has some."""


@frozen
class SayMessage:
    """A message of the chat."""

    room: str
    board: str
    members: Mapping[str, Any]


@frozen
class ListingMessage:
    """The room that a board lists in a lobby; None if it lists none any more."""

    club: str
    board: str
    listing: Listing | None


BrokerMessage = PresenceMessage | CardMessage | InfoMessage | RecordMessage | SayMessage | ListingMessage


def address_of(topic: str) -> TopicAddress | None:
    """Return the address that a topic is; None if no board has to read it."""
    for kind in _READERS:
        names = kind.names(topic)
        if names is not None:
            return TopicAddress(kind, **names)
    return None


def read(address: TopicAddress, payload: bytes, key: bytes | None = None) -> BrokerMessage:
    """Return the message of an address, sealed with the room's `key` if that is known; raise FarError."""
    return _READERS[address.kind](address, payload, key)


def _presence(at: TopicAddress, payload: bytes, _key: bytes | None) -> PresenceMessage:
    return PresenceMessage(at.board, payload == PRESENT)


def _card(at: TopicAddress, payload: bytes, _key: bytes | None) -> CardMessage:
    members = parsed(payload) if payload else {}
    _own(at, {"board": at.board, **members})  # a card need not name its board
    return CardMessage(at.board, _line(members, "name"))


def _info(at: TopicAddress, payload: bytes, key: bytes | None) -> InfoMessage:
    members = _own(at, opened(payload, key)) if payload else {}
    return InfoMessage(at.room, at.board, _line(members, "name"), members.get("public") is True)


def _record(at: TopicAddress, payload: bytes, key: bytes | None) -> RecordMessage:
    if not payload:
        return RecordMessage(at.room, at.board, None)
    members = opened(payload, key)
    record = record_in(members)
    return RecordMessage(at.room, at.board, record, _own(at, members))


def _say(at: TopicAddress, payload: bytes, key: bytes | None) -> SayMessage:
    return SayMessage(at.room, at.board, _own(at, opened(payload, key)))


def _listing(at: TopicAddress, payload: bytes, _key: bytes | None) -> ListingMessage:
    listing = Listing.of(_own(at, parsed(payload))) if payload else None
    return ListingMessage(at.club, at.board, listing)


def _own(at: TopicAddress, members: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the members of a message that names the board of its topic; raise FarError otherwise."""
    if members.get("board") != at.board:
        raise FarError("a message is of another board than its topic names")
    return members


def _line(members: Mapping[str, Any], name: str) -> str:
    """Return a member that people read; raise FarError if it isn't a short line."""
    text = members.get(name, "")
    if not isinstance(text, str) or len(text) > MAX_BOARD_NAME or not text.isprintable():
        raise FarError(f'"{name}" must be a text of {MAX_BOARD_NAME} characters at most')
    return readable(text)[:MAX_BOARD_NAME]


_READERS: Mapping[Topic, Callable[[TopicAddress, bytes, bytes | None], BrokerMessage]] = {
    ON: _presence,
    CARD: _card,
    INFO: _info,
    RECORD: _record,
    SAY: _say,
    LOBBY: _listing,
}
