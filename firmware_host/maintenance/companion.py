"""The connection of a companion program to the board's page on this machine, over its WebSocket.

Invariants: whatever ends the connection is a PageError. A companion learns the board's whole state, as pages
do, and plays no part in the game unless it asks to.
"""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import Any

from wsproto import ConnectionType, WSConnection
from wsproto.connection import ConnectionState
from wsproto.events import AcceptConnection, CloseConnection, Event, Ping, Request, TextMessage
from wsproto.utilities import LocalProtocolError, RemoteProtocolError

from firmware_host.errors import PageError
from firmware_host.frozen import frozen
from firmware_host.i18n import Message

_CONNECT_TIMEOUT_S = 10.0
_IN_PARTS = ("state", "table")
"""The members of which a change has only the members that differ."""


@frozen
class Reply:
    """The board's reply to the request with this number, with the error if it was refused."""

    request: int
    error: str | None = None
    """The error in English."""
    message: Message | None = None
    """The same in no language."""


@frozen
class PageWish:
    """A page's wish to the link, which is to answer it by its number."""

    number: int
    wish: Mapping[str, Any]


class CompanionConnection:
    """A connection to the board at a host and a port."""

    def __init__(self, host: str, port: int) -> None:
        """Connect; raises PageError if no board answers."""
        self._at = f"the board at {host} port {port}"
        self._wire = WSConnection(ConnectionType.CLIENT)
        self._whole: dict[str, Any] = {}
        self._requests = 0
        self._sending = threading.Lock()
        try:
            self._socket = socket.create_connection((host, port), timeout=_CONNECT_TIMEOUT_S)
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # requests come in pairs
        except OSError as error:
            raise PageError(f"{self._at} doesn't answer: {error}") from error
        self._send(Request(host=f"{host}:{port}", target="/ws"))

    @property
    def whole(self) -> Mapping[str, Any]:
        """All that the board has sent, with every change."""
        return self._whole

    def states(self, again_s: float | None = None) -> Iterator[Mapping[str, Any]]:
        """Yield the board's state, and again whenever it has changed; raises PageError at the end.

        With `again_s`, also yield it after every other message, and after that many seconds without one.
        """
        for message in self._messages(again_s):
            if message is None or self._take(message) or (again_s is not None and self._whole):
                yield self._whole.get("state", {})

    def traffic(self, again_s: float | None = None) -> Iterator[Mapping[str, Any] | Reply]:
        """Yield the board's state whenever it has changed, and replies; raises PageError at the end.

        With `again_s`, also yield the state after that many seconds without a message.
        """
        news = self._news(self._messages(again_s))
        return (one for one in news if not isinstance(one, PageWish))

    def traffic_of_link(self) -> Iterator[Mapping[str, Any] | Reply | PageWish]:
        """Become the link of the board's pages, and yield their wishes beside the other traffic."""
        messages = self._messages(None)
        next(messages)  # the board's welcome: it accepts requests from now on
        self.ask({"link": {"do": "serve"}})
        return self._news(messages)

    def _news(
        self, messages: Iterator[Mapping[str, Any] | None]
    ) -> Iterator[Mapping[str, Any] | Reply | PageWish]:
        for message in messages:
            if message is None:
                yield self._whole.get("state", {})
            elif message["type"] == "reply":
                refused = message.get("said")
                yield Reply(message["id"], message.get("error"), refused and Message.of(refused))
            elif message["type"] == "wished":
                yield PageWish(message["number"], message["wish"])
            elif self._take(message):
                yield self._whole.get("state", {})

    def ask(self, request: Mapping[str, Any]) -> int:
        """Send a request without waiting for the reply; return its number. Any thread may call it."""
        with self._sending:
            self._requests += 1
            self._send(TextMessage(data=json.dumps({"id": self._requests, **request})))
            return self._requests

    def close(self) -> None:
        """End the connection; may be called twice."""
        self._socket.close()

    def __enter__(self) -> CompanionConnection:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _take(self, message: Mapping[str, Any]) -> bool:
        """Take over a message; return True if the state may have changed."""
        if message["type"] == "snapshot":
            self._whole = dict(message)
        elif message["type"] == "change":
            for key, value in message.items():
                before = self._whole.get(key)
                if key in _IN_PARTS and isinstance(before, dict) and isinstance(value, dict):
                    self._whole[key] = {**before, **value}
                else:
                    self._whole[key] = value
        else:
            return False
        return True

    def _messages(self, again_s: float | None) -> Iterator[Mapping[str, Any] | None]:
        """Yield the board's messages, and None after `again_s` without one."""
        text = ""
        for event in self._events():
            if isinstance(event, AcceptConnection):
                self._socket.settimeout(again_s)  # from now on the board speaks when something happens
            elif event is None:
                yield None
            elif isinstance(event, TextMessage):
                text += str(event.data)
                if event.message_finished:
                    message, text = self._parsed(text), ""
                    yield message

    def _parsed(self, text: str) -> Mapping[str, Any]:
        """Return a message of the board. Raise PageError if another program uses its port."""
        try:
            message = json.loads(text)
            is_one = message["type"] != "reply" or isinstance(message["id"], int)
            is_one = is_one and isinstance(message.get("state", {}), dict)
        except (ValueError, LookupError, TypeError, RecursionError):
            is_one = False
        if not is_one:
            raise PageError(f"{self._at} doesn't answer as a board: does another program use that port?")
        found: Mapping[str, Any] = message
        return found

    def _events(self) -> Iterator[Event | None]:
        """Yield what the board sends, and None after a time in which nothing came."""
        while True:
            try:
                data = self._received()
                if data is None:
                    yield None
                    continue
                self._wire.receive_data(data or None)
                events = list(self._wire.events())
            except (OSError, LocalProtocolError, RemoteProtocolError) as error:
                raise PageError(f"{self._at} doesn't answer: {error}") from error
            for event in events:
                if isinstance(event, Ping):
                    with self._sending:
                        self._send(event.response())
                else:
                    yield event
            if not data or self._wire.state is ConnectionState.CLOSED or _ends(events):
                raise PageError(f"{self._at} has closed the connection")

    def _received(self) -> bytes | None:
        """Return the next bytes, empty at the end; None if none came in time once the board has answered."""
        try:
            return self._socket.recv(65536)
        except TimeoutError:
            if self._wire.state is not ConnectionState.OPEN:
                raise
            return None

    def _send(self, event: Event) -> None:
        try:
            self._socket.sendall(self._wire.send(event))
        except (OSError, LocalProtocolError) as error:
            raise PageError(f"{self._at} doesn't answer: {error}") from error


def _ends(events: list[Event]) -> bool:
    return any(isinstance(event, CloseConnection) for event in events)
