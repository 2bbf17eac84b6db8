"""A disk under the store that fails when a test says so."""

from __future__ import annotations

import time
from pathlib import Path
from threading import Event
from typing import Any, Protocol

from firmware_host.errors import StoreError
from firmware_host.games.game import Game
from firmware_host.i18n import Message
from firmware_host.store.database import GamesFile, StoredGame
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
        return CardFile(self, path)


class CardFile(GamesFile):
    def __init__(self, card: Card, path: Path) -> None:
        self.card = card
        super().__init__(path)

    def keep_analysis(self, one: StoredGame, analysis: str) -> bool:
        self._must_have_room()
        return super().keep_analysis(one, analysis)

    def write(self, *changes: Any) -> None:
        assert self.card.answers.wait(60)
        self._must_have_room()
        super().write(*changes)

    def _must_have_room(self) -> None:
        if self.card.full:
            raise StoreError(Message("fault.store.full", {"path": "games.db", "why": "no room"}))


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
