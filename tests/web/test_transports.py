"""The connections as the system keeps them."""

import socket
from collections.abc import Iterator

import pytest

from firmware_host.web.server import WebServer
from tests.support.web.fake_board import Asked
from tests.support.web.page_client import PageClient


@pytest.fixture
def server() -> Iterator[WebServer]:
    server = WebServer(Asked().submit, port=0)
    server.start()
    yield server
    server.close()


def test_nothing_that_is_written_waits_until_what_was_written_before_has_arrived(server: WebServer) -> None:
    page = PageClient(server.address)
    ours = [one.transport.get_extra_info("socket") for one in server._server.server_state.connections]
    assert ours
    assert all(one.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) for one in ours)
    page.close()
