"""A simulated board's games: the program's own store, on the simulated disk, from start to start.

Rules kept here: a board that was given no file keeps nothing, and writes nothing; unless somebody tells the
times of day, they are counted from the beginning of the year 2000, when every simulated board is switched on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from firmware_host.errors import HandsError, StoreError
from firmware_host.games.game import Game
from firmware_host.i18n import Message
from firmware_host.play.durability import Keeper
from firmware_host.runtime.factory import game_to_go_on
from firmware_host.store.archive import Shelf
from firmware_host.store.database import GamesFile
from firmware_host.store.store import Store
from sim.assembly import Blueprint
from sim.clock import VirtualClock
from sim.disk import FileOnDisk, SimulatedDisk, read_disk_fault

_BEGAN_MS = 946_684_800_000
"""1 January 2000, 00:00 UTC."""


_T = TypeVar("_T")

WallMs = Callable[[], int]
"""The time of day, in milliseconds since 1970."""


class SimulatedStoring:
    """The store of the board of `blueprint`, as often as it is started."""

    def __init__(self, blueprint: Blueprint, clock: VirtualClock, wall_ms: WallMs | None = None) -> None:
        self.disk = SimulatedDisk(clock.now)
        self._blueprint = blueprint
        self._clock = clock
        self._store: Store | None = None
        self._told_ms = wall_ms

    def open(self) -> tuple[Game | None, Keeper | None]:
        """Start: the game to go on with, and what keeps the games from now on."""
        path = self._blueprint.store
        if path is None:
            return None, None
        store = Store(path, wall_ms=self._wall_ms, wake=self.disk.wake, open_file=self._open_file)
        self.disk.serve(store)
        self._store = store
        return game_to_go_on(store, self._blueprint.rules), store

    @property
    def faults(self) -> tuple[dict[str, Any], ...]:
        """What is wrong with the disk, as it is said."""
        full = ({"disk": "full"},) if self.disk.full else ()
        slow = ({"disk": "slow", "seconds": self.disk.lasts / 1_000_000},) if self.disk.lasts else ()
        return (*full, *slow)

    def inject(self, described: Mapping[str, Any]) -> None:
        """Break the disk; raises HandsError where that makes no sense, or there is none."""
        fault = read_disk_fault(described)
        if self._blueprint.store is None:
            raise HandsError(
                "this board keeps no games: give it a file with --store, on a disk that can fail",
                Message("refused.nothing-kept"),
            )
        self.disk.suffer(fault)

    def repair(self, described: Mapping[str, Any] | None = None) -> None:
        """End one fault of the disk, or all; raises HandsError where it is not there."""
        if described is None:
            self.disk.repair()
            return
        fault = read_disk_fault(described)
        if fault not in map(read_disk_fault, self.faults):
            raise HandsError(f"{dict(described)} is not broken", Message("refused.not-broken"))
        left = [other for other in map(read_disk_fault, self.faults) if other != fault]
        self.disk.repair()
        for other in left:
            self.disk.suffer(other)

    def read(self, work: Callable[[Shelf], _T]) -> _T:
        """What `work` finds among the games that are kept, or wait to be; raises StoreError."""
        if self._store is None:
            raise StoreError(Message("no-power"))
        return self._store.read(work)

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
        return self._told_ms() if self._told_ms else _BEGAN_MS + self._clock.now() // 1000
