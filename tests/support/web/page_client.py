"""A browser's side of the connection, for tests: requests with any headers, and a WebSocket."""

from __future__ import annotations

import json
import socket
import time
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

from wsproto import ConnectionType, WSConnection
from wsproto.connection import ConnectionState
from wsproto.events import AcceptConnection, CloseConnection, Event, Message, Ping, RejectConnection, Request

from tests.support.web.protocol import check_from_board, merged

PATIENCE_S = 60.0


def get(
    address: str, path: str = "/", method: str = "GET", **headers: str
) -> tuple[int, dict[str, str], str]:
    """The status, headers (names in lower case) and text that the server answers with."""
    connection = HTTPConnection(urlsplit(address).netloc, timeout=PATIENCE_S)
    connection.putrequest(method, path, skip_host="Host" in headers)
    for name, value in headers.items():
        connection.putheader(name.replace("_", "-"), value)
    connection.endheaders()
    answer = connection.getresponse()
    body = answer.read().decode()
    connection.close()
    return answer.status, {name.lower(): value for name, value in answer.getheaders()}, body


class PageClient:
    """A WebSocket to the board; `status` is 101 if it was let in, and `may_play` is its permission."""

    def __init__(
        self, address: str, path: str = "/ws", host: str = "", origin: str = "", **more: str
    ) -> None:
        parts = urlsplit(address)
        self.socket = socket.create_connection((parts.hostname, parts.port), timeout=PATIENCE_S)
        self._wire = WSConnection(ConnectionType.CLIENT)
        self._events: list[Event] = []
        self._whole: dict[str, Any] | None = None
        headers = [(name.replace("_", "-").encode(), value.encode()) for name, value in more.items()]
        headers += [(b"Origin", origin.encode())] if origin else []
        try:
            self._open(Request(host=host or parts.netloc, target=path, extra_headers=headers))
        except BaseException:  # who is not let in has nothing to close
            self.socket.close()
            raise

    def _open(self, request: Request) -> None:
        self.write(request)
        first = self._next()
        self.status = first.status_code if isinstance(first, RejectConnection) else 101
        assert isinstance(first, (RejectConnection, AcceptConnection))
        if self.status == 101 and request.target == "/ws":
            welcome = self.receive()
            assert welcome["type"] == "welcome"
            self.may_play, self.needs_code = welcome["may_play"], welcome["code"]

    def write(self, event: Event) -> None:
        """Send one event of the protocol."""
        self.socket.sendall(self._wire.send(event))

    def send(self, message: Any) -> None:
        """Send `message` as JSON, or as it is if it is text or bytes."""
        data = message if isinstance(message, (str, bytes)) else json.dumps(message)
        self.write(Message(data=data))

    def receive(self) -> dict[str, Any]:
        """The next message as it came; raises ConnectionError with the code where the server closes."""
        text = ""
        while True:
            event = self._next()
            if isinstance(event, CloseConnection):
                raise ConnectionError(event.code)
            if isinstance(event, Message):
                text += str(event.data)
                if event.message_finished:
                    return self._told(dict(json.loads(text)))

    def _told(self, message: dict[str, Any]) -> dict[str, Any]:
        check_from_board(message)
        if message["type"] in ("snapshot", "setup", "change"):
            self._whole = merged(self._whole, message)
        return message

    def until(self, kind: str) -> dict[str, Any]:
        """The next message of this type; raises TimeoutError where only others come.

        A snapshot or set-up is whole, also where only a change of it came.
        """
        due = time.monotonic() + PATIENCE_S
        while time.monotonic() < due:
            message = self.receive()
            if message["type"] == "change" and self._whole is not None:
                message = self._whole
            if message["type"] == kind:
                return message
        raise TimeoutError(f"no {kind} came in {PATIENCE_S} seconds")

    @property
    def whole(self) -> dict[str, Any]:
        """Return the latest complete message."""
        assert self._whole is not None
        return self._whole

    def ask(self, request: Any) -> dict[str, Any]:
        """The reply to `request`."""
        self.send(request)
        return self.until("reply")

    def close(self) -> None:
        """Part in the proper way, if the connection still stands."""
        try:
            if self._wire.state is ConnectionState.OPEN:
                self.write(CloseConnection(code=1000))
        finally:
            self.socket.close()

    def _next(self) -> Event:
        due = time.monotonic() + PATIENCE_S
        while not self._events:
            if time.monotonic() > due:
                raise TimeoutError(f"only pings came in {PATIENCE_S} seconds")
            data = self.socket.recv(65536)
            if not data and self._wire.state is ConnectionState.CONNECTING:
                raise ConnectionError("the server closed the connection before it answered")
            self._wire.receive_data(data or None)
            for event in self._wire.events():
                if isinstance(event, Ping):
                    self.write(event.response())
                else:
                    self._events.append(event)
        return self._events.pop(0)
