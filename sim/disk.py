"""The disk under a simulated board's games: a real file, written in virtual time, by a disk that can fail.

Rules kept here: what is written is what the real program writes, in the same order; a write that has not
ended when the power goes was never begun; nothing depends on how fast this machine's disk is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from firmware_host.errors import HandsError, StoreError
from firmware_host.i18n import Message
from firmware_host.settings import Microseconds

SLOWEST_S = 3600
"""The longest that a slow disk takes for a write."""
_RETRY: Microseconds = 5_000_000
"""How long after a failure the disk is tried again, as in real time."""


@dataclass(frozen=True, slots=True)
class FullDisk:
    """Nothing more can be written."""


@dataclass(frozen=True, slots=True)
class SlowDisk:
    """Each write takes so long."""

    lasts: Microseconds


DiskFault = FullDisk | SlowDisk


def is_of_disk(described: object) -> bool:
    """Whether a description is of a fault of the disk, and not of the electronics."""
    return isinstance(described, Mapping) and "disk" in described


def read_disk_fault(described: Mapping[str, Any]) -> DiskFault:
    """The fault that `{"disk": "full"}` or `{"disk": "slow", "seconds": 0.5}` means; raises HandsError."""
    match described:
        case {"disk": "full", **rest} if not rest:
            return FullDisk()
        case {"disk": "slow", "seconds": int() | float() as seconds, **rest} if not rest:
            if isinstance(seconds, bool) or not 0 < seconds <= SLOWEST_S:
                raise HandsError(
                    f"a slow disk takes more than 0 and at most {SLOWEST_S} seconds for a write",
                    Message("refused.no-fault"),
                )
            return SlowDisk(round(seconds * 1_000_000))
    raise HandsError(
        f"{dict(described)} is no fault of the disk: "
        'say {"disk": "full"} or {"disk": "slow", "seconds": 0.5}',
        Message("refused.no-fault"),
    )


class File(Protocol):
    """A file of games."""

    def game(self, row: int) -> Any:
        """Read one game."""

    def summaries(self, *, before: int | None, most: int, over: bool = False) -> Any:
        """Read a list of games."""

    def write(self, sheets: Any, rows: Any, settings: Any) -> None:
        """Write what is given; raises StoreError."""

    def settings(self) -> Any:
        """Read what was set; raises StoreError."""

    def last(self) -> Any:
        """Read what was written last; raises StoreError."""

    def next_row(self) -> int:
        """Read which number comes next; raises StoreError."""

    def close(self) -> None:
        """Close the file."""


@dataclass(frozen=True)
class FileOnDisk:
    """A file on a disk that may be full: then it can be read, and not be written."""

    disk: SimulatedDisk
    path: Path
    file: File

    def write(self, sheets: Any, rows: Any, settings: Any) -> None:
        """Write what is given; raises StoreError where the disk is full."""
        self.disk.must_have_room(self.path)
        self.file.write(sheets, rows, settings)

    def settings(self) -> Any:
        """Read what was set."""
        return self.file.settings()

    def last(self) -> Any:
        """Read what was written last."""
        return self.file.last()

    def next_row(self) -> int:
        """Read which number comes next."""
        return self.file.next_row()

    def game(self, row: int) -> Any:
        """Read one game."""
        return self.file.game(row)

    def summaries(self, *, before: int | None, most: int, over: bool = False) -> Any:
        """Read a list of games."""
        return self.file.summaries(before=before, most=most, over=over)

    def close(self) -> None:
        """Close the file."""
        self.file.close()


class Writer(Protocol):
    """What has something to write: `begin` takes it, and `finish` writes it and says whether it could."""

    @property
    def waits(self) -> bool:
        """Whether there is anything to be written."""

    def begin(self) -> Any:
        """What is to be written now."""

    def finish(self, batch: Any) -> bool:
        """Write it."""


class SimulatedDisk:
    """One write at a time, which takes no time unless the disk is slow."""

    def __init__(self, now: Callable[[], Microseconds]) -> None:
        self.full = False
        self.lasts: Microseconds = 0
        """How long a write takes."""
        self.due: Microseconds | None = None
        """When a write ends or is tried again; None: nothing goes on."""
        self._now = now
        self._writer: Writer | None = None
        self._batch: Any = None

    def serve(self, writer: Writer) -> None:
        """Write for `writer` from now on, whenever it wakes this disk."""
        self._writer = writer

    def wake(self) -> None:
        """Begin to write, unless a write goes on; what waits then is written after it."""
        if self._batch is None:
            self._begin(self._now())

    def run(self, now: Microseconds) -> None:
        """Do what is due at `now`."""
        while self.due is not None and self.due <= now:
            at = self.due
            if self._batch is None:
                self._begin(at)
            else:
                self._end(at)

    def suffer(self, fault: DiskFault) -> None:
        """Break."""
        match fault:
            case FullDisk():
                self.full = True
            case SlowDisk(lasts):
                self.lasts = lasts

    def repair(self) -> None:
        """End all faults, and the write that goes on, if there is one."""
        self.full = False
        self.lasts = 0
        if self.due is not None:
            self.due = min(self.due, self._now())

    def cut(self) -> None:
        """Lose the power: what is not written yet never is."""
        self._writer = self._batch = self.due = None

    def must_have_room(self, path: Path) -> None:
        """Raise StoreError where the disk is full."""
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
