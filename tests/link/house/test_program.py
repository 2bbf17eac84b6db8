"""A simulated board in a house: its messages on a real broker, and the commands that it carries out."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from queue import Queue
from threading import Event, Thread
from typing import Any
from urllib.parse import urlsplit

import pytest

from firmware_host.far.address import BrokerAddress
from firmware_host.link.broker import BrokerConnection, Connected, Incoming
from firmware_host.link.house.entities import HouseBoard, description
from firmware_host.link.house.program import HouseProgram
from firmware_host.link.identity import Login
from firmware_host.link.topics import AT_HOME, DISCOVERY, DO, EVENT, HOUSE_STATUS, STATE
from tests.support.mosquitto import PROGRAM, mosquitto, next_of
from tests.support.web.boards import simulated_board

pytestmark = [
    pytest.mark.skipif(PROGRAM is None, reason="no mosquitto was found for a house"),
    pytest.mark.ci("programs"),
]

BOARD = HouseBoard(
    "ABCDEFGHIJKLMNOP", "Kitchen", ["standard", "lasker"], ["harbour", "candle"], takes_commands=True
)


class Assistant:
    """A subscriber that remembers the newest message of each topic, and gives commands."""

    def __init__(self, port: int) -> None:
        self._inbox: Queue[Any] = Queue()
        self._broker = BrokerConnection(BrokerAddress.parse(f"127.0.0.1:{port}"), Login("house"), self._inbox)
        self._broker.subscribe("mw/#", "homeassistant/#")
        self._broker.open()
        next_of(self._inbox, Connected)

    def next(self, topic: str) -> Incoming:
        """Return the next message of a topic."""
        while (found := next_of(self._inbox, Incoming)).topic != topic:
            pass
        return found

    def state(self, **wanted: Any) -> dict[str, Any]:
        """Return the next state that has these members."""
        while True:
            found = json.loads(self.next(STATE.at(board=BOARD.board)).payload)
            if wanted.items() <= found.items():
                return dict(found)

    def give(self, **command: Any) -> None:
        assert self._broker.publish(DO, DO.at(board=BOARD.board), json.dumps(command).encode())

    def say(self, status: bytes) -> None:
        assert self._broker.publish(HOUSE_STATUS, HOUSE_STATUS.every(), status)

    def close(self) -> None:
        self._broker.close()


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Assistant]:
    """A house with a board, seen by its assistant."""
    ended = Event()
    with mosquitto(tmp_path) as broker, simulated_board() as address:
        assistant = Assistant(broker.port)
        at = BrokerAddress.parse(f"127.0.0.1:{broker.port}")
        program = HouseProgram(at, Login(BOARD.board, client=f"{BOARD.board}-house"), BOARD)
        page = urlsplit(address)
        options = {"goes_on": lambda: not ended.is_set(), "sleep": ended.wait}
        thread = Thread(target=program.run, args=(page.hostname, page.port), kwargs=options)
        thread.start()
        yield assistant
        ended.set()
        thread.join()
        assert assistant.next(AT_HOME.at(board=BOARD.board)).payload == b"0"
        assistant.close()


def test_a_house_sees_its_board_and_gives_it_commands(house: Assistant) -> None:
    assert house.next(AT_HOME.at(board=BOARD.board)).payload == b"1"
    discovered = house.next(DISCOVERY.at(board=BOARD.board))
    assert json.loads(discovered.payload) == description(BOARD)
    assert house.state()["turns"] == 0
    house.give(do="set", theme="candle", brightness=40)
    assert house.state(theme="candle")["brightness"] == 40
    house.give(do="new-game", rules="lasker")
    house.state(rules="lasker")
    house.give(do="resign")
    house.give(do="pause")
    assert house.state(status="paused")["winner"] is None
    house.say(b"online")
    assert json.loads(house.next(DISCOVERY.at(board=BOARD.board)).payload) == description(BOARD)
    assert house.state(status="paused")["rules"] == "lasker"
    assert EVENT.qos == 1
