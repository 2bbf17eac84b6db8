"""The server of the wall's page: the picture as JSON, and the files of the pages.

Invariants: nothing that a browser sends reaches the broker or the disk, or has anything worked out: requests
get what was drawn last. A picture that a browser has already isn't sent again.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from hashlib import sha256
from threading import Event, Thread
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route

from firmware_host.frozen import frozen
from firmware_host.web.addresses import mdns_name
from firmware_host.web.messages import as_text
from firmware_host.web.origin_guard import OriginGuard
from firmware_host.web.rate_limits import Visitors
from firmware_host.web.static_files import PageFiles
from firmware_host.web.transports import BoundedListener, uvicorn_config

Picture = dict[str, Any]

DRAW_EVERY_S = 0.5


@frozen
class Drawn:
    """A picture as it is sent, and its tag."""

    text: bytes
    tag: str

    @classmethod
    def of(cls, picture: Picture) -> Drawn:
        """Return what is sent of a picture."""
        text = as_text(picture).encode()
        return cls(text, f'"{sha256(text).hexdigest()[:20]}"')


def application(drawn: Callable[[], Drawn]) -> Starlette:
    """Return the application of a wall, which shows what `drawn` returns."""

    async def shown(request: Request) -> Response:
        last = drawn()
        headers = {"ETag": last.tag, "Cache-Control": "no-cache"}
        if request.headers.get("if-none-match") == last.tag:
            return Response(status_code=304, headers=headers)
        return Response(last.text, media_type="application/json", headers=headers)

    async def front(_: Request) -> Response:
        return RedirectResponse("wall.html")

    return Starlette(routes=[Route("/", front), Route("/wall.json", shown), Mount("/", PageFiles())])


class WallServer:
    """The server of a wall at a listening socket."""

    def __init__(self, listening: socket.socket, picture: Callable[[], Picture]) -> None:
        """Prepare to show what `picture` returns, twice a second, to as many browsers as come."""
        visitors = Visitors()
        self._picture = picture
        self._drawn = Drawn.of(picture())
        self._is_over = Event()
        port = listening.getsockname()[1]
        guarded = OriginGuard(application(lambda: self._drawn), port, visitors, mdns_name())
        self._listener = BoundedListener(listening, visitors)
        self._server = uvicorn.Server(uvicorn_config(guarded, visitors))

    def run(self) -> None:
        """Serve until the program is interrupted, or `stop` is called."""
        drawing = Thread(target=self._draw, name="drawing", daemon=True)
        drawing.start()
        try:
            with self._listener as bounded:
                asyncio.run(self._server.serve(sockets=[bounded]))
        finally:
            self._is_over.set()
            drawing.join()

    def _draw(self) -> None:
        while not self._is_over.wait(DRAW_EVERY_S):
            self._drawn = Drawn.of(self._picture())

    def stop(self) -> None:
        """End `run` soon; from any thread."""
        self._server.should_exit = True
