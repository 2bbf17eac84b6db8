"""A simulated board's games: the program's own store across restarts, on a disk that can fail.

Invariants: a board without a file keeps nothing and writes nothing. The file receives the writes of the real
program, in the same order and in virtual time; a write that has not ended at a power failure never took
place. Nothing depends on the speed of this machine's disk. Unless a clock is given, times of day count from
the beginning of the year 2000, when every simulated board is switched on, so that a session in virtual time
is always the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from firmware_host.errors import HandsError, StoreError
from firmware_host.frozen import frozen
from firmware_host.games.game import Game
from firmware_host.i18n import Message
from firmware_host.play.durability import GameStore
from firmware_host.runtime.clock import MachineClock
from firmware_host.runtime.factory import game_to_continue
from firmware_host.settings import Microseconds
from firmware_host.store.archive import Archive
from firmware_host.store.database import GamesFile, StoredGame
from firmware_host.store.store import Batch, SqliteStore
from sim.assembly import Blueprint
from sim.clock import VirtualClock

_T = TypeVar("_T")
_START_MS = 946_684_800_000
"""1 January 2000, 00:00 UTC."""
MAX_WRITE_S = 3600
"""Maximum duration of a write on a slow disk."""
_RETRY: Microseconds = 5_000_000
"""Interval after a failure until the disk is tried again, as in real time."""


@frozen
class FullDisk:
    """A disk on which nothing more can be written."""


@frozen
class SlowDisk:
    """A disk on which each write takes this long."""

    lasts: Microseconds


DiskFault = FullDisk | SlowDisk


def is_of_disk(described: object) -> bool:
    """Return True if a description is of a fault of the disk, and not of the electronics."""
    return isinstance(described, Mapping) and "disk" in described


def read_disk_fault(described: Mapping[str, Any]) -> DiskFault:
    """Decode `{"disk": "full"}` or `{"disk": "slow", "seconds": 0.5}`; raises HandsError."""
    match described:
        case {"disk": "full", **rest} if not rest:
            return FullDisk()
        case {"disk": "slow", "seconds": int() | float() as seconds, **rest} if not rest:
            if isinstance(seconds, bool) or not 0 < seconds <= MAX_WRITE_S:
                raise HandsError(
                    f"a slow disk takes more than 0 and at most {MAX_WRITE_S} seconds for a write",
                    Message("refused.no-fault"),
                )
            return SlowDisk(round(seconds * 1_000_000))
    raise HandsError(
        f"{dict(described)} is not a fault of the disk: "
        'use {"disk": "full"} or {"disk": "slow", "seconds": 0.5}',
        Message("refused.no-fault"),
    )


class SimulatedFile(GamesFile):
    """A games file on a disk that may be full: it can then be read, but not written."""

    def __init__(self, path: Path, disk: SimulatedDisk) -> None:
        self._disk = disk
        super().__init__(path)

    def write(self, *changes: Any) -> None:
        """Write games, rows and settings; raises StoreError if the disk is full."""
        self._disk.must_have_room(self.path)
        super().write(*changes)

    def keep_analysis(self, one: StoredGame, analysis: str) -> bool:
        """Write the analysis of a game; raises StoreError if the disk is full."""
        self._disk.must_have_room(self.path)
        return super().keep_analysis(one, analysis)


class SimulatedDisk:
    """A disk with one write at a time, which takes no time unless the disk is slow."""

    def __init__(self, now: Callable[[], Microseconds]) -> None:
        self.full = False
        self.lasts: Microseconds = 0
        """Duration of a write."""
        self.due: Microseconds | None = None
        """The time when a write ends or is retried; None if there is none."""
        self._now = now
        self._writer: SqliteStore | None = None
        self._batch: Batch | None = None

    def serve(self, writer: SqliteStore) -> None:
        """Write for `writer` from now on, whenever it calls `wake`."""
        self._writer = writer

    def wake(self) -> None:
        """Begin to write, unless a write is in progress; later batches follow it."""
        if self._batch is None:
            self._begin(self._now())

    def run(self, now: Microseconds) -> None:
        """Do whatever is due at `now`."""
        while self.due is not None and self.due <= now:
            at = self.due
            if self._batch is None:
                self._begin(at)
            else:
                self._end(at)

    def apply_fault(self, fault: DiskFault) -> None:
        """Apply a fault."""
        match fault:
            case FullDisk():
                self.full = True
            case SlowDisk(lasts):
                self.lasts = lasts

    def repair(self) -> None:
        """End all faults, and the current write, if there is one."""
        self.full = False
        self.lasts = 0
        if self.due is not None:
            self.due = min(self.due, self._now())

    def cut(self) -> None:
        """Cut the power: unfinished writes are lost."""
        self._writer = self._batch = self.due = None

    def must_have_room(self, path: Path) -> None:
        """Raise StoreError if the disk is full."""
        if self.full:
            raise StoreError(
                Message("fault.store.full", {"path": str(path), "why": "database or disk is full"})
            )

    def _begin(self, now: Microseconds) -> None:
        if self._writer is None:
            return
        self._batch = self._writer.begin()
        if self.lasts:
            self.due = now + self.lasts
        else:
            self._end(now)

    def _end(self, now: Microseconds) -> None:
        writer, batch = self._writer, self._batch
        self._batch = self.due = None
        if writer is None or batch is None:
            return
        if not writer.finish(batch):
            self.due = now + _RETRY
        elif writer.waits:
            self._begin(now)


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
        return SimulatedFile(path, self.disk)

    def _wall_ms(self) -> int:
        return _START_MS + self._clock.now() // 1000
