"""What each page is told: all of it once, then what changes, numbered, however fast the board is.

Rules kept here: publishing never waits, and costs next to nothing while there are no pages; what is outdated
before it was numbered is left out; a message is put into text once for all pages; a page that lags too far
behind is given up.
"""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from firmware_host.web.messages import WATCHED, WHOLE, PageMessage, amended, as_text, change, difference

MOST_WAITING = 256
"""What may wait for a page at most: ten seconds of the liveliest light."""


class LagError(Exception):
    """A page lags too far behind."""


class Mailbox:
    """What one page has yet to be sent; belongs to the server's event loop."""

    def __init__(self) -> None:
        self.watches = False
        """Whether the page asked to watch the sensors."""
        self._waiting: deque[str] = deque()
        self._filled = asyncio.Event()
        self._lags = False

    def put(self, text: str) -> None:
        """Add `text`, unless the page lags too far behind; then it is given up."""
        if len(self._waiting) >= MOST_WAITING:
            self._waiting.clear()
            self._lags = True
        elif not self._lags:
            self._waiting.append(text)
        self._filled.set()

    async def take(self) -> list[str]:
        """Wait until there is something, and take it out, oldest first; raises LagError."""
        await self._filled.wait()
        self._filled.clear()
        if self._lags:
            raise LagError
        taken = list(self._waiting)
        self._waiting.clear()
        return taken


class Feed:
    """What pages are told and the mailboxes it goes to; only `publish` is for other threads."""

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
        """Have `message` told, from any thread, without waiting: a whole one or another."""
        kind = message["type"]
        with self._lock:
            if kind in WHOLE:
                self._due = {other: due for other, due in self._due.items() if other == WATCHED}
            self._due[kind] = message
            if self._loop is not None and not self._waking:
                self._waking = True
                self._loop.call_soon_threadsafe(self._deliver)

    @property
    def pages(self) -> int:
        """How many pages are told what is published."""
        return len(self._boxes)

    @property
    def watchers(self) -> int:
        """How many pages watch the sensors; from any thread."""
        return self._watchers

    def watch(self, box: Mailbox, *, on: bool) -> None:
        """Let the page of `box` watch the sensors from now on, or no more."""
        self._watchers += on - box.watches
        box.watches = on

    @contextmanager
    def mailbox(self) -> Iterator[Mailbox]:
        """A mailbox that holds everything, and is filled with what changes as long as the context lasts."""
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
        """Put everything into `box`, if anything was published yet."""
        if self._whole is not None:
            box.put(as_text({**self._whole, "seq": self._seq}))

    def _deliver(self) -> None:
        with self._lock:
            self._waking = False
            due, self._due = self._due, {}
        for message in due.values():
            self._tell(message)

    def _tell(self, message: PageMessage) -> None:
        """Number what `message` changes, and put it into all boxes."""
        before = self._whole
        if message["type"] == WATCHED:
            self._tell_watchers(message)
            return
        if message["type"] in WHOLE:
            self._whole = dict(message)
        elif before is None:
            return
        else:
            self._whole = dict(amended(before, message))
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
