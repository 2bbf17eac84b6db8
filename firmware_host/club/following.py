"""The messages of a broker, for a program that only reads them.

Invariants: whatever becomes of the connection, it is made again. A message that is refused is reported with
its reason, at most once a second, and nothing else happens. The retained messages of each board arrive in
time, even if another one has left thousands.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable
from contextlib import closing
from queue import Empty
from random import SystemRandom

from firmware_host.errors import FarError
from firmware_host.far.address import BrokerAddress
from firmware_host.link.broker import (
    BrokerConnection,
    BrokerEvent,
    Connected,
    Contested,
    Disconnected,
    Incoming,
)
from firmware_host.link.identity import Login
from firmware_host.link.messages.inbox import OF_CLUB, Inbox
from firmware_host.link.published import MAX_BOARDS
from firmware_host.link.topics import CARD, INFO, RECORD

_LOG = logging.getLogger(__name__)
MAX_WAITING = 4000
"""The messages that wait at most: all that a club's broker has retained come at once."""
_REPORT_EVERY_S = 1.0
_IDLE_S = 5.0
_NEXT_BOARD_S = 1.0
"""The time from asking for what the broker has retained of one board to the next."""
_RANDOM = SystemRandom()

Receive = Callable[[str, bytes], object]
"""Takes over the message of a topic; raises FarError if it is refused."""


class Follower:
    """Hands the messages of a broker to `receive`, and reports what is refused."""

    def __init__(self, receive: Receive, now: Callable[[], float] = time.monotonic) -> None:
        self.refused = 0
        """Counts the messages that were refused."""
        self._receive = receive
        self._now = now
        self._reported_at = -_REPORT_EVERY_S

    def take(self, event: BrokerEvent) -> None:
        """Deal with one event of the connection."""
        match event:
            case Incoming(topic, payload):
                self._take(topic, payload)
            case Connected():
                _LOG.info("connected to the broker")
            case Contested():
                _LOG.warning("another program connects under the name of this one, and ends its connection")
            case Disconnected(reason):
                _LOG.info("not connected to the broker: %s; trying again", reason)

    def _take(self, topic: str, payload: bytes) -> None:
        try:
            self._receive(topic, payload)
        except FarError as error:
            self.refused += 1
            if self._now() - self._reported_at >= _REPORT_EVERY_S:
                self._reported_at = self._now()
                _LOG.warning("refused (%s in all): %s: %s", self.refused, topic, error)


class BoardRounds:
    """Asks for what the broker has retained of one board after another, for as long as the program runs.

    A broker keeps a limited number of messages for a client that has just subscribed. If one member has left
    more than that in rooms of its own, nothing retained after it arrives. Of a single board all does.
    """

    def __init__(self, broker: BrokerConnection) -> None:
        self._broker = broker
        self._boards: dict[str, None] = {}
        self._round: list[str] = []
        """The boards that this round has yet to ask for, in another order each time."""
        self._asked: tuple[str, ...] = ()
        self._asked_at = 0.0

    def note(self, topic: str) -> None:
        """Note the board that a card is of: each has one, and the broker sends them first."""
        names = CARD.names(topic)
        if names is not None:
            self._boards[names["board"]] = None
            while len(self._boards) > MAX_BOARDS:
                del self._boards[next(iter(self._boards))]

    def step(self, now: float) -> None:
        """Ask for the next board, if it is time to."""
        if now - self._asked_at < _NEXT_BOARD_S or not self._boards or not self._broker.is_connected:
            return
        self._asked_at = now
        self._round = self._round or _RANDOM.sample([*self._boards], len(self._boards))
        board = self._round.pop()
        if self._asked:
            self._broker.unsubscribe(*self._asked)
        self._asked = INFO.every(board=board), RECORD.every(board=board)
        self._broker.subscribe(*self._asked)


def follow(
    address: BrokerAddress,
    login: Login,
    filters: Iterable[str],
    receive: Receive,
    idle: Callable[[], object] = lambda: None,
) -> None:
    """Hand the messages of a broker to `receive` until the program is ended; raise LinkError.

    `idle` is called every few seconds.
    """
    inbox = Inbox(OF_CLUB, MAX_WAITING)
    follower = Follower(receive)
    with closing(BrokerConnection(address, login, inbox)) as broker:
        broker.subscribe(*filters)
        broker.open()
        rounds, idle_at = BoardRounds(broker), time.monotonic()
        while True:
            now = time.monotonic()
            rounds.step(now)
            if now - idle_at >= _IDLE_S:
                idle_at = now
                idle()
            try:
                event = inbox.get(timeout=_NEXT_BOARD_S)
            except Empty:
                continue
            if isinstance(event, Incoming):
                rounds.note(event.topic)
            follower.take(event)
