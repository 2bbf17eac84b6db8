"""The rooms of a broker, as they appear to a program that only reads.

Invariants: whatever comes is news of a room, nothing new, or a FarError with the reason. A game is one that
both of its boards publish, each under its own topic. What is kept is limited for each board: one that
publishes much is the first of which something is forgotten, and nobody else loses anything by it. A record
without news changes nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from typing import Any

from firmware_host.errors import FarError
from firmware_host.far.parsing import BOARD_LENGTH
from firmware_host.far.record import SeatRecord, replayed
from firmware_host.far.verifying import FarGame, verified
from firmware_host.frozen import frozen
from firmware_host.games.drawn import drawn_layout, kinds_of, position_after
from firmware_host.games.game import Game, Rules
from firmware_host.link.messages import names
from firmware_host.link.messages.reading import (
    CardMessage,
    InfoMessage,
    PresenceMessage,
    RecordMessage,
    address_of,
    read,
)
from firmware_host.link.topics import CARD, INFO, ON, RECORD

FILTERS = tuple(topic.every() for topic in (CARD, ON, INFO, RECORD))
"""The filters to subscribe to: names come before the records of those they name."""

MAX_BOARDS = 4000
MAX_ROOMS_OF_BOARD = 32
"""The most rooms that are kept of one board."""
MAX_SEATS = 4000
"""The most seats of all rooms that are kept."""


@frozen
class PublishedGame:
    """A record, and the game that it tells of."""

    record: SeatRecord
    game: Game


@frozen
class FollowedRoom:
    """A room, with what each board publishes there, the last that was heard at the end."""

    name: str
    seats: Mapping[str, PublishedGame] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)
    """The names that boards give to the room."""

    def with_seat(self, one: PublishedGame) -> FollowedRoom:
        """Return the room after a record."""
        return replace(self, seats={**_without(self.seats, one.record.board), one.record.board: one})

    def without(self, board: str) -> FollowedRoom:
        """Return the room without all that a board publishes there."""
        return replace(self, seats=_without(self.seats, board), titles=_without(self.titles, board))

    def game_of(self, board: str) -> PublishedGame | None:
        """Return the newest state of the game that a board plays; None unless its other board says so too."""
        own = self.seats.get(board)
        other = None if own is None else self.opposite(own)
        return None if own is None or other is None else max(own, other, key=_progress)

    def opposite(self, one: PublishedGame) -> PublishedGame | None:
        """Return the other board's state of the same game; None if it has none."""
        record = one.record
        if not record.game or record.board not in (record.white, record.black):
            return None
        other = self.seats.get(record.black if record.board == record.white else record.white)
        return other if other is not None and _table(other.record) == _table(record) else None

    def title_of(self, one: PublishedGame) -> str:
        """Return the name that the boards of a game give to the room."""
        names = (self.titles.get(board, "") for board in (one.record.white, one.record.black))
        return next(filter(None, names), "")

    def verified(self, board: str) -> FarGame | None:
        """Return the game of a board if it is over on both boards.

        Raises FarError if the boards' records contradict each other, the rules, or the roll.
        """
        own = self.seats.get(board)
        other = None if own is None else self.opposite(own)
        if own is None or other is None:
            return None
        games = {one.record.board: one.game for one in (own, other)}
        return verified(self.name, own.record, other.record, lambda record: games[record.board])


@frozen
class RoomNews:
    """A room in which a board has published something new."""

    room: FollowedRoom
    board: str


class Rooms:
    """The rooms that messages of a broker tell of; `keys` are those of rooms that are known."""

    def __init__(self, keys: Mapping[str, bytes] | None = None) -> None:
        self._keys = dict(keys or {})
        self._rooms: dict[str, FollowedRoom] = {}
        self._of_boards: dict[str, dict[str, None]] = {}
        """The rooms of each board, the one in which it published last at the end."""
        self._seats = 0
        self._names: dict[str, str] = {}
        self._boards_called: dict[str, set[str]] = {}
        """The boards that go by a name, as people read it."""
        self._beginnings: Counter[str] = Counter()
        """The numbers of boards whose own names begin alike."""
        self._present: dict[str, bool] = {}

    def receive(self, topic: str, message: bytes, key: bytes | None = None) -> RoomNews | None:
        """Take over a message; return the room if there is something new in it.

        `key` is that of its room, if it isn't known from the beginning. Raises FarError for a message that
        can't be what its topic promises.
        """
        address = address_of(topic)
        if address is None:
            raise FarError("nothing is known of this topic")
        match read(address, message, key or self._keys.get(address.room)):
            case RecordMessage(room=room, board=board, record=SeatRecord() as record):
                return self._record(room, board, record)
            case RecordMessage(room=room, board=board):  # a board that was alone has removed its record
                self._forget(room, board)
            case InfoMessage(room=room, board=board, title=title):
                return self._entitle(room, board, title)
            case CardMessage(board=board, name=name):
                self.call(board, name)
            case PresenceMessage(board=board, is_on=is_on):
                _keep(self._present, board, is_on, MAX_BOARDS)
            case _:
                raise FarError("this topic is for the boards of a room alone")
        return None

    @property
    def all(self) -> tuple[FollowedRoom, ...]:
        """All rooms, the one that has changed last at the end."""
        return tuple(self._rooms.values())

    def room(self, name: str) -> FollowedRoom | None:
        """Return a room; None if nothing is kept of it."""
        return self._rooms.get(name)

    def has_key(self, room: str) -> bool:
        """Return whether records of a room are checked for their seal."""
        return room in self._keys

    def call(self, board: str, name: str) -> None:
        """Call a board by a name from now on, unless that is what another board is called without one."""
        name = names.board_name(name)
        self._uncall(board)
        _keep(self._names, board, name, MAX_BOARDS, self._uncall)
        self._boards_called.setdefault(names.skeleton(name), set()).add(board)
        self._beginnings[board[: names.SHORT_MARK]] += 1

    def name_of(self, board: str) -> str:
        """Return the name that a board gives to itself, which others may have as well."""
        return self._names.get(board) or board

    def label_of(self, board: str) -> str:
        """Return a name by which people can tell a board from all others."""
        name = self.name_of(board)
        others = self._boards_called.get(names.skeleton(name), set()) - {board}
        if not others and names.is_plain(name):
            return name
        is_short = self._beginnings[board[: names.SHORT_MARK]] < 2
        return names.marked(name, board, names.SHORT_MARK if is_short else BOARD_LENGTH)

    def is_present(self, board: str) -> bool:
        """Return whether a board is connected."""
        return self._present.get(board, False)

    def _uncall(self, board: str) -> None:
        if board not in self._names:
            return
        beginning = board[: names.SHORT_MARK]
        self._beginnings[beginning] -= 1
        if not self._beginnings[beginning]:
            del self._beginnings[beginning]
        known = names.skeleton(self._names[board])
        boards = self._boards_called.get(known, set())
        boards.discard(board)
        if not boards:
            self._boards_called.pop(known, None)

    def _entitle(self, name: str, board: str, title: str) -> RoomNews | None:
        room = self._rooms.get(name, FollowedRoom(name))
        if room.titles.get(board) == title:
            return None
        return self._kept(replace(room, titles={**room.titles, board: title}), board)

    def _record(self, name: str, board: str, record: SeatRecord) -> RoomNews | None:
        room = self._rooms.get(name, FollowedRoom(name))
        before = room.seats.get(board)
        if before is not None and before.record == record:
            return None
        game = replayed(record, None if before is None else (before.record, before.game))
        return self._kept(room.with_seat(PublishedGame(record, game)), board)

    def _kept(self, room: FollowedRoom, board: str) -> RoomNews:
        """Keep a room after its news of a board, and forget the oldest of the boards that have too much."""
        self._put(room)
        _keep(self._of_boards, board, self._of_boards.get(board, {}), MAX_BOARDS, self._forget_board)
        own = self._of_boards[board]
        _keep(own, room.name, None, MAX_ROOMS_OF_BOARD, lambda oldest: self._leave(oldest, board))
        while self._seats > MAX_SEATS:
            largest = max(self._of_boards, key=lambda one: len(self._of_boards[one]))
            self._forget(next(iter(self._of_boards[largest])), largest)
        return RoomNews(room, board)

    def _forget_board(self, board: str) -> None:
        for room in list(self._of_boards[board]):
            self._leave(room, board)

    def _forget(self, name: str, board: str) -> None:
        rooms = self._of_boards.get(board, {})
        if name in rooms:
            del rooms[name]
            self._leave(name, board)

    def _leave(self, name: str, board: str) -> None:
        if name in self._rooms:
            self._put(self._rooms[name].without(board))

    def _put(self, room: FollowedRoom) -> None:
        before = self._rooms.pop(room.name, FollowedRoom(room.name))
        self._seats += len(room.seats) - len(before.seats)
        if room.seats or room.titles:
            self._rooms[room.name] = room


def _table(record: SeatRecord) -> tuple[str, str, str]:
    return record.game, record.white, record.black


def _progress(one: PublishedGame) -> tuple[int, int, bool]:
    record = one.record
    return record.takes_back, len(record.turns), record.declared is not None


def _without(table: Mapping[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in table.items() if name != key}


def _keep(
    kept: dict[str, Any], key: str, value: object, most: int, forget: Callable[[str], object] = len
) -> None:
    """Put a value at the end of a table, which forgets those at its beginning."""
    kept.pop(key, None)
    kept[key] = value
    while len(kept) > most:
        oldest = next(iter(kept))
        forget(oldest)
        del kept[oldest]


# ---- pictures, for walls and spectators -----------------------------------------------------------------


def drawn_game(room: FollowedRoom, seat: PublishedGame) -> tuple[dict[str, Any], FarGame | None]:
    """Return the picture of a seat's game, and the game itself once it is over on both boards."""
    game, other = seat.game, room.opposite(seat)
    trouble = bool(seat.record.refused or (other is not None and other.record.refused))
    try:
        over = room.verified(seat.record.board)
    except FarError:
        over, trouble = None, True
    drawn = {
        **position_after(game, len(seat.record.turns)),
        "outcome": None if trouble or game.outcome is None else game.outcome.as_dict(),
        "agreed": over is not None,
        "trouble": trouble,
    }
    return drawn, over


def named_game(rooms: Rooms, room: FollowedRoom, seat: PublishedGame) -> dict[str, Any]:
    """Return the names that go with the picture of a game."""
    return {
        "room": room.name,
        "title": room.title_of(seat),
        "rules": seat.record.rules,
        "players": {
            player: {"name": rooms.label_of(board), "here": rooms.is_present(board)}
            for player, board in boards_of(seat).items()
        },
    }


def look_of(rules: Rules) -> dict[str, Any]:
    """Return what a board of these rules and its pieces are like."""
    return {"layout": drawn_layout(rules.layout), "kinds": kinds_of(rules.box)}


def boards_of(seat: PublishedGame) -> dict[str, str]:
    """Return the boards of both players."""
    return {"white": seat.record.white, "black": seat.record.black}
