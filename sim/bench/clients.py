"""Clients of a page that is measured: viewers, busy users and attackers, each in a process of its own.

Their own work is thus not counted as the board's. Invariants: clients start when they get the address, end on
request, and send back their observations.
"""

from __future__ import annotations

import json
import selectors
import socket
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection
from random import Random
from threading import Event, Thread
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from wsproto import ConnectionType, WSConnection
from wsproto.connection import ConnectionState
from wsproto.events import BytesMessage, Ping, Request, TextMessage
from wsproto.utilities import ProtocolError

SeenLight = tuple[int, dict[str, str]]
"""Arrival of a light, in nanoseconds of the machine's clock, and the lit points with their colours."""


class AnswerTimes(NamedTuple):
    """The duration of each answer, in nanoseconds, and the number of refusals among them."""

    took_ns: list[int]
    refused: int


_MESSAGES = 10_000
_CONNECTIONS = 200
_NON_READERS = 8


class ClientPage:
    """A page's connection, which reads messages and answers pings."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        assert parts.hostname is not None  # noqa: S101 - a server has one
        self.socket = socket.create_connection((parts.hostname, parts.port or 80), timeout=10)
        self._wire = WSConnection(ConnectionType.CLIENT)
        self._text = ""
        self.socket.sendall(self._wire.send(Request(host=parts.netloc, target="/ws")))
        while self._wire.state is ConnectionState.CONNECTING:
            self._receive()

    def read(self) -> Iterator[dict[str, Any]]:
        """Yield the messages that have arrived; raises ConnectionError if the board has hung up."""
        self._receive()
        for event in self._wire.events():
            if isinstance(event, Ping):
                self.socket.sendall(self._wire.send(event.response()))
            elif isinstance(event, TextMessage):
                self._text += event.data
                if event.message_finished:
                    text, self._text = self._text, ""
                    yield json.loads(text)

    def _receive(self) -> None:
        data = self.socket.recv(65_536)
        if not data:
            raise ConnectionError("the board has parted from a page")
        self._wire.receive_data(data)

    def send(self, message: str | bytes) -> None:
        """Send a message of any content."""
        event = TextMessage(data=message) if isinstance(message, str) else BytesMessage(data=message)
        self.socket.sendall(self._wire.send(event))


def look(orders: Connection, address: str, count: int) -> None:
    """Be `count` pages until `orders` receives something; then send back the lights of the first page."""
    pages = [ClientPage(address) for _ in range(count)]
    seen: list[SeenLight] = []
    with selectors.DefaultSelector() as ready:
        ready.register(orders, selectors.EVENT_READ)
        for page in pages:
            ready.register(page.socket, selectors.EVENT_READ, page)
        orders.send(None)
        while not orders.poll():
            for key, _ in ready.select(1.0):
                if key.data is not None:
                    _read(key.data, seen if key.data is pages[0] else None)
    orders.send(seen)


def ask(orders: Connection, address: str, count: int) -> None:
    """Be `count` pages, each sending its next request as soon as the last one is answered, until stopped.

    Sends back Answers.
    """
    took: list[int] = []
    refused = 0
    with selectors.DefaultSelector() as ready:
        ready.register(orders, selectors.EVENT_READ)
        for number in range(count):
            page = ClientPage(address)
            ready.register(page.socket, selectors.EVENT_READ, _Asker(page, number))
        orders.send(None)
        while not orders.poll():
            for key, _ in ready.select(1.0):
                for message in () if key.data is None else key.data.read():
                    took.append(message["took_ns"])
                    refused += "error" in message
    orders.send(AnswerTimes(took, refused))


class _Asker:
    """One page that sends one request after another."""

    def __init__(self, page: ClientPage, number: int) -> None:
        self._page = page
        self._number = number
        self._requests: Iterator[dict[str, Any]] | None = None
        self._asked_ns = 0

    def read(self) -> Iterator[dict[str, Any]]:
        """Yield the answers that have arrived, each with its duration, and send the next request."""
        for message in self._page.read():
            if message["type"] == "snapshot" and self._requests is None:
                self._requests = _requests(message, self._number)
                self._ask()
            elif message["type"] == "reply":
                yield {**message, "took_ns": time.monotonic_ns() - self._asked_ns}
                self._ask()

    def _ask(self) -> None:
        assert self._requests is not None  # noqa: S101 - they came with the snapshot
        self._asked_ns = time.monotonic_ns()
        self._page.send(json.dumps({"id": 1, **next(self._requests)}))


def _requests(snapshot: dict[str, Any], number: int) -> Iterator[dict[str, Any]]:
    """Yield the requests of a page, without end: pushes of its own piece, buttons and lists."""
    chance = Random(number)  # noqa: S311 - the same wishes each time
    places, table = snapshot["layout"]["points"], snapshot["table"]
    piece = table["pieces"][number % len(table["pieces"])]
    left, lowest = (min(place[axis] for place in places.values()) for axis in (0, 1))
    x, y = places[piece["at"]]
    x, y = (x - left) * table["pitch"], (y - lowest) * table["pitch"]
    while True:
        yield {"push": piece["id"], "to": [x + chance.uniform(-4, 4), y + chance.uniform(-4, 4)]}
        yield {"do": "set", "brightness": chance.choice([0.4, 0.5, 0.6])}
        yield {"do": "take-back"}
        yield {"ask": "games"}


def _read(page: ClientPage, seen: list[SeenLight] | None) -> None:
    for message in page.read():
        light = message.get("state", {}).get("leds")
        if seen is not None and light is not None:
            seen.append((time.monotonic_ns(), light))


def attack(orders: Connection, address: str) -> None:
    """Send noise, open connections, request files and never read, all at once, until stopped."""
    over = Event()
    tasks = (_send_noise, _crowd, _fetch, *[_never_read] * _NON_READERS)
    threads = [Thread(target=task, args=(address, over), daemon=True) for task in tasks]
    for thread in threads:
        thread.start()
    orders.send(None)
    orders.recv()
    over.set()
    orders.send(None)


def _send_noise(address: str, over: Event) -> None:
    """Send ten thousand random messages as fast as they are accepted, and repeat."""
    chance = Random(1)  # noqa: S311 - the same noise each time
    while not over.is_set():
        try:
            page = ClientPage(address)
            for _ in range(_MESSAGES):
                page.send(_noise(chance))
                if over.is_set():
                    return
        except (OSError, ProtocolError):  # refused, or thrown out
            time.sleep(0.05)


def _noise(chance: Random) -> str | bytes:
    kind = chance.randrange(4)
    if kind == 0:
        return chance.randbytes(chance.randrange(200))
    if kind == 1:
        return "[" * chance.randrange(4000)
    # Requests that the board parses and refuses; accepted ones would measure play and not the attack.
    verb = chance.choice(["lift", "put", "knock", "do", "push", "ask", "resync", "answer"])
    return json.dumps({"id": 1, verb: chance.choice(["z9", True, None, {"z9": "a4"}, 10**300])})


def _crowd(address: str, over: Event) -> None:
    """Keep two hundred silent connections open, reopening them as soon as they are closed."""
    parts = urlsplit(address)
    opened: list[socket.socket] = []
    while not over.is_set():
        try:
            opened.append(socket.create_connection((parts.hostname or "", parts.port or 80), timeout=1))
        except OSError:
            time.sleep(0.05)
        if len(opened) > _CONNECTIONS:
            opened.pop(0).close()
        time.sleep(0.005)


def _fetch(address: str, over: Event) -> None:
    """Request files, one after another."""
    parts = urlsplit(address)
    asked = f"GET /wood.js HTTP/1.1\r\nHost: {parts.netloc}\r\n\r\n".encode()
    while not over.is_set():
        try:
            with socket.create_connection((parts.hostname or "", parts.port or 80), timeout=5) as connection:
                while not over.is_set():
                    connection.sendall(asked)
                    connection.recv(65_536)
        except OSError:
            time.sleep(0.05)


def _never_read(address: str, over: Event) -> None:
    """Keep a page that never reads."""
    while not over.is_set():
        try:
            page = ClientPage(address)
        except (OSError, ProtocolError):
            over.wait(0.5)
        else:
            page.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            over.wait(15)
            page.socket.close()
