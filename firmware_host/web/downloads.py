"""Kept games to take away: `/games.json`, a list of them, `/games/3.txt`, a record like PGN, and
`/games/3.json`, with all times.

Rules kept here: nothing of a request but a number and one of two endings is used, and the file's name is
made here; no page waits longer than it would for a reply; where on the disk the games are is told to programs
on this machine alone.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any, Protocol, TypeVar

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from firmware_host.errors import MillwrightError, NoGameError, reason_of
from firmware_host.i18n import Message
from firmware_host.web.access import is_here
from firmware_host.web.error_pages import answer
from firmware_host.web.messages import PageMessage

_T = TypeVar("_T")

_KINDS = {"txt": "text/plain; charset=utf-8", "json": "application/json"}
_MOST_DIGITS = 9
_SECONDS_TO_ANSWER = 10.0
_WHERE = Message("http.game-where")


class Games(Protocol):
    """The games of a board; a future ends with what is asked for, or raises why not."""

    @property
    def path(self) -> Path | None:
        """The file that they are kept in; None where none are."""

    def listed(self, before: int | None) -> Future[dict[str, Any]]:
        """The newest games, of those with smaller numbers than `before`."""

    def record(self, number: int, kind: str) -> Future[str]:
        """A game written as `txt` or `json`."""


def games_routes(games: Games | None) -> list[Route]:
    """The addresses of kept games; where there are none, the list says so."""

    async def listed(request: Request) -> Response:
        before = request.query_params.get("before")
        if before is not None and not _is_number(before):
            return answer(request.headers, _WHERE, 404)
        where: PageMessage = {}
        if is_here(request):
            where = {"store": games and games.path and os.path.realpath(games.path)}
        if games is None or games.path is None:
            return JSONResponse({"games": [], "more": False, **where})
        told = games.listed(None if before is None else int(before))
        return await _given(request, told, _no_list, lambda found: JSONResponse({**found, **where}))

    async def game(request: Request) -> Response:
        number, kind = str(request.path_params["number"]), str(request.path_params["kind"])
        if games is None or kind not in _KINDS or not _is_number(number):
            return answer(request.headers, _WHERE, 404)
        name = f"millwright-game-{int(number)}.{kind}"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        told = games.record(int(number), kind)
        return await _given(request, told, _no_game, lambda text: Response(text, 200, headers, _KINDS[kind]))

    return [Route("/games.json", listed), Route("/games/{number}.{kind}", game)]


def _is_number(text: str) -> bool:
    return len(text) <= _MOST_DIGITS and text.isascii() and text.isdigit()


async def _given(
    request: Request,
    told: Future[_T],
    refusal: Callable[[Message | str], Message],
    response: Callable[[_T], Response],
) -> Response:
    """The response that is made of what is told, or the refusal, which says why there is none."""
    why: Message | str
    try:
        return response(await asyncio.wait_for(asyncio.wrap_future(told), _SECONDS_TO_ANSWER))
    except TimeoutError:
        why, status = Message("refused.disk-silent"), 503
    except NoGameError as error:
        why, status = error.said, 404
    except MillwrightError as error:
        why, status = reason_of(error), 503
    return answer(request.headers, refusal(why), status)


def _no_list(why: Message | str) -> Message:
    return Message("http.games", {"why": why})


def _no_game(why: Message | str) -> Message:
    return Message("http.game", {"why": why})
