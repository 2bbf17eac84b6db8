"""The file of an archive, which goes on in a new one if it is damaged.

Invariants: a damaged file is set aside under a name that says so, and reported; it is never removed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from firmware_host.errors import DamagedStoreError
from firmware_host.i18n import Message
from firmware_host.store.connection import set_aside
from firmware_host.store.database import GameId, GamesFile, StoredGame
from firmware_host.store.dates import Shift
from firmware_host.store.saved_game import UnixMs

_T = TypeVar("_T")


class ArchiveFile:
    """An archive's file of games; its methods raise StoreError if the disk fails."""

    def __init__(self, path: Path, report: Callable[[Message], object], now_ms: Callable[[], UnixMs]) -> None:
        """Open the file at `path`, or begin one; `report` gets a message if it was damaged."""
        self._path, self._report, self._now_ms = path, report, now_ms
        self._file = self._opened()

    def add(self, one: StoredGame) -> GameId | None:
        """Add a game; return its number, or None if it was there already."""
        return self._done(lambda file: next(iter(file.add([one]))))

    def shift(self, shifts: Sequence[Shift]) -> None:
        """Shift moments, all or none of them."""
        self._done(lambda file: file.shift(shifts))

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _done(self, what: Callable[[GamesFile], _T]) -> _T:
        """Return what `what` returns for the file; if that is damaged, for a new one."""
        try:
            return what(self._file)
        except DamagedStoreError as error:
            self._file.close()
            self._set_aside(error)
            self._file = self._opened()
            return what(self._file)

    def _opened(self) -> GamesFile:
        try:
            return GamesFile(self._path)
        except DamagedStoreError as error:
            self._set_aside(error)
            return GamesFile(self._path)

    def _set_aside(self, damage: DamagedStoreError) -> None:
        aside = set_aside(self._path, self._now_ms())
        self._report(Message("fault.store.aside", {"path": str(aside), "why": damage.message}))
