"""The web server that shows a board's page, in a thread of its own.

Invariants: the page is served to this machine only, unless others are invited, whose devices are paired. The
address is bound, and a used one reported, before `start` returns. The board's thread never waits for the
server and is reached through `submit` alone.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import threading
import time
from pathlib import Path

import uvicorn

from firmware_host.errors import PageError
from firmware_host.ports import UNKNOWN, WallClock
from firmware_host.state_files import Report
from firmware_host.web import addresses as place
from firmware_host.web.access import Access
from firmware_host.web.app import GetStatus, PageBackend, PendingReplies, Submit, application
from firmware_host.web.broadcast import PageBroadcast
from firmware_host.web.lesson import LessonLeader
from firmware_host.web.messages import PageMessage
from firmware_host.web.origin_guard import OriginGuard
from firmware_host.web.pairing.devices import DeviceFile, open_devices
from firmware_host.web.rate_limits import Visitors
from firmware_host.web.rooms import RoomRelay
from firmware_host.web.saved_games import GamesReader
from firmware_host.web.transports import BoundedListener, uvicorn_config
from firmware_host.web.updates import Updates

_FLUSH_TIMEOUT_S = 1.0
_MIN_RESTART_PAUSE_S, _MAX_RESTART_PAUSE_S = 1, 60
_LOG = logging.getLogger(__name__)


class WebServer:
    """The server of one board's page, from `start` to `close`."""

    def __init__(
        self,
        submit: Submit,
        host: str = "127.0.0.1",
        port: int = 8765,
        *,
        tell_status: GetStatus | None = None,
        games: GamesReader | None = None,
        others: Path | None = None,
        report: Report | None = None,
        pairs: bool = False,
        listening: socket.socket | None = None,
        clock: WallClock | None = None,
        updates: Updates | None = None,
    ) -> None:
        """Bind `host`, or all addresses for EVERYWHERE, and `port`, 0 for any free port.

        Other machines may reach it only if `others` is given, the path of the file of paired devices, which
        `report` gets if it is damaged. With `pairs`, devices can be paired from the start. A socket that is
        `listening` already is served instead of `host` and `port`, and closed with the server. Without a
        `clock`, nobody knows when a device was paired; without `updates`, pages offer none. Raises PageError.
        """
        self._feed = PageBroadcast()
        self._socket = listening or place.listening_socket(host, port, others=others is not None)
        devices = _devices_of_others(self._socket, others, clock, report)
        self._address = place.local_url(self._socket)
        self._port: int = self._socket.getsockname()[1]
        self._visitors = visitors = Visitors()
        now = (lambda: UNKNOWN) if clock is None else clock.now
        self._access = access = Access(devices, self._port, visitors, time.monotonic, now)
        if pairs and access.can_pair:
            access.open_window()
        self._closing, self._replies = threading.Event(), PendingReplies()
        parts = (submit, access, visitors, LessonLeader(), RoomRelay(), self._replies, self._others_see)
        board = PageBackend(*parts, tell_status, games, updates)
        names = (place.mdns_name(),) if access.can_pair else ()
        served = OriginGuard(application(self._feed, board), self._port, visitors, *names)
        self._config = uvicorn_config(served, visitors)
        self._server = uvicorn.Server(self._config)
        self._thread = threading.Thread(target=self._serve, name="web", daemon=True)

    @property
    def address(self) -> str:
        """The page's address for browsers on this machine, or its only address if it is not served there."""
        return self._address

    @property
    def invitation(self) -> str | None:
        """A sentence that tells others how to play, or None if they cannot."""
        if not self._access.can_pair:
            return None
        where = f"Others in the house can watch at {' or '.join(self._others_see())}"
        pairing = self._access.pairing
        if pairing is None:
            return f"{where}. `millwright devices pair` lets another device play"
        return (
            f"{where}, and play after entering the code {pairing.code} (valid for {pairing.left_s / 60:.0f} "
            "minutes; `millwright devices pair` gives another)"
        )

    def _others_see(self) -> list[str]:
        """Return the addresses of the page for others in the house."""
        return place.network_urls(self._port)

    def start(self) -> None:
        """Start to serve."""
        self._thread.start()

    def publish(self, message: PageMessage) -> None:
        """Show `message`, one of `messages`, on all pages as soon as each can accept it; from any thread."""
        self._feed.publish(message)

    @property
    def watchers(self) -> int:
        """The number of pages that receive sensor updates; any thread may read it."""
        return self._feed.watchers

    def close(self) -> None:
        """Send the replies to all requests that are done, close all pages and end.

        May be called twice, and before `start`.
        """
        self._closing.set()
        # A request may be what ends the program, as in safe mode: the page is owed a reply, not a close.
        self._replies.flush(_FLUSH_TIMEOUT_S)
        self._server.should_exit = True
        if self._thread.is_alive():
            self._thread.join()
        self._socket.close()

    def _serve(self) -> None:
        """Serve until it is closed, restarting after failures."""
        pause_s = _MIN_RESTART_PAUSE_S
        while not self._closing.is_set():
            try:
                with BoundedListener(self._socket, self._visitors) as listening:
                    asyncio.run(self._server.serve(sockets=[listening]))
            except Exception:  # noqa: BLE001 - whatever it was, the board plays on and its page comes back
                _LOG.exception("the page failed; it is served again in %d s", pause_s)
            self._closing.wait(pause_s)
            pause_s = min(2 * pause_s, _MAX_RESTART_PAUSE_S)
            self._server = uvicorn.Server(self._config)


def _devices_of_others(
    listening: socket.socket, others: Path | None, clock: WallClock | None, report: Report | None
) -> DeviceFile | None:
    """Return the paired devices if others can reach the socket. Raise PageError if they must not."""
    try:
        if not place.is_open(listening):
            return None
        if others is None:
            raise PageError(f"the page is for this machine only, and not served at {listening.getsockname()}")
    except PageError:
        listening.close()
        raise
    if clock is None:
        return open_devices(others, report=report)
    return open_devices(others, clock.now, clock.dated, report)
