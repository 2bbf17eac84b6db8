"""`millwright sim`: the simulated board in real time, played on its page in the browser.

Rules kept here: the board's loop runs in the main thread and alone touches board and table; the page is told
what changed after each pass and never waited for.
"""

from __future__ import annotations

import webbrowser
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import TypeVar

from firmware_host.runtime.loop import Loop, wall_ms
from firmware_host.runtime.page import Page, shown
from firmware_host.store.archive import Shelf
from sim.assembly import Blueprint
from sim.live.board import LiveTable

Tell = Callable[[str], object]
_T = TypeVar("_T")


def run(blueprint: Blueprint, *, page: Page, browse: Tell | None, say: Tell) -> None:
    """Play until SIGINT or SIGTERM; `say` is told where the page is. Raises PageError where it cannot be.

    `browse` is given the page's address to open it, in a thread of its own: a browser may take seconds.
    """
    config = blueprint.config
    with ExitStack() as parts:
        table = LiveTable(blueprint, wall_ms=wall_ms)
        parts.callback(table.close)
        loop = Loop(table, config.timing.frame_rate_hz)
        archive = _Archive(blueprint.store, loop, table) if blueprint.store else None
        server = parts.enter_context(shown(table, loop, config, page, archive=archive, say=say))
        if browse is not None:
            Thread(target=browse, args=(server.address,), name="browser", daemon=True).start()
        loop.run(lambda _events, _now: table.tell(server.publish, server.watchers))


@dataclass(frozen=True, slots=True)
class _Archive:
    """The games that are kept at `path`, read between two passes of the loop, which writes them too."""

    path: Path
    loop: Loop
    table: LiveTable

    def read(self, work: Callable[[Shelf], _T]) -> Future[_T]:
        """Have `work` done with them; from any thread."""
        return self.loop.submit(lambda: self.table.read(work))


def open_page(address: str) -> None:
    """Open a page in a browser with windows, if there is one; one in the terminal would take that over."""
    try:
        with_windows = type(webbrowser.get()) is not webbrowser.GenericBrowser
    except webbrowser.Error:
        return
    if with_windows:
        webbrowser.open(address)
