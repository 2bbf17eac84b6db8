"""Kept games to take away: `/games/3.txt`, a record like PGN, and `/games/3.json`, with all times.

Rules kept here: nothing of a request but a number and one of two endings is used, and the file's name is
made here; no page waits longer than it would for a reply.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from firmware_host.errors import MillwrightError, NoGameError, reason_of
from firmware_host.said import Said
from firmware_host.web.answers import answer

TellRecord = Callable[[int, str], Future[str]]
"""Has a kept game written as `txt` or `json`; the future ends with it, or raises why not."""

_KINDS = {"txt": "text/plain; charset=utf-8", "json": "application/json"}
_MOST_DIGITS = 9
_SECONDS_TO_ANSWER = 10.0


def games_routes(tell_record: TellRecord) -> list[Route]:
    """The addresses of kept games."""

    async def game(request: Request) -> Response:
        number, kind = str(request.path_params["number"]), str(request.path_params["kind"])
        if kind not in _KINDS or len(number) > _MOST_DIGITS or not (number.isascii() and number.isdigit()):
            return answer(request.headers, Said("http.game-where"), 404)
        try:
            done = asyncio.wrap_future(tell_record(int(number), kind))
            text = await asyncio.wait_for(done, _SECONDS_TO_ANSWER)
        except TimeoutError:
            return _not_given(request, Said("refused.disk-silent"), 503)
        except NoGameError as error:
            return _not_given(request, error.said, 404)
        except MillwrightError as error:
            return _not_given(request, reason_of(error), 503)
        name = f"millwright-game-{int(number)}.{kind}"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(text, media_type=_KINDS[kind], headers=headers)

    return [Route("/games/{number}.{kind}", game)]


def _not_given(request: Request, why: Said | str, status: int) -> Response:
    return answer(request.headers, Said("http.game", {"why": why}), status)
