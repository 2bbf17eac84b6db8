"""The choice of the page that leads through the lesson: one at a time, until it stops or is replaced.

Invariants: a page learns who leads when that changes, and when it opens while somebody leads. A page that
may only watch does not lead. Everything here belongs to the server's event loop.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from firmware_host.errors import RequestError
from firmware_host.i18n import Message
from firmware_host.web.broadcast import Mailbox
from firmware_host.web.messages import as_text, lesson_leader

BEGIN, TAKE_OVER, LEAVE = "begin", "take-over", "leave"
"""The requests of a page: to lead if no other page does, to take over the lead, and to stop."""


class LessonLeader:
    """The pages of one board, and the one of them that leads."""

    def __init__(self) -> None:
        self._boxes: set[Mailbox] = set()
        self._leader: Mailbox | None = None

    @contextmanager
    def page(self, box: Mailbox) -> Iterator[None]:
        """Tell the page of `box` who leads, while the context lasts."""
        self._boxes.add(box)
        if self._leader is not None:
            self._tell(box)
        try:
            yield
        finally:
            self._boxes.remove(box)
            if box is self._leader:
                self._follow(None)

    def do(self, box: Mailbox, request: Mapping[str, Any]) -> None:
        """Carry out the request of one page. Raise RequestError if another page leads."""
        if request not in ({"lead": BEGIN}, {"lead": TAKE_OVER}, {"lead": LEAVE}):
            raise RequestError(f'"lead" takes "{BEGIN}", "{TAKE_OVER}" or "{LEAVE}", and nothing else')
        wanted, leads = request["lead"], box is self._leader
        if wanted == LEAVE:
            self._follow(None if leads else self._leader)
        elif leads or self._leader is None or wanted == TAKE_OVER:
            self._follow(box)
        else:
            raise RequestError(Message("refused.led"))

    def _follow(self, box: Mailbox | None) -> None:
        if box is not self._leader:
            self._leader = box
            for each in self._boxes:
                self._tell(each)

    def _tell(self, box: Mailbox) -> None:
        by = None if self._leader is None else "this" if box is self._leader else "another"
        box.put(as_text(lesson_leader(by)))
