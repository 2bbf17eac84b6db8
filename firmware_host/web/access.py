"""Permission to play: the pairing code, the cookie that a browser gets for it, and the check of each request.

Invariants: a browser on this machine may play, as may the people at the board; any other needs the cookie
that the code is exchanged for. A request that a proxy forwarded counts as one from elsewhere, whatever its
address. Code and cookie are derived from one secret, in a file that only its owner can read, so that a phone
is asked once and not after each power cut. They are compared in constant time. A secret that others could
read is replaced.
"""

from __future__ import annotations

import asyncio
import hmac
import os
import secrets
from collections.abc import Callable
from ipaddress import IPv4Address, IPv6Address, ip_address
from math import ceil
from pathlib import Path

from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, Response

from firmware_host.errors import RequestError
from firmware_host.web.messages import MESSAGE_BYTES, parse_request
from firmware_host.web.rate_limits import Address, Guesses, Neighbours, Seconds

CODE_DIGITS = 8
"""The length of a code: short enough to type on a phone, too long to guess at the rate that is allowed."""
_SECRET_BYTES = 32
_PROXY_HEADERS = (
    "forwarded",
    "via",
    "x-forwarded-for",
    "x-forwarded-host",
    "x-forwarded-proto",
    "x-real-ip",
)
_YEAR_S = 365 * 86_400
_ENTRY_TIMEOUT_S = 10.0


# ---- the code --------------------------------------------------------------------------------------------


class PairingCode:
    """A code that people type, and the cookie that their browser gets for it, both derived from `secret`."""

    def __init__(self, secret: bytes, *, is_stored: bool = False) -> None:
        self.is_stored = is_stored
        """True if it will be the same after the next start."""
        number = int.from_bytes(_derive(secret, "code"), "big")
        self._digits = f"{number % 10**CODE_DIGITS:0{CODE_DIGITS}}"
        self.cookie = _derive(secret, "cookie").hex()
        """The value that proves that a browser has entered the code."""

    @property
    def text(self) -> str:
        """The code as people read it: `1234 5678`."""
        return f"{self._digits[:4]} {self._digits[4:]}"

    def matches(self, entered: str) -> bool:
        """Return whether `entered` is the code, with any spaces and hyphens."""
        digits = "".join(character for character in entered if not character.isspace() and character != "-")
        return hmac.compare_digest(digits.encode(errors="replace"), self._digits.encode())

    def matches_cookie(self, value: str) -> bool:
        """Return whether `value` is the cookie."""
        return hmac.compare_digest(value.encode(errors="replace"), self.cookie.encode())


def temporary_code() -> PairingCode:
    """Return a random code for this run only."""
    return PairingCode(secrets.token_bytes(_SECRET_BYTES))


def stored_code(path: Path) -> PairingCode:
    """Return the code of the secret in the file at `path`, which is created or replaced if it is unusable.

    If it cannot be written, the code is one for this run only.
    """
    try:
        secret = _read_secret(path)
        if secret is None:
            secret = secrets.token_bytes(_SECRET_BYTES)
            _write_secret(path, secret)
    except OSError:
        return temporary_code()
    return PairingCode(secret, is_stored=True)


def _derive(secret: bytes, purpose: str) -> bytes:
    return hmac.digest(secret, f"millwright page {purpose}".encode(), "sha256")


def _read_secret(path: Path) -> bytes | None:
    """Return the secret, or None if there is none or others could have read it."""
    try:
        with path.open("rb") as file:
            if os.fstat(file.fileno()).st_mode & 0o077:
                return None
            text = file.read(4 * _SECRET_BYTES).decode()
            secret = bytes.fromhex(text)
    except (FileNotFoundError, ValueError):
        return None
    return secret if len(secret) == _SECRET_BYTES else None


def _write_secret(path: Path, secret: bytes) -> None:
    """Write the secret in one step: after a power cut the file is whole or not there."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    new = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w") as file:
            file.write(f"{secret.hex()}\n")
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    except OSError:
        new.unlink(missing_ok=True)
        raise


# ---- the check of a request --------------------------------------------------------------------------------


class Access:
    """Decides who may play; without a code only this machine may."""

    def __init__(
        self, code: PairingCode | None, port: int, neighbours: Neighbours, clock: Callable[[], Seconds]
    ) -> None:
        self.code = code
        # Browsers share cookies between the ports of a host, so each board on this machine names its own.
        self._cookie_name = f"millwright-{port}"
        self._clock = clock
        self._guesses = Guesses(neighbours)

    def may_play(self, visitor: HTTPConnection) -> bool:
        """Return whether this visitor may play."""
        if is_here(visitor):
            return True
        return self.code is not None and self.code.matches_cookie(visitor.cookies.get(self._cookie_name, ""))

    async def enter(self, request: Request) -> Response:
        """Exchange the code for the cookie.

        Answers 204, or 403 for a wrong code, 429 if it is too early for another guess, 400 or 408 if no code
        came, and 404 if the board has none.
        """
        if self.code is None:
            return _error(404, "This board has no code.")
        address = address_of(request)
        if wait := self._guesses.wait(address, self._clock()):
            return _error(429, "Too many wrong codes.", wait)
        try:
            entered = await _read_code(request)
        except RequestError as error:
            return _error(400, str(error))
        except TimeoutError:
            return _error(408, "The code did not come.")
        # Nothing is awaited from here on, so that simultaneous guesses are checked one after the other.
        now = self._clock()
        if wait := self._guesses.wait(address, now):
            return _error(429, "Too many wrong codes.", wait)
        if not self.code.matches(entered):
            self._guesses.was_wrong(address, now)
            return _error(403, "That isn't the code.", self._guesses.wait(address, now))
        self._guesses.was_right(address)
        response = Response(status_code=204)
        response.set_cookie(
            self._cookie_name, self.code.cookie, max_age=_YEAR_S, path="/", httponly=True, samesite="strict"
        )
        return response


def is_here(visitor: HTTPConnection) -> bool:
    """Return whether a request comes from a program on this machine itself."""
    was_forwarded = any(name in visitor.headers for name in _PROXY_HEADERS)
    return address_of(visitor).is_loopback and not was_forwarded


def address_of(visitor: HTTPConnection) -> Address:
    """Return the address that a request comes from."""
    host = visitor.client.host if visitor.client else "0.0.0.0"  # noqa: S104 - stands for an unknown address
    return parse_address(host)


def parse_address(text: str) -> Address:
    """Return an address without its zone; an IPv4 address mapped into IPv6 becomes IPv4 again."""
    address: IPv4Address | IPv6Address = ip_address(text.partition("%")[0])
    return getattr(address, "ipv4_mapped", None) or address


async def _read_code(request: Request) -> str:
    """Return the code in the body of `request`; raise RequestError or TimeoutError if there is none."""
    body = b""
    async with asyncio.timeout(_ENTRY_TIMEOUT_S):
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


def _error(status: int, text: str, wait: Seconds = 0.0) -> JSONResponse:
    headers = {"Retry-After": str(ceil(wait))} if wait else {}
    return JSONResponse({"error": text, "wait_s": ceil(wait)}, status, headers)
