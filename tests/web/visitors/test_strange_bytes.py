"""Bytes that are nearly requests, or nearly frames of a page: nothing is raised, and nothing stays."""

from __future__ import annotations

import asyncio
import gc
import logging
import random
import socket
import weakref
from collections.abc import Iterator
from contextlib import closing, suppress

import pytest
from uvicorn.server import ServerState

from firmware_host.web import rate_limits
from firmware_host.web.server import WebServer
from tests.support.web.fake_board import Asked

SLACK_S = 0.02
"""The time for a connection to end by itself; those that stay open are closed then."""
PATIENCE_S = 60.0

HOST = b"Host: 127.0.0.1:%d\r\n"
UPGRADE = (
    b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)
PAGE = (
    b"GET /ws HTTP/1.1\r\n" + HOST + UPGRADE + b"Sec-WebSocket-Extensions: permessage-deflate; a=1, b\r\n"
    b"Sec-WebSocket-Protocol: a, b\r\nCookie: a=b\r\n\r\n"
)
CHUNKED = HOST + b"Transfer-Encoding: chunked\r\n\r\n"
REQUESTS = (
    b"GET / HTTP/1.1\r\n" + HOST + b'Accept-Language: de;q=0.5, en\r\nIf-None-Match: "a"\r\n\r\n',
    b"POST /code HTTP/1.1\r\n" + HOST + b'Content-Length: 16\r\n\r\n{"code": "1234"}',
    b"POST /code HTTP/1.1\r\n" + CHUNKED + b'5\r\n{"a":\r\n3\r\n 1}\r\n0\r\nX: y\r\n\r\n',
    b"GET /games.json?before=3 HTTP/1.0\r\n" + HOST + b"Connection: keep-alive\r\n\r\n",
    b"DELETE /devices/7 HTTP/1.1\r\n" + HOST + b"X-Forwarded-For: 1\r\n\r\n",
)
PIECES = (
    *(b"", b"\xff", b"\0", b"\r\n", b":", b",", b"..", b"%%ff", b"xn--\xc3-", b"9" * 20, b"a" * 70),
    b"GET / HTTP/1.1\r\n" + HOST + b"\r\n",
)
PAYLOADS = (b"{}", b'{"id": 1, "box": true}', b"\x03\xe8bye", b"\0\1", b"\xff", b"x" * 130)

CASES = {
    "answered before the bad rest came": (b"POST / HTTP/1.1\r\n" + CHUNKED, b"zzzz\r\n"),
    "bad rest of a request for another host": (
        b"POST /code HTTP/1.1\r\nHost: x\r\n" + CHUNKED.removeprefix(HOST),
        b"zzzz\r\n",
    ),
    "protocol of a page": (PAGE.replace(b"a, b", b"\xff\xfe"),),
    "extension of a page": (PAGE.replace(b"permessage", b"\xff"),),
    "host of a page": (PAGE.replace(HOST, b"Host: \xe9\r\n"),),
    "page that leaves at once": (PAGE,),
}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[WebServer]:
    """A board's server without limits on rates, which have tests of their own."""
    for name in ("_BYTES", "_REQUESTS", "_REFUSALS"):
        monkeypatch.setattr(rate_limits, f"{name}_A_SECOND", 10**9)
        monkeypatch.setattr(rate_limits, f"{name}_AT_ONCE", 10**9)
    server = WebServer(Asked().submit, port=0)
    server._config.load()
    yield server
    server.close()


def frame(chance: random.Random) -> bytes:
    """Return what is nearly a frame of a page's connection."""
    payload, mask = chance.choice(PAYLOADS), chance.randbytes(4)
    first = chance.choice((0x80, 0x80, 0x80, 0, 0x40, 0xF0)) | chance.choice((0, 1, 1, 2, 8, 9, 10, 15))
    length = min(len(payload), 125) if chance.random() < 0.9 else chance.randrange(126)
    masked = bytes(byte ^ mask[at % 4] for at, byte in enumerate(payload))
    return bytes((first, 0x80 | length)) + mask + masked


def changed(chance: random.Random, sent: bytes) -> bytes:
    """Return bytes of which some were replaced."""
    for _ in range(chance.choice((0, 1, 1, 1, 2, 3, 8))):
        at = chance.randrange(len(sent) + 1)
        sent = (
            sent[:at]
            + chance.choice((*PIECES, chance.randbytes(1)))
            + sent[at + chance.choice((0, 1, 2, 9)) :]
        )
    return sent


def random_parts(chance: random.Random) -> list[bytes]:
    """Return the parts that one connection sends."""
    if chance.random() < 0.5:
        parts = [changed(chance, PAGE), *(frame(chance) for _ in range(chance.randrange(6)))]
    else:
        parts = [changed(chance, chance.choice(REQUESTS)) for _ in range(chance.randrange(1, 4))]
    if chance.random() < 0.4:
        whole = b"".join(parts)
        at = chance.randrange(len(whole) + 1)
        parts = [whole[:at], whole[at:]]
    return parts


class Strangers:
    """Connections to a server's protocol, one after the other."""

    def __init__(self, server: WebServer) -> None:
        self.state = ServerState()
        self.connections: list[weakref.ref[asyncio.Protocol]] = []
        self._port = b"%d" % server._port
        self._config = server._config

    async def send(self, parts: list[bytes], chance: random.Random) -> None:
        """Send `parts` on a connection of their own, and end it."""
        loop = asyncio.get_running_loop()
        with socket.create_server(("127.0.0.1", 0)) as listening:
            stranger = socket.create_connection(listening.getsockname())
            accepted, _ = listening.accept()
        await loop.connect_accepted_socket(self._protocol, accepted)
        stranger.settimeout(0)
        with closing(stranger), suppress(OSError):
            for part in parts:
                await loop.sock_sendall(stranger, part.replace(b"%d", self._port))
                for _ in range(chance.randrange(6)):
                    await asyncio.sleep(0)
            stranger.shutdown(socket.SHUT_WR)
            async with asyncio.timeout(SLACK_S):
                while await loop.sock_recv(stranger, 65_536):
                    pass

    def _protocol(self) -> asyncio.Protocol:
        protocol = self._config.http_protocol_class(self._config, self.state, {})  # type: ignore[call-arg]
        assert isinstance(protocol, asyncio.Protocol)
        self.connections.append(weakref.ref(protocol))
        return protocol

    async def all_left(self) -> None:
        """Wait until nothing is left of any connection."""
        async with asyncio.timeout(PATIENCE_S):
            while self.state.connections or self.state.tasks:
                await asyncio.sleep(0.01)


def send_all(server: WebServer, seeds: range) -> None:
    async def run() -> None:
        strangers = Strangers(server)
        for seed in seeds:
            chance = random.Random(seed)
            await strangers.send(random_parts(chance), chance)
        await strangers.all_left()

    asyncio.run(run())


@pytest.mark.parametrize("parts", CASES.values(), ids=CASES)
def test_bytes_that_once_raised_do_so_no_more(
    server: WebServer, caplog: pytest.LogCaptureFixture, parts: tuple[bytes, ...]
) -> None:
    async def run() -> None:
        strangers = Strangers(server)
        for seed in range(20):
            await strangers.send(list(parts), random.Random(seed))
        await strangers.all_left()

    asyncio.run(run())
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []


@pytest.mark.parametrize("count", [300, pytest.param(20_000, marks=pytest.mark.long)])
def test_random_bytes_raise_nothing_and_leave_nothing(
    server: WebServer, caplog: pytest.LogCaptureFixture, count: int
) -> None:
    caplog.set_level(logging.ERROR)
    send_all(server, range(count))
    assert caplog.records == []


@pytest.mark.parametrize(
    "parts", [(b"",), REQUESTS[:1], REQUESTS[1:2], (PAGE,)], ids=["silent", "file", "code", "page"]
)
def test_memory_of_an_ended_connection_does_not_wait_for_the_collector(
    server: WebServer, parts: tuple[bytes, ...]
) -> None:
    async def run() -> None:
        strangers = Strangers(server)
        await strangers.send(list(parts), random.Random(1))
        await strangers.all_left()
        assert [connection() for connection in strangers.connections] == [None]

    gc.disable()
    try:
        asyncio.run(run())
    finally:
        gc.enable()
