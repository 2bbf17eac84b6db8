"""The page by which a phone in the board's own Wi-Fi chooses the network of the house.

A phone that joins asks some address of its maker's whether there is an Internet. All names lead to the board
there, which answers with a redirect to its page: so the phone opens it by itself.

Invariants: it is served at the board's address in its own Wi-Fi alone, and to those who are in it. A request
that names another host gets the redirect and nothing else. A password goes to the control and nowhere else.
A choice that has the board light a point counts as one of a phone that wants to be paired, which is limited.
"""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Callable

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from firmware_host.errors import RequestError
from firmware_host.i18n import Message
from firmware_host.maintenance.wifi.control import WifiControl
from firmware_host.web.access import address_of
from firmware_host.web.addresses import url
from firmware_host.web.messages import parse_request
from firmware_host.web.origin_guard import OriginGuard
from firmware_host.web.rate_limits import Address, Visitors
from firmware_host.web.saved_games import read_body, refused
from firmware_host.web.static_files import PageFiles
from firmware_host.web.transports import BoundedListener, uvicorn_config

_MAX_BODY = 1024


def application(control: WifiControl, home: Callable[[], str], visitors: Visitors) -> Starlette:
    """Return the application, without its guard; `home` returns the page's address in the house."""

    def choose(name: str, password: str, address: Address) -> None:
        needs_touch, now = control.needs_touch, time.monotonic()
        if needs_touch and visitors.wait_for_seat(address, now):
            raise RequestError(Message("wifi.refused.often"))
        control.choose(name, password)
        if needs_touch:
            visitors.take_seat(address, now)

    async def front(_: Request) -> Response:
        return RedirectResponse("wifi.html")

    async def shown(_: Request) -> Response:
        control.visit()
        return JSONResponse({**control.view(), "home": home()})

    async def chosen(request: Request) -> Response:
        try:
            entry = parse_request((await read_body(request))[:_MAX_BODY].decode())
            name, password = entry.get("name"), entry.get("password", "")
            if not isinstance(name, str) or not isinstance(password, str):
                raise RequestError(Message("refused.not-understood"))
            choose(name, password, address_of(request))
        except RequestError as error:
            return refused(error.message, 409)
        except (TimeoutError, ClientDisconnect, UnicodeDecodeError):
            return refused(Message("refused.not-understood"), 400)
        return JSONResponse({}, 202)

    return Starlette(
        routes=[
            Route("/", front),
            Route("/wifi.json", shown, methods=["GET"]),
            Route("/wifi", chosen, methods=["POST"]),
            Mount("/", PageFiles()),
        ]
    )


def portal(app: ASGIApp, address: str, port: int, visitors: Visitors) -> ASGIApp:
    """Return `app` behind its guard; requests for other hosts are led to `address`."""
    guarded = OriginGuard(app, port, visitors)
    own = url(address, port)

    async def answered(scope: Scope, receive: Receive, send: Send) -> None:
        host = Headers(scope=scope).get("host", "")
        is_elsewhere = scope["type"] == "http" and f"http://{host}/" != own
        if not (is_elsewhere and scope["method"] in ("GET", "HEAD")):
            await guarded(scope, receive, send)
            return
        await asyncio.sleep(visitors.request(address_of(HTTPConnection(scope)), time.monotonic()))
        answer = RedirectResponse(own, 302, headers={"Cache-Control": "no-store"})
        await answer(scope, receive, send)

    return answered


class PortalServer:
    """The server of the page at a listening socket."""

    def __init__(self, listening: socket.socket, control: WifiControl, home: Callable[[], str]) -> None:
        visitors = Visitors()
        address, port = listening.getsockname()[:2]
        app = portal(application(control, home, visitors), address, port, visitors)
        self._listener = BoundedListener(listening, visitors)
        self._server = uvicorn.Server(uvicorn_config(app, visitors))

    def run(self) -> None:
        """Serve until `stop` is called."""
        with self._listener as bounded:
            asyncio.run(self._server.serve(sockets=[bounded]))

    def stop(self) -> None:
        """End `run` soon; from any thread."""
        self._server.should_exit = True
