"""The server of the wall's page: the picture as JSON, and the files of the pages.

Invariants: nothing that a browser sends reaches the broker or the disk. A picture that a browser has already
isn't sent again.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route

from firmware_host.web.addresses import mdns_name
from firmware_host.web.files.static_files import PageFiles
from firmware_host.web.listener import BoundedListener
from firmware_host.web.messages import as_text
from firmware_host.web.origin_guard import OriginGuard
from firmware_host.web.rate_limits import Visitors
from firmware_host.web.server import uvicorn_config

Picture = dict[str, Any]


def application(picture: Callable[[], Picture]) -> Starlette:
    """Return the application of a wall, which shows what `picture` returns."""

    async def shown(request: Request) -> Response:
        text = as_text(picture())
        tag = f'"{sha256(text.encode()).hexdigest()[:20]}"'
        headers = {"ETag": tag, "Cache-Control": "no-cache"}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(text, media_type="application/json", headers=headers)

    async def front(_: Request) -> Response:
        return RedirectResponse("wall.html")

    return Starlette(routes=[Route("/", front), Route("/wall.json", shown), Mount("/", PageFiles())])


class WallServer:
    """The server of a wall at a listening socket."""

    def __init__(self, listening: socket.socket, picture: Callable[[], Picture]) -> None:
        visitors = Visitors()
        port = listening.getsockname()[1]
        guarded = OriginGuard(application(picture), port, visitors, mdns_name())
        self._listener = BoundedListener(listening, visitors)
        self._server = uvicorn.Server(uvicorn_config(guarded, visitors))

    def run(self) -> None:
        """Serve until the program is interrupted, or `stop` is called."""
        with self._listener as bounded:
            asyncio.run(self._server.serve(sockets=[bounded]))

    def stop(self) -> None:
        """End `run` soon; from any thread."""
        self._server.should_exit = True
