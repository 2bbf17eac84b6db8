"""A simulated board's games: the program's own store, on the simulated disk, across restarts.

Invariants: a board without a file keeps nothing and writes nothing. Unless a clock is given, times of day
count from the beginning of the year 2000, when every simulated board is switched on, so that a session in
virtual time is always the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from firmware_host.errors import HandsError, StoreError
from firmware_host.games.game import Game
from firmware_host.i18n import Message
from firmware_host.play.durability import GameStore
from firmware_host.runtime.daytime.clock import MachineClock
from firmware_host.runtime.factory import game_to_continue
from firmware_host.store.archive import Archive
from firmware_host.store.database import GamesFile, StoredGame
from firmware_host.store.store import SqliteStore
from sim.assembly import Blueprint
from sim.clock import VirtualClock
from sim.disk import SimulatedDisk, SimulatedFile, read_disk_fault

_START_MS = 946_684_800_000
"""1 January 2000, 00:00 UTC."""


_T = TypeVar("_T")


class SimulatedStore:
    """The store of the board of `blueprint`, across restarts."""

    def __init__(self, blueprint: Blueprint, clock: VirtualClock, wall: MachineClock | None = None) -> None:
        self.disk = SimulatedDisk(clock.now)
        self._blueprint = blueprint
        self._clock = clock
        self._store: SqliteStore | None = None
        self._wall = wall
        self._was_open = False

    def open(self) -> tuple[Game | None, GameStore | None]:
        """Start the store; return the game to continue and the store of games, or None for either."""
        path = self._blueprint.store
        if path is None:
            return None, None
        store = SqliteStore(
            path,
            wall_ms=self._wall_ms if self._wall is None else self._wall.stamp,
            dating=(lambda: None) if self._wall is None else self._wall.dating,
            wake=self.disk.wake,
            open_file=self._open_file,
        )
        self.disk.serve(store)
        self._store = store
        asked_for = self._blueprint.rules_asked_for and not self._was_open
        self._was_open = True
        return game_to_continue(store, self._blueprint.rules, asked_for=asked_for), store

    @property
    def faults(self) -> tuple[dict[str, Any], ...]:
        """The faults of the disk, as descriptions."""
        full = ({"disk": "full"},) if self.disk.full else ()
        slow = ({"disk": "slow", "seconds": self.disk.lasts / 1_000_000},) if self.disk.lasts else ()
        return (*full, *slow)

    def inject(self, described: Mapping[str, Any]) -> None:
        """Inject a fault of the disk; raises HandsError if it is invalid, or there is no disk."""
        fault = read_disk_fault(described)
        if self._blueprint.store is None:
            raise HandsError(
                "this board doesn't save games: give it a file with --store, on a disk that can fail",
                Message("refused.nothing-kept"),
            )
        self.disk.apply_fault(fault)

    def repair(self, described: Mapping[str, Any] | None = None) -> None:
        """End one fault of the disk, or all; raises HandsError if it does not exist."""
        if described is None:
            self.disk.repair()
            return
        fault = read_disk_fault(described)
        if fault not in map(read_disk_fault, self.faults):
            raise HandsError(f"{dict(described)} is not broken", Message("refused.not-broken"))
        left = [other for other in map(read_disk_fault, self.faults) if other != fault]
        self.disk.repair()
        for other in left:
            self.disk.apply_fault(other)

    def read(self, work: Callable[[Archive], _T]) -> _T:
        """Return the result of `work` on the games, kept or waiting to be; raises StoreError."""
        if self._store is None:
            raise StoreError(Message("refused.no-power"))
        return self._store.read(work)

    def keep_analysis(self, one: StoredGame, analysis: str) -> bool:
        """Keep the `analysis` of a game; return False if that was impossible."""
        return self._store is not None and self._store.keep_analysis(one, analysis)

    def cut(self) -> None:
        """Cut the power."""
        self.disk.cut()
        if self._store is not None:
            self._store.close()
            self._store = None

    def close(self) -> None:
        """Shut down as the real program does, writing everything that can be written."""
        if self._store is not None:
            self._store.finish(self._store.begin())
        self.cut()

    def _open_file(self, path: Path) -> SimulatedFile:
        if not path.exists():
            self.disk.must_have_room(path)
        return SimulatedFile(self.disk, path, GamesFile(path))

    def _wall_ms(self) -> int:
        return _START_MS + self._clock.now() // 1000
