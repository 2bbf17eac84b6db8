"""The program `millwright link`: threads for the board and the broker, and one that decides.

Invariants: only the main thread has a room's state, and only one program at a time a link's folder. Whatever
becomes of board, broker or this program, the next start goes on with what the disk has. A connection that
ends is made again.
"""

from __future__ import annotations

import logging
import os
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from queue import Empty
from typing import Any

from firmware_host.errors import LinkError, PageError, StoreInUseError
from firmware_host.far.address import BrokerAddress
from firmware_host.frozen import frozen
from firmware_host.i18n import Message, to_english
from firmware_host.link.broker import (
    CONTESTED_RETRY_S,
    BrokerConnection,
    BrokerEvent,
    Connected,
    Contested,
    Disconnected,
)
from firmware_host.link.house import house_of
from firmware_host.link.house.leaving import HouseMemory
from firmware_host.link.identity import Identity, card, configured_brokers
from firmware_host.link.messages.inbox import OF_ROOM, Inbox
from firmware_host.link.noticeboard import Noticeboard
from firmware_host.link.packets import require_paho
from firmware_host.link.rooms import LinkFolder, Room
from firmware_host.link.topics import CARD, ON, Topic
from firmware_host.link.visit import RoomVisit
from firmware_host.maintenance.companion import CompanionConnection, PageWish, Reply
from firmware_host.runtime.clock import machine_clock
from firmware_host.settings import Link, Microseconds
from firmware_host.store.lock import locked_file

_LOG = logging.getLogger(__name__)
_RETRY_S = 0.5
_TOUCH_S = 30.0
_HOUSE_TIMEOUT_S = 10.0
_HOUSES = "houses.json"
"""The file of the houses that know this board."""
_LOCK = "lock"
"""The file that the program locks which uses a link's folder."""
_CONTESTED = Message("link.contested")
_CONTEST_LASTS_S = 3 * CONTESTED_RETRY_S
"""The time after which another program with this identity is taken for gone."""
_POLL: Microseconds = 500_000
"""The longest time before another room is noticed that a command has chosen."""
_REDRAW: Microseconds = 200_000
"""The longest time for which pages wait for what has changed, while events keep coming."""
_MS: Microseconds = 1_000
_SECOND: Microseconds = 1_000_000


@frozen
class BoardNews:
    """A state of the board, a reply, a page's wish, or None: the connection to it has ended."""

    news: Mapping[str, Any] | Reply | PageWish | None


class BoardReader:
    """A thread that follows the board and puts its news into an inbox."""

    def __init__(self, host: str, port: int, inbox: Inbox) -> None:
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
                    traffic = connection.traffic_of_link()
                    self._connection = connection
                    _LOG.info("following the board at %s port %s", self._host, self._port)
                    for news in traffic:
                        self._inbox.put(BoardNews(news))
            except PageError as error:
                if self._connection is not None:
                    _LOG.info("%s; trying again", error)
            self._connection = None
            self._inbox.put(BoardNews(None))
            time.sleep(_RETRY_S)


@contextmanager
def sole_use(folder: LinkFolder) -> Iterator[None]:
    """Keep a link's folder while the context lasts; raise LinkError if another program has it."""
    descriptor = _lock_of(folder)
    try:
        yield
    finally:
        if descriptor is not None:
            os.close(descriptor)


def _lock_of(folder: LinkFolder) -> int | None:
    try:
        folder.path.mkdir(parents=True, exist_ok=True, mode=0o700)
        return locked_file(folder.path / _LOCK, folder.path)
    except StoreInUseError as error:
        process, host = error.message.args["number"], error.message.args["host"]
        raise LinkError(
            f"this board has a link already (process {process} on {host}): stop that one first; the service "
            "by `sudo systemctl stop millwright-link`"
        ) from error
    except OSError as error:  # the disk refuses more than that, and whatever uses it reports it
        _LOG.warning("%s can't be locked (%s): let no other link use it", folder.path, error.strerror)
        return None


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
        time_of_day: Callable[[], float | None] | None = None,
    ) -> None:
        """Prepare the link of the board at `host` and `port`; raise LinkError without paho or a folder."""
        require_paho()
        self._folder, self._settings = folder, settings
        self._now_s, self._time_of_day = now, time_of_day or machine_clock().time_s
        self._parting: Message | None = None
        """The reason why the last visit ended, if players don't know."""
        self._identity: Identity = folder.identity(configured_brokers(settings))
        self._inbox = Inbox(OF_ROOM)
        self._page = host, port
        self._board = BoardReader(host, port, self._inbox)
        self._pages = Noticeboard(self._board.ask)
        self._state: Mapping[str, Any] | None = None
        self._contest = IdentityContest(now)
        self.is_closing = False

    def run(self) -> None:
        """Link the board until the program is ended.

        Raises LinkError if the disk refuses, or another program has the folder.
        """
        with sole_use(self._folder):
            self._run()

    def _run(self) -> None:
        self._board.open()
        try:
            while not self.is_closing:
                self._be(self._identity)
                self._identity = self._folder.identity(configured_brokers(self._settings))
        finally:
            self.is_closing = True
            self._board.close()

    def _be(self, own: Identity) -> None:
        """Link the board as long as it has this identity."""
        has_ended = threading.Event()
        self._contest.forget()  # another board with the identity of before is another board now
        houses = house_of(
            self._settings,
            own,
            self._page,
            lambda: not (self.is_closing or has_ended.is_set()),
            HouseMemory(self._folder.path / _HOUSES, own.board),
            self._contest.note,
        )
        for house in houses:
            house.start()
        try:
            while not self.is_closing:
                marker = self._folder.changed_at()
                if marker[1] != own.board:
                    return
                self._stay(self._folder.current(), marker)
        finally:
            has_ended.set()
            for house in houses:
                house.join(_HOUSE_TIMEOUT_S)

    def _stay(self, room: Room | None, marker: tuple[int, str]) -> None:
        """Be in a room, or in none, until another is the current one."""
        address = self._address(room)
        broker = None if address is None else self._broker(address)
        outside = _Outside(self._board, broker, self._folder, room, self._time_of_day)
        visit = RoomVisit(
            self._identity.board,
            self._settings,
            self._folder,
            outside,
            room,
            address,
            self._now(),
            self._parting,
        )
        if broker is not None:
            broker.open()
        try:
            if self._state is not None:
                visit.board_says(self._state, self._now())
            self._exchange(room, marker, visit, broker)
            changed = self._folder.changed_at()
            is_same_board = changed[1] == self._identity.board
            visit.leave(for_good=not self.is_closing and changed != marker and is_same_board)
            self._parting = visit.parting
        finally:
            if broker is not None:
                broker.close()
            self._inbox.forget_broker()

    def _address(self, room: Room | None) -> BrokerAddress | None:
        """Return the broker of a room, or of the lobby; None without both."""
        if room is not None:
            _LOG.info("in room %s at %s:%s", room.invitation.room, room.invitation.host, room.invitation.port)
            return BrokerAddress(room.invitation.host, room.invitation.port, self._settings.ca)
        if self._settings.broker and self._settings.club:
            return BrokerAddress.parse(self._settings.broker, self._settings.ca)
        return None

    def _broker(self, address: BrokerAddress) -> BrokerConnection:
        presence = ON.at(board=self._identity.board)
        return BrokerConnection(address, self._identity.login(address), self._inbox, presence=presence)

    def _exchange(
        self, room: Room | None, marker: tuple[int, str], visit: RoomVisit, broker: BrokerConnection | None
    ) -> None:
        touched, shown = self._now_s(), self._now() - _REDRAW
        while not self.is_closing and self._folder.changed_at() == marker:
            if visit.awaits_clock and self._time_of_day() is not None:
                return
            is_connected = broker is not None and broker.is_connected
            if room is not None and is_connected and self._now_s() - touched >= _TOUCH_S:
                touched = self._now_s()
                self._folder.touch(room)
            now = self._now()
            try:
                event = self._inbox.get(timeout=max(min(visit.due(now) - now, _POLL), _MS) / _SECOND)
            except Empty:
                visit.step(self._now())
            else:
                self._note(event)
                self._pass_on(event, visit, broker)
            if self._inbox.is_idle() or self._now() - shown >= _REDRAW:
                shown = self._now()
                self._pages.show({**visit.parts(), "notices": self._notices()})

    def _notices(self) -> list[dict[str, Any]]:
        """Return what people at the board should know, and do something about."""
        contest = self._contest.message(self._now_s())
        return [one.as_dict() for one in (*self._folder.notices, *contest)]

    def _pass_on(
        self, event: BoardNews | BrokerEvent, visit: RoomVisit, broker: BrokerConnection | None
    ) -> None:
        if not isinstance(event, BoardNews):
            if isinstance(event, Connected) and broker is not None:
                broker.publish(CARD, CARD.at(board=self._identity.board), card(self._settings))
            visit.broker_says(event, self._now())
        elif isinstance(event.news, PageWish):
            refused = visit.wished(event.news.wish, self._now())
            answer = None if refused is None else refused.as_dict()
            self._board.ask({"link": {"do": "answer", "number": event.news.number, "refused": answer}})
        else:
            if event.news is None:
                self._pages.forget()
            visit.board_says(event.news, self._now())

    def _note(self, event: BoardNews | BrokerEvent) -> None:
        match event:
            case BoardNews(news=news) if not isinstance(news, Reply | PageWish):
                self._state = news
            case Connected(by_old_password=True):
                _LOG.warning(
                    "connected to the broker, which still has the password that this board had everywhere: "
                    "give it the one that `millwright link board` prints"
                )
            case Connected():
                _LOG.info("connected to the broker")
            case Contested():
                self._contest.note()
            case Disconnected(reason=reason):
                # Without the time, a certificate may look as if it were not valid yet.
                why = reason if self._time_of_day() is not None else f"{reason}; the time isn't known yet"
                _LOG.info("no connection to the broker (%s); trying again", why)

    def _now(self) -> Microseconds:
        return round(self._now_s() * _SECOND)


class IdentityContest:
    """The notice that another program has this board's identity; any thread may note it."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._noted_at: float | None = None

    def note(self) -> None:
        """Note that another program has just connected as this board."""
        self._noted_at = self._now()
        _LOG.warning("%s", to_english(_CONTESTED))

    def forget(self) -> None:
        """Forget the other program: this one is another board from now on."""
        self._noted_at = None

    def message(self, now: float) -> tuple[Message, ...]:
        """Return the notice, unless the other program hasn't been seen for a while."""
        noted = self._noted_at
        return () if noted is None or now - noted >= _CONTEST_LASTS_S else (_CONTESTED,)


class _Outside:
    """The things that a room's member needs, from this program."""

    def __init__(
        self,
        board: BoardReader,
        broker: BrokerConnection | None,
        folder: LinkFolder,
        room: Room | None,
        time_of_day: Callable[[], float | None],
    ) -> None:
        self._board, self._broker, self._folder, self._room = board, broker, folder, room
        self.time_of_day = time_of_day

    def ask(self, request: Mapping[str, Any]) -> int | None:
        return self._board.ask(request)

    def publish(self, kind: Topic, topic: str, payload: bytes) -> bool:
        return self._broker is not None and self._broker.publish(kind, topic, payload)

    def subscribe(self, *filters: str) -> None:
        if self._broker is not None:
            self._broker.subscribe(*filters)

    def unsubscribe(self, *filters: str) -> None:
        if self._broker is not None:
            self._broker.unsubscribe(*filters)

    def save(self, linked: Mapping[str, Any]) -> None:
        if self._room is not None:
            self._folder.save(self._room, linked)

    def nonce(self) -> str:
        return secrets.token_hex(16)
