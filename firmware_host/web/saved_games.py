"""The saved games at addresses of the page: downloads, and changes by devices that may play.

Downloads are `/games.json`, a list, `/games/3.pgn` or `.txt`, a record, and `/games/3.json`.

Invariants: of a request only a number and one of three endings are used, and the name of the download is made
here. A download is answered within the time of a reply. Only programs on this machine learn where the
games lie on disk.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any, Protocol, TypeVar

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from firmware_host.errors import MillwrightError, NoGameError, RequestError, reason_of
from firmware_host.i18n import Message, to_english
from firmware_host.web.access import Access, is_here
from firmware_host.web.error_pages import error_response
from firmware_host.web.messages import PageMessage

_T = TypeVar("_T")

_KINDS = {
    "pgn": "application/vnd.chess-pgn",
    "txt": "text/plain; charset=utf-8",
    "json": "application/json",
}
_MAX_DIGITS = 9
_SECONDS_TO_ANSWER = 10.0
_WHERE = Message("http.game-where")


class GamesReader(Protocol):
    """The saved games of a board, read by `views`; each future ends with the result or an error."""

    @property
    def path(self) -> Path | None:
        """The path of the games file, or None if no games are kept."""

    @property
    def changes(self) -> GamesChanger:
        """The service that adds, deletes and puts back games."""

    def listed(self, before: int | None) -> Future[dict[str, Any]]:
        """Return the newest summaries of games with ids below `before`."""

    def record(self, number: int, kind: str) -> Future[str]:
        """Return one game, written as `txt`, which is also `pgn`, or `json`."""


def games_routes(games: GamesReader | None) -> list[Route]:
    """Return the routes of saved games; if none are kept, the list says so."""

    async def listed(request: Request) -> Response:
        before = request.query_params.get("before")
        if before is not None and not _is_number(before):
            return error_response(request.headers, _WHERE, 404)
        where: PageMessage = {}
        if is_here(request):
            where = {"store": games and games.path and os.path.realpath(games.path)}
        if games is None or games.path is None:
            return JSONResponse({"games": [], "more": False, **where})
        answer = games.listed(None if before is None else int(before))
        return await _given(request, answer, _no_list, lambda found: JSONResponse({**found, **where}))

    async def game(request: Request) -> Response:
        number, kind = str(request.path_params["number"]), str(request.path_params["kind"])
        if games is None or kind not in _KINDS or not _is_number(number):
            return error_response(request.headers, _WHERE, 404)
        name = f"millwright-game-{int(number)}.{kind}"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        answer = games.record(int(number), kind)
        return await _given(
            request, answer, _no_game, lambda text: Response(text, 200, headers, _KINDS[kind])
        )

    return [Route("/games.json", listed), Route("/games/{number}.{kind}", game)]


def _is_number(text: str) -> bool:
    return len(text) <= _MAX_DIGITS and text.isascii() and text.isdigit()


async def _given(
    request: Request,
    answer: Future[_T],
    refusal: Callable[[Message | str], Message],
    response: Callable[[_T], Response],
) -> Response:
    """Return the response made of the result of `answer`, or the refusal with its reason."""
    why: Message | str
    try:
        return response(await asyncio.wait_for(asyncio.wrap_future(answer), _SECONDS_TO_ANSWER))
    except TimeoutError:
        why, status = Message("refused.disk-silent"), 503
    except NoGameError as error:
        why, status = error.message, 404
    except MillwrightError as error:
        why, status = reason_of(error), 503
    return error_response(request.headers, refusal(why), status)


def _no_list(why: Message | str) -> Message:
    return Message("http.games", {"why": why})


def _no_game(why: Message | str) -> Message:
    return Message("http.game", {"why": why})


# ---- changes --------------------------------------------------------------------------------------------
# Changes of saved games: `POST /games` adds those of a file, `DELETE /games/3` deletes, `PUT` puts back.
#
# Invariants: only visitors that may play change anything. A body has at most `MAX_BYTES`, and comes within
# seconds. Of an address only a number is used.


MAX_BYTES = 131_072
"""The size of a file of some hundred games; `millwright games import` takes greater ones."""
_BODY_TIMEOUT_S = 10.0
_SECONDS_TO_CHANGE = 20.0


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
        return JSONResponse(await asyncio.wait_for(asyncio.wrap_future(future), _SECONDS_TO_CHANGE))
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
