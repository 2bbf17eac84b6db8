"""The disk of a simulated board's games: a real file, written in virtual time, by a disk that can fail.

Invariants: the file receives the writes of the real program, in the same order. A write that has not ended at
a power failure never took place. Nothing depends on the speed of this machine's disk.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

from firmware_host.errors import HandsError, StoreError
from firmware_host.frozen import frozen
from firmware_host.i18n import Message
from firmware_host.settings import Microseconds

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


class DatabaseFile(Protocol):
    """A database of games."""

    def game(self, row: int) -> Any:
        """Read one game."""

    def summaries(self, *, before: int | None, most: int, over: bool = False) -> Any:
        """Read a list of games."""

    def statistics(self, without: Any = ()) -> Any:
        """Count the games that are over."""

    def write(self, games: Any, rows: Any, settings: Any) -> None:
        """Write games, rows and settings; raises StoreError."""

    def keep_analysis(self, one: Any, analysis: str) -> bool:
        """Write the analysis of a game; raises StoreError."""

    def shift(self, shifts: Any) -> None:
        """Shift moments; raises StoreError."""

    def settings(self) -> Any:
        """Read the settings; raises StoreError."""

    def last(self) -> Any:
        """Read the game written last; raises StoreError."""

    def next_row(self) -> int:
        """Read the next free number; raises StoreError."""

    def close(self) -> None:
        """Close the file."""


@frozen(slots=False)
class SimulatedFile:
    """A database on a disk that may be full: it can then be read, but not written."""

    disk: SimulatedDisk
    path: Path
    file: DatabaseFile

    def write(self, games: Any, rows: Any, settings: Any) -> None:
        """Write games, rows and settings; raises StoreError if the disk is full."""
        self.disk.must_have_room(self.path)
        self.file.write(games, rows, settings)

    def keep_analysis(self, one: Any, analysis: str) -> bool:
        """Write the analysis of a game; raises StoreError if the disk is full."""
        self.disk.must_have_room(self.path)
        return self.file.keep_analysis(one, analysis)

    def shift(self, shifts: Any) -> None:
        """Shift moments."""
        self.file.shift(shifts)

    def settings(self) -> Any:
        """Read the settings."""
        return self.file.settings()

    def last(self) -> Any:
        """Read the game written last."""
        return self.file.last()

    def next_row(self) -> int:
        """Read the next free number."""
        return self.file.next_row()

    def game(self, row: int) -> Any:
        """Read one game."""
        return self.file.game(row)

    def summaries(self, *, before: int | None, most: int, over: bool = False) -> Any:
        """Read a list of games."""
        return self.file.summaries(before=before, most=most, over=over)

    def statistics(self, without: Any = ()) -> Any:
        """Count the games that are over."""
        return self.file.statistics(without)

    def close(self) -> None:
        """Close the file."""
        self.file.close()


class Writer(Protocol):
    """A source of writes: `begin` returns the next batch, `finish` writes it and returns True on success."""

    @property
    def waits(self) -> bool:
        """True if there is anything to write."""

    def begin(self) -> Any:
        """Return the next batch."""

    def finish(self, batch: Any) -> bool:
        """Write it."""


class SimulatedDisk:
    """A disk with one write at a time, which takes no time unless the disk is slow."""

    def __init__(self, now: Callable[[], Microseconds]) -> None:
        self.full = False
        self.lasts: Microseconds = 0
        """Duration of a write."""
        self.due: Microseconds | None = None
        """The time when a write ends or is retried; None if there is none."""
        self._now = now
        self._writer: Writer | None = None
        self._batch: Any = None

    def serve(self, writer: Writer) -> None:
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
        if writer is None:
            return
        if not writer.finish(batch):
            self.due = now + _RETRY
        elif writer.waits:
            self._begin(now)
