"""The broadcast to pages: the whole state first, then numbered changes, however fast the board is.

Invariants: publishing never waits, and costs next to nothing while there are no pages. A message that is
superseded before it was numbered is left out. A message is serialized once for all pages. A page that lags
too far behind is dropped.
"""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from firmware_host.web.messages import (
    COMPLETE_TYPES,
    WATCHED_TYPE,
    PageMessage,
    apply_part,
    as_text,
    change,
    difference,
)

MAX_QUEUED_MESSAGES = 256
"""The messages that may wait for one page: ten seconds of the liveliest light."""


class LagError(Exception):
    """A page that lags too far behind."""


class Mailbox:
    """The messages that wait for one page; belongs to the server's event loop."""

    def __init__(self) -> None:
        self.watches = False
        """True if the page asked for sensor updates."""
        self._waiting: deque[str] = deque()
        self._filled = asyncio.Event()
        self._lags = False

    def put(self, text: str) -> None:
        """Add `text`; if the page lags too far behind, drop it instead."""
        if len(self._waiting) >= MAX_QUEUED_MESSAGES:
            self._waiting.clear()
            self._lags = True
        elif not self._lags:
            self._waiting.append(text)
        self._filled.set()

    async def take(self) -> list[str]:
        """Wait for messages and return them, oldest first. Raise LagError if the page was dropped."""
        await self._filled.wait()
        self._filled.clear()
        if self._lags:
            raise LagError
        taken = list(self._waiting)
        self._waiting.clear()
        return taken


class PageBroadcast:
    """The state that pages are shown, and their mailboxes; only `publish` may be called by other threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._due: dict[str, PageMessage] = {}
        self._waking = False
        self._whole: dict[str, Any] | None = None
        self._seq = 0
        self._boxes: set[Mailbox] = set()
        self._watchers = 0

    def publish(self, message: PageMessage) -> None:
        """Queue `message` for all pages, without waiting; from any thread."""
        kind = message["type"]
        with self._lock:
            if kind in COMPLETE_TYPES:
                self._due = {other: due for other, due in self._due.items() if other == WATCHED_TYPE}
            self._due[kind] = message
            if self._loop is not None and not self._waking:
                self._waking = True
                self._loop.call_soon_threadsafe(self._deliver)

    @property
    def pages(self) -> int:
        """The number of pages that are open."""
        return len(self._boxes)

    @property
    def watchers(self) -> int:
        """The number of pages that receive sensor updates; any thread may read it."""
        return self._watchers

    def watch(self, box: Mailbox, *, on: bool) -> None:
        """Start or stop the sensor updates of one page."""
        self._watchers += on - box.watches
        box.watches = on

    @contextmanager
    def mailbox(self) -> Iterator[Mailbox]:
        """Return a mailbox that holds the whole state and receives all changes while the context lasts."""
        with self._lock:
            self._loop = asyncio.get_running_loop()
        self._deliver()
        box = Mailbox()
        self.tell_all(box)
        self._boxes.add(box)
        try:
            yield box
        finally:
            self.watch(box, on=False)
            self._boxes.remove(box)
            if not self._boxes:
                with self._lock:
                    self._loop = None

    def tell_all(self, box: Mailbox) -> None:
        """Put the whole state into `box`, if anything was published yet."""
        if self._whole is not None:
            box.put(as_text({**self._whole, "seq": self._seq}))

    def _deliver(self) -> None:
        with self._lock:
            self._waking = False
            due, self._due = self._due, {}
        for message in due.values():
            self._tell(message)

    def _tell(self, message: PageMessage) -> None:
        """Turn `message` into a numbered change, and put it into all boxes."""
        before = self._whole
        if message["type"] == WATCHED_TYPE:
            self._tell_watchers(message)
            return
        if message["type"] in COMPLETE_TYPES:
            self._whole = dict(message)
        elif before is None:
            return
        else:
            self._whole = dict(apply_part(before, message))
        differ = None if before is None else difference(before, self._whole)
        if differ == {}:
            return
        self._seq += 1
        if differ is None or "type" in differ:
            text = as_text({**self._whole, "seq": self._seq})
        else:
            text = as_text(change(self._seq, differ))
        for box in self._boxes:
            box.put(text)

    def _tell_watchers(self, message: PageMessage) -> None:
        text = as_text(message) if self._watchers else ""
        for box in self._boxes:
            if box.watches:
                box.put(text)
