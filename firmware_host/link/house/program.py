"""The connection between a board and its house: to the board's page on loopback, and to the house's broker.

Invariants: the board is available there as long as both connections stand. Each that ends is made again. The
house's broker may be another one than a room's, and nothing passes between the two.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from queue import Empty, Queue
from typing import Any

from firmware_host.errors import FarError, PageError
from firmware_host.far.address import BrokerAddress
from firmware_host.link.broker import (
    BrokerConnection,
    BrokerEvent,
    Connected,
    Contested,
    Disconnected,
    Incoming,
)
from firmware_host.link.house.entities import House, HouseBoard, house_request
from firmware_host.link.identity import Login
from firmware_host.link.topics import AT_HOME, DO, HOUSE_STATUS
from firmware_host.maintenance.companion import CompanionConnection
from firmware_host.settings import Microseconds

_LOG = logging.getLogger(__name__)
_MAX_WAITING = 100
_POLL_S = 0.25
"""The longest time that a command waits."""
_RETRY_S = 5.0


class HouseProgram:
    """Keeps a house informed of its board, and carries out its commands."""

    def __init__(
        self,
        address: BrokerAddress,
        login: Login,
        board: HouseBoard,
        contested: Callable[[], object] = lambda: None,
        announced: Callable[[], object] = lambda: None,
    ) -> None:
        """Prepare to announce `board`; `announced` is called before it is."""
        self._address, self._login, self._board, self._contested = address, login, board, contested
        self._announced = announced
        self._inbox: Queue[BrokerEvent] = Queue(_MAX_WAITING)

    def run(
        self,
        host: str,
        port: int,
        *,
        connect: Callable[[str, int], CompanionConnection] = CompanionConnection,
        sleep: Callable[[float], object] = time.sleep,
        goes_on: Callable[[], bool] = lambda: True,
    ) -> None:
        """Follow the board at `host` and `port` as long as `goes_on`; raise LinkError without the library."""
        while goes_on():
            try:
                with connect(host, port) as board, self._broker() as broker:
                    self._exchange(board, broker, goes_on)
            except PageError as error:
                _LOG.info("%s; trying again", error)
                sleep(_RETRY_S)

    @contextmanager
    def _broker(self) -> Iterator[BrokerConnection]:
        name = self._board.board
        home = AT_HOME.at(board=name)
        with closing(BrokerConnection(self._address, self._login, self._inbox, presence=home)) as broker:
            broker.subscribe(HOUSE_STATUS.every())
            if self._board.takes_commands:
                broker.subscribe(DO.at(board=name))
            broker.open()
            yield broker

    def _exchange(
        self, board: CompanionConnection, broker: BrokerConnection, goes_on: Callable[[], bool]
    ) -> None:
        house = House(self._board)
        for state in board.states(_POLL_S):
            if not goes_on():
                return
            for event in self._events():
                self._take(event, state, house, board, broker)
            if broker.is_connected:
                for message in house.follow(state, _now()):
                    broker.publish(*message)

    def _events(self) -> Iterator[BrokerEvent]:
        while True:
            try:
                yield self._inbox.get_nowait()
            except Empty:
                return

    def _take(
        self,
        event: BrokerEvent,
        state: Mapping[str, Any],
        house: House,
        board: CompanionConnection,
        broker: BrokerConnection,
    ) -> None:
        match event:
            case Contested():
                self._contested()
            case Disconnected(reason):
                _LOG.info("no connection to the house's broker (%s); trying again", reason)
            case Incoming(topic, payload, retained) if DO.names(topic) is not None:
                if not retained:  # one that was given at another time
                    self._carry_out(payload, state, board)
            case Connected() | Incoming(payload=b"online"):
                self._announced()
                for message in house.greeting():
                    broker.publish(*message)

    def _carry_out(self, payload: bytes, state: Mapping[str, Any], board: CompanionConnection) -> None:
        try:
            board.ask(house_request(payload, state))
        except FarError as error:
            _LOG.warning("a command of the house was refused: %s", error)


def _now() -> Microseconds:
    return time.monotonic_ns() // 1000
