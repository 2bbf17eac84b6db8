"""The thread in which a store writes, so that a slow disk delays nothing else.

Invariants: the thread completes a round each second even if there is nothing to write, so that one that waits
can be distinguished from one that hangs. Whatever fails in a round, the next one runs.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from queue import SimpleQueue
from threading import Event, Thread
from typing import TypeVar

from firmware_host.store.archive import Archive
from firmware_host.store.database import StoredGame
from firmware_host.store.store import SqliteStore

_T = TypeVar("_T")

RETRY_S = 5.0
"""The pause after a failed write."""
_LOG = logging.getLogger(__name__)
_ROUND_INTERVAL_S = 1.0
_LAST_WRITE_TIMEOUT_S = 5.0
"""The time that the end of the program waits for the last write."""


class StoreWriter:
    """A thread that writes what is queued in `store`, from `start` to `close`."""

    def __init__(self, store: SqliteStore, *, retry_s: float = RETRY_S) -> None:
        self.rounds = 0
        """The number of rounds completed."""
        self.store = store
        self._retry_s = retry_s
        self._woken = Event()
        self._closing = False
        self._readers: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._thread = Thread(target=self._run, name="store", daemon=True)
        store.wake = self._woken.set

    @property
    def path(self) -> Path:
        """The path of the games file."""
        return self.store.path

    def start(self) -> None:
        """Start to write."""
        self._thread.start()

    def close(self) -> None:
        """Write the rest, unless the disk takes too long, and end.

        May be called twice.
        """
        self._closing = True
        self._woken.set()
        if self._thread.is_alive():
            self._thread.join(_LAST_WRITE_TIMEOUT_S)

    def read(self, work: Callable[[Archive], _T]) -> Future[_T]:
        """Have `work` done with the games, after everything that is queued now was written or failed."""
        return self._submit(lambda: self.store.read(work))

    def keep_analysis(self, one: StoredGame, analysis: str) -> Future[bool]:
        """Have the `analysis` of a game kept, likewise; the result is False if that was impossible."""
        return self._submit(lambda: self.store.keep_analysis(one, analysis))

    def _submit(self, work: Callable[[], _T]) -> Future[_T]:
        future: Future[_T] = Future()

        def do() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                future.set_result(work())
            except Exception as error:  # noqa: BLE001 - it is the asker's, who gets it from the future
                future.set_exception(error)

        self._readers.put(do)
        self._woken.set()
        return future

    def _run(self) -> None:
        waited = 0.0
        clean = True
        while not self._closing:
            round_s = _ROUND_INTERVAL_S if clean else min(_ROUND_INTERVAL_S, self._retry_s)
            woken = self._woken.wait(round_s)
            self._woken.clear()
            waited += round_s
            readers = self._taken()  # before the write, so that they see all that they were put behind
            if woken or (clean and self.store.awaits_dates) or (not clean and waited >= self._retry_s):
                clean = self._write()
                waited = 0.0
            for read in readers:
                read()
            self.rounds += 1
        self._write()
        for read in self._taken():
            read()
        self.store.close()

    def _taken(self) -> list[Callable[[], None]]:
        return [self._readers.get() for _ in range(self._readers.qsize())]

    def _write(self) -> bool:
        try:
            return self.store.finish(self.store.begin())
        except Exception as error:  # noqa: BLE001 - reported, and the next round tries again
            try:
                self.store.fail(error)
            except Exception:  # noqa: BLE001 - a file that cannot be closed is still reported
                _LOG.exception("the file of games could not be closed")
            return False
