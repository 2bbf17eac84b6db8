"""All that the wall's page shows, made from the messages of a broker.

Invariants: a board is drawn from one seat's record, by the rules, and a result counts once the records of
both boards agree. Boards keep their places while their players think: only those that rest for minutes, or
whose game is over, move behind the others. Time is an argument.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from threading import Lock
from typing import Any

from firmware_host.club.standings import ClubResult, standings, still_to_play
from firmware_host.far.verifying import FarGame
from firmware_host.frozen import frozen
from firmware_host.link.picture import boards_of, drawn_game, look_of, named_game
from firmware_host.link.published import MAX_ROOMS, FollowedRoom, PublishedGame, Rooms
from firmware_host.settings import Microseconds

MAX_BOARDS = 64
MAX_RESULTS = 2000
RESTS_AFTER: Microseconds = 300_000_000
"""The time without a turn after which a board makes room for those that are played on."""


@frozen
class _Tile:
    """A room as the wall shows it."""

    room: FollowedRoom
    seat: PublishedGame
    number: int
    """Counts the rooms in the order in which they appeared."""
    turned: Microseconds
    """The time of the last turn."""
    drawn: Mapping[str, Any]
    """The members of its game in the picture, which take time to find out."""


class Wall:
    """The boards and the results of one evening; its methods may be called from any thread."""

    def __init__(self, title: str = "", results: Mapping[str, ClubResult] | None = None) -> None:
        """Begin with the `results` of games that are known already, by the names of the games."""
        self._lock = Lock()
        self._rooms = Rooms()
        self._title = title
        self._appeared = 0
        self._tiles: dict[str, _Tile] = {}
        self._results = dict(results or {})

    def receive(self, topic: str, message: bytes, now: Microseconds) -> None:
        """Take over a message; raise FarError if it is refused."""
        with self._lock:
            room = self._rooms.receive(topic, message)
            if room is not None and (seat := room.shown) is not None:
                self._show(room, seat, now)

    def picture(self, now: Microseconds) -> dict[str, Any]:
        """Return what the page shows now."""
        with self._lock:
            return self._picture(sorted(self._tiles.values(), key=partial(_place, now))[:MAX_BOARDS])

    def _show(self, room: FollowedRoom, seat: PublishedGame, now: Microseconds) -> None:
        before = self._tiles.pop(room.name, None)
        if before is None:
            self._appeared += 1
        drawn, over = drawn_game(room, seat)
        if over is not None:
            self._note(over)
        is_same = before is not None and before.drawn["after"] == drawn["after"]
        turned = before.turned if before is not None and is_same else now
        number = self._appeared if before is None else before.number
        self._tiles[room.name] = _Tile(room, seat, number, turned, drawn)
        while len(self._tiles) > MAX_ROOMS:
            del self._tiles[next(iter(self._tiles))]

    def _picture(self, tiles: Sequence[_Tile]) -> dict[str, Any]:
        results = list(self._results.values())
        players = {self._rooms.name_of(board) for tile in tiles for board in boards_of(tile.seat).values()}
        players |= {name for result in results for name in result.players}
        looks = {tile.seat.record.rules: tile.seat.game.rules for tile in tiles}
        return {
            "title": self._title,
            "looks": {name: look_of(rules) for name, rules in looks.items()},
            "boards": [self._board(tile) for tile in tiles],
            "standings": [
                {"name": one.name, "played": one.played, "won": one.won, "points": one.points}
                for one in standings(results)
            ],
            "to_play": [list(pair) for pair in still_to_play(players, results)],
        }

    def _board(self, tile: _Tile) -> dict[str, Any]:
        return {**named_game(self._rooms, tile.room, tile.seat), **tile.drawn}

    def _note(self, one: FarGame) -> None:
        outcome = one.game.outcome
        if outcome is None or one.unique_name in self._results:
            return
        white, black = (self._rooms.name_of(board) for board in (one.white, one.black))
        self._results[one.unique_name] = ClubResult(white, black, outcome.winner)
        while len(self._results) > MAX_RESULTS:
            del self._results[next(iter(self._results))]


def _place(now: Microseconds, tile: _Tile) -> tuple[bool, int]:
    """Return by what tiles are sorted: boards that are played on first, and then those that rested least."""
    silent = now - tile.turned
    rests = tile.drawn["outcome"] is not None or silent >= RESTS_AFTER
    return rests, silent if rests else tile.number
