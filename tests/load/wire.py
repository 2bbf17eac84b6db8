"""Just enough MQTT 5 to be ten thousand boards in one process, which a thread for each could not be.

https://docs.oasis-open.org/mqtt/mqtt/v5.0/mqtt-v5.0.html numbers the packets and their members.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

CONNECT, CONNACK, PUBLISH, PUBACK = 0x10, 0x20, 0x30, 0x40
SUBSCRIBE, SUBACK, PINGREQ = 0x80, 0x90, 0xC0
_WILL_FLAGS = 0x02 | 0x04 | 0x08 | 0x20
"""A clean start, and a retained will with QoS 1."""
_WILL_DELAY, _SESSION_EXPIRY = b"\x18", b"\x11"
PING = bytes((PINGREQ, 0))

Arrived = Callable[[bytes], object]


def packet(kind: int, body: bytes) -> bytes:
    """Return a packet: its kind and flags, the length of the rest, and the rest."""
    length, digits = len(body), bytearray()
    while True:
        length, digit = divmod(length, 128)
        digits.append(digit | (0x80 if length else 0))
        if not length:
            return bytes((kind,)) + digits + body


def text(value: str) -> bytes:
    """Return a text with its length."""
    raw = value.encode()
    return len(raw).to_bytes(2, "big") + raw


def connect(client: str, keepalive_s: int, will: str, will_delay_s: int) -> bytes:
    """Return the packet with which a board connects; `will` is the topic of its presence."""
    delay = will_delay_s.to_bytes(4, "big")
    own = bytes((_WILL_FLAGS,)) + keepalive_s.to_bytes(2, "big") + bytes((5,)) + _SESSION_EXPIRY + delay
    after = text(client) + bytes((5,)) + _WILL_DELAY + delay + text(will) + text("0")
    return packet(CONNECT, text("MQTT") + bytes((5,)) + own + after)


def subscribe(number: int, topic: str) -> bytes:
    """Return the packet that subscribes to a topic with QoS 1."""
    return packet(SUBSCRIBE | 0x02, number.to_bytes(2, "big") + b"\0" + text(topic) + b"\x01")


def publish(number: int, topic: str, payload: bytes) -> bytes:
    """Return the packet that publishes a retained message with QoS 1."""
    return packet(PUBLISH | 0x02 | 0x01, text(topic) + number.to_bytes(2, "big") + b"\0" + payload)


class BoardWire(asyncio.Protocol):
    """The connection of one board, which calls `arrived` with each message."""

    def __init__(self, arrived: Arrived) -> None:
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done once its subscription is acknowledged; fails if the broker refuses it."""
        self.acknowledged = 0
        """Counts the messages that the broker has acknowledged."""
        self.is_lost = False
        self._arrived = arrived
        self._data = b""
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def connection_lost(self, exc: Exception | None) -> None:
        self.is_lost = True
        if not self.ready.done():
            self.ready.set_exception(ConnectionError(f"the broker has closed the connection: {exc}"))

    def send(self, data: bytes) -> None:
        """Send packets."""
        assert self._transport is not None
        self._transport.write(data)

    def close(self) -> None:
        """End the connection without a word."""
        if self._transport is not None:
            self._transport.abort()

    def data_received(self, data: bytes) -> None:
        self._data += data
        while (found := _end(self._data)) is not None:
            start, end = found
            kind, body = self._data[0], self._data[start:end]
            self._data = self._data[end:]
            self._take(kind, body)

    def _take(self, kind: int, body: bytes) -> None:
        match kind & 0xF0:
            case 0x30:
                self._message(kind, body)
            case 0x40:
                self.acknowledged += 1
            case 0x20 if body[1]:
                self.ready.set_exception(ConnectionError(f"the broker refuses with reason {body[1]}"))
            case 0x90 if not self.ready.done():
                self.ready.set_result(None)

    def _message(self, kind: int, body: bytes) -> None:
        at = 2 + int.from_bytes(body[:2], "big")
        if kind & 0x06:
            self.send(packet(PUBACK, body[at : at + 2]))
            at += 2
        self._arrived(body[at + 1 + body[at] :])  # no message here has more than 127 bytes of properties


def _end(data: bytes) -> tuple[int, int] | None:
    """Return where the body of the first packet begins and ends; None if it isn't all there."""
    length, shift = 0, 0
    for index in range(1, len(data)):
        length |= (data[index] & 0x7F) << shift
        shift += 7
        if not data[index] & 0x80:
            start = index + 1
            return (start, start + length) if len(data) >= start + length else None
    return None
