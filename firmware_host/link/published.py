"""The rooms of a broker, as they appear to a program that only reads.

Invariants: whatever comes is a room's newest state or a FarError with the reason, and what is kept is
limited: rooms and boards that were silent for longest are forgotten. A record without news changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any

from firmware_host.errors import FarError
from firmware_host.far.parsing import parse_record
from firmware_host.far.record import SeatRecord
from firmware_host.far.replaying import replayed
from firmware_host.far.sealing import parsed
from firmware_host.far.verifying import FarGame, verified
from firmware_host.frozen import frozen
from firmware_host.games.game import Game
from firmware_host.link.broker import PRESENT
from firmware_host.link.topics import CARD, INFO, ON, RECORD
from firmware_host.settings import MAX_BOARD_NAME

FILTERS = tuple(topic.every() for topic in (CARD, ON, INFO, RECORD))
"""The filters to subscribe to: names come before the records of those they name."""

MAX_ROOMS, MAX_BOARDS = 1000, 4000
_MAX_SEATS = 4
"""The boards of one room that are kept: two play, and others may have played before."""


@frozen
class PublishedGame:
    """A record, and the game that it tells of."""

    record: SeatRecord
    game: Game


@frozen
class FollowedRoom:
    """A room, with the newest record of each board, the last that was heard at the end."""

    name: str
    title: str = ""
    """The name that its host gave it."""
    seats: Mapping[str, PublishedGame] = field(default_factory=dict)

    def with_seat(self, one: PublishedGame) -> FollowedRoom:
        """Return the room after a record."""
        others = [other for board, other in self.seats.items() if board != one.record.board]
        kept = (*others, one)[-_MAX_SEATS:]
        return replace(self, seats={seat.record.board: seat for seat in kept})

    @property
    def shown(self) -> PublishedGame | None:
        """The game to show, of the round that was begun last, in its newest state.

        One that both of its boards publish goes before one that a single board claims.
        """
        begun = [seat for seat in self.seats.values() if seat.record.game]
        return max(begun, key=self._rank) if begun else None

    def _rank(self, one: PublishedGame) -> tuple[bool, int, int, int, bool]:
        record = one.record
        state = record.round, record.takes_back, len(record.turns), record.declared is not None
        return self.opposite(one) is not None, *state

    def opposite(self, one: PublishedGame) -> PublishedGame | None:
        """Return the other board's state of the same game; None if it has none."""
        record = one.record
        if record.board not in (record.white, record.black):
            return None
        other = self.seats.get(record.black if record.board == record.white else record.white)
        return other if other is not None and other.record.game == record.game else None

    def verified(self) -> FarGame | None:
        """Return the game that is over on both boards, if there is one.

        Raises FarError if the boards' records contradict each other, the rules, or the roll.
        """
        shown = self.shown
        other = None if shown is None else self.opposite(shown)
        if shown is None or other is None:
            return None
        return verified(self.name, shown.record, other.record)


class Rooms:
    """The rooms that messages of a broker tell of; `keys` are those of rooms that are known."""

    def __init__(self, keys: Mapping[str, bytes] | None = None) -> None:
        self._keys = dict(keys or {})
        self._rooms: dict[str, FollowedRoom] = {}
        self._names: dict[str, str] = {}
        self._present: dict[str, bool] = {}

    def receive(self, topic: str, message: bytes) -> FollowedRoom | None:
        """Take over a message; return the room if there is something new in it.

        Raises FarError for a message that can't be what its topic promises.
        """
        if (names := RECORD.names(topic)) is not None:
            if not message:  # a board that was alone has removed its record
                return None
            return self._record(names["room"], names["board"], message)
        if (names := INFO.names(topic)) is not None:
            return self._entitle(names["room"], message)
        if (names := CARD.names(topic)) is not None:
            _keep(self._names, names["board"], name_on_card(message), MAX_BOARDS)
        elif (names := ON.names(topic)) is not None:
            _keep(self._present, names["board"], message == PRESENT, MAX_BOARDS)
        else:
            raise FarError("nothing is known of this topic")
        return None

    @property
    def all(self) -> tuple[FollowedRoom, ...]:
        """All rooms, the one that has changed last at the end."""
        return tuple(self._rooms.values())

    def has_key(self, room: str) -> bool:
        """Return whether records of a room are checked for their seal."""
        return room in self._keys

    def name_of(self, board: str) -> str:
        """Return what a board is called."""
        return self._names.get(board) or board

    def is_present(self, board: str) -> bool:
        """Return whether a board is connected."""
        return self._present.get(board, False)

    def _entitle(self, name: str, message: bytes) -> FollowedRoom | None:
        title = _text(message, "name")
        room = self._rooms.get(name, FollowedRoom(name))
        return None if room.title == title else self._kept(replace(room, title=title))

    def _record(self, name: str, board: str, message: bytes) -> FollowedRoom | None:
        if not message:  # the board has left, and nothing is kept of it
            return None
        record = parse_record(message, self._keys.get(name))
        if record.board != board:
            raise FarError("the record is that of another board than its topic names")
        room = self._rooms.get(name, FollowedRoom(name))
        before = room.seats.get(board)
        if before is not None and before.record == record:
            return None
        return self._kept(room.with_seat(PublishedGame(record, replayed(record))))

    def _kept(self, room: FollowedRoom) -> FollowedRoom:
        _keep(self._rooms, room.name, room, MAX_ROOMS)
        return room


def name_on_card(message: bytes) -> str:
    """Return the name on a board's card; raise FarError if it isn't a short line."""
    return _text(message, "name")


def _text(message: bytes, name: str) -> str:
    """Return a member that people read; raise FarError if it isn't a short line."""
    text = parsed(message).get(name, "") if message else ""
    if not isinstance(text, str) or len(text) > MAX_BOARD_NAME or not text.isprintable():
        raise FarError(f'"{name}" must be a text of {MAX_BOARD_NAME} characters at most')
    return text


def _keep(kept: dict[str, Any], key: str, value: object, most: int) -> None:
    """Put a value at the end of a table, which forgets those at its beginning."""
    kept.pop(key, None)
    kept[key] = value
    while len(kept) > most:
        del kept[next(iter(kept))]
