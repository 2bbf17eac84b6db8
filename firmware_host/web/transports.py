"""uvicorn's connections, with the limits that it lacks.

Invariants: a connection that has not sent a whole request in ten seconds, or not taken a response in thirty,
is cut. Written bytes leave at once. Bytes are not read faster than a page can need, and small pieces count as
more than their bytes, since each takes processor time. A request with very many headers is refused. Bytes
that a client leaves unread do not stay in memory after its connection ends, nor does the connection itself
wait for the collector of cycles there. Bytes that are no request are refused with the headers of all
answers, count as a refused request, and raise nothing.
"""

from __future__ import annotations

import asyncio
import os
import socket
import struct
import time
from collections.abc import Callable, Generator
from contextlib import suppress
from dataclasses import replace
from typing import Any, ClassVar

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn._types import ASGISendEvent, WebSocketEvent
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.wsproto_impl import WSProtocol
from wsproto import ConnectionType, WSConnection
from wsproto.events import Event, Ping, RejectConnection
from wsproto.utilities import RemoteProtocolError

from firmware_host.settings import MESSAGE_BYTES
from firmware_host.web.access import parse_address
from firmware_host.web.capacity import Place
from firmware_host.web.origin_guard import REFUSAL_HEADERS
from firmware_host.web.rate_limits import Address, Bucket, Visitors

# ---- the listening socket -------------------------------------------------------------------------------
# The page's listening socket, which never holds more connections than there is room for.
#
# Invariants: a connection beyond the limits of `Visitors` is reset as soon as it is accepted, before
# anything is made for it, so that no flood takes the file descriptors that sensors, strip and store need. A
# connection counts until its descriptor is closed, by whatever part of the program.


BACKLOG = 4_096
"""The connections that may wait to be accepted: as many as Linux allows. It drops those beyond, and an honest
visitor whose connection is dropped tries again only after a second. Waiting ones hold none of our files."""
_PART_BYTES = 16_384
"""The most that is read of a connection at once. Of the 256 kB that asyncio asks for, parsers make tens of
thousands of objects if the bytes are chosen for that, and all others have to wait."""
_RESET = struct.pack("ii", 1, 0)
"""For SO_LINGER: closing sends a reset, and nothing is kept of the connection, not even by the kernel."""


class BoundedListener(socket.socket):
    """A copy of a listening socket that asyncio can serve; it accepts only what `visitors` have room for."""

    def __init__(self, listening: socket.socket, visitors: Visitors) -> None:
        super().__init__(listening.family, listening.type, listening.proto, os.dup(listening.fileno()))
        self._visitors = visitors

    def accept(self) -> tuple[socket.socket, Any]:
        """Return a connection and its peer, like `socket.accept`.

        Raises ConnectionAbortedError after resetting a connection that there is no room for: the event loop
        then turns to its other work before it accepts the next.
        """
        accepted, peer = super().accept()
        self._visitors.neighbours.learn(parse_address(accepted.getsockname()[0]))
        connection = _CountedConnection(accepted)
        place = self._visitors.open_socket(parse_address(peer[0]), time.monotonic(), connection.cut)
        if place is None:
            with connection:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
            raise ConnectionAbortedError("there is no room for another connection")
        connection.place = place
        return connection, peer


class _CountedConnection(socket.socket):
    """An accepted connection, which holds its `place` until it is closed."""

    def __init__(self, accepted: socket.socket) -> None:
        super().__init__(accepted.family, accepted.type, accepted.proto, accepted.detach())
        self.place: Place | None = None

    def cut(self) -> None:
        """End the connection in both directions; whoever serves it then closes it."""
        with suppress(OSError):  # the other side may have ended it already
            self.shutdown(socket.SHUT_RDWR)

    def recv(self, size: int, flags: int = 0, /) -> bytes:
        """Return what has come, but no more than a small part at a time."""
        return super().recv(min(size, _PART_BYTES), flags)

    def close(self) -> None:
        """Close the connection and give its place back; may be called twice."""
        super().close()
        place, self.place = self.place, None
        if place is not None:
            place.leave()


# ---- connections ----------------------------------------------------------------------------------------


_REQUEST_TIMEOUT_S = 10.0
_RESPONSE_TIMEOUT_S = 30.0
_CLOSE_TIMEOUT_S = 2.0
_SHUTDOWN_TIMEOUT_S = 1
_READ_SIZE = 4096
_MAX_UNREAD_BYTES = 65_536
_PIECE_BYTES = 64
"""The bytes that a read, a frame or a part of a body counts as, besides its own."""
_MAX_HEADERS = 100
"""A browser sends about twenty. While a request waits, each takes many times its bytes of memory."""
_INCOMING = (h11.IDLE, h11.SEND_BODY)
"""The states of a client whose request is incomplete."""
_UNANSWERED = (h11.IDLE, h11.SEND_RESPONSE)
"""The states of this side in which a response can begin."""
_REFUSAL_HEADERS = [(name.lower().encode(), value.encode()) for name, value in REFUSAL_HEADERS.items()]


def uvicorn_config(served: ASGIApp, visitors: Visitors) -> uvicorn.Config:
    """Return uvicorn's configuration: limits per visitor, no access log, no server or proxy headers."""
    http, page = protocols(visitors)
    return uvicorn.Config(
        served,
        http=http,
        ws=page,
        loop="asyncio",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        backlog=BACKLOG,
        ws_max_size=MESSAGE_BYTES,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=_SHUTDOWN_TIMEOUT_S,
    )


def protocols(visitors: Visitors) -> tuple[type[H11Protocol], type[WSProtocol]]:
    """Return the connection classes of one server, which slow down its `visitors`."""
    return (
        type("_Http", (_HttpSocket,), {"visitors": visitors}),
        type("_Page", (_PageSocket,), {"visitors": visitors}),
    )


class _ReadBrake:
    """A brake that makes a transport read no faster than its address may send.

    uvicorn pauses the same transport, until what came is done, and resumes it then. Neither resumes what the
    other has paused: otherwise requests would pile up in memory.
    """

    def __init__(self, transport: asyncio.Transport, bucket: Bucket, is_full: Callable[[], bool]) -> None:
        """Make a brake for `transport`; `is_full` returns whether enough came that is not done."""
        self._transport = transport
        self._bucket = bucket
        self._is_full = is_full
        self._loop = asyncio.get_running_loop()
        self.holds = False
        """True while nothing is to be read."""
        transport.max_size = _READ_SIZE  # type: ignore[attr-defined]

    def came(self, count: int, pieces: int) -> None:
        """Note that one read of `count` bytes came, with that number of `pieces`."""
        wait = self._bucket.take(self._loop.time(), count + _PIECE_BYTES * (1 + pieces))
        if not wait:
            return
        self._transport.pause_reading()
        if not self.holds:
            self.holds = True
            self._loop.call_later(wait, self._go_on)

    def _go_on(self) -> None:
        self.holds = False
        if not self._is_full():
            self._transport.resume_reading()

    def let_go(self) -> None:
        """Forget whose transport it is, which reads no more."""
        self._is_full = lambda: True


class _HttpConnection(h11.Connection):
    """The protocol of an HTTP connection, which counts its events and refuses too many headers."""

    def __init__(self) -> None:
        super().__init__(h11.SERVER)
        self._events = 0

    def next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        """Return the next event; raise RemoteProtocolError for what isn't a request."""
        event = super().next_event()
        self._events += 1
        if isinstance(event, h11.Request) and len(event.headers) > _MAX_HEADERS:
            raise h11.RemoteProtocolError("too many headers", error_status_hint=431)
        return event

    def take_count(self) -> int:
        """Return the number of events since the last call."""
        count, self._events = self._events, 0
        return count


class _HttpSocket(H11Protocol):
    """An HTTP connection, which may be upgraded to a page's WebSocket."""

    visitors: ClassVar[Visitors]

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.conn: _HttpConnection = _HttpConnection()
        self._deadline: asyncio.TimerHandle | None = None
        self._arrives = True
        self._address = parse_address(self.client[0] if self.client else "::")
        # asyncio does this only if the listening socket was created with the protocol's number. Otherwise the
        # second of two small writes waits until the other side confirms the first, which takes 40 ms.
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        bucket = self.visitors.of(self._address).bytes
        self._pace = _ReadBrake(transport, bucket, lambda: self.flow.read_paused)
        self._must_end_in(_REQUEST_TIMEOUT_S)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.transport.get_protocol() is not self:  # it is a page's now
            return
        self._pace.came(len(data), self.conn.take_count())
        self._look()

    def send_400_response(self, msg: str) -> None:
        """Refuse what isn't a request; without an answer if it is the rest of one that has its answer."""
        self.visitors.refused(self._address, self.loop.time())
        if self.conn.our_state in _UNANSWERED:
            kind = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
            head = h11.Response(status_code=400, headers=kind + _REFUSAL_HEADERS, reason=b"Bad Request")
            for event in (head, h11.Data(data=msg.encode()), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event))
        if self.cycle is not None:
            self.cycle.disconnected = True  # the application may still be about to answer
        self.transport.close()

    def on_response_complete(self) -> None:
        self._must_end_in(None)
        self._arrives = True
        super().on_response_complete()  # begins with the next request, if it came along with this one
        self._look()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._must_end_in(None)
        self._pace.let_go()
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._must_end_in(None)
        self._unset_keepalive_if_required()  # which uvicorn forgets after a reset
        self._pace.let_go()
        self.cycle = None  # type: ignore[assignment]

    def _look(self) -> None:
        """Set the deadline of the next event: the rest of a request, or the end of its response."""
        arrives = self.conn.their_state in _INCOMING
        if arrives and self._deadline is None:
            self._must_end_in(_REQUEST_TIMEOUT_S)
        elif self._arrives and not arrives:
            self._must_end_in(_RESPONSE_TIMEOUT_S)
        self._arrives = arrives

    def _must_end_in(self, seconds: float | None) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = None if seconds is None else self.loop.call_later(seconds, self.transport.abort)


class _PageConnection(WSConnection):
    """The protocol of a page's WebSocket, which counts its frames.

    Its refusals have the headers of all answers.
    """

    def __init__(self, visitors: Visitors, address: Address) -> None:
        super().__init__(ConnectionType.SERVER)
        self._frames = 0
        self._visitors = visitors
        self._address = address

    def _note_refusal(self) -> None:
        self._visitors.refused(self._address, asyncio.get_running_loop().time())

    def receive_data(self, data: bytes | None) -> None:
        """Read what came; raise RemoteProtocolError if the page's request isn't one."""
        try:
            super().receive_data(data)
        except RemoteProtocolError:
            self._note_refusal()
            raise
        except UnicodeError as error:
            self._note_refusal()
            raise RemoteProtocolError(str(error), event_hint=RejectConnection()) from error

    def events(self) -> Generator[Event, None, None]:
        """Yield what came."""
        for event in super().events():
            self._frames += 1
            yield event

    def take_count(self) -> int:
        """Return the number of frames since the last call."""
        count, self._frames = self._frames, 0
        return count

    def send(self, event: Event) -> bytes:
        if isinstance(event, RejectConnection):
            named = {name.lower() for name, _ in event.headers}
            lacking = [header for header in _REFUSAL_HEADERS if header[0] not in named]
            event = replace(event, headers=[*event.headers, *lacking])
        return super().send(event)


class _PageSocket(WSProtocol):
    """A page's WebSocket, which began as an HTTP connection."""

    visitors: ClassVar[Visitors]

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._address = parse_address(self.client[0] if self.client else "::")
        self.conn: _PageConnection = _PageConnection(self.visitors, self._address)
        bucket = self.visitors.of(self._address).bytes
        self._pace = _ReadBrake(transport, bucket, lambda: self.read_paused)
        self._pings = Bucket(rate=1, most=20)
        self._parting: asyncio.TimerHandle | None = None

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._pace.came(len(data), self.conn.take_count())

    async def send(self, message: ASGISendEvent) -> None:
        """Send an answer; raise ClientDisconnected if the page has gone.

        uvicorn leaves out the handshake in silence if it has, and takes an answer for a mistake once it has
        parted from a page that did not answer its pings, though neither knows of the other.
        """
        await self.writable.wait()
        if self.close_sent or (not self.handshake_complete and self.transport.is_closing()):
            raise ClientDisconnected
        await super().send(message)

    async def receive(self) -> WebSocketEvent:
        message = await super().receive()
        if self._pace.holds:
            self.transport.pause_reading()
        return message

    def handle_ping(self, event: Ping) -> None:
        unread = self.transport.get_write_buffer_size()
        if self._pings.take(self.loop.time()) or unread > _MAX_UNREAD_BYTES:
            self.transport.abort()
        else:
            super().handle_ping(event)

    async def run_asgi(self) -> None:
        await super().run_asgi()
        if not self.disconnected:
            self._parting = self.loop.call_later(_CLOSE_TIMEOUT_S, self.transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self._parting is not None:
            self._parting.cancel()
        self._pace.let_go()
