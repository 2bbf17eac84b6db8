"""A real mosquitto with the shipped permissions: each client can do with each topic what the table says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from queue import Queue
from typing import Any

import pytest

from firmware_host.far.address import BrokerAddress
from firmware_host.link.broker import BrokerConnection, Connected, Incoming
from firmware_host.link.identity import Login
from firmware_host.link.permissions import FILE, HOUSE_FILE, HOUSE_USER
from firmware_host.link.topics import LOBBY, TOPICS, Topic, TopicWriter
from tests.support.link.topics import BOARD, made
from tests.support.mosquitto import PASSWORDS, PROGRAM, Mosquitto, mosquitto, next_of, with_users

OTHER = "BBBBBBBBBBBBBBBB"
MARK = "mark"
"""A topic that everybody may read and write: after its message, no other of the same client is on its way."""

pytest.importorskip("paho")
pytestmark = pytest.mark.skipif(
    PROGRAM is None or PASSWORDS is None, reason="mosquitto isn't installed (apt install mosquitto)"
)


class Client:
    """A connected client that reads everything that it may."""

    def __init__(self, broker: Mosquitto, user: str) -> None:
        self.inbox: Queue[Any] = Queue()
        self.connection = BrokerConnection(
            BrokerAddress("127.0.0.1", broker.port), Login(user, "secret"), self.inbox
        )
        self.connection.subscribe("#")
        self.connection.open()
        next_of(self.inbox, Connected)

    def payloads_until(self, mark: str) -> set[str]:
        """Return the payloads of all messages up to the mark."""
        found = set()
        while True:
            message = next_of(self.inbox, Incoming)
            if message.topic == MARK and message.payload == mark.encode():
                return found
            found.add(message.payload.decode())


@pytest.fixture(params=[FILE, HOUSE_FILE], ids=["club", "house"])
def permissions(request: pytest.FixtureRequest) -> Path:
    found: Path = request.param
    return found


@pytest.fixture
def clients(tmp_path: Path, permissions: Path) -> Iterator[dict[str, Client]]:
    users = dict.fromkeys((BOARD, OTHER, HOUSE_USER), "secret")
    lines = with_users(tmp_path, users, f"{permissions.read_text('utf-8')}pattern readwrite {MARK}\n")
    with mosquitto(tmp_path, lines) as broker:
        found = {user: Client(broker, user) for user in users}
        yield found
        for client in found.values():
            client.connection.close()


def may_write(user: str, topic: Topic) -> bool:
    """Return what the table says of a topic that names BOARD, if any."""
    return user == (HOUSE_USER if topic.writer is TopicWriter.HOUSE else BOARD)


def may_read(user: str, topic: Topic) -> bool:
    """Return whether a client of a house may read a topic that names BOARD, if any."""
    is_for_all = not topic.is_of_house or "<board>" not in topic.pattern
    return is_for_all or user in (BOARD, HOUSE_USER)


def test_clients_write_and_read_what_the_table_says(clients: dict[str, Client], permissions: Path) -> None:
    for number, topic in enumerate(TOPICS):
        is_passed_on = permissions == HOUSE_FILE or not topic.is_of_house
        for writer in (BOARD, OTHER, HOUSE_USER):
            mark = f"{number}{writer}"
            clients[writer].connection.publish(topic, made(topic), mark.encode())
            clients[writer].connection.publish(LOBBY, MARK, mark.encode())
            got = {user: mark in client.payloads_until(mark) for user, client in clients.items()}
            is_written = is_passed_on and may_write(writer, topic)
            expected = {user: is_written and may_read(user, topic) for user in clients}
            assert got == expected, f"{writer} writes {topic.pattern}"
