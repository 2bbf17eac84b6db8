"""Who may do more than look.

Rules kept here: whoever sits at the machine itself may play, as at the board; others need the cookie that the
code is exchanged for; a request that was handed on by a proxy comes from anywhere, whatever its address is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from ipaddress import IPv4Address, IPv6Address, ip_address
from math import ceil

from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, Response

from firmware_host.errors import RequestError
from firmware_host.web.code import Code
from firmware_host.web.messages import MESSAGE_BYTES, parse_request
from firmware_host.web.rate_limits import Address, Guesses, Seconds

_HANDED_ON = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip")
_A_YEAR_S = 365 * 86_400
_SECONDS_TO_ENTER = 10.0


class Door:
    """Tells who may play from who may look, by the `code`; without one only this machine plays."""

    def __init__(self, code: Code | None, port: int, clock: Callable[[], Seconds]) -> None:
        self.code = code
        # Cookies know no ports: each board on this machine has a name of its own for its own.
        self._cookie = f"millwright-{port}"
        self._clock = clock
        self._guesses = Guesses()

    def admits(self, visitor: HTTPConnection) -> bool:
        """Whether this visitor may play."""
        if is_here(visitor):
            return True
        return self.code is not None and self.code.is_cookie(visitor.cookies.get(self._cookie, ""))

    async def enter(self, request: Request) -> Response:
        """Exchange the code for the cookie: 204, else 403, or 429 where it is too early for a guess."""
        if self.code is None:
            return _said(404, "This board has no code.")
        try:
            entered = await _entered(request)
        except RequestError as error:
            return _said(400, str(error))
        except TimeoutError:
            return _said(408, "The code did not come.")
        # From here on nothing is awaited: many guesses at once are one after the other.
        now, address = self._clock(), address_of(request)
        if wait := self._guesses.wait(address, now):
            return _said(429, "Too many wrong codes.", wait)
        if not self.code.is_right(entered):
            self._guesses.was_wrong(address, now)
            return _said(403, "This is not the code.", self._guesses.wait(address, now))
        self._guesses.was_right(address)
        answer = Response(status_code=204)
        answer.set_cookie(
            self._cookie, self.code.cookie, max_age=_A_YEAR_S, path="/", httponly=True, samesite="strict"
        )
        return answer


def is_here(visitor: HTTPConnection) -> bool:
    """Whether a request comes from a program on this machine itself."""
    handed_on = any(name in visitor.headers for name in _HANDED_ON)
    return address_of(visitor).is_loopback and not handed_on


def address_of(visitor: HTTPConnection) -> Address:
    """Where a request comes from."""
    host = visitor.client.host if visitor.client else "0.0.0.0"  # noqa: S104 - nobody's
    return plain(host)


def plain(text: str) -> Address:
    """An address as it is meant: no zone, and an IPv4 address that came by an IPv6 socket is one."""
    address: IPv4Address | IPv6Address = ip_address(text.partition("%")[0])
    return getattr(address, "ipv4_mapped", None) or address


async def _entered(request: Request) -> str:
    body = b""
    async with asyncio.timeout(_SECONDS_TO_ENTER):
        async for part in request.stream():
            body += part
            if len(body) > MESSAGE_BYTES:
                raise RequestError(f"a code has no more than {MESSAGE_BYTES} bytes")
    try:
        code = parse_request(body.decode()).get("code")
    except UnicodeDecodeError as error:
        raise RequestError("this is not UTF-8 text") from error
    if not isinstance(code, str):
        raise RequestError('what is entered must be an object such as {"code": "1234 5678"}')
    return code


def _said(status: int, text: str, wait: Seconds = 0.0) -> JSONResponse:
    headers = {"Retry-After": str(ceil(wait))} if wait else {}
    return JSONResponse({"error": text, "wait_s": ceil(wait)}, status, headers)
