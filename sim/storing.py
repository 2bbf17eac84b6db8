"""A simulated board's games: the program's own store, on the simulated disk, from start to start.

Rules kept here: a board that was given no file keeps nothing, and writes nothing; times of day are counted
from the beginning of the year 2000, when every simulated board is switched on.
"""

from __future__ import annotations

from pathlib import Path

from firmware_host.assembly import worth_going_on
from firmware_host.errors import HandsError
from firmware_host.games.game import Game
from firmware_host.keeping import Keeper
from firmware_host.store.file import GamesFile
from firmware_host.store.keeper import Store
from sim.assembly import Blueprint
from sim.clock import VirtualClock
from sim.disk import DiskFault, FileOnDisk, SimulatedDisk

_BEGAN_MS = 946_684_800_000
"""1 January 2000, 00:00 UTC."""


class SimulatedStoring:
    """The store of the board of `blueprint`, as often as it is started."""

    def __init__(self, blueprint: Blueprint, clock: VirtualClock) -> None:
        self.disk = SimulatedDisk(clock.now)
        self._blueprint = blueprint
        self._clock = clock
        self._store: Store | None = None

    def open(self) -> tuple[Game | None, Keeper | None]:
        """Start: the game to go on with, and what keeps the games from now on."""
        path = self._blueprint.store
        if path is None:
            return None, None
        store = Store(path, wall_ms=self._wall_ms, wake=self.disk.wake, open_file=self._open_file)
        self.disk.serve(store)
        self._store = store
        return worth_going_on(store.last(), self._blueprint.rules), store

    def inject(self, fault: DiskFault) -> None:
        """Break the disk; raises HandsError where there is none."""
        if self._blueprint.store is None:
            raise HandsError(
                "this board keeps no games: give it a file with --store, on a disk that can fail"
            )
        self.disk.suffer(fault)

    def cut(self) -> None:
        """Lose the power."""
        self.disk.cut()
        if self._store is not None:
            self._store.close()
            self._store = None

    def close(self) -> None:
        """End as the real program does, with all written that can be."""
        if self._store is not None:
            self._store.finish(self._store.begin())
        self.cut()

    def _open_file(self, path: Path) -> FileOnDisk:
        if not path.exists():
            self.disk.must_have_room(path)
        return FileOnDisk(self.disk, path, GamesFile(path))

    def _wall_ms(self) -> int:
        return _BEGAN_MS + self._clock.now() // 1000
