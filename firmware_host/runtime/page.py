"""The page of a board that is played on, real or simulated: its address and its start-up.

Invariants: start-up is a list and shutdown its reverse. Only the loop's thread touches the board; requests of
pages are handed to it, except queries, which do not touch the board.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager
from socket import socket
from typing import Any, Protocol

from firmware_host.config.loader import Config
from firmware_host.config.paths import devices_path
from firmware_host.frozen import frozen
from firmware_host.games.game import Game
from firmware_host.i18n import Message
from firmware_host.play.controller import Controller
from firmware_host.play.events import FILES
from firmware_host.runtime.analyst import Analyst
from firmware_host.runtime.clock import machine_clock
from firmware_host.runtime.loop import Loop, TickingBoard, prioritized_loop, stopped_by_signals
from firmware_host.state_files import DamagedFile, Report
from firmware_host.views.queries import QueryService, StoredGames
from firmware_host.views.status import last_game_status
from firmware_host.web.app import GetStatus, Submit
from firmware_host.web.saved_games import GamesReader
from firmware_host.web.server import WebServer
from firmware_host.web.updates import Updates


@frozen(slots=False)
class PageAddress:
    """The address wanted for the page; None and False leave it to the configuration.

    A socket that is `listening` already is served instead, to other machines as well.
    """

    host: str | None = None
    port: int | None = None
    listen: bool = False
    listening: socket | None = None

    def server(
        self,
        config: Config,
        submit: Submit,
        tell_status: GetStatus | None,
        games: GamesReader | None = None,
        report: Report | None = None,
    ) -> WebServer:
        """Return the page's server, which hands requests to `submit`, or raise PageError.

        `report` gets a file of its own that is damaged.
        """
        at = config.web.at(self.host, self.port, listen=self.listen)
        given = self.listening
        return WebServer(
            submit,
            at.host,
            at.port,
            tell_status=tell_status,
            games=games,
            others=devices_path() if at.listen or given is not None else None,
            report=report,
            pairs=self.listen,
            listening=None if given is None else given.dup(),
            clock=machine_clock(),
            updates=Updates.of() if config.web.update else None,
        )


class PlayableBoard(TickingBoard, Protocol):
    """A board that is played on, real or simulated."""

    @property
    def game(self) -> Game:
        """The game as it was last published to pages; any thread may read it."""

    def do(self, request: dict[str, Any]) -> Any:
        """Carry out a page's request and return its result, or raise a MillwrightError."""

    def note_damage(self, file: DamagedFile) -> None:
        """Show a file of the program that was set aside."""


@contextmanager
def serve_page(
    board: PlayableBoard,
    loop: Loop,
    config: Config,
    page: PageAddress,
    *,
    archive: StoredGames | None,
    say: Callable[[str], object],
    tell_status: GetStatus | None = None,
) -> Iterator[WebServer]:
    """Serve the page of `board` while the context lasts; a signal stops the `loop` that drives the board.

    `archive` reads the saved games, if there are any; `say` receives the page's address; `tell_status`
    returns the board's status, to which the last game is added. Raises PageError.
    """
    with ExitStack() as parts:
        analyst = Analyst()
        parts.callback(analyst.close)
        queries = QueryService(lambda: board.game, archive, analyst)
        parts.callback(queries.close)
        status = tell_status and (lambda: {**tell_status(), **last_game_status(queries.last_over)})
        router = request_router(board, loop, queries)
        server = page.server(
            config, router, status, queries, lambda file: loop.submit(lambda: board.note_damage(file))
        )
        parts.callback(server.close)
        parts.enter_context(stopped_by_signals(loop.stop))
        parts.enter_context(prioritized_loop())
        server.start()
        say(f"The board is at {server.address} (Ctrl-C ends it)")
        if server.invitation:
            say(server.invitation)
        yield server


def show_damage(controller: Controller, file: DamagedFile) -> None:
    """Show a file of the program that was set aside, beside those that are shown already."""
    before = controller.faults.get(FILES)
    what = file.message
    if before is not None:
        what = Message("fault.file.both", {"first": before, "second": what})
    controller.fault(FILES, what)


def request_router(board: PlayableBoard, loop: Loop, queries: QueryService) -> Submit:
    """Return a function that queues requests for `loop`, and hands queries and analyses to `queries`."""

    def submit(request: dict[str, Any]) -> Future[Any]:
        if "ask" in request or "analyse" in request:
            return queries.submit(request)
        return loop.submit(lambda: board.do(request))

    return submit
