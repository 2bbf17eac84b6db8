"""The page's listening socket, which never holds more connections than there is room for.

Invariants: a connection beyond the limits of `Visitors` is reset as soon as it is accepted, before anything
is made for it, so that no flood takes the file descriptors that sensors, strip and store need. A connection
counts until its descriptor is closed, by whatever part of the program.
"""

from __future__ import annotations

import os
import socket
import struct
import time
from contextlib import suppress
from typing import Any

from firmware_host.web.access import parse_address
from firmware_host.web.capacity import Place
from firmware_host.web.rate_limits import Visitors

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
