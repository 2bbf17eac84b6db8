"""The program `millwright link`: threads for the board and the broker, and one that decides.

Invariants: only the main thread has a room's state. Whatever becomes of board, broker or this program, the
next start goes on with what the disk has. A connection that ends is made again.
"""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from queue import Empty, Queue
from typing import Any

from firmware_host.errors import PageError
from firmware_host.far.address import BrokerAddress
from firmware_host.link.broker import (
    MAX_WAITING,
    BrokerConnection,
    BrokerEvent,
    Connected,
    Disconnected,
    Login,
    require_paho,
)
from firmware_host.link.card import card
from firmware_host.link.house.program import house_of
from firmware_host.link.member import RoomMember
from firmware_host.link.rooms import Identity, LinkFolder, Room
from firmware_host.link.topics import CARD, ON, Topic
from firmware_host.maintenance.companion import CompanionConnection, Reply
from firmware_host.settings import Link, Microseconds

_LOG = logging.getLogger(__name__)
_RETRY_S = 0.5
_POLL_S = 0.5
_TOUCH_S = 30.0
_HOUSE_TIMEOUT_S = 10.0
_MS: Microseconds = 1_000
_SECOND: Microseconds = 1_000_000


@dataclass(frozen=True, slots=True)
class BoardNews:
    """A state of the board, a reply, or None: the connection to it has ended."""

    news: Mapping[str, Any] | Reply | None


class BoardReader:
    """A thread that follows the board and puts its news into an inbox."""

    def __init__(self, host: str, port: int, inbox: Queue[Any]) -> None:
        self._host, self._port, self._inbox = host, port, inbox
        self._connection: CompanionConnection | None = None
        self._is_closing = False
        self._thread = threading.Thread(target=self._run, name="board", daemon=True)

    def open(self) -> None:
        """Begin to connect."""
        self._thread.start()

    def ask(self, request: Mapping[str, Any]) -> int | None:
        """Send a request; return its number, None if there is no board."""
        connection = self._connection
        try:
            return None if connection is None else connection.ask(request)
        except PageError:  # the reader will find out as well
            return None

    def close(self) -> None:
        """End the connection for good."""
        self._is_closing = True
        if self._connection is not None:
            self._connection.close()

    def _run(self) -> None:
        while not self._is_closing:
            try:
                with CompanionConnection(self._host, self._port) as connection:
                    self._connection = connection
                    _LOG.info("following the board at %s port %s", self._host, self._port)
                    for news in connection.traffic():
                        self._inbox.put(BoardNews(news))
            except PageError as error:
                if self._connection is not None:
                    _LOG.info("%s; trying again", error)
            self._connection = None
            self._inbox.put(BoardNews(None))
            time.sleep(_RETRY_S)


class LinkProgram:
    """The link of one board, in one room after another."""

    def __init__(
        self,
        folder: LinkFolder,
        settings: Link,
        host: str,
        port: int,
        *,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Prepare the link of the board at `host` and `port`; raise LinkError without paho or a folder."""
        require_paho()
        self._folder, self._settings, self._now_s = folder, settings, now
        self._identity: Identity = folder.identity()
        self._inbox: Queue[BoardNews | BrokerEvent] = Queue(MAX_WAITING)
        self._page = host, port
        self._board = BoardReader(host, port, self._inbox)
        self._state: Mapping[str, Any] | None = None
        self.is_closing = False

    def run(self) -> None:
        """Link the board until the program is ended; raise LinkError if the disk refuses."""
        house = house_of(self._settings, self._identity, self._page, lambda: not self.is_closing)
        house.start()
        self._board.open()
        try:
            while not self.is_closing:
                marker = self._folder.changed_at()
                room = self._folder.current()
                if room is None:
                    self._wait()
                else:
                    self._stay(room, marker)
        finally:
            self.is_closing = True
            self._board.close()
            house.join(_HOUSE_TIMEOUT_S)

    def _wait(self) -> None:
        """Follow the board while there is no room."""
        try:
            self._note(self._inbox.get(timeout=_POLL_S))
        except Empty:
            return

    def _stay(self, room: Room, marker: int) -> None:
        """Be in a room until another is the current one."""
        invitation, name = room.invitation, self._identity.board
        address = BrokerAddress(invitation.host, invitation.port, self._settings.ca)
        login = Login(name, self._identity.password)
        broker = BrokerConnection(address, login, self._inbox, presence=ON.at(board=name))
        outside = _Outside(self._board, broker, self._folder, room)
        away = round(max(time.time() - self._folder.seen_at(room), 0.0)) * _SECOND
        rest = self._settings.far_rest_ms * _MS
        member = RoomMember(name, room, outside, self._now(), rest=rest, away=away)
        _LOG.info("in room %s at %s as %s", invitation.room, address, name)
        broker.open()
        try:
            if self._state is not None:
                member.board_says(self._state, self._now())
            self._exchange(room, marker, member, broker)
            member.leave()
        finally:
            broker.close()

    def _exchange(self, room: Room, marker: int, member: RoomMember, broker: BrokerConnection) -> None:
        touched = self._now_s()
        while not self.is_closing and self._folder.changed_at() == marker:
            if broker.is_connected and self._now_s() - touched >= _TOUCH_S:
                touched = self._now_s()
                self._folder.touch(room)
            now = self._now()
            try:
                event = self._inbox.get(timeout=max(member.due(now) - now, _MS) / _SECOND)
            except Empty:
                member.step(self._now())
                continue
            self._note(event)
            if isinstance(event, BoardNews):
                member.board_says(event.news, self._now())
            else:
                if isinstance(event, Connected):
                    board = self._identity.board
                    broker.publish(CARD, CARD.at(board=board), card(self._settings))
                member.broker_says(event, self._now())

    def _note(self, event: BoardNews | BrokerEvent) -> None:
        match event:
            case BoardNews(news=news) if not isinstance(news, Reply):
                self._state = news
            case Connected():
                _LOG.info("connected to the broker")
            case Disconnected(reason=reason):
                _LOG.info("no connection to the broker (%s); trying again", reason)

    def _now(self) -> Microseconds:
        return round(self._now_s() * _SECOND)


class _Outside:
    """The things that a room's member needs, from this program."""

    def __init__(self, board: BoardReader, broker: BrokerConnection, folder: LinkFolder, room: Room) -> None:
        self._board, self._broker, self._folder, self._room = board, broker, folder, room

    def ask(self, request: Mapping[str, Any]) -> int | None:
        return self._board.ask(request)

    def publish(self, kind: Topic, topic: str, payload: bytes) -> bool:
        return self._broker.publish(kind, topic, payload)

    def subscribe(self, *filters: str) -> None:
        self._broker.subscribe(*filters)

    def save(self, linked: Mapping[str, Any]) -> None:
        self._folder.save(self._room, linked)

    def nonce(self) -> str:
        return secrets.token_hex(16)
