"""The relay between a board's pages and its link: rooms, invitations and chat, which the board never sees.

The link shows parts, each with a name and a value; pages that follow get all of them, and then each that
changes. A page's wish is passed on to the link, whose answer is the reply.

Invariants: only a program on this machine can be the link, and only pages that may play follow it or want
anything, since an invitation is among the parts. Nothing is kept once the link has gone. Everything here
belongs to the server's event loop.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from firmware_host.errors import RequestError
from firmware_host.i18n import Message
from firmware_host.web.broadcast import Mailbox
from firmware_host.web.messages import as_text, room_parts, room_wish

MAX_PARTS = 400
"""The most parts that a link can show at a time."""
MAX_WISHES = 20
"""The most wishes that wait for the link's answer."""
ANSWER_TIMEOUT_S = 8.0

Parts = dict[str, Any]


class RoomRelay:
    """The link of one board, and the pages that follow it."""

    def __init__(self) -> None:
        self._link: Mailbox | None = None
        self._parts: Parts = {}
        self._followers: set[Mailbox] = set()
        self._wishes: dict[int, asyncio.Future[None]] = {}
        self._number = 0

    @contextmanager
    def page(self, box: Mailbox) -> Iterator[None]:
        """Let a page, or the link, take part while the context lasts."""
        try:
            yield
        finally:
            self._followers.discard(box)
            if box is self._link:
                self._lose_link()

    async def of_page(self, box: Mailbox, request: object) -> None:
        """Carry out the request `rooms` of a page that may play; raise RequestError if it is refused."""
        if not isinstance(request, Mapping) or not isinstance(request.get("do"), str):
            raise RequestError('"rooms" takes an object with "do"')
        if request["do"] == "follow":
            self._followers.add(box)
            box.put(as_text(room_parts(self._parts, is_all=True)))
        else:
            await self._wish(request)

    def of_link(self, box: Mailbox, request: object) -> None:
        """Carry out the request `link` of a program here; raise RequestError if it is malformed."""
        match request:
            case {"do": "serve"}:
                self._lose_link()
                self._link = box
            case {"do": "show", "part": str(name), "value": value} if box is self._link:
                self._show(name, value)
            case {"do": "answer", "number": int(number), "refused": refused} if box is self._link:
                self._answer(number, refused)
            case _:
                raise RequestError('"link" takes "serve", and then "show" and "answer"')

    async def _wish(self, request: Mapping[str, Any]) -> None:
        if self._link is None or len(self._wishes) >= MAX_WISHES:
            raise RequestError(Message("refused.no-link"))
        self._number += 1
        number = self._number
        answered = self._wishes[number] = asyncio.get_running_loop().create_future()
        self._link.put(as_text(room_wish(number, request)))
        try:
            await asyncio.wait_for(answered, ANSWER_TIMEOUT_S)
        finally:
            self._wishes.pop(number, None)

    def _answer(self, number: int, refused: object) -> None:
        answered = self._wishes.pop(number, None)
        if answered is None or answered.done():
            return
        if refused is None:
            answered.set_result(None)
            return
        try:
            answered.set_exception(RequestError(Message.of(refused)))  # type: ignore[arg-type]
        except (KeyError, TypeError, AttributeError) as error:
            answered.set_result(None)
            raise RequestError('"refused" must be a message, or null') from error

    def _show(self, name: str, value: object) -> None:
        if value is None:
            self._parts.pop(name, None)
        elif name in self._parts or len(self._parts) < MAX_PARTS:
            self._parts[name] = value
        else:
            raise RequestError(f"a link shows {MAX_PARTS} parts at most")
        self._tell(room_parts({name: value}, is_all=False))

    def _lose_link(self) -> None:
        if self._link is None:
            return
        self._link = None
        self._parts.clear()
        for answered in self._wishes.values():
            if not answered.done():
                answered.set_exception(RequestError(Message("refused.no-link")))
        self._wishes.clear()
        self._tell(room_parts({}, is_all=True))

    def _tell(self, message: Mapping[str, Any]) -> None:
        text = as_text(dict(message))
        for box in self._followers:
            box.put(text)
