"""The connections as the system keeps them."""

import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from typing import Any

import pytest
from wsproto.events import TextMessage

from firmware_host.web import rate_limits
from firmware_host.web.server import WebServer
from firmware_host.web.transports import _PageSocket
from tests.support.web.fake_board import Asked
from tests.support.web.page_client import PATIENCE_S, PageClient


@pytest.fixture
def server() -> Iterator[WebServer]:
    server = WebServer(Asked().submit, port=0)
    server.start()
    yield server
    server.close()


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
