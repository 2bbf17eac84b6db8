"""The web application: the page's files, `/ws` to play, `/status`, pairing, the saved games and updates.

Invariants: the requests of one page are carried out in order, one at a time. A request that fails gets its
error as a reply. A page that accepts nothing for a while, or lags too far behind, is dropped. No page is
waited for, except by itself.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from math import ceil
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from firmware_host.errors import MillwrightError, RequestError
from firmware_host.frozen import frozen
from firmware_host.i18n import Message, to_english
from firmware_host.web.access import Access, address_of, is_here
from firmware_host.web.broadcast import LagError, Mailbox, PageBroadcast
from firmware_host.web.capacity import Place
from firmware_host.web.error_pages import error_response
from firmware_host.web.lesson import LessonLeader
from firmware_host.web.messages import PageMessage, as_text, parse_request, reply, take_id, welcome
from firmware_host.web.pairing.devices import Device
from firmware_host.web.pairing.routes import GetAddresses, pairing_routes
from firmware_host.web.rate_limits import MAX_PAGES, Bucket, Visitors
from firmware_host.web.rooms import RoomRelay
from firmware_host.web.saved_games import GamesReader, changing_routes, games_routes
from firmware_host.web.static_files import PageFiles
from firmware_host.web.updates import Updates, update_routes

Submit = Callable[[dict[str, Any]], Future[Any]]
"""Hands a request to the board; the future is returned at once and ends with the result or an error."""

GetStatus = Callable[[], PageMessage]
"""Returns the board's status; may block for a moment, and raises TimeoutError if the board is silent."""

_SEND_TIMEOUT_S = 10.0
_REPLY_TIMEOUT_S = 10.0
_REQUESTS_A_SECOND = 200
"""More than dragging with two fingers sends."""
_NO_ANSWER = Message("refused.no-answer")
_RARE_REQUESTS = {"ask", "analyse", "resync", "watch", "lead", "rooms", "setting", "log", "report"}
"""The requests that no drag repeats, and that have a lower limit."""
_OF_THIS_MACHINE = ("take-phone", "take-network", "wifi")
"""The requests of the server itself and of companions, which use up a touch, or report."""
_RARE_REQUESTS_A_SECOND = 10
_RARE_REQUESTS_AT_ONCE = 60


class PendingReplies:
    """The requests whose replies have not been sent yet, for the thread that closes the server."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._requests: dict[object, Future[Any]] = {}

    def begin(self, page: object, submit: Callable[[], Future[Any]]) -> Future[Any]:
        """Submit the one request of `page`, whose reply is pending from then on.

        Both happen under the lock, since the board may be done, and about to close, at once.
        """
        with self._changed:
            future = self._requests[page] = submit()
        return future

    def end(self, page: object) -> None:
        """Note that the reply to `page` was sent, or that the page is gone."""
        with self._changed:
            self._requests.pop(page, None)
            self._changed.notify_all()

    def flush(self, timeout_s: float) -> None:
        """Wait at most `timeout_s` seconds until every request that the board has done is answered.

        A request that the board has not done is not waited for: nobody may be left to do it.
        """
        with self._changed:
            self._changed.wait_for(lambda: not any(one.done() for one in self._requests.values()), timeout_s)


@frozen(slots=False)
class PageBackend:
    """The parts behind the page's address: a board, the access to it, and optional parts."""

    submit: Submit
    access: Access
    visitors: Visitors
    leading: LessonLeader
    relay: RoomRelay
    replies: PendingReplies
    addresses: GetAddresses
    tell_status: GetStatus | None = None
    games: GamesReader | None = None
    updates: Updates | None = None


def application(feed: PageBroadcast, board: PageBackend) -> Starlette:
    """Return the application, without its guard."""

    async def play(socket: WebSocket) -> None:
        evicted = asyncio.Event()
        with board.visitors.page(address_of(socket), evicted.set) as place:
            if place is not None:
                await _serve_websocket(socket, feed, board, place, evicted)
            else:
                text = f"There are too many pages open on this board already ({MAX_PAGES} at most).\n"
                await socket.send_denial_response(PlainTextResponse(text, 503))

    async def status(request: Request) -> Response:
        assert board.tell_status is not None  # noqa: S101 - otherwise it has no route
        try:
            answer = await run_in_threadpool(board.tell_status)
        except TimeoutError:
            return error_response(request.headers, Message("http.silent"), 503)
        pairing = board.access.pairing
        if pairing is not None and is_here(request):
            answer = {**answer, "code": pairing.code, "code_left_s": ceil(pairing.left_s)}
        return JSONResponse(answer)

    return Starlette(
        routes=[
            WebSocketRoute("/ws", play),
            *pairing_routes(board.access, board.addresses, partial(_carried_out, board.submit)),
            *([Route("/status", status)] if board.tell_status else []),
            *games_routes(board.games),
            *changing_routes(board.games.changes if board.games else None, board.access),
            *update_routes(board.updates, board.access),
            Mount("/", PageFiles()),
        ],
        exception_handlers={500: _internal_error},
    )


async def _internal_error(request: Request, _error: Exception) -> Response:
    return error_response(request.headers, Message("http.stumbled"), 500)


async def _serve_websocket(
    socket: WebSocket, feed: PageBroadcast, board: PageBackend, place: Place, evicted: asyncio.Event
) -> None:
    """Serve one page until it is gone, or evicted from its `place`, which those who may play keep."""
    visit = board.access.visit(socket)
    may_play = visit.may_play
    if may_play:
        place.keep()
    submit = partial(_submit_as, board, visit.device) if may_play else partial(_submit_query, board.submit)
    opened = board.access.page(visit.device, evicted.set)
    with opened, feed.mailbox() as box, board.leading.page(box), board.relay.page(box):
        await socket.accept(headers=[(b"set-cookie", visit.cookie.encode())] if visit.cookie else None)
        await _send(socket, as_text(welcome(may_play=may_play, code=board.access.can_pair)))
        talk = _Talk(box, board.leading, board.relay, may_play=may_play, is_here=is_here(socket))
        listener = _Listener(socket, submit, feed, box, talk, board.replies)
        await _first_to_end(_tell(socket, box), listener.listen(), evicted.wait())


def _submit_as(board: PageBackend, device: Device | None, request: dict[str, Any]) -> Future[Any]:
    """Submit `request` of a page of `device`; raise RequestError if it was removed or may not do that."""
    if not board.access.still_admits(device):
        raise RequestError(Message("refused.only-looks"))
    if device is not None and request.get("do") in _OF_THIS_MACHINE:
        raise RequestError(f"only a program on the board's own machine can do {request['do']!r}")
    return board.submit(request)


async def _carried_out(submit: Submit, request: dict[str, Any]) -> Any:
    """Return the board's result of `request`; raise what it raises, or TimeoutError."""
    return await asyncio.wait_for(asyncio.wrap_future(submit(request)), _REPLY_TIMEOUT_S)


def _submit_query(submit: Submit, request: dict[str, Any]) -> Future[Any]:
    """Submit `request` if it changes nothing. Raise RequestError otherwise."""
    if "ask" not in request:
        raise RequestError(Message("refused.only-looks"))
    return submit(request)


async def _first_to_end(*jobs: Any) -> None:
    """Run `jobs` until one ends, and cancel the others.

    Raises what they raise, unless the page has just gone.
    """
    tasks = [asyncio.create_task(job) for job in jobs]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    except asyncio.CancelledError:
        return  # the server ends, has waited long enough, and cancels whatever still runs once more
    finally:
        for task in tasks:
            task.cancel()
    for ended in await asyncio.gather(*tasks, return_exceptions=True):
        gone = isinstance(ended, (WebSocketDisconnect, TimeoutError, LagError, asyncio.CancelledError))
        if isinstance(ended, BaseException) and not gone:
            raise ended


async def _tell(socket: WebSocket, box: Mailbox) -> None:
    while True:
        for text in await box.take():
            await _send(socket, text)


async def _send(socket: WebSocket, text: str) -> None:
    """Send `text` to the page. Raise WebSocketDisconnect if it has gone, or TimeoutError."""
    if socket.application_state is WebSocketState.DISCONNECTED:
        # The page's other task has seen that first; Starlette takes this one's message for a mistake.
        raise WebSocketDisconnect
    async with asyncio.timeout(_SEND_TIMEOUT_S):
        await socket.send_text(text)


class _Talk:
    """The requests by which pages agree with each other and with the link, which the board never sees."""

    def __init__(
        self, box: Mailbox, leading: LessonLeader, relay: RoomRelay, *, may_play: bool, is_here: bool
    ) -> None:
        self._box, self._leading, self._relay = box, leading, relay
        self._may_play, self._is_here = may_play, is_here

    async def done(self, request: dict[str, Any]) -> bool:
        """Carry out a request; return False if it isn't one of these. Raise RequestError if it is refused."""
        if self._may_play and "lead" in request:
            self._leading.do(self._box, request)
        elif self._may_play and request.keys() == {"rooms"}:
            await self._relay.of_page(self._box, request["rooms"])
        elif self._is_here and request.keys() == {"link"}:
            self._relay.of_link(self._box, request["link"])
        else:
            return False
        return True


class _Listener:
    """The requests of one page, and their replies."""

    def __init__(
        self,
        socket: WebSocket,
        submit: Submit,
        feed: PageBroadcast,
        box: Mailbox,
        talk: _Talk,
        replies: PendingReplies,
    ) -> None:
        self._socket = socket
        self._submit = submit
        self._feed = feed
        self._box = box
        self._talk = talk
        self._replies = replies
        self._requests = Bucket(_REQUESTS_A_SECOND, _REQUESTS_A_SECOND)
        self._seldom = Bucket(_RARE_REQUESTS_A_SECOND, _RARE_REQUESTS_AT_ONCE)

    async def listen(self) -> None:
        """Answer one request after the other until the page is gone."""
        while True:
            message = await self._socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            await self._wait_its_turn(self._requests)
            try:
                await _send(self._socket, as_text(await self._answered(message.get("text"))))
            finally:
                self._replies.end(self)

    async def _wait_its_turn(self, bucket: Bucket) -> None:
        # Until then, messages of the page wait in the network, not here.
        await asyncio.sleep(bucket.take(asyncio.get_running_loop().time()))

    async def _answered(self, text: str | None) -> PageMessage:
        """Return the reply to one request, once it is done."""
        request_id = None
        try:
            if text is None:
                raise RequestError("a request must be text, not bytes")
            request = parse_request(text)
            request_id = take_id(request)
            result = await self._done(request)
        except TimeoutError:
            return reply(request_id, to_english(_NO_ANSWER), message=_NO_ANSWER)
        except MillwrightError as error:
            return reply(request_id, str(error), message=error.message)
        return reply(request_id, result=result)

    async def _done(self, request: dict[str, Any]) -> object:
        if request.keys() & _RARE_REQUESTS:
            await self._wait_its_turn(self._seldom)
        if request == {"resync": True}:
            self._feed.tell_all(self._box)
            return None
        if request in ({"watch": True}, {"watch": False}):
            self._feed.watch(self._box, on=request["watch"])
            return None
        if await self._talk.done(request):
            return None
        future = self._replies.begin(self, lambda: self._submit(request))
        # Shielded: a page that goes away does not undo what it asked for.
        done = asyncio.shield(asyncio.wrap_future(future))
        return await asyncio.wait_for(done, _REPLY_TIMEOUT_S)
