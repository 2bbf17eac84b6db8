"""All that the wall's page shows, made from the messages of a broker.

Invariants: a game is shown once both of its boards publish it, drawn from one seat's record by the rules, and
a result counts once the records of both agree. Boards keep their places while their players think: only those
that rest for minutes, or whose game is over, move behind the others. Nobody's results are forgotten for those
of others. Standings are worked out when a result or a player is new. Time is an argument.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from threading import Lock
from typing import Any

from firmware_host.club.standings import ClubResult, KeptResult, Standing, standings, still_to_play
from firmware_host.far.verifying import FarGame
from firmware_host.frozen import frozen
from firmware_host.link.published import (
    FollowedRoom,
    PublishedGame,
    Rooms,
    boards_of,
    drawn_game,
    look_of,
    named_game,
)
from firmware_host.settings import Microseconds

_LOG = logging.getLogger(__name__)

MAX_BOARDS = 64
MAX_PLAYERS = 200
"""The most players of an evening: any two of them have one result."""
RESTS_AFTER: Microseconds = 300_000_000
"""The time without a turn after which a board makes room for those that are played on."""

_Table = tuple[str, frozenset[str]]
"""A room, and the two boards that play there."""


@frozen
class _Tile:
    """A game as the wall shows it."""

    room: FollowedRoom
    seat: PublishedGame
    number: int
    """Counts the games in the order in which they appeared."""
    turned: Microseconds
    """The time of the last turn."""
    drawn: Mapping[str, Any]
    """The members of its game in the picture, which take time to find out."""


class Wall:
    """The boards and the results of one evening; its methods may be called from any thread."""

    def __init__(self, title: str = "") -> None:
        """Begin without boards and results."""
        self._lock = Lock()
        self._rooms = Rooms()
        self._title = title
        self._appeared = 0
        self._tiles: dict[_Table, _Tile] = {}
        self._results: dict[frozenset[str], ClubResult] = {}
        self._players: set[str] = set()
        """The boards that have a result."""
        self._evening: tuple[object, list[Standing], list[tuple[str, str]]] = (None, [], [])
        """The standings and the pairs to play, after that which they were worked out from."""
        self.is_undated = False
        """True while nobody knows the time, and so which results of the file are of this evening."""
        self.is_unread = False
        """True if the file of earlier results can't be read."""

    def receive(self, topic: str, message: bytes, now: Microseconds) -> None:
        """Take over a message; raise FarError if it is refused."""
        with self._lock:
            news = self._rooms.receive(topic, message)
            if news is not None and (seat := news.room.game_of(news.board)) is not None:
                self._show(news.room, seat, now)

    def add_results(self, results: Iterable[KeptResult]) -> None:
        """Count `results`, the oldest first, that were known before those of this program."""
        with self._lock:
            own = list(self._results.values())
            self._results, self._players = {}, set()
            for one in results:
                self._note(one.result)
                for board, name in zip((one.result.white, one.result.black), one.names, strict=True):
                    self._rooms.call(board, name)
            for result in own:
                self._note(result)

    def picture(self, now: Microseconds) -> dict[str, Any]:
        """Return what the page shows now."""
        with self._lock:
            return self._picture(sorted(self._tiles.values(), key=partial(_place, now))[:MAX_BOARDS])

    def _show(self, room: FollowedRoom, seat: PublishedGame, now: Microseconds) -> None:
        table = room.name, frozenset(boards_of(seat).values())
        before = self._tiles.pop(table, None)
        if before is None:
            self._appeared += 1
            self._forget_tiles()
        drawn, over = drawn_game(room, seat)
        if over is not None:
            self._note_game(over)
        is_same = before is not None and before.drawn["after"] == drawn["after"]
        turned = before.turned if before is not None and is_same else now
        number = self._appeared if before is None else before.number
        self._tiles[table] = _Tile(room, seat, number, turned, drawn)

    def _forget_tiles(self) -> None:
        """Forget the games of rooms of which one of their boards has too many."""
        for table in list(self._tiles):
            name, boards = table
            room = self._rooms.room(name)
            if room is None or not boards <= room.seats.keys():
                del self._tiles[table]

    def _picture(self, tiles: Sequence[_Tile]) -> dict[str, Any]:
        looks = {tile.seat.record.rules: tile.seat.game.rules for tile in tiles}
        table, to_play = self._worked_out(tiles)
        label = self._rooms.label_of
        return {
            "title": self._title,
            "undated": self.is_undated,
            "unread": self.is_unread,
            "looks": {name: look_of(rules) for name, rules in looks.items()},
            "boards": [self._board(tile) for tile in tiles],
            "standings": [
                {"name": label(one.board), "played": one.played, "won": one.won, "points": one.points}
                for one in table
            ],
            "to_play": [[label(white), label(black)] for white, black in to_play],
        }

    def _worked_out(self, tiles: Sequence[_Tile]) -> tuple[list[Standing], list[tuple[str, str]]]:
        """Return the standings and the pairs to play."""
        playing = frozenset(board for tile in tiles for board in boards_of(tile.seat).values())
        known = len(self._results), playing
        if known != self._evening[0]:
            results = list(self._results.values())
            self._evening = known, standings(results), still_to_play(playing | self._players, results)
        return self._evening[1:]

    def _board(self, tile: _Tile) -> dict[str, Any]:
        return {**named_game(self._rooms, tile.room, tile.seat), **tile.drawn}

    def _note_game(self, one: FarGame) -> None:
        if one.game.outcome is not None:
            self._note(ClubResult(one.white, one.black, one.game.outcome.winner))

    def _note(self, result: ClubResult) -> None:
        if result.players in self._results:
            return
        players = self._players | result.players
        if len(players) > MAX_PLAYERS:
            _LOG.warning("a result doesn't count, since an evening has %s players at most", MAX_PLAYERS)
            return
        self._players = players
        self._results[result.players] = result


def _place(now: Microseconds, tile: _Tile) -> tuple[bool, int]:
    """Return by what tiles are sorted: boards that are played on first, and then those that rested least."""
    silent = now - tile.turned
    rests = tile.drawn["outcome"] is not None or silent >= RESTS_AFTER
    return rests, silent if rests else tile.number
