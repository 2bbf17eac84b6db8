"""The thread in which a store writes, so that a slow disk delays nothing but itself."""

from __future__ import annotations

from threading import Event, Thread

from firmware_host.store.keeper import Store

RETRY_S = 5.0
"""How long after a failure the disk is tried again."""
_LAST_WRITE_S = 10.0
"""How long the end of the program waits for what is still to be written."""


class StoreThread:
    """Writes what `store` is given, from `start` to `close`."""

    def __init__(self, store: Store, *, retry_s: float = RETRY_S) -> None:
        self._store = store
        self._retry_s = retry_s
        self._woken = Event()
        self._closing = False
        self._thread = Thread(target=self._run, name="store", daemon=True)
        store.wake = self._woken.set

    def start(self) -> None:
        """Write from now on."""
        self._thread.start()

    def close(self) -> None:
        """Write what is left, unless the disk takes too long, and end; may be called twice."""
        self._closing = True
        self._woken.set()
        if self._thread.is_alive():
            self._thread.join(_LAST_WRITE_S)

    def _run(self) -> None:
        clean = True
        while not self._closing:
            self._woken.wait(None if clean else self._retry_s)
            self._woken.clear()
            clean = self._store.finish(self._store.begin())
        self._store.finish(self._store.begin())
        self._store.close()
