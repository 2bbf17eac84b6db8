"""A board that leaves a house takes away all that the house's broker keeps of it, also after a restart."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Queue
from threading import Event
from time import monotonic, sleep
from typing import Any
from urllib.parse import urlsplit

import pytest

from firmware_host.far.address import BrokerAddress
from firmware_host.link.broker import BrokerConnection, Connected, Incoming
from firmware_host.link.house import house_of, leaving
from firmware_host.link.house.leaving import HouseMemory, leave_houses
from firmware_host.link.identity import Identity, Login
from firmware_host.link.permissions import HOUSE_FILE
from firmware_host.link.topics import AT_HOME, DISCOVERY, HOUSE_STATUS, STATE
from firmware_host.settings import Link
from tests.support.mosquitto import PASSWORDS, PROGRAM, free_port, mosquitto, next_of, with_users
from tests.support.web.boards import simulated_board

needs_mosquitto = pytest.mark.skipif(
    PROGRAM is None or PASSWORDS is None, reason="mosquitto isn't installed (apt install mosquitto)"
)
OWN = Identity("ABCDEFGHIJKLMNOP", "5e" * 32)
TOPICS = {kind.at(board=OWN.board) for kind in (DISCOVERY, STATE, AT_HOME)}


class HouseClient:
    """Home Assistant, as far as it reads."""

    def __init__(self, port: int) -> None:
        self._inbox: Queue[Any] = Queue()
        address = BrokerAddress("127.0.0.1", port)
        self._broker = BrokerConnection(address, Login("house", "secret"), self._inbox)
        self._broker.subscribe("mw/1/b/+/state", "mw/1/b/+/home", "homeassistant/#")
        self._broker.open()
        next_of(self._inbox, Connected)

    def until(self, holds: Callable[[Incoming], bool]) -> None:
        """Wait until each of the board's topics has had a message that is as it should be."""
        left = set(TOPICS)
        while left:
            message = next_of(self._inbox, Incoming)
            left -= {message.topic} if holds(message) else set()

    def retained(self) -> list[Any]:
        """Return what has arrived, once a message of its own has come back."""
        assert self._broker.publish(HOUSE_STATUS, HOUSE_STATUS.pattern, b"mark")
        found = []
        while (message := next_of(self._inbox, Incoming)).topic != HOUSE_STATUS.pattern:
            found.append(message)
        return found

    def close(self) -> None:
        """End the connection."""
        self._broker.close()


@contextmanager
def linked(settings: Link, page: str, memory: HouseMemory) -> Iterator[None]:
    """Run the threads of a link that have to do with houses."""
    ended, at = Event(), urlsplit(page)
    threads = house_of(settings, OWN, (at.hostname or "", at.port or 0), lambda: not ended.is_set(), memory)
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        ended.set()
        for thread in threads:
            thread.join()


@needs_mosquitto
def test_a_house_that_was_left_keeps_nothing_of_the_board(tmp_path: Path) -> None:
    port = free_port()
    at = BrokerAddress("127.0.0.1", port)
    users = {OWN.board: OWN.password_at(at), "house": "secret"}
    memory = HouseMemory(tmp_path / "houses.json", OWN.board)
    with (
        mosquitto(tmp_path, with_users(tmp_path, users, HOUSE_FILE.read_text("utf-8")), port),
        simulated_board() as page,
    ):
        house = HouseClient(port)
        with linked(Link(house_broker=str(at)), page, memory):
            house.until(lambda message: bool(message.payload))
        assert memory.brokers() == (str(at),)
        with linked(Link(), page, HouseMemory(tmp_path / "houses.json", OWN.board)):
            house.until(lambda message: not message.payload)
            until = monotonic() + 60
            while memory.brokers():
                assert monotonic() < until, "the house isn't forgotten"
                sleep(0.02)
        house.close()
        late = HouseClient(port)
        assert late.retained() == []
        late.close()


def test_the_house_that_a_board_is_in_is_not_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    left: list[str] = []
    monkeypatch.setattr(leaving, "leave_house", lambda address, *_: left.append(str(address)) or True)
    memory = HouseMemory(tmp_path / "houses.json", OWN.board)
    for broker in ("old.example:8883", "away.example:8883", "own.example:8883", "old.example:8883"):
        memory.note(broker)
    leave_houses(memory, "own.example:8883", OWN, "", lambda: True)
    assert left == ["away.example:8883", "old.example:8883"]
    assert memory.brokers() == ("own.example:8883",)


def test_a_house_that_is_away_keeps_up_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    left, clock = list[str](), [0.0]

    def leave(address: BrokerAddress, _: Identity, goes_on: Callable[[], bool]) -> bool:
        left.append(address.host)
        is_away = address.host == "away.example" and "old.example" not in left
        while is_away and goes_on():
            clock[0] += 1
        return not is_away

    monkeypatch.setattr(leaving, "leave_house", leave)
    memory = HouseMemory(tmp_path / "houses.json", OWN.board)
    for broker in ("away.example:8883", "old.example:8883"):
        memory.note(broker)
    leave_houses(memory, "", OWN, "", lambda: clock[0] < 3600, lambda: clock[0])
    assert left == ["away.example", "old.example", "away.example"]
    assert memory.brokers() == ()


def test_another_board_takes_nothing_from_a_house(tmp_path: Path) -> None:
    path = tmp_path / "houses.json"
    HouseMemory(path, OWN.board).note("old.example:8883")
    other = HouseMemory(path, "Z" * 16)
    assert other.brokers() == ()
    other.note("new.example:8883")
    assert json.loads(path.read_text()) == {"board": "Z" * 16, "brokers": ["new.example:8883"]}


@pytest.mark.parametrize(
    "text", ["", "[]", '{"board": "x"}', '{"board": "ABCDEFGHIJKLMNOP", "brokers": ["!"]}']
)
def test_a_damaged_memory_of_houses_is_set_aside(tmp_path: Path, text: str) -> None:
    path = tmp_path / "houses.json"
    path.write_text(text)
    memory = HouseMemory(path, OWN.board)
    assert memory.brokers() == ()
    assert len(list(tmp_path.glob("houses.json.damaged-*"))) == 1
    memory.note("new.example:8883")
    assert memory.brokers() == ("new.example:8883",)


def test_a_disk_that_refuses_ends_no_house(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    memory = HouseMemory(tmp_path / "none" / "houses.json", OWN.board)
    memory.note("new.example:8883")
    assert memory.brokers() == ()
    assert "houses that are left may keep this board" in caplog.text
