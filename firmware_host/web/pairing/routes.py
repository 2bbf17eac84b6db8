"""The addresses at which devices are paired, listed and removed: `/code`, `/seat`, `/pairing` and `/devices`.

Invariants: all but `/code`, `/seat` and the address's own picture are refused to visitors that may not play.
Simultaneous guesses are checked one after the other. Each attempt is logged, without the code that was
entered.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from math import ceil
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from firmware_host.errors import MillwrightError, RequestError
from firmware_host.i18n import Message
from firmware_host.ports import date_of
from firmware_host.settings import MESSAGE_BYTES
from firmware_host.web.access import Access, VisitorRights, address_of
from firmware_host.web.messages import parse_request
from firmware_host.web.pairing.window import CLAIM_FOR, Pairing
from firmware_host.web.qr import qr_svg
from firmware_host.web.rate_limits import Seconds

_ENTRY_TIMEOUT_S = 10.0
_WAITS = Message("refused.phone-waits")
"""The board's refusal while its point has not been touched yet."""
_MISCOUNTED = Message("workshop.phone-out")
"""Its refusal after another number of touches, which ends the wait."""
_LOG = logging.getLogger(__name__)

GetAddresses = Callable[[], list[str]]
"""Returns the addresses at which others reach the page."""


Ask = Callable[[dict[str, Any]], Awaitable[Any]]
"""Has the board carry out a request; raises MillwrightError if it is not possible."""


def pairing_routes(access: Access, addresses: GetAddresses, ask: Ask) -> list[Route]:
    """Return the routes of pairing; `ask` has the board light a point."""
    desk = PairingDesk(access, addresses)
    seat = SeatDesk(access, ask)
    return [
        Route("/code", desk.enter, methods=["POST"]),
        Route("/qr.svg", desk.code, methods=["GET"]),
        Route("/seat", seat.take, methods=["POST"]),
        Route("/seat/claim", seat.claim, methods=["POST"]),
        Route("/pairing", desk.for_players(desk.pairing), methods=["POST", "DELETE"]),
        Route("/devices", desk.for_players(desk.devices), methods=["GET", "DELETE"]),
        Route("/devices/{number}", desk.for_players(desk.device), methods=["DELETE"]),
    ]


class PairingDesk:
    """Answers requests about pairing."""

    def __init__(self, access: Access, addresses: GetAddresses) -> None:
        self._access = access
        self._addresses = addresses

    def for_players(
        self, answer: Callable[[Request, VisitorRights], Awaitable[Response]]
    ) -> Callable[[Request], Awaitable[Response]]:
        """Return `answer` for visitors that may play, and a refusal for all others."""

        async def answered(request: Request) -> Response:
            if not self._access.can_pair:
                return _error(404, "This board is for this machine only.")
            visit = self._access.visit(request)
            if not visit.may_play:
                return _error(403, "Only a device that may play can do that.")
            return await answer(request, visit)

        return answered

    async def enter(self, request: Request) -> Response:
        """Exchange the code for the cookie of a new device.

        Answers 204, or 403 for a wrong code, 409 if no code is valid, 429 if it is too early for another
        guess, 400 or 408 if no code came, and 404 if others cannot play on this board.
        """
        access, address = self._access, address_of(request)
        if not access.can_pair:
            return _error(404, "This board is for this machine only.")
        if wait := access.wait_to_guess(address):
            return _error(429, "Too many wrong codes.", wait)
        try:
            entered, name = await _read_entry(request)
        except RequestError as error:
            return _error(400, str(error))
        except TimeoutError:
            return _error(408, "The code did not come.")
        # Nothing is awaited until the guess has been judged, so that each waits for those before it.
        if wait := access.wait_to_guess(address):
            return _error(429, "Too many wrong codes.", wait)
        if not access.matches(entered):
            _LOG.warning("a wrong code was entered from %s", address)
            wait = access.guess_was_wrong(address)
            if access.pairing is None:
                return _error(409, "No code is valid now.", wait)
            return _error(403, "That isn't the code.", wait)
        access.guess_was_right(address)
        response = Response(status_code=204)
        device = await access.pair(name, response)
        _LOG.info("device %d was paired from %s", device.number, address)
        return response

    async def code(self, _request: Request) -> Response:
        """Return the page's address for others as a QR code; 404 if there is none."""
        addresses = self._addresses() if self._access.can_pair else []
        if not addresses:
            return _error(404, "This board is for this machine only.")
        # The first is the number, if there is a network: the name may lead to another machine.
        picture = await run_in_threadpool(qr_svg, addresses[0])
        return Response(picture, media_type="image/svg+xml", headers={"Cache-Control": "no-store"})

    async def pairing(self, request: Request, _visit: VisitorRights) -> Response:
        """Let devices be paired (POST), or no longer (DELETE)."""
        if request.method == "DELETE":
            self._access.close_window()
            return Response(status_code=204)
        pairing = self._access.open_window()
        _LOG.info("devices can be paired for %d minutes", pairing.left_s // 60)
        return JSONResponse({**_public(pairing), "addresses": self._addresses()})

    async def devices(self, request: Request, visit: VisitorRights) -> Response:
        """List the paired devices (GET), or remove all but the one that asks (DELETE)."""
        own = None if visit.device is None else visit.device.number
        listed = self._access.devices
        if request.method == "DELETE":
            return await self._removed(*(one.number for one in listed if one.number != own))
        pairing = self._access.pairing
        return JSONResponse(
            {
                "devices": [
                    {
                        "number": device.number,
                        "name": device.name,
                        "paired_ms": date_of(device.paired_ms),
                        "seen_ms": date_of(device.seen_ms),
                        "shared": device.is_shared,
                        "this": device.number == own,
                        "playing": self._access.is_playing(device),
                    }
                    for device in reversed(listed)
                ],
                "pairing": pairing and _public(pairing),
                "addresses": self._addresses(),
                "fault": self._access.fault,
            }
        )

    async def device(self, request: Request, _visit: VisitorRights) -> Response:
        """Remove one device."""
        text = request.path_params["number"]
        numbers = [str(device.number) for device in self._access.devices]
        if text not in numbers:
            return _error(404, "There is no such device.")
        return await self._removed(int(text))

    async def _removed(self, *numbers: int) -> Response:
        await self._access.remove(*numbers)
        for number in numbers:
            _LOG.info("device %d was removed", number)
        return JSONResponse({"removed": list(numbers), "fault": self._access.fault})


class SeatDesk:
    """Pairs a device whose owner touches the point at the board that is lit for it."""

    def __init__(self, access: Access, ask: Ask) -> None:
        self._access = access
        self._ask = ask

    async def take(self, request: Request) -> Response:
        """Have the board light a point for a device; answer with the number of touches, and its token.

        Answers 403 for a visitor from elsewhere, 409 if the board is busy, 429 if it was asked too often, and
        404 if others cannot play on this board.
        """
        access, address = self._access, address_of(request)
        if not access.can_pair:
            return _error(404, "This board is for this machine only.")
        if not access.may_sit(request):
            return _error(403, "Only a device in the house can do that.")
        if wait := access.wait_to_sit(address):
            return _error(429, "Too many requests.", wait)
        try:
            (name,) = await _read_texts(request, name="")
        except (RequestError, TimeoutError):
            return _error(400, 'this takes an object such as {"name": "Ada\'s phone"}')
        # Nothing is awaited until the device waits, so that each request is judged after those before it.
        if wait := access.wait_to_sit(address):
            return _error(429, "Too many requests.", wait)
        if access.seat.is_taken:
            return _error(409, "Another device is waiting.", CLAIM_FOR)
        claim = access.sit(name, address)
        try:
            await self._ask({"do": "phone", "times": claim.touches, "first": not access.devices})
        except (MillwrightError, TimeoutError) as error:
            access.seat.leave(claim)
            return _error(409, str(error), message=getattr(error, "message", None))
        _LOG.info("a device at %s says that its owner sits at the board", address)
        return JSONResponse({"token": claim.token, "touches": claim.touches, "left_s": CLAIM_FOR})

    async def claim(self, request: Request) -> Response:
        """Give the device its cookie once its point was touched.

        Answers 204 with it, 202 while the board waits, and 410 if it waits no more.
        """
        access = self._access
        try:
            (token,) = await _read_texts(request, token=None)
        except (RequestError, TimeoutError):
            return _error(400, 'this takes an object such as {"token": "…"}')
        claim = access.seat.of(token) if access.may_sit(request) else None
        if claim is None:
            return _error(410, "The board does not wait for this device.")
        try:
            await self._ask({"do": "take-phone"})
        except (MillwrightError, TimeoutError) as error:
            if isinstance(error, MillwrightError) and error.message == _WAITS:
                return JSONResponse({}, 202)
            access.seat.leave(claim)
            message = getattr(error, "message", None)
            if message == _MISCOUNTED:
                _LOG.warning("not touched as often as the device at %s shows", address_of(request))
            return _error(410, str(error), message=message if message == _MISCOUNTED else None)
        access.seat.leave(claim)
        response = Response(status_code=204)
        device = await access.pair(claim.name, response)
        _LOG.info("device %d was paired from %s by a touch", device.number, address_of(request))
        return response


def _public(pairing: Pairing) -> dict[str, Any]:
    return {"code": pairing.code, "left_s": ceil(pairing.left_s)}


async def _read_entry(request: Request) -> tuple[str, str]:
    """Return code and name in the body of `request`; raise RequestError or TimeoutError without them."""
    try:
        code, name = await _read_texts(request, code=None, name="")
    except RequestError as error:
        hint = 'an entry is an object such as {"code": "1234 5678", "name": "Ada\'s phone"}'
        raise RequestError(f"{error}; {hint}") from error
    return code, name


async def _read_texts(request: Request, **members: str | None) -> list[str]:
    """Return the texts of these members of the object in the body; None stands for one that must be there.

    Raises RequestError or TimeoutError without them.
    """
    body = b""
    try:
        async with asyncio.timeout(_ENTRY_TIMEOUT_S):
            async for part in request.stream():
                body += part
                if len(body) > MESSAGE_BYTES:
                    raise RequestError(f"a code has no more than {MESSAGE_BYTES} bytes")
    except ClientDisconnect as error:
        raise RequestError("the connection ended before its end") from error
    try:
        entry = parse_request(body.decode())
    except UnicodeDecodeError as error:
        raise RequestError("this is not UTF-8 text") from error
    texts = [entry.get(member, default) for member, default in members.items()]
    found = [text for text in texts if isinstance(text, str)]
    if len(found) < len(texts):
        raise RequestError(f"it needs texts as {' and '.join(members)}")
    return found


def _error(status: int, text: str, wait: Seconds = 0.0, message: Message | None = None) -> JSONResponse:
    headers = {"Retry-After": str(ceil(wait))} if wait else {}
    why = {} if message is None else {"said": message.as_dict()}
    return JSONResponse({"error": text, "wait_s": ceil(wait), **why}, status, headers)
