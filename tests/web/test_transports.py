"""The connections as the system keeps them."""

import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from wsproto.events import TextMessage

from firmware_host.games.layout import MORRIS
from firmware_host.web import rate_limits
from firmware_host.web.addresses import EVERYWHERE
from firmware_host.web.messages import snapshot
from firmware_host.web.server import WebServer
from firmware_host.web.transports import _HttpSocket, _PageSocket
from tests.support.web.fake_board import KINDS, START, Asked
from tests.support.web.page_client import PATIENCE_S, PageClient


@pytest.fixture
def server() -> Iterator[WebServer]:
    server = WebServer(Asked().submit, port=0)
    server.start()
    yield server
    server.close()


def raw(server: WebServer) -> socket.socket:
    return socket.create_connection(server._socket.getsockname(), timeout=PATIENCE_S)


def until(holds: Callable[[], bool]) -> None:
    due = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < due, "it did not come to hold"
        time.sleep(0.001)


def test_nothing_that_is_written_waits_until_what_was_written_before_has_arrived(server: WebServer) -> None:
    page = PageClient(server.address)
    ours = [one.transport.get_extra_info("socket") for one in server._server.server_state.connections]
    assert ours
    assert all(one.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) for one in ours)
    page.close()


def test_page_is_not_read_again_before_its_requests_are_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "_BYTES_AT_ONCE", 1)
    monkeypatch.setattr(rate_limits, "_BYTES_A_SECOND", 10**6)
    asked: list[dict[str, Any]] = []

    def never_done(request: dict[str, Any]) -> Future[Any]:
        asked.append(request)
        return Future()

    server = WebServer(never_done, port=0)
    server.start()
    page = PageClient(server.address)
    page.socket.sendall(page._wire.send(TextMessage(data='{"id": 1, "box": true}')) * 100)
    until(lambda: bool(asked))
    (ours,) = server._server.server_state.connections
    assert isinstance(ours, _PageSocket)
    until(lambda: not ours._pace.holds)
    assert ours.read_paused
    assert not ours.transport.is_reading()
    page.close()
    server.close()


PONG = bytes((0x8A, 0x80)) + bytes(4)
CHUNKED = b"POST /code HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize("opening", [b"", CHUNKED], ids=["frames", "parts of a body"])
def test_small_pieces_count_more_than_their_bytes(opening: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "_BYTES_AT_ONCE", 15_000)
    monkeypatch.setattr(rate_limits, "_BYTES_A_SECOND", 1)
    server = WebServer(Asked().submit, port=0)
    server.start()
    with closing(raw(server) if opening else PageClient(server.address).socket) as connection:
        until(lambda: len(server._server.server_state.connections) == 1)
        (ours,) = server._server.server_state.connections
        assert isinstance(ours, (_PageSocket, _HttpSocket))
        connection.sendall(opening + 300 * (b"1\r\nx\r\n" if opening else PONG))  # less than 3 kB
        until(lambda: ours._pace.holds)
    server.close()


@pytest.mark.parametrize(("count", "answer"), [(100, b"HTTP/1.1 200"), (101, b"HTTP/1.1 400")])
def test_request_with_too_many_headers_is_refused(server: WebServer, count: int, answer: bytes) -> None:
    host = b"Host: 127.0.0.1:%d\r\n" % server._port
    with closing(raw(server)) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\n" + host + b"a:b\r\n" * (count - 1) + b"\r\n")
        assert connection.recv(12) == answer
    until(lambda: not server._server.server_state.connections)


def test_phone_that_leaves_with_half_a_code_leaves_no_trace(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    server = WebServer(Asked().submit, EVERYWHERE, 0, others=tmp_path / "devices.json")
    server.start()
    head = b"POST /code HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Length: 50\r\n\r\n{" % server._port
    with closing(socket.create_connection(("127.0.0.1", server._port))) as connection:
        connection.sendall(head)
        until(lambda: bool(server._server.server_state.tasks))
    until(lambda: not server._server.server_state.tasks)
    server.close()
    assert not [record for record in caplog.records if record.exc_info]


def test_page_that_answers_no_pings_and_reads_nothing_is_no_error(caplog: pytest.LogCaptureFixture) -> None:
    board = Asked()
    server = WebServer(board.submit, port=0)
    server.start()
    deaf = PageClient(server.address)
    (ours,) = server._server.server_state.connections
    assert isinstance(ours, _PageSocket)

    def part() -> None:
        # More than the system takes, and less than has the board wait until the page has read something.
        ours.transport.set_write_buffer_limits(high=1 << 30)
        ours.transport.write(bytes(1 << 24))
        ours.keepalive_timeout()
        assert ours.transport.get_write_buffer_size()

    ours.loop.call_soon_threadsafe(part)
    until(lambda: ours.close_sent)
    server.publish(snapshot(MORRIS, START, table=None, rule_sets=["standard"], kinds=KINDS))
    until(lambda: not server._server.server_state.connections)
    deaf.socket.close()
    server.close()
    assert caplog.text == ""
