"""The lock of a games file, which one program at a time may play in.

A board writes its game from memory, so that two boards with one file would undo each other's turns. Programs
that only read, add or delete games need no lock: SQLite's suffice for them.

Invariants: the lock ends with its process, however that ends, and a copy of the file has a lock of its own.
Two paths to one file, by links, have one lock. Where a file system has no locks, the program goes on, and
logs it.
"""

from __future__ import annotations

import errno
import fcntl
import logging
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

from firmware_host.errors import StoreError, StoreInUseError
from firmware_host.i18n import Message

_LOG = logging.getLogger(__name__)
_UNSUPPORTED = (errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS)
_MAX_OWNER_LENGTH = 100
_NOBODY = "?"


class StoreLock:
    """The lock of the games file at `path`, for this process: several locks of one process do not collide."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: Path | None = None

    def acquire(self) -> None:
        """Take the lock, unless this object has it.

        Raises StoreInUseError if another process has it, and StoreError if there can be none.
        """
        if self._file is None:
            try:
                self._file = _PROCESS.acquire(self._path)
            except OSError as error:
                if isinstance(error, StoreError):
                    raise
                from firmware_host.store.connection import not_writable  # the link's locks need no SQLite

                raise StoreError(not_writable(self._path, error)) from error

    def release(self) -> None:
        """Give the lock back; may be called twice."""
        file, self._file = self._file, None
        if file is not None:
            _PROCESS.release(file)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Keep the games file for this process while the context lasts; raises what `StoreLock.acquire` does."""
    lock = StoreLock(path)
    lock.acquire()
    try:
        yield
    finally:
        lock.release()


class _ProcessLocks:
    """The locks that this process has: the open file of each, and for how many of its parts it is held."""

    def __init__(self) -> None:
        self._held: dict[Path, tuple[int, int]] = {}
        self._guard = Lock()

    def acquire(self, path: Path) -> Path:
        real = path.resolve()
        file = real.with_name(f"{real.name}.lock")
        with self._guard:
            descriptor, count = self._held.get(file, (-1, 0))
            if not count:
                file.parent.mkdir(parents=True, exist_ok=True)
                descriptor = locked_file(file, path)
            self._held[file] = descriptor, count + 1
        return file

    def release(self, file: Path) -> None:
        with self._guard:
            descriptor, count = self._held.pop(file)
            if count > 1:
                self._held[file] = descriptor, count - 1
            else:
                os.close(descriptor)


_PROCESS = _ProcessLocks()


def locked_file(file: Path, path: Path) -> int:
    """Return the open and locked `file`, in which the process that has it is written.

    Raises StoreInUseError, which names `path`, if another process has it, and OSError if there can be none.
    """
    # No link is followed, and a pipe isn't waited for: the folder may belong to somebody else.
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    descriptor = os.open(file, flags, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        process, host = _owner(descriptor)
        os.close(descriptor)
        slots = {"path": str(path), "number": process, "host": host}
        raise StoreInUseError(Message("fault.store.in-use", slots)) from error
    except OSError as error:
        if error.errno not in _UNSUPPORTED:
            os.close(descriptor)
            raise
        _LOG.warning("%s can't be locked here (%s): let no other board use it", path, error.strerror)
        return descriptor
    _sign(descriptor, file)
    return descriptor


def _sign(descriptor: int, file: Path) -> None:
    """Write into the lock's file who has it; on a full disk nobody learns that, and the lock holds."""
    try:
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()} {socket.gethostname()}\n".encode(errors="replace"), 0)
    except OSError as error:
        _LOG.info("%s can't be written: %s", file, error.strerror)


def _owner(descriptor: int) -> tuple[str, str]:
    """Return the number of the process that has a lock, and its host, or question marks."""
    text = os.pread(descriptor, _MAX_OWNER_LENGTH, 0).decode(errors="replace")
    process, _, host = text.strip().partition(" ")
    if not (process.isdigit() and host and host.isprintable()):
        return _NOBODY, _NOBODY
    return process, host
