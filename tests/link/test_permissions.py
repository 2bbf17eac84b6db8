"""A real mosquitto with the shipped permissions: each client can do with each topic what the table says."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from queue import Queue
from typing import Any

import pytest

from firmware_host.far.address import BrokerAddress
from firmware_host.link.broker import BrokerConnection, Connected, Incoming, Login
from firmware_host.link.permissions import FILE, HOUSE_USER
from firmware_host.link.topics import LOBBY, TOPICS, Topic, TopicWriter
from tests.support.link.topics import BOARD, made
from tests.support.mosquitto import PROGRAM, Mosquitto, mosquitto, next_of

OTHER = "BBBBBBBBBBBBBBBB"
PASSWORDS = shutil.which("mosquitto_passwd")
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


@pytest.fixture
def clients(tmp_path: Path) -> Iterator[dict[str, Client]]:
    passwords = tmp_path / "passwords"
    passwords.write_text("".join(f"{user}:secret\n" for user in (BOARD, OTHER, HOUSE_USER)))
    passwords.chmod(0o600)
    subprocess.run([PASSWORDS or "", "-U", str(passwords)], check=True)  # noqa: S603 - a constant command
    permissions = tmp_path / "acl"
    permissions.write_text(f"{FILE.read_text('utf-8')}pattern readwrite {MARK}\n")
    lines = f"allow_anonymous false\npassword_file {passwords}\nacl_file {permissions}\n"
    with mosquitto(tmp_path, lines) as broker:
        found = {user: Client(broker, user) for user in (BOARD, OTHER, HOUSE_USER)}
        yield found
        for client in found.values():
            client.connection.close()


def may_write(user: str, topic: Topic) -> bool:
    """Return what the table says of a topic that names BOARD, if any."""
    if topic.writer is TopicWriter.HOUSE:
        return user == HOUSE_USER
    return topic.writer is TopicWriter.HOST or user == BOARD


def may_read(user: str, topic: Topic) -> bool:
    return topic.is_public or user in (BOARD, HOUSE_USER)


def test_clients_write_and_read_what_the_table_says(clients: dict[str, Client]) -> None:
    for number, topic in enumerate(TOPICS):
        for writer in (BOARD, OTHER, HOUSE_USER):
            mark = f"{number}{writer}"
            clients[writer].connection.publish(topic, made(topic), mark.encode())
            clients[writer].connection.publish(LOBBY, MARK, mark.encode())
            got = {user: mark in client.payloads_until(mark) for user, client in clients.items()}
            expected = {user: may_write(writer, topic) and may_read(user, topic) for user in clients}
            assert got == expected, f"{writer} writes {topic.pattern}"
