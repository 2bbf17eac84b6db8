"""The source of `millwright games`: the board that keeps the games, or their file if no board does.

Invariants: a running board that keeps the file in question is asked, since only it knows the games that are
not on disk yet, and the user may lack the permission to read the file. A board that keeps another file, such
as a simulated one, or none, is left out. If something answers wrongly or not at all, that is an error, rather
than an incomplete list.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Protocol

from firmware_host.errors import NoBoardError, NoGameError, NotationError, PageError, StoreError
from firmware_host.frozen import frozen
from firmware_host.i18n import Message
from firmware_host.maintenance.board_client import get, get_object, unexpected_answer
from firmware_host.settings import Web
from firmware_host.store.database import GameId, GamesFile, StoredGame, open_read_only
from firmware_host.store.exchange import stored_games_of_json
from firmware_host.store.ownership import acting_as_owner
from firmware_host.store.summaries import Summary, parse_summary

_AT_ONCE = 50
_LIST = "/games.json"


class GameSource(Protocol):
    """A place to look up games."""

    def game(self, row: GameId) -> StoredGame:
        """Return one game, or raise NoGameError."""

    def summaries(self, *, before: GameId | None, most: int) -> list[Summary]:
        """Return about `most` summaries, newest first; none if there are no older ones."""


def all_summaries(source: GameSource) -> list[Summary]:
    """Return all summaries, oldest first."""
    found: list[Summary] = []
    while older := source.summaries(before=found[-1].row if found else None, most=_AT_ONCE):
        found += older
    return found[::-1]


@contextmanager
def open_source(path: Path, web: Web | None) -> Iterator[GameSource]:
    """Open the games at `path`: those of the board with its page at `web`, if it keeps them there.

    Raises StoreError or PageError if they cannot be read.
    """
    try:
        board = None if web is None else _BoardSource.at(web.host, web.port)
        if board is not None and board.store is not None and _is_same(board.store, path):
            yield board
            return
    except PageError as error:
        raise PageError(f"{error}; `millwright games --store {path}` reads the file itself") from error
    file = _file(path, board)
    try:
        yield file
    finally:
        file.close()


def _file(path: Path, board: _BoardSource | None) -> GamesFile:
    try:
        with acting_as_owner(path):
            return open_read_only(path)
    except StoreError as error:
        if board is None:
            raise
        kept = "doesn't save games" if board.store is None else f"saves its games in {board.store}"
        raise PageError(f"{error}; the running board {kept}") from error


@frozen
class _BoardSource:
    """The games of the board with its page at `host` and `port`, which keeps them at `store`."""

    host: str
    port: int
    store: str | None

    @classmethod
    def at(cls, host: str, port: int) -> _BoardSource | None:
        """Return the board that answers there, if it takes us for a program on this machine.

        Raises PageError if something else answers.
        """
        try:
            found = get_object(host, port, _LIST)
        except NoBoardError:
            return None
        store = found.get("store")
        if "games" not in found or not (store is None or isinstance(store, str)):
            raise unexpected_answer(host, port, _LIST, json.dumps(found))
        return cls(host, port, store) if "store" in found else None

    def game(self, row: GameId) -> StoredGame:
        """Return one game, or raise NoGameError."""
        path = f"/games/{row}.json"
        status, text = get(self.host, self.port, path)
        if status == 404:
            raise NoGameError(Message("refused.no-game", {"count": row}))
        try:
            (one,) = stored_games_of_json(json.loads(text))
        except (ValueError, RecursionError) as error:  # a NotationError, and more than one, are ValueErrors
            raise unexpected_answer(self.host, self.port, path, f"{status} {error}") from error
        return replace(one, row=row)

    def summaries(self, *, before: GameId | None, most: int) -> list[Summary]:  # noqa: ARG002 - the board has its own
        """Return as many summaries as the board lists at once, newest first."""
        found = get_object(self.host, self.port, _LIST if before is None else f"{_LIST}?before={before}")
        try:
            games = [parse_summary(one) for one in found["games"]]
        except (LookupError, TypeError, NotationError) as error:
            raise unexpected_answer(self.host, self.port, _LIST, str(error)) from error
        order = [*([] if before is None else [before]), *(one.row for one in games)]
        if any(row <= older for row, older in pairwise(order)):  # or the list might never end
            raise unexpected_answer(self.host, self.port, _LIST, f"games in the order {order}")
        return games


def _is_same(one: str, other: Path) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)
