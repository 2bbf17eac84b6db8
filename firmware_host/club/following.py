"""The messages of a broker, for a program that only reads them.

Invariants: whatever becomes of the connection, it is made again. A message that is refused is reported with
its reason, at most once a second, and nothing else happens.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable
from contextlib import closing
from queue import Empty

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

_LOG = logging.getLogger(__name__)
MAX_WAITING = 4000
"""The messages that wait at most: all that a club's broker has retained come at once."""
_REPORT_EVERY_S = 1.0
_IDLE_S = 5.0

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


def follow(
    address: BrokerAddress,
    login: Login,
    filters: Iterable[str],
    receive: Receive,
    idle: Callable[[], object] = lambda: None,
) -> None:
    """Hand the messages of a broker to `receive` until the program is ended; raise LinkError.

    `idle` is called whenever nothing has come for a few seconds.
    """
    inbox = Inbox(OF_CLUB, MAX_WAITING)
    follower = Follower(receive)
    with closing(BrokerConnection(address, login, inbox)) as broker:
        broker.subscribe(*filters)
        broker.open()
        while True:
            try:
                event = inbox.get(timeout=_IDLE_S)
            except Empty:
                idle()
            else:
                follower.take(event)
