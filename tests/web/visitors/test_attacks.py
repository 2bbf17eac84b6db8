"""Requests of hostile visitors: none of them ends the server, keeps others out, or reaches the board unasked.

The loop's delays in the meantime are measured by `millwright bench --page`, not here.
"""

from __future__ import annotations

import json
import random
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from typing import Any
from urllib.parse import urlsplit

import pytest
from wsproto.events import Ping, TextMessage

from firmware_host.games.layout import MORRIS
from firmware_host.settings import MESSAGE_BYTES
from firmware_host.web import app, messages
from firmware_host.web import rate_limits as limits
from firmware_host.web import transports as sockets
from firmware_host.web.rate_limits import MAX_SOCKETS, Visitors
from firmware_host.web.server import WebServer
from tests.support.web.fake_board import KINDS, START, Asked
from tests.support.web.page_client import PageClient, get

pytestmark = pytest.mark.ci("examples")

PATIENCE_S = 60.0


class Attacked:
    """A board, its server, and what the server counts."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.visitors = Visitors()
        monkeypatch.setattr("firmware_host.web.server.Visitors", lambda: self.visitors)
        self.board = Asked()
        self.server = WebServer(self.board.submit, port=0)
        self.server.publish(messages.snapshot(MORRIS, START, table=None, rule_sets=["standard"], kinds=KINDS))
        self.server.start()
        self.port = urlsplit(self.server.address).port or 0

    def raw(self, sent: bytes = b"") -> socket.socket:
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE_S)
        try:
            connection.sendall(sent)
        except OSError:  # it was reset already
            connection.close()
            raise
        return connection

    def answers(self) -> bool:
        """Return whether another visitor is still served and may play."""
        page = PageClient(self.server.address)
        done = page.ask({"id": 1, "box": True}).get("ok", False)
        page.close()
        return bool(done) and get(self.server.address)[0] == 200


@pytest.fixture
def attacked(monkeypatch: pytest.MonkeyPatch) -> Iterator[Attacked]:
    attacked = Attacked(monkeypatch)
    yield attacked
    attacked.server.close()


def until(holds: Callable[[], bool]) -> None:
    due = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < due, "it did not come to hold"
        time.sleep(0.01)


def is_cut(connection: socket.socket) -> bool:
    """Return whether the server ends the connection, whatever it sends before."""
    with suppress(ConnectionError):
        while connection.recv(65_536):
            pass
    return True


def random_message(chance: random.Random) -> str | bytes:
    """Anything: from noise to what is nearly a request."""
    kind = chance.randrange(6)
    if kind == 0:
        return chance.randbytes(chance.randrange(200))
    if kind == 1:
        return "".join(chr(chance.randrange(1, 0xD800)) for _ in range(chance.randrange(60)))
    if kind == 2:
        return "[" * chance.randrange(1, 4000)
    request = {
        chance.choice(["id", "lift", "put", "do", "ask", "resync", "box", "\0", ""]): random_value(chance)
        for _ in range(chance.randrange(4))
    }
    text = json.dumps({"id": chance.choice([0, 1, -1, 10**30, None, "1"]), **request})[:MESSAGE_BYTES]
    if kind == 3:
        at = chance.randrange(len(text))
        return text[:at] + chance.choice(["", '"', "}", "\u2028", "NaN"]) + text[at + 1 :]
    return text


def random_value(chance: random.Random, depth: int = 3) -> Any:
    values = [None, True, -1, 1e308, 10**300, "d6", "a1", "../../etc/passwd", "\0", "<img src=x>", "x" * 500]
    if depth and chance.random() < 0.3:
        return [random_value(chance, depth - 1) for _ in range(3)]
    if depth and chance.random() < 0.3:
        return {"d6": random_value(chance, depth - 1)}
    return chance.choice(values)


@pytest.mark.parametrize(
    "count", [500, pytest.param(10_000, marks=pytest.mark.long)], ids=["five hundred", "ten thousand"]
)
def test_random_messages_are_each_answered_and_only_requests_reach_the_board(
    attacked: Attacked, monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    for name in ("_REQUESTS_A_SECOND", "_RARE_REQUESTS_A_SECOND"):
        monkeypatch.setattr(app, name, 100_000)
    monkeypatch.setattr(limits, "_BYTES_A_SECOND", 100_000_000)
    chance = random.Random(count)
    page = PageClient(attacked.server.address)
    for _ in range(count):
        reply = page.ask(random_message(chance))
        assert ("ok" in reply) != ("error" in reply)
    page.close()
    assert all(isinstance(request, dict) and "id" not in request for request in attacked.board.requests)
    assert attacked.answers()


@pytest.mark.parametrize("seed", range(20))
def test_what_is_no_http_is_refused_and_the_connection_ends(attacked: Attacked, seed: int) -> None:
    chance = random.Random(seed)
    noise = chance.randbytes(chance.randrange(1, 3000)) + b"\r\n\r\n"
    with closing(attacked.raw(noise)) as connection:
        assert is_cut(connection)
    assert attacked.answers()


@pytest.mark.parametrize(
    "head",
    [
        b"GET / HTTP/1.1\r\nHost: " + b"a" * 40_000 + b"\r\n\r\n",
        b"GET /" + b"a" * 40_000 + b" HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"X-A: b\r\n" * 8_000 + b"\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        b"POST /code HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
    ],
    ids=["long host", "long path", "many headers", "two hosts", "two lengths"],
)
def test_a_head_that_is_too_long_or_says_two_things_is_refused(attacked: Attacked, head: bytes) -> None:
    with closing(attacked.raw()) as connection:
        with suppress(ConnectionError):  # the server may end it before all is sent
            connection.sendall(head)
        with suppress(ConnectionError):
            assert not connection.recv(4096).startswith((b"HTTP/1.1 2", b"HTTP/1.1 5"))
    assert attacked.answers()


def test_of_two_hundred_connections_no_more_stay_than_are_allowed_and_then_others_come(
    attacked: Attacked, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sockets, "_REQUEST_TIMEOUT_S", PATIENCE_S)
    opened = [attacked.raw() for _ in range(MAX_SOCKETS)]
    until(lambda: attacked.visitors.sockets == MAX_SOCKETS)
    for _ in range(100):
        with suppress(ConnectionError), closing(attacked.raw()) as connection:
            assert is_cut(connection)
    assert attacked.visitors.sockets == MAX_SOCKETS
    for connection in opened:
        connection.close()
    until(lambda: attacked.visitors.sockets == 0)
    assert attacked.answers()


def test_a_request_that_drips_is_cut(attacked: Attacked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "_REQUEST_TIMEOUT_S", 0.5)
    with closing(attacked.raw(b"GET / HTTP/1.1\r\nHost: ")) as connection, suppress(ConnectionError):
        for _ in range(1000):
            connection.sendall(b"a")
            time.sleep(0.01)
        pytest.fail("it went on dripping for ten seconds")
    until(lambda: attacked.visitors.sockets == 0)


def test_a_code_that_drips_is_cut(attacked: Attacked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "_REQUEST_TIMEOUT_S", 0.3)
    host = f"127.0.0.1:{attacked.port}".encode()
    head = b"POST /code HTTP/1.1\r\nHost: " + host + b"\r\nContent-Length: 4000\r\n\r\n{"
    with closing(attacked.raw(head)) as connection:
        assert is_cut(connection)
    until(lambda: attacked.visitors.sockets == 0)


def test_who_does_not_take_what_was_asked_for_is_cut(
    attacked: Attacked, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sockets, "_RESPONSE_TIMEOUT_S", 0.5)
    host = f"127.0.0.1:{attacked.port}".encode()
    with closing(socket.socket()) as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect(("127.0.0.1", attacked.port))
        with suppress(ConnectionError):
            for _ in range(2000):
                connection.sendall(b"GET /wood.js HTTP/1.1\r\nHost: " + host + b"\r\n\r\n")
        until(lambda: attacked.visitors.sockets == 0)
    assert attacked.answers()


def test_a_page_that_never_reads_is_given_up_with_all_that_waits_for_it(
    attacked: Attacked, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(app, "_SEND_TIMEOUT_S", 0.5)
    monkeypatch.setattr(sockets, "_CLOSE_TIMEOUT_S", 0.1)
    deaf = PageClient(attacked.server.address)
    until(lambda: attacked.visitors.pages == 1)
    number = 0
    while attacked.visitors.sockets:
        number += 1
        state = {**START, "sentence": f"{number} {'x' * 200_000}"}
        attacked.server.publish(
            messages.snapshot(MORRIS, state, table=None, rule_sets=["standard"], kinds=KINDS)
        )
        time.sleep(0.005)
        assert number < 4000
    assert attacked.visitors.pages == 0
    deaf.close()
    assert attacked.answers()
    assert caplog.text == ""


def test_a_flood_of_pings_ends_its_connection(attacked: Attacked) -> None:
    page = PageClient(attacked.server.address)
    with suppress(ConnectionError):
        for _ in range(200):
            page.write(Ping(payload=b"x" * 100))
    assert is_cut(page.socket)
    page.socket.close()
    until(lambda: attacked.visitors.sockets == 0)


def test_a_flood_of_nothing_is_read_slowly_and_keeps_nobody_waiting(attacked: Attacked) -> None:
    flood, other = PageClient(attacked.server.address), PageClient(attacked.server.address)
    flood.write(TextMessage(data="", message_finished=False))
    nothing = flood._wire.send(TextMessage(data="", message_finished=False)) * 1000
    flood.socket.settimeout(0.2)
    sent = 0
    with suppress(TimeoutError):
        while sent < 50_000_000:
            sent += flood.socket.send(nothing)
    assert sent < 50_000_000
    assert other.ask({"id": 1, "box": True})["ok"]
    other.close()
    flood.socket.close()


def test_a_flood_of_requests_is_done_no_faster_than_two_fingers_drag(attacked: Attacked) -> None:
    page = PageClient(attacked.server.address)
    began = time.monotonic()
    for number in range(400):
        page.send({"id": number, "box": True})
    replies = [page.until("reply") for _ in range(400)]
    assert time.monotonic() - began >= (400 - app._REQUESTS_A_SECOND) / app._REQUESTS_A_SECOND - 0.1
    assert [reply["id"] for reply in replies] == list(range(400))
    page.close()


def test_a_long_message_is_refused_without_being_read_to_its_end(attacked: Attacked) -> None:
    page = PageClient(attacked.server.address)
    page.send("x" * (MESSAGE_BYTES + 1))
    with pytest.raises(ConnectionError, match="1009"):
        list(iter(page.receive, None))
    page.close()
    assert attacked.board.requests == []
