"""The newest message for each page, however slow the page is and however fast the board.

Rules kept here: publishing never waits, and costs next to nothing while there are no pages; nothing is
queued, so a page that is slow skips to the newest; a message is put into text once for all pages.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Generic, TypeVar

from firmware_host.web.messages import Message, as_text

_T = TypeVar("_T")


class Newest(Generic[_T]):
    """What outdates what: a snapshot all that was before it, anything else only its own kind."""

    def __init__(self) -> None:
        self._of_kind: dict[str, _T] = {}

    def put(self, kind: str, message: _T) -> None:
        """Take `message` in, and forget what it outdates."""
        if kind == "snapshot":
            self._of_kind.clear()
        self._of_kind[kind] = message

    def items(self) -> list[tuple[str, _T]]:
        """The kinds and messages that are not outdated, oldest first."""
        return list(self._of_kind.items())

    def drain(self) -> list[tuple[str, _T]]:
        """The same, taken out."""
        items = self.items()
        self._of_kind.clear()
        return items


class Mailbox:
    """What one page has yet to be sent; belongs to the server's event loop."""

    def __init__(self) -> None:
        self._newest: Newest[str] = Newest()
        self._filled = asyncio.Event()

    def put(self, kind: str, text: str) -> None:
        """Let `text` take the place of what it outdates."""
        self._newest.put(kind, text)
        self._filled.set()

    async def take(self) -> list[str]:
        """Wait until there is something, and take it out, oldest first."""
        await self._filled.wait()
        self._filled.clear()
        return [text for _, text in self._newest.drain()]


class Feed:
    """The newest messages and the mailboxes they go to; only `publish` is for other threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._numbers = count(1)
        self._newest: Newest[Message] = Newest()
        self._due: Newest[Message] = Newest()
        self._waking = False
        self._boxes: set[Mailbox] = set()

    def publish(self, message: Message) -> None:
        """Have `message` delivered, numbered as its `seq`; from any thread, without waiting."""
        kind = message["type"]
        with self._lock:
            numbered = {**message, "seq": next(self._numbers)}
            self._newest.put(kind, numbered)
            if self._loop is None:
                return
            self._due.put(kind, numbered)
            if not self._waking:
                self._waking = True
                self._loop.call_soon_threadsafe(self._deliver)

    @property
    def pages(self) -> int:
        """How many pages are told what is published."""
        return len(self._boxes)

    @contextmanager
    def mailbox(self) -> Iterator[Mailbox]:
        """A mailbox that holds the newest there is, and is filled as long as the context lasts."""
        box = Mailbox()
        with self._lock:
            self._loop = asyncio.get_running_loop()
            newest = self._newest.items()
        for kind, message in newest:
            box.put(kind, as_text(message))
        self._boxes.add(box)
        try:
            yield box
        finally:
            self._boxes.remove(box)
            if not self._boxes:
                with self._lock:
                    self._loop = None

    def _deliver(self) -> None:
        with self._lock:
            self._waking = False
            due = self._due.drain()
        for kind, message in due:
            text = as_text(message)
            for box in self._boxes:
                box.put(kind, text)
