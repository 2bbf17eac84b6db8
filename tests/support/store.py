"""A disk under the store that fails when a test says so."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from threading import Event
from typing import Any, Protocol

from firmware_host.errors import StoreError
from firmware_host.games.game import Game
from firmware_host.i18n import Message
from firmware_host.store.database import GamesFile, StoredGame
from firmware_host.store.saved_game import SavedGame
from firmware_host.store.store import SqliteStore

NOON_MS = 946_728_000_000


class OpenStore(Protocol):
    """Opens a store on `path`, at noon unless `options` say otherwise, and closes it after the test."""

    def __call__(self, path: Path, **options: Any) -> SqliteStore: ...


class Card:
    """A disk that can be full, be slow, or read nothing, under a real file."""

    def __init__(self) -> None:
        self.full = False
        self.answers = Event()
        self.answers.set()

    def open(self, path: Path) -> CardFile:
        return CardFile(self, GamesFile(path))


class CardFile:
    def __init__(self, card: Card, file: GamesFile) -> None:
        self.card = card
        self.file = file
        self.close = file.close
        self.settings = file.settings
        self.game = file.game
        self.summaries = file.summaries
        self.next_row = file.next_row
        self.statistics = file.statistics
        self.shift = file.shift

    def last(self) -> StoredGame | None:
        return self.file.last()

    def keep_analysis(self, one: StoredGame, analysis: str) -> bool:
        if self.card.full:
            raise StoreError(Message("fault.store.full", {"path": "games.db", "why": "no room"}))
        return self.file.keep_analysis(one, analysis)

    def write(
        self, games: Mapping[int, SavedGame], rows: dict[int, int], settings: Mapping[str, str | None]
    ) -> None:
        assert self.card.answers.wait(60)
        if self.card.full:
            raise StoreError(Message("fault.store.full", {"path": "games.db", "why": "no room"}))
        self.file.write(games, rows, settings)


def work(store: SqliteStore) -> bool:
    return store.finish(store.begin())


def until(told: object, patience_s: float = 60.0) -> None:
    """Wait until `told` is true."""
    assert callable(told)
    end = time.monotonic() + patience_s
    while not told():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.001)


def kept(path: Path, *games: Game) -> None:
    store = SqliteStore(path, wall_ms=lambda: NOON_MS, named=False)
    for game in games:
        store.keep(game)
        assert store.finish(store.begin())
    store.close()
