"""The connection to a broker, by MQTT 5: the only module that speaks to one.

    inbox: Queue[BrokerEvent] = Queue(MAX_WAITING)
    address = BrokerAddress.parse("broker.example")
    broker = BrokerConnection(address, identity.login(address), inbox, presence=ON.at(board=board))
    broker.subscribe(RECORD.every(room=room))
    broker.open()                                     # connects in a thread of its own, and again for ever
    match inbox.get(timeout=1):
        case Connected(): broker.publish(RECORD, topic, record)
        case Incoming(topic, payload): ...
        case Contested(): ...
        case Disconnected(reason): ...

Every connection begins clean: filters are subscribed again, presence is published, and then `Connected` is
put into the inbox, on which its user publishes whatever the broker has to have. Nothing is kept for later
while there is no connection.

Invariants: no method waits for the network, and none raises if there is none. All that arrives is hostile:
whatever is too large, not for a topic of ours, or too much for the inbox is dropped and counted, and a fault
of a broker's packets ends the connection and nothing else. One thread alone uses the socket. Two programs
with one identity find out, also at a broker that doesn't tell them, and then leave each other in peace for
minutes: each marks its presence with a number of its own.
"""

from __future__ import annotations

import logging
import select
import socket
import ssl
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, Full, Queue
from random import SystemRandom
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from firmware_host.far.address import BrokerAddress
from firmware_host.far.sealing import MAX_BYTES
from firmware_host.frozen import frozen
from firmware_host.link.identity import Login, PresenceMarks
from firmware_host.link.packets import (
    MARK,
    MAX_PACKET,
    client_of,
    hang_up,
    marks_of,
    packet_properties,
    require_paho,
    send_at_once,
    subscribe_options,
)
from firmware_host.link.topics import MAX_TOPIC_LENGTH, Topic

if TYPE_CHECKING:  # paho may be missing
    from paho.mqtt.client import Client, ConnectFlags, DisconnectFlags, MQTTMessage
    from paho.mqtt.properties import Properties
    from paho.mqtt.reasoncodes import ReasonCode

_LOG = logging.getLogger(__name__)

KEEPALIVE_S = 7
"""The broker takes a board for gone after one and a half of these, and then publishes its will."""
WILL_DELAY_S = 10
MAX_IN_FLIGHT = 20
MAX_WAITING = 1000
"""The most messages that wait in an inbox."""
MAX_ORDERS = 100
"""The most messages that wait to be published."""
MAX_RETRY_S = 60.0
CONTESTED_RETRY_S = 300.0
"""The longest time for which one of two programs with the same identity leaves the other in peace."""
_STEADY_S = 5.0
"""The time for which a connection has to last before the next attempt is a first one again."""
_CONNECT_TIMEOUT_S = 10.0
_LOOP_S = 1.0
_LOG_EVERY_S = 60.0
PRESENT, ABSENT = b"1", b"0"
_TAKEN_OVER, _WRONG_LOGIN = 0x8E, (0x86, 0x87)
"""Reason codes of MQTT 5: the first for a connection that ended since another has the same name."""
_RANDOM = SystemRandom()


@frozen
class Connected:
    """The connection stands, all filters are subscribed, and presence is published."""

    by_old_password: bool = False
    """True if the broker refuses the login's own password, and accepts that of an earlier version."""


@frozen
class Contested:
    """Another program, such as a board made from a copy of this one's card, connects as this one."""


@frozen
class Disconnected:
    """The connection has ended, or could not be made; it is tried again."""

    reason: str


@frozen
class Incoming:
    """A message."""

    topic: str
    payload: bytes
    retained: bool = False
    """True if the broker had kept it from before."""


BrokerEvent: TypeAlias = Connected | Contested | Disconnected | Incoming


class EventInbox(Protocol):
    """The inbox of a connection: a link's has limits, and a wall's is a `queue.Queue`."""

    def put(self, item: Any, *, timeout: float | None = None) -> None:
        """Put an event of the connection itself; raise Full if that takes longer than `timeout`."""

    def put_nowait(self, item: Any) -> None:
        """Put a message; raise Full if one is dropped for it."""


def retry_delay(failures: int, draw: Callable[[], float]) -> float:
    """Return the seconds before the next attempt: full jitter, up to 1, 2, 4 ... 60.

    `draw` returns a number from 0 to 1. Boards that lost the same broker come back spread over that time.
    """
    return draw() * min(2.0 ** min(failures, 10), MAX_RETRY_S)


class BrokerConnection:
    """A connection that is made again whenever it ends, until it is closed."""

    def __init__(
        self,
        address: BrokerAddress,
        login: Login,
        inbox: EventInbox,
        *,
        presence: str | None = None,
        draw: Callable[[], float] = _RANDOM.random,
    ) -> None:
        """Prepare a connection whose events go into `inbox`; raise LinkError without the library.

        `presence` is the topic on which the client is present while it is connected.
        """
        require_paho()
        self.address = address
        self.dropped: Counter[str] = Counter()
        """The numbers of messages that were dropped, by the reason."""
        self._login, self._inbox, self._presence, self._draw = login, inbox, presence, draw
        self._filters: dict[str, int] = {} if presence is None else {presence: 1}
        self._orders: Queue[Callable[[Client], object]] = Queue(MAX_ORDERS)
        self._waker, self._awakes = socket.socketpair()
        for end in (self._waker, self._awakes):
            end.settimeout(0)
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="broker", daemon=True)
        self._is_connected = self._is_contested = self._uses_old = False
        self._marks = PresenceMarks()
        self._reason = ""
        self._logged_at = -_LOG_EVERY_S

    @property
    def is_connected(self) -> bool:
        """True while the connection stands."""
        return self._is_connected

    def open(self) -> None:
        """Begin to connect."""
        self._thread.start()

    def subscribe(self, *filters: str, qos: int = 1) -> None:
        """Subscribe to filters, from now on and at each connection."""
        self._filters |= dict.fromkeys(filters, qos)
        self._order(lambda client: client.subscribe([(name, subscribe_options(qos)) for name in filters]))

    def unsubscribe(self, *filters: str) -> None:
        """End subscriptions."""
        for name in filters:
            self._filters.pop(name, None)
        self._order(lambda client: client.unsubscribe([*filters]))

    def publish(self, kind: Topic, topic: str, payload: bytes) -> bool:
        """Publish a message as its kind of topic demands; an empty one clears what is retained.

        Returns False if there is no connection, the message is too large, or too many wait already: it is
        dropped then.
        """
        if not self._is_connected or len(payload) > MAX_BYTES:
            return False
        expiry = None
        if kind.expiry_s is not None:
            expiry = packet_properties("PUBLISH", MessageExpiryInterval=kind.expiry_s)
        return self._order(
            lambda client: client.publish(topic, payload, kind.qos, retain=kind.retained, properties=expiry)
        )

    def close(self) -> None:
        """Say goodbye, and end the connection; its presence ends at once."""
        self._closing.set()
        self._wake()
        if self._thread.is_alive():
            self._thread.join(_CONNECT_TIMEOUT_S + _LOOP_S)
        self._waker.close()
        self._awakes.close()

    # ---- the thread ------------------------------------------------------------------------------------

    def _run(self) -> None:
        failures = 0
        while not self._closing.is_set():
            began, tried_old = time.monotonic(), self._uses_old
            reason = self._session()
            if self._closing.is_set():
                return
            failures = 0 if self._is_connected and time.monotonic() - began >= _STEADY_S else failures
            self._is_connected = False
            if self._uses_old and not tried_old:
                continue
            self._uses_old = False
            self._put(Disconnected(reason))
            contested, self._is_contested = self._is_contested, False
            patience = CONTESTED_RETRY_S * (1 + self._draw()) / 2
            self._closing.wait(patience if contested else retry_delay(failures, self._draw))
            failures += 1

    def _session(self) -> str:
        """Connect, and exchange messages until that ends; return why it did."""
        self._reason = ""
        self._forget_orders()
        client = None
        try:
            client = self._client()
            client.connect(
                *(self.address.host.strip("[]"), self.address.port, KEEPALIVE_S),
                clean_start=True,
                # A will waits only as long as its session lasts.
                properties=packet_properties(
                    "CONNECT",
                    MaximumPacketSize=MAX_PACKET,
                    ReceiveMaximum=MAX_IN_FLIGHT,
                    SessionExpiryInterval=WILL_DELAY_S,
                ),
            )
            self._exchange(client)
        except OSError as error:
            return self._reason or str(error)
        except Exception as error:  # noqa: BLE001 - packets of a broker can make the library raise anything
            return f"{type(error).__name__}: {error}"
        finally:
            if client is not None:
                hang_up(client)
        return self._reason or "the connection has ended"

    def _exchange(self, client: Client) -> None:
        while (wire := client.socket()) is not None:
            pending = isinstance(wire, ssl.SSLSocket) and wire.pending() > 0
            writes = [wire] if client.want_write() else []
            timeout = 0.0 if pending else _LOOP_S
            ready, writable, _ = select.select([wire, self._awakes], writes, [], timeout)
            if self._awakes in ready:
                self._awakes.recv(4096)
            if self._closing.is_set():
                self._say_goodbye(client)
                return
            if (wire in ready or pending) and client.loop_read():
                return
            self._carry_out(client)
            if (writable or client.want_write()) and client.loop_write():
                return
            if client.loop_misc():
                return

    def _carry_out(self, client: Client) -> None:
        """Do what other threads have ordered, once the broker has accepted the connection."""
        while self._is_connected:
            try:
                order = self._orders.get_nowait()
            except Empty:
                return
            order(client)

    def _say_goodbye(self, client: Client) -> None:
        if self._presence is not None and self._is_connected:
            client.publish(self._presence, ABSENT, 1, retain=True)
        client.disconnect()

    def _client(self) -> Client:
        client = client_of(self._login.client or self._login.user)
        client.connect_timeout = _CONNECT_TIMEOUT_S
        client.max_inflight_messages_set(MAX_IN_FLIGHT)
        client.max_queued_messages_set(MAX_ORDERS)
        if password := self._login.old_password if self._uses_old else self._login.password:
            client.username_pw_set(self._login.user, password)
        if self.address.is_encrypted:
            client.tls_set_context(ssl.create_default_context(cafile=self.address.ca or None))
        if self._presence is not None:
            will = packet_properties("WILLMESSAGE", WillDelayInterval=WILL_DELAY_S)
            client.will_set(self._presence, ABSENT, 1, retain=True, properties=will)
        client.on_socket_open = send_at_once
        client.on_connect, client.on_disconnect = self._on_connect, self._on_disconnect
        client.on_message = self._on_message
        return client

    def _on_connect(
        self, client: Client, _: Any, flags: ConnectFlags, code: ReasonCode, properties: Properties | None
    ) -> None:
        del flags, properties
        if code.is_failure:
            self._reason = f"the broker refuses: {code}"
            may_know_old = code.value in _WRONG_LOGIN and bool(self._login.old_password)
            self._uses_old = may_know_old and not self._uses_old
            return
        if filters := dict(self._filters):
            client.subscribe([(name, subscribe_options(qos)) for name, qos in filters.items()])
        if self._presence is not None:
            mark = packet_properties("PUBLISH", UserProperty=(MARK, self._marks.draw()))
            client.publish(self._presence, PRESENT, 1, retain=True, properties=mark)
        self._is_connected = True
        self._put(Connected(self._uses_old))

    def _on_disconnect(
        self, client: Client, _: Any, flags: DisconnectFlags, code: ReasonCode, properties: Properties | None
    ) -> None:
        del client, flags, properties
        self._reason = self._reason or str(code)
        if code.value == _TAKEN_OVER:
            self._contest()

    def _contest(self) -> None:
        """Report, once in a connection, that another program has this one's identity."""
        if not self._is_contested:
            self._is_contested = True
            self._put(Contested())

    def _on_message(self, _: Client, __: Any, message: MQTTMessage) -> None:
        try:
            topic = message.topic
        except UnicodeDecodeError:
            self._drop("its topic isn't text")
            return
        if topic == self._presence and any(map(self._marks.is_of_another, marks_of(message))):
            self._contest()
        if len(topic) > MAX_TOPIC_LENGTH:
            self._drop("its topic is too long")
        elif len(message.payload) > MAX_BYTES:
            self._drop("it is too large")
        else:
            self._put(Incoming(topic, bytes(message.payload), message.retain))

    # ---- between the threads ---------------------------------------------------------------------------

    def _put(self, event: BrokerEvent) -> None:
        try:
            if isinstance(event, Incoming):
                self._inbox.put_nowait(event)
            else:
                self._inbox.put(event, timeout=_LOOP_S)
        except Full:
            self._drop("too many wait")

    def _drop(self, why: str) -> None:
        self.dropped[why] += 1
        if time.monotonic() - self._logged_at >= _LOG_EVERY_S:
            self._logged_at = time.monotonic()
            _LOG.warning("a message was dropped because %s; %s in all", why, self.dropped.total())

    def _order(self, order: Callable[[Client], object]) -> bool:
        try:
            self._orders.put_nowait(order)
        except Full:
            return False
        self._wake()
        return True

    def _forget_orders(self) -> None:
        with suppress(Empty):
            while True:
                self._orders.get_nowait()

    def _wake(self) -> None:
        with suppress(BlockingIOError):  # it has been woken often enough
            self._waker.send(b"\0")
