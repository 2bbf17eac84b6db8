"""The guard that keeps other sites' pages away from the board, in front of everything that is served.

Invariants: a request must name the board by a loopback name, by the address that it was sent to, or by this
machine's own name, and by its port, so that another site's name cannot be made to point here. If a browser
names the page that a request comes from, it must be the board's own. A request without an origin comes from
no page and is let in. Browsers keep nothing but the page's files. A visitor that asks too much, or for what
it must not have, is slowed down.
"""

from __future__ import annotations

import asyncio
import re
import time
from typing import NamedTuple

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.types import Message as AsgiMessage

from firmware_host.i18n import Message
from firmware_host.web.access import address_of, parse_address
from firmware_host.web.addresses import url
from firmware_host.web.error_pages import error_response
from firmware_host.web.rate_limits import Visitors
from firmware_host.web.static_files import is_part

LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")

_RENAMED = re.compile(r"-[1-9]\d?(\.local)$")
"""The end of the name that a machine gets by mDNS if another one in the house has its own already."""

_FEATURES = (
    *("accelerometer", "bluetooth", "camera", "display-capture", "geolocation", "gyroscope", "hid"),
    *("magnetometer", "microphone", "midi", "payment", "serial", "usb", "xr-spatial-tracking"),
)
"""The features of a browser that the page does without, and no script in it may use."""

_POLICY = ("default-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'")

_PART_HEADERS = {
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}
"""The headers of a file that only a document uses, which has the others: a visit asks for dozens of them."""

SAFE_HEADERS = {
    **_PART_HEADERS,
    "Content-Security-Policy": "; ".join(_POLICY),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": ", ".join(f"{feature}=()" for feature in _FEATURES),
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
}
_NOT_KEPT = "no-store"
"""Codes, devices, games and the status are nobody's who uses the browser later."""
REFUSAL_HEADERS = {**SAFE_HEADERS, "Cache-Control": _NOT_KEPT}
"""The headers of an answer to what isn't a request, which no application is asked about."""


class _Refusal(NamedTuple):
    """The reason why a request is refused, its HTTP status, and the address to use instead."""

    text: Message
    status: int
    address: str

    def response(self, headers: Headers) -> Response:
        """Return the response to the request with these headers."""
        return error_response(headers, self.text, self.status, address=self.address)


class OriginGuard:
    """An application that passes only legitimate requests on to `app` and secures its responses."""

    def __init__(self, app: ASGIApp, port: int, visitors: Visitors, *names: str) -> None:
        """Guard `app`; `names` are this machine's names besides those of the loopback and its addresses."""
        self._app = app
        self._visitors = visitors
        self._port = port
        self._names = {*LOOPBACK_NAMES, *names}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request or connection."""

        async def send_safely(message: AsgiMessage) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                secured = MutableHeaders(scope=message)
                is_served = message["status"] in (200, 304)
                secured.update(_PART_HEADERS if is_served and is_part(scope["path"]) else SAFE_HEADERS)
                secured.setdefault("Cache-Control", _NOT_KEPT)
            await send(message)

        address = address_of(HTTPConnection(scope))
        headers = Headers(scope=scope)
        refusal = self._refusal(scope, headers)
        count = self._visitors.request if refusal is None else self._visitors.refused
        await asyncio.sleep(count(address, time.monotonic()))
        await (self._app if refusal is None else refusal.response(headers))(scope, receive, send_safely)

    def _refusal(self, scope: Scope, headers: Headers) -> _Refusal | None:
        hosts = headers.getlist("host")
        host = hosts[0].lower() if len(hosts) == 1 else ""
        # The request arrived at this address, so its sender can reach it again; the machine's own name may
        # not resolve there.
        address = url(_destination(scope) or LOOPBACK_NAMES[0], self._port)
        name, port = _parts(host)
        if port != str(self._port):  # a tunnel or a proxy, behind which nobody can reach an address of ours
            return _Refusal(Message("http.port", {"port": self._port}), 400, "/")
        if not self._is_own(name, scope):
            return _Refusal(Message("http.host", {"address": address}), 400, address)
        origins = headers.getlist("origin")
        if any(origin.lower() != f"http://{host}" for origin in origins):
            return _Refusal(Message("http.origin", {"address": address}), 403, address)
        return None

    def _is_own(self, name: str, scope: Scope) -> bool:
        own = name.removesuffix(".")  # the dot that ends a complete name
        return own in self._names or _RENAMED.sub(r"\1", own) in self._names or own == _destination(scope)


def _parts(host: str) -> tuple[str, str]:
    """Return the name and the port of a Host header."""
    name, colon, port = host.rpartition(":")
    if not colon or port.endswith("]"):  # no port, and perhaps an IPv6 address
        return host, "80"
    return name, port


def _destination(scope: Scope) -> str | None:
    """Return the address of this machine that a connection was made to, as a Host header writes it."""
    server = scope.get("server")
    if server is None:
        return None
    address = parse_address(server[0])
    return f"[{address}]" if address.version == 6 else str(address)
