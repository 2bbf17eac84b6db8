"""`millwright sim`: the simulated board in real time, played on its page in the browser.

Invariants: the board's loop runs in the main thread, and only it uses board and table. The page gets the
changes after each pass and is never waited for.
"""

from __future__ import annotations

import webbrowser
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import ExitStack
from pathlib import Path
from random import SystemRandom
from threading import Thread
from typing import TypeVar

from firmware_host.frozen import frozen
from firmware_host.runtime.clock import machine_clock
from firmware_host.runtime.engines.opponent import AbsentEngine, Engine
from firmware_host.runtime.engines.supervised import SupervisedEngine
from firmware_host.runtime.factory import worker_command
from firmware_host.runtime.loop import Loop
from firmware_host.runtime.page import PageAddress, serve_page
from firmware_host.store.archive import Archive
from firmware_host.store.database import StoredGame
from sim.assembly import Blueprint
from sim.live.board import LiveBoard

Tell = Callable[[str], object]
_T = TypeVar("_T")


def run(blueprint: Blueprint, *, page: PageAddress, browse: Tell | None, say: Tell) -> None:
    """Play until SIGINT or SIGTERM; `say` receives the page's address. Raises PageError if it cannot start.

    `browse` opens that address, in a thread of its own, since a browser may take seconds.
    """
    config = blueprint.config
    with ExitStack() as parts:
        engine = _engine(blueprint)
        parts.callback(engine.close)
        table = LiveBoard(blueprint, wall=machine_clock(), engine=engine)
        parts.callback(table.close)
        loop = Loop(table, config.timing.frame_rate_hz, min_period=lambda: table.min_period)
        archive = _Archive(blueprint.store, loop, table) if blueprint.store else None
        server = parts.enter_context(serve_page(table, loop, config, page, archive=archive, say=say))
        if browse is not None:
            Thread(target=browse, args=(server.address,), name="browser", daemon=True).start()
        loop.run(lambda _events, _now: table.publish_changes(server.publish, server.watchers))


def _engine(blueprint: Blueprint) -> Engine:
    """Return the engine of a board in real time."""
    if not blueprint.engine:
        return AbsentEngine()
    return SupervisedEngine(SystemRandom().getrandbits(32), worker_command(blueprint.config.play))


@frozen
class _Archive:
    """The games at `path`, read between two passes of the loop, which also writes them."""

    path: Path
    loop: Loop
    table: LiveBoard

    def read(self, work: Callable[[Archive], _T]) -> Future[_T]:
        """Run `work` on the games; may be called from any thread."""
        return self.loop.submit(lambda: self.table.read(work))

    def keep_analysis(self, one: StoredGame, analysis: str) -> Future[bool]:
        """Keep the `analysis` of a game; may be called from any thread."""
        return self.loop.submit(lambda: self.table.keep_analysis(one, analysis))


def open_page(address: str) -> None:
    """Open a page in a graphical browser, if there is one; a text browser would take over the terminal."""
    try:
        with_windows = type(webbrowser.get()) is not webbrowser.GenericBrowser
    except webbrowser.Error:
        return
    if with_windows:
        webbrowser.open(address)
