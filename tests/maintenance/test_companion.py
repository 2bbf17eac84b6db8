"""A companion's connection to whatever uses the board's port."""

from __future__ import annotations

import socket
import threading
from contextlib import closing

import pytest
from wsproto import ConnectionType, WSConnection
from wsproto.events import AcceptConnection, TextMessage

from firmware_host.errors import PageError
from firmware_host.maintenance.companion import CompanionConnection


def answer(listening: socket.socket, text: str) -> None:
    """Accept one page and send it `text`."""
    connection, _ = listening.accept()
    with connection:
        wire = WSConnection(ConnectionType.SERVER)
        while not list(wire.events()):
            wire.receive_data(connection.recv(4096))
        connection.sendall(wire.send(AcceptConnection()) + wire.send(TextMessage(data=text)))
        connection.recv(1)


@pytest.mark.parametrize(
    "text",
    ["nonsense", "[]", "{}", '{"type":"change","state":3}', '{"type":"reply","id":null}', "[" * 100_000],
    ids=["no JSON", "a list", "no type", "no state", "no number", "too deep"],
)
def test_companion_of_another_program_ends_with_an_error(text: str) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:
        thread = threading.Thread(target=answer, args=(listening, text))
        thread.start()
        with (
            CompanionConnection("127.0.0.1", listening.getsockname()[1]) as connection,
            pytest.raises(PageError, match="does another program use that port"),
        ):
            next(connection.traffic())
        thread.join()


def test_companion_sends_a_request_without_waiting_for_the_last() -> None:
    with (
        closing(socket.create_server(("127.0.0.1", 0))) as listening,
        CompanionConnection("127.0.0.1", listening.getsockname()[1]) as connection,
    ):
        assert connection._socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
