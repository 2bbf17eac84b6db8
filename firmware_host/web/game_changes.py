"""Changes of saved games: `POST /games` adds those of a file, `DELETE /games/3` deletes, `PUT` puts back.

Invariants: only visitors that may play change anything. A body has at most `MAX_BYTES`, and comes within
seconds. Of an address only a number is used.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import Future
from typing import Any, Protocol

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from firmware_host.errors import MillwrightError, NoGameError, RequestError
from firmware_host.i18n import Message, to_english
from firmware_host.web.access import Access

MAX_BYTES = 131_072
"""The size of a file of some hundred games; `millwright games import` takes greater ones."""
_BODY_TIMEOUT_S = 10.0
_SECONDS_TO_ANSWER = 20.0
_MAX_DIGITS = 9


class GamesChanger(Protocol):
    """Changes the saved games of a board; each future ends with the result or an error."""

    def add(self, content: bytes, *, skip: bool) -> Future[dict[str, Any]]:
        """Add the games in the content of a file, with `skip` those that can be read."""

    def remove(self, number: int) -> Future[dict[str, Any]]:
        """Delete a game."""

    def restore(self, number: int) -> Future[dict[str, Any]]:
        """Put back a game that was deleted."""


def changing_routes(games: GamesChanger | None, access: Access) -> list[Route]:
    """Return the routes that change saved games; none if none are kept."""
    if games is None:
        return []

    async def added(request: Request) -> Response:
        if not access.visit(request).may_play:
            return refused(Message("refused.only-looks"), 403)
        try:
            content = await read_body(request)
        except TimeoutError:
            return refused(Message("refused.no-answer"), 408)
        except (RequestError, ClientDisconnect):
            return refused(Message("study.too-large", {"count": MAX_BYTES // 1024}), 413)
        return await _answer(games.add(content, skip="skip" in request.query_params))

    async def game(request: Request) -> Response:
        text = str(request.path_params["number"])
        if not access.visit(request).may_play:
            return refused(Message("refused.only-looks"), 403)
        if len(text) > _MAX_DIGITS or not (text.isascii() and text.isdigit()):
            return refused(Message("refused.not-understood"), 404)
        change = games.remove if request.method == "DELETE" else games.restore
        return await _answer(change(int(text)))

    return [
        Route("/games", added, methods=["POST"]),
        Route("/games/{number}", game, methods=["DELETE", "PUT"]),
    ]


async def read_body(request: Request) -> bytes:
    """Return the body of a request. Raise RequestError if it is too large, or TimeoutError."""
    body = bytearray()
    async with asyncio.timeout(_BODY_TIMEOUT_S):
        async for part in request.stream():
            body += part
            if len(body) > MAX_BYTES:
                raise RequestError(f"a file has no more than {MAX_BYTES} bytes")
    return bytes(body)


async def _answer(future: Future[dict[str, Any]]) -> Response:
    try:
        return JSONResponse(await asyncio.wait_for(asyncio.wrap_future(future), _SECONDS_TO_ANSWER))
    except TimeoutError:
        return refused(Message("refused.disk-silent"), 503)
    except NoGameError as error:
        return refused(error.message, 404)
    except MillwrightError as error:
        return refused(error.message, 409)


def refused(why: Message | None, status: int) -> Response:
    """Return the answer to a request that is refused because of `why`."""
    message = why or Message("refused.not-understood")
    return JSONResponse({"error": to_english(message), "said": message.as_dict()}, status)
