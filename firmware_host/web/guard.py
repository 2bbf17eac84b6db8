"""What keeps other people's web pages away from the board, in front of everything that is served.

Rules kept here: a request must name the board by a loopback name and its own port, so that no other site's
name can be made to point here; where a browser says which page a request comes from, it must be the
board's own. A request without an origin comes from no page, and is let in.
"""

from __future__ import annotations

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")

_POLICY = ("default-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'")

SAFE_HEADERS = {
    "Content-Security-Policy": "; ".join(_POLICY),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    # The page and its modules belong together: after an upgrade, none may be an old one.
    "Cache-Control": "no-cache",
}


class Guard:
    """An application that hands on to `app` only what is meant for it, and makes its answers safe."""

    def __init__(self, app: ASGIApp, port: int) -> None:
        self._app = app
        self._hosts = {f"{name}:{port}" for name in LOOPBACK_NAMES}
        if port == 80:
            self._hosts.update(LOOPBACK_NAMES)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request or connection."""

        async def send_safely(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                MutableHeaders(scope=message).update(SAFE_HEADERS)
            await send(message)

        answer = self._refusal(Headers(scope=scope)) or self._app
        await answer(scope, receive, send_safely)

    def _refusal(self, headers: Headers) -> PlainTextResponse | None:
        hosts = headers.getlist("host")
        host = hosts[0].lower() if len(hosts) == 1 else ""
        if host not in self._hosts:
            return PlainTextResponse("This board answers only to the address it is served at.\n", 400)
        origins = headers.getlist("origin")
        if any(origin.lower() != f"http://{host}" for origin in origins):
            return PlainTextResponse("This board is played only from its own page.\n", 403)
        return None
