"""A phone's browser: it finds the board by its name, and keeps a connection to its page.

Names that end with `.local` are asked for as RFC 6762 has it of a simple resolver: by one question to all,
which the machine of that name answers.
"""

from __future__ import annotations

import json
import re
import socket
import sys
from typing import Any

from asking import PATIENCE_S
from wsproto import ConnectionType, WSConnection
from wsproto.events import AcceptConnection, CloseConnection, Event, Message, Ping, Request

_ALL_MACHINES = ("224.0.0.251", 5353)
_ANSWERS_WITHIN_S = 5.0
_ADDRESS_RECORD = re.compile(rb"\x00\x01[\x00\x80]\x01.{4}\x00\x04(.{4})", re.DOTALL)


def address_of(name: str) -> str:
    """Return the address of the machine with that name; empty if none answers."""
    labels = b"".join(bytes([len(part)]) + part.encode() for part in name.split("."))
    question = bytes.fromhex("beef00000001000000000000") + labels + bytes.fromhex("0000010001")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.settimeout(_ANSWERS_WITHIN_S)
        try:
            line.sendto(question, _ALL_MACHINES)
            found = _ADDRESS_RECORD.search(line.recv(512))
        except OSError:
            return ""
    return socket.inet_ntoa(found[1]) if found else ""


class PhoneConnection:
    """The connection of an open page to the board."""

    def __init__(self, name: str, port: int, cookie: str) -> None:
        """Open it; raises ConnectionError if the board doesn't accept it."""
        self._socket = socket.create_connection((address_of(name) or name, port), timeout=PATIENCE_S)
        self._wire = WSConnection(ConnectionType.CLIENT)
        self._events: list[Event] = []
        self._shown: dict[str, Any] = {}
        headers = [(b"Cookie", cookie.encode())] if cookie else []
        self._write(Request(host=f"{name}:{port}", target="/ws", extra_headers=headers))
        if not isinstance(answer := self._next(), AcceptConnection):
            raise ConnectionError(str(answer))

    def send(self, request: dict[str, Any]) -> None:
        """Send a request."""
        self._write(Message(data=json.dumps({"id": 1, **request})))

    def until(self, kind: str) -> dict[str, Any]:
        """Return the next message of that kind. Raise ConnectionError if the board closes the page."""
        while (message := self._receive())["type"] != kind:
            pass
        return message

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the reply to a request."""
        self.send(request)
        return self.until("reply")

    def close(self) -> None:
        """Close it."""
        self._socket.close()

    def _receive(self) -> dict[str, Any]:
        text = ""
        while True:
            event = self._next()
            if isinstance(event, CloseConnection):
                raise ConnectionError(str(event))
            if isinstance(event, Message):
                text += str(event.data)
                if event.message_finished:
                    return self._completed(json.loads(text))

    def _completed(self, message: dict[str, Any]) -> dict[str, Any]:
        """Return a message, or the whole of which it is a change; end the program if it is a refusal."""
        if "error" in message:
            sys.exit(f"the board refused: {message}")
        if message["type"] not in ("setup", "change"):
            return message
        self._shown = {**self._shown, **message, "type": "setup"}
        return self._shown

    def _write(self, event: Event) -> None:
        self._socket.sendall(self._wire.send(event))

    def _next(self) -> Event:
        while not self._events:
            self._wire.receive_data(self._socket.recv(65536) or None)
            for event in self._wire.events():
                if isinstance(event, Ping):
                    self._write(event.response())
                else:
                    self._events.append(event)
        return self._events.pop(0)
