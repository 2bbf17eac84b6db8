"""The connection to a broker: back-off and limits by values, the rest with a real mosquitto."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from queue import Queue
from types import SimpleNamespace
from typing import Any

import pytest

from firmware_host.errors import FarError, LinkError
from firmware_host.far.address import BrokerAddress
from firmware_host.far.sealing import MAX_BYTES
from firmware_host.link import packets
from firmware_host.link.broker import (
    BrokerConnection,
    Connected,
    Disconnected,
    Incoming,
    retry_delay,
)
from firmware_host.link.identity import Login
from firmware_host.link.permissions import FILE
from firmware_host.link.topics import ON, RECORD, SAY
from hardware.libraries import Library
from tests.support.mosquitto import PROGRAM, Mosquitto, free_port, mosquitto, next_of, shipped_limits

pytest.importorskip("paho")

A, B, ROOM = "AAAAAAAAAAAAAAAA", "BBBBBBBBBBBBBBBB", "ROOMROOM22"
TOPIC = RECORD.at(room=ROOM, board=A)
LETTERS = str.maketrans("0189", "ABCD")
needs_mosquitto = pytest.mark.skipif(
    PROGRAM is None, reason="mosquitto isn't installed (apt install mosquitto)"
)


def connection(port: int, user: str = A, size: int = 1000, **options: Any) -> BrokerConnection:
    """Return a connection with an inbox of its own, which retries at once."""
    inbox: Queue[Any] = Queue(size)
    found = BrokerConnection(
        BrokerAddress("127.0.0.1", port), Login(user), inbox, draw=lambda: 0.05, **options
    )
    found.inbox = inbox  # type: ignore[attr-defined]
    return found


def get(found: BrokerConnection, kind: type[Any]) -> Any:
    return next_of(found.inbox, kind)  # type: ignore[attr-defined]


def test_attempts_are_spread_over_1_2_4_up_to_60_seconds() -> None:
    assert [retry_delay(n, lambda: 1.0) for n in (0, 1, 2, 5, 6, 7, 10**9)] == [1, 2, 4, 32, 60, 60, 60]
    assert retry_delay(6, lambda: 0.25) == 15


def test_small_messages_wait_for_no_acknowledgement() -> None:
    with socket.socket() as wire, closing(connection(1)) as found:
        client = found._client()
        client.on_socket_open(client, None, wire)  # type: ignore[misc]
        assert wire.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
    for name in ("club.conf", "loopback.conf"):
        assert "set_tcp_nodelay true" in (FILE.parent / name).read_text("utf-8").splitlines()


@pytest.mark.parametrize(
    ("text", "host", "port", "encrypted"),
    [
        ("broker.example", "broker.example", 8883, True),
        ("localhost", "localhost", 1883, False),
        ("127.0.0.1:2000", "127.0.0.1", 2000, False),
        ("[::1]", "[::1]", 1883, False),
        ("[2001:db8::1]:8884", "[2001:db8::1]", 8884, True),
        ("192.168.1.5", "192.168.1.5", 8883, True),
    ],
)
def test_an_address_is_encrypted_beyond_this_machine(
    text: str, host: str, port: int, encrypted: bool
) -> None:
    found = BrokerAddress.parse(text)
    assert (found.host, found.port, found.is_encrypted) == (host, port, encrypted)


@pytest.mark.parametrize(
    "text",
    ["", ":", "a b", "mqtt://broker", "broker:0", "broker:65536", "broker:x", "broker:000001883", "ä"],
)
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(FarError, match="is not the address of a broker"):
        BrokerAddress.parse(text)


def test_a_missing_library_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packets, "PAHO", Library("no_such_paho", "paho-mqtt", is_compiled=False))
    with pytest.raises(LinkError, match="the Python library no_such_paho is missing: run "):
        connection(1)


def test_a_password_is_in_no_text() -> None:
    assert "secret" not in repr(Login(A, "secret"))


@pytest.mark.parametrize(
    ("message", "why"),
    [
        (SimpleNamespace(topic="mw/" * 100, payload=b"", retain=False), "its topic is too long"),
        (SimpleNamespace(topic="mw", payload=b"x" * (MAX_BYTES + 1), retain=False), "it is too large"),
        (SimpleNamespace(topic="mw", payload=b"x", retain=False), "too many wait"),
    ],
)
def test_messages_over_a_limit_are_dropped_and_counted(message: Any, why: str, caplog: Any) -> None:
    found = connection(1, size=1)
    found.inbox.put("something")  # type: ignore[attr-defined]
    for _ in range(1000):
        found._on_message(object(), None, message)  # type: ignore[arg-type]
    assert found.dropped == {why: 1000}
    assert len(caplog.records) == 1
    found.close()


def test_nothing_is_published_without_a_connection() -> None:
    found = connection(1)
    assert not found.publish(RECORD, TOPIC, b"x")
    found.close()


def test_a_broker_that_is_not_there_is_tried_again() -> None:
    found = connection(free_port())
    found.open()
    assert "refused" in get(found, Disconnected).reason
    get(found, Disconnected)
    found.close()


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 400 Bad Request\r\n\r\n",
        b"\x20\xff\xff\xff\x7f" + b"\xff" * 64,
        b"\x20\x03\x00\x00\x00" + b"\x30\xff\xff\xff\xff\xff",
        b"\x20\x03\x00\x00\x00" + b"\x32\x05\xff\xff\xff\xff\xff",
        b"\x20\x00",
        b"",
    ],
)
def test_packets_of_a_hostile_broker_end_the_connection_and_nothing_else(answer: bytes) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=_answer, args=(server, answer), daemon=True).start()
        found = connection(server.getsockname()[1])
        found.open()
        get(found, Disconnected)
        get(found, Disconnected)
        found.close()


def test_a_packet_that_is_too_large_is_not_read() -> None:
    announced = b"\x20\x03\x00\x00\x00" + b"\x30\xff\xff\xff\x7f"
    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=_answer, args=(server, announced, 1), daemon=True).start()
        found = connection(server.getsockname()[1])
        found.open()
        reason = get(found, Disconnected).reason
        found.close()
    assert "a packet of 268435455 bytes; the limit is 32768" in reason


def _answer(server: socket.socket, answer: bytes, times: int = 2) -> None:
    for _ in range(times):
        client, _ = server.accept()
        client.recv(1000)
        client.sendall(answer)
        client.close()


@pytest.fixture
def real(tmp_path: Path) -> Iterator[Mosquitto]:
    with mosquitto(tmp_path) as broker:
        yield broker


@needs_mosquitto
def test_records_are_retained_and_come_to_all_who_subscribed(real: Mosquitto) -> None:
    sender, late = connection(real.port), connection(real.port, B)
    sender.open()
    get(sender, Connected)
    assert sender.publish(RECORD, TOPIC, b"record")
    sender.subscribe(TOPIC)
    assert get(sender, Incoming).payload == b"record"
    late.subscribe(RECORD.every(room=ROOM))
    late.open()
    assert get(late, Incoming) == Incoming(TOPIC, b"record", retained=True)
    assert sender.publish(SAY, SAY.at(room=ROOM, board=A), b"hello")
    assert sender.publish(RECORD, TOPIC, b"next")
    assert get(late, Incoming) == Incoming(TOPIC, b"next")
    assert not sender.publish(RECORD, TOPIC, b"x" * (MAX_BYTES + 1))
    sender.close()
    late.close()


@needs_mosquitto
@pytest.mark.parametrize("name", ["club.conf", "loopback.conf"])
def test_a_shipped_broker_hands_out_all_that_it_retains(name: str, tmp_path: Path) -> None:
    topics = {RECORD.at(room=f"ROOM{number:06}".translate(LETTERS), board=A) for number in range(400)}
    with mosquitto(tmp_path, limits=shipped_limits(name)) as broker:
        board, wall = connection(broker.port), connection(broker.port, B)
        board.subscribe(RECORD.every())
        board.open()
        get(board, Connected)
        for topic in topics:
            assert board.publish(RECORD, topic, b"record")
            assert get(board, Incoming).topic == topic
        wall.subscribe(RECORD.every())
        wall.open()
        found = set()
        while found != topics:
            found.add(get(wall, Incoming).topic)
        board.close()
        wall.close()


@needs_mosquitto
def test_a_killed_broker_is_found_again_with_all_subscriptions(real: Mosquitto) -> None:
    found = connection(real.port)
    found.subscribe(TOPIC)
    found.open()
    get(found, Connected)
    real.kill()
    get(found, Disconnected)
    real.start()
    get(found, Connected)
    assert found.publish(RECORD, TOPIC, b"again")
    assert get(found, Incoming).payload == b"again"
    found.close()


@needs_mosquitto
def test_presence_begins_with_a_connection_and_ends_with_it(real: Mosquitto) -> None:
    watcher = connection(real.port, B)
    watcher.subscribe(ON.every())
    watcher.open()
    get(watcher, Connected)
    # What comes back shows that the broker has the subscription: what follows is new to it, not retained.
    assert watcher.publish(ON, ON.at(board=B), b"1")
    assert get(watcher, Incoming).topic == ON.at(board=B)
    found = connection(real.port, presence=ON.at(board=A))
    found.open()
    assert get(watcher, Incoming) == Incoming(ON.at(board=A), b"1")
    found.close()
    assert get(watcher, Incoming) == Incoming(ON.at(board=A), b"0")
    watcher.close()


@needs_mosquitto
def test_a_wrong_password_is_a_reason(tmp_path: Path) -> None:
    passwords = tmp_path / "passwords"
    passwords.touch(0o600)
    with mosquitto(tmp_path, f"allow_anonymous false\npassword_file {passwords}\n") as broker:
        found = connection(broker.port)
        found.open()
        assert "Not authorized" in get(found, Disconnected).reason
        found.close()
