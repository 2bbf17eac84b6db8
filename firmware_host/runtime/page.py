"""A board that is played on, real or simulated, and its page: the start-up that both have in common.

Rules kept here: start-up is a list, shutdown its reverse; the loop's thread alone touches the board, and is
handed what pages have it do; what they only look at does not touch it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager
from typing import Any, Protocol

from firmware_host.config.loader import Config
from firmware_host.games.game import Game
from firmware_host.runtime.loop import Loop, Ticking, keeping_time, stopped_by_signals
from firmware_host.runtime.serving import Page
from firmware_host.views.queries import Archive, Looking
from firmware_host.views.status import of_games
from firmware_host.web.app import Submit, TellStatus
from firmware_host.web.server import WebServer


class Played(Ticking, Protocol):
    """A board that is played on."""

    @property
    def game(self) -> Game:
        """The game on it as pages were told of it last; any thread may ask."""

    def do(self, request: dict[str, Any]) -> Any:
        """Do what a page asks for; raises what is wrong with it."""


@contextmanager
def shown(
    board: Played,
    loop: Loop,
    config: Config,
    page: Page,
    *,
    archive: Archive | None,
    say: Callable[[str], object],
    tell_status: TellStatus | None = None,
) -> Iterator[WebServer]:
    """The page of `board`, from here to the end; meanwhile a signal stops the `loop` that drives the board.

    `archive` reads the games that are kept, where any are; `say` is told where the page is, and what
    `tell_status` knows of the board is told with the last game. Raises PageError where there can be no page.
    """
    with ExitStack() as parts:
        looking = Looking(lambda: board.game, archive)
        parts.callback(looking.close)
        status = tell_status and (lambda: {**tell_status(), **of_games(looking.last_over)})
        server = page.server(config, asking(board, loop, looking), status, looking)
        parts.callback(server.close)
        parts.enter_context(stopped_by_signals(loop.stop))
        parts.enter_context(keeping_time())
        server.start()
        say(f"The board is at {server.address} (Ctrl-C ends it)")
        if server.invitation:
            say(server.invitation)
        yield server


def asking(board: Played, loop: Loop, looking: Looking) -> Submit:
    """Has what pages ask for done between two passes of `loop`, and looks answered by `looking`."""

    def submit(request: dict[str, Any]) -> Future[Any]:
        return looking.submit(request) if "ask" in request else loop.submit(lambda: board.do(request))

    return submit
