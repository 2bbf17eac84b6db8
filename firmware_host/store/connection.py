"""Opening the games file, and reporting its failures.

Invariants: each error names the file. Damage is told apart from every other failure, because a damaged file
is set aside. A full disk is reported as one, whatever error SQLite gives. A file that is set aside is
renamed, never removed.
"""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import disk_usage

from firmware_host import state_files
from firmware_host.errors import DamagedStoreError, NoGameError, StoreError
from firmware_host.i18n import Message
from firmware_host.store.ownership import nearest
from firmware_host.store.saved_game import UnixMs

_LOCK_TIMEOUT_S = 5.0
_PRIVATE = 0o600
_MIN_FREE_BYTES = 1 << 16


def connect(path: Path, *, only_read: bool, alone: bool) -> sqlite3.Connection:
    """Return a connection to the file at `path`, creating its folder unless `only_read`.

    `alone` promises that nobody else has the file open, so that its log needs no index beside it. Raises
    StoreError if the folder cannot be created, and sqlite3.Error.
    """
    if not only_read:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            if error.errno == errno.EROFS:
                raise StoreError(_disk_read_only(str(error.strerror))) from error
            slots = {"path": str(path.parent), "why": str(error.strerror)}
            raise StoreError(Message("fault.store.no-folder", slots)) from error
        _create(path)
    mode = "rwc"
    if only_read:
        # Beside a log there must be its index, which SQLite makes; without one, nothing needs to be made.
        mode = "rw" if alone else "ro" if Path(f"{path}-wal").exists() else "ro&immutable=1"
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=_LOCK_TIMEOUT_S,
        isolation_level=None,
        check_same_thread=False,  # one thread opens it and another goes on; never two at a time
    )
    if alone:
        try:
            connection.execute("PRAGMA locking_mode = EXCLUSIVE").fetchall()
        except sqlite3.Error:
            connection.close()
            raise
    return connection


def _create(path: Path) -> None:
    """Create the file if there is none, for its owner only; SQLite gives its log the same permissions.

    One that exists isn't opened: closing it would end the locks that SQLite has on it in this process.
    """
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, _PRIVATE))
    except OSError:
        return  # it exists, or SQLite reports the reason


@contextmanager
def converted_errors(path: Path) -> Iterator[None]:
    """Raise SQLite's errors as StoreError or DamagedStoreError, with the name of the file."""
    try:
        yield
    except UnicodeDecodeError as error:  # SQLite's sentence about damage quotes the file
        damage = Message("fault.store.check", {"text": str(error)})
        of_file = Message("fault.store.file", {"path": str(path), "why": damage})
        raise DamagedStoreError(of_file) from error
    except sqlite3.Error as error:
        kind = getattr(error, "sqlite_errorcode", 0) & 0xFF
        damaged = kind in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
        raise (DamagedStoreError if damaged else StoreError)(
            _error_message(path, kind, str(error))
        ) from error
    except NoGameError:
        raise
    except StoreError as error:
        of_file = Message("fault.store.file", {"path": str(path), "why": error.message})
        raise (DamagedStoreError if isinstance(error, DamagedStoreError) else StoreError)(of_file) from error


def disk_full(path: Path, why: str) -> Message:
    """Return the message for a full disk."""
    return Message("fault.store.full", {"path": str(path), "why": why})


def not_readable(path: Path, why: str) -> Message:
    """Return the message for a file that may not be read."""
    return Message("fault.store.barred", {"path": str(path), "why": why})


def not_writable(path: Path, error: OSError) -> Message:
    """Return the message for a file that the system refuses to create or to write."""
    why = str(error.strerror)
    if error.errno == errno.ENOSPC:
        return disk_full(path, why)
    slots = {"path": str(path), "why": _disk_read_only(why) if error.errno == errno.EROFS else why}
    return Message("fault.store.file", slots)


def _disk_read_only(why: str) -> Message:
    """Return the reason why a file on a disk that takes no writing can't be written, without its path."""
    return Message("fault.store.read-only", {"why": why})


_MAYBE_READ_ONLY = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR)
"""The errors of SQLite on a disk that takes no writing, which isn't a matter of anybody's rights."""


def is_on_read_only_disk(path: Path) -> bool:
    """Return whether the disk of a file takes no writing, from anybody."""
    try:
        return bool(os.statvfs(nearest(path)).f_flag & os.ST_RDONLY)
    except OSError:
        return False  # it is another trouble


def _error_message(path: Path, kind: int, why: str) -> Message:
    """Return the message for an error of SQLite, with its cause if we can find it."""
    if kind == sqlite3.SQLITE_FULL or not _has_room(path):
        return disk_full(path, why)
    if kind in _MAYBE_READ_ONLY and is_on_read_only_disk(path):
        return Message("fault.store.file", {"path": str(path), "why": _disk_read_only(why)})
    if kind in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
        there = [one for one in (path, path.parent) if os.access(one, os.F_OK)]
        if not all(os.access(one, os.R_OK) for one in there):
            return not_readable(path, why)
        if not all(os.access(one, os.W_OK) for one in there):
            return Message("fault.store.unwritable", {"path": str(path), "why": why})
    return Message("fault.store.file", {"path": str(path), "why": why})


def _has_room(path: Path) -> bool:
    """Return whether a log and its index fit beside the file: SQLite has many errors for a full disk."""
    try:
        return disk_usage(path.parent).free >= _MIN_FREE_BYTES
    except OSError:
        return True  # it is another trouble


def set_aside(path: Path, now: UnixMs) -> Path:
    """Rename a damaged file and its log, with the time `now` in the name; it is 0 if nobody knows it.

    Returns the new path. Raises StoreError if the file cannot be renamed.
    """
    try:
        # The log goes first: left behind, it would be taken for the new file's.
        return state_files.set_aside(path, now / 1000 if now else None, ("-wal", "-shm", ""))
    except OSError as error:
        slots = {"path": str(path), "why": str(error.strerror)}
        raise StoreError(Message("fault.store.stays", slots)) from error
