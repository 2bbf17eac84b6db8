"""Where `millwright games` looks for games: with the board that keeps them, or in their file where none does.

Rules kept here: a board that runs and keeps the very file that is meant is asked, since it alone knows what
the disk has not taken, and who sits here need not be allowed to read the file. One that keeps another file,
as a simulated one may, or none, is not taken for it. Where somebody is there who answers wrongly or not at
all, that is an error, and no half of the games.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Protocol

from firmware_host.commands._client import ask, told, wrong
from firmware_host.errors import NoBoardError, NoGameError, NotationError, PageError, StoreError
from firmware_host.i18n import Message
from firmware_host.settings import Web
from firmware_host.store.database import GamesFile, KeptGame, Row, open_to_read
from firmware_host.store.exchange import kept_of_json
from firmware_host.store.summaries import Summary, summary_from

_AT_ONCE = 50
_LIST = "/games.json"


class Shelf(Protocol):
    """Where games are."""

    def game(self, row: Row) -> KeptGame:
        """The game of that number; raises NoGameError where there is none."""

    def summaries(self, *, before: Row | None, most: int) -> list[Summary]:
        """About so many games at a glance, newest first; none where there are no older ones."""


def listed(shelf: Shelf) -> list[Summary]:
    """All games at a glance, in the order in which they came."""
    found: list[Summary] = []
    while older := shelf.summaries(before=found[-1].row if found else None, most=_AT_ONCE):
        found += older
    return found[::-1]


@contextmanager
def opened(path: Path, web: Web | None) -> Iterator[Shelf]:
    """The games that are kept at `path`, as the board tells them whose page is where `web` says, if any does.

    Raises StoreError or PageError where they cannot be looked at.
    """
    try:
        board = None if web is None else _Board.at(web.host, web.port)
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


def _file(path: Path, board: _Board | None) -> GamesFile:
    try:
        return open_to_read(path)
    except StoreError as error:
        if board is None:
            raise
        kept = "keeps no games" if board.store is None else f"keeps its games at {board.store}"
        raise PageError(f"{error}; the board that runs {kept}") from error


@dataclass(frozen=True, slots=True)
class _Board:
    """The games of the board whose page is at `host` and `port`, which keeps them at `store`."""

    host: str
    port: int
    store: str | None

    @classmethod
    def at(cls, host: str, port: int) -> _Board | None:
        """The board that answers there, if any does, and takes who asks for one who sits at this machine.

        Raises PageError where what answers is none.
        """
        try:
            found = told(host, port, _LIST)
        except NoBoardError:
            return None
        store = found.get("store")
        if "games" not in found or not (store is None or isinstance(store, str)):
            raise wrong(host, port, _LIST, json.dumps(found))
        return cls(host, port, store) if "store" in found else None

    def game(self, row: Row) -> KeptGame:
        """The game of that number; raises NoGameError where there is none."""
        path = f"/games/{row}.json"
        status, text = ask(self.host, self.port, path)
        if status == 404:
            raise NoGameError(Message("refused.no-game", {"count": row}))
        try:
            (one,) = kept_of_json(json.loads(text))
        except (ValueError, RecursionError) as error:  # a NotationError, and more than one, are ValueErrors
            raise wrong(self.host, self.port, path, f"{status} {error}") from error
        return replace(one, row=row)

    def summaries(self, *, before: Row | None, most: int) -> list[Summary]:  # noqa: ARG002 - the board has its own
        """So many games as it tells at once, newest first."""
        found = told(self.host, self.port, _LIST if before is None else f"{_LIST}?before={before}")
        try:
            games = [summary_from(one) for one in found["games"]]
        except (LookupError, TypeError, NotationError) as error:
            raise wrong(self.host, self.port, _LIST, str(error)) from error
        order = [*([] if before is None else [before]), *(one.row for one in games)]
        if any(row <= older for row, older in pairwise(order)):  # or the list might never end
            raise wrong(self.host, self.port, _LIST, f"games in the order {order}")
        return games


def _is_same(one: str, other: Path) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)
