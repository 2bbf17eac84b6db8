"""The file of an archive, which goes on in a new one if it is damaged.

Invariants: a damaged file is set aside under a name that says so, and reported; it is never removed. All
moments of this program are by one date of the boot, and are shifted with it when the machine's clock is set.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from firmware_host.errors import DamagedStoreError
from firmware_host.i18n import Message
from firmware_host.ports import Dating, Moment, date_of
from firmware_host.runtime.daytime.clock import MachineClock
from firmware_host.store.connection import set_aside
from firmware_host.store.database import GameId, GamesFile, StoredGame
from firmware_host.store.dates import Shift, dating_shift

_T = TypeVar("_T")
_FIRST_DATED, _LAST_DATED = 1, 2**62


class ArchiveFile:
    """An archive's file of games; its methods raise StoreError if the disk fails."""

    def __init__(self, path: Path, report: Callable[[Message], object], clock: MachineClock) -> None:
        """Open the file at `path`, or begin one; `report` gets a message if it was damaged."""
        self._path, self._report, self._clock = path, report, clock
        self._dating: Dating | None = None
        """The date of the boot by which the moments are that this program has written."""
        self._added: list[GameId] = []
        self._file = self._opened()

    def now(self) -> Moment:
        """Return this moment, by the date that the games in the file have."""
        stamp = self._clock.stamp()
        return stamp if self._dating is None else self._dating.dated(stamp)

    def add(self, one: StoredGame) -> GameId | None:
        """Add a game whose moments are by `now`; return its number, or None if it was there already."""
        row = self._done(lambda file: next(iter(file.add([one]))))
        if row is not None:
            self._added.append(row)
        return row

    def bring_dates(self) -> None:
        """Give the moments of this boot the date that is known now, also if another one was before."""
        before, dating = self._dating, self._clock.dating()
        if dating is None or dating == before:
            return
        shifts = [dating_shift(dating)]
        if before is not None and self._added:
            by = dating.began_ms - before.began_ms
            shifts.insert(0, Shift(_FIRST_DATED, _LAST_DATED, by, tuple(self._added)))
        self._done(lambda file: file.shift(shifts))
        self._dating = dating

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
            self._added.clear()
            self._file = self._opened()
            return what(self._file)

    def _opened(self) -> GamesFile:
        try:
            return GamesFile(self._path)
        except DamagedStoreError as error:
            self._set_aside(error)
            return GamesFile(self._path)

    def _set_aside(self, damage: DamagedStoreError) -> None:
        aside = set_aside(self._path, date_of(self._clock.now()))
        self._report(Message("fault.store.aside", {"path": str(aside), "why": damage.message}))
