"""A web server in a thread of its own, which shows a board's page to browsers on this machine.

Rules kept here: it listens on loopback only; the address is bound, and a taken one told, before `start`
returns; the board's thread is never made to wait, and is asked for nothing but through `submit`.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import threading

import uvicorn

from firmware_host.errors import PageError
from firmware_host.web.app import Submit, TellStatus, application
from firmware_host.web.feed import Feed
from firmware_host.web.games import TellRecord
from firmware_host.web.guard import Guard
from firmware_host.web.messages import MESSAGE_BYTES, Message

_MOST_CONNECTIONS = 128
_SECONDS_TO_END = 1


class WebServer:
    """The page of one board, from `start` to `close`."""

    def __init__(
        self,
        submit: Submit,
        host: str = "127.0.0.1",
        port: int = 8765,
        *,
        tell_status: TellStatus | None = None,
        tell_record: TellRecord | None = None,
        listening: socket.socket | None = None,
    ) -> None:
        """Bind `host`, which must be a loopback address, and `port` (0: any free one); raises PageError.

        Where there is a socket that is `listening` already, it is served in their place, and closed with the
        server.
        """
        self._feed = Feed()
        self._socket = _bound(host, port) if listening is None else _on_loopback(listening)
        self._host, self._port = self._socket.getsockname()[:2]
        config = uvicorn.Config(
            Guard(application(self._feed, submit, tell_status, tell_record), self._port),
            http="h11",
            ws="wsproto",
            loop="asyncio",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            ws_max_size=MESSAGE_BYTES,
            ws_per_message_deflate=False,
            limit_concurrency=_MOST_CONNECTIONS,
            timeout_graceful_shutdown=_SECONDS_TO_END,
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._serve, name="web", daemon=True)

    @property
    def address(self) -> str:
        """Where the page is."""
        host = f"[{self._host}]" if ":" in self._host else self._host
        return f"http://{host}:{self._port}/"

    def start(self) -> None:
        """Serve from now on; browsers may come at once."""
        self._thread.start()

    def publish(self, message: Message) -> None:
        """Show `message` (see `messages`) to all pages, as soon as each can take it; from any thread."""
        self._feed.publish(message)

    def close(self) -> None:
        """Part from all pages and end; may be called twice, and before `start`."""
        self._server.should_exit = True
        if self._thread.is_alive():
            self._thread.join()
        self._socket.close()

    def _serve(self) -> None:
        asyncio.run(self._server.serve(sockets=[self._socket]))


def _on_loopback(listening: socket.socket) -> socket.socket:
    inet = listening.family in (socket.AF_INET, socket.AF_INET6)
    if not inet or not ipaddress.ip_address(listening.getsockname()[0]).is_loopback:
        where = listening.getsockname()
        listening.close()
        raise PageError(f"the page can be served on this machine only, not at {where}; use 127.0.0.1 or ::1")
    return listening


def _bound(host: str, port: int) -> socket.socket:
    try:
        address = ipaddress.ip_address("127.0.0.1" if host == "localhost" else host)
    except ValueError as error:
        raise PageError(f"{host!r} is no address to serve the page at; use 127.0.0.1 or ::1") from error
    if not address.is_loopback:
        raise PageError(f"the page can be served on this machine only, not at {host}; use 127.0.0.1 or ::1")
    if not 0 <= port <= 65535:
        raise PageError(f"{port} is no port; they go up to 65535, and 0 is any that is free")
    bound = socket.socket(socket.AF_INET if address.version == 4 else socket.AF_INET6)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((str(address), port))
        bound.listen()
    except OSError as error:
        bound.close()
        raise PageError(
            f"cannot serve the page at {host} port {port}: {error.strerror}; try another port, or 0 for any"
        ) from error
    return bound
