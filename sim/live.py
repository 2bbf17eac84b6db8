"""`millwright sim`: the simulated board in real time, played on its page in the browser.

Rules kept here: start-up is a list, shutdown its reverse; the board's loop runs in the main thread and alone
touches board and table; the page is told what changed after each pass and never waited for.
"""

from __future__ import annotations

import webbrowser
from collections.abc import Callable
from contextlib import ExitStack
from threading import Thread
from typing import Any

from firmware_host.assembly import worth_going_on
from firmware_host.config import secret_path
from firmware_host.daemon import Loop, stopped_by_signals, wall_ms
from firmware_host.events import Event
from firmware_host.face import Face
from firmware_host.looking import Looking
from firmware_host.settings import Address
from firmware_host.store.keeper import Store
from firmware_host.store.thread import StoreThread
from firmware_host.web import messages
from firmware_host.web.server import WebServer
from sim.assembly import Blueprint, SimulatedPlay
from sim.clock import Clock, RealClock
from sim.lying import Lying

Tell = Callable[[str], object]


def run(blueprint: Blueprint, *, page: Address, browse: Tell | None, say: Tell) -> None:
    """Play until SIGINT or SIGTERM; `say` is told where the page is. Raises PageError where it cannot be.

    `browse` is given the page's address to open it, in a thread of its own: a browser may take seconds.
    """
    with ExitStack() as parts:
        clock = RealClock()
        play, writer = _start(blueprint, clock, parts)
        parts.callback(play.close)
        loop = Loop(play.board, blueprint.config.timing.frame_rate_hz)
        table = LiveTable(play, clock)
        looking = Looking(lambda: table.face.game, writer)
        parts.callback(looking.close)
        server = WebServer(
            lambda request: (
                looking.submit(request) if "ask" in request else loop.submit(lambda: table.do(request))
            ),
            page.host,
            page.port,
            tell_record=looking.record,
            others=secret_path() if page.listen else None,
        )
        parts.callback(server.close)
        parts.enter_context(stopped_by_signals(loop.stop))
        server.start()
        say(f"The board is at {server.address} (Ctrl-C ends it)")
        if server.invitation:
            say(server.invitation)
        if browse is not None:
            Thread(target=browse, args=(server.address,), name="browser", daemon=True).start()
        loop.run(lambda events, _now: table.tell(server.publish, events))


def _start(blueprint: Blueprint, clock: Clock, parts: ExitStack) -> tuple[SimulatedPlay, StoreThread | None]:
    """The board, with the last game on it if its games are kept, and then who keeps them."""
    if blueprint.store is None:
        return blueprint.build(clock), None
    store = Store(blueprint.store, wall_ms=wall_ms)
    writer = StoreThread(store)
    parts.callback(writer.close)
    play = blueprint.build(clock, worth_going_on(store.last(), blueprint.rules), store)
    writer.start()
    return play, writer


class LiveTable:
    """The simulated board as its page sees it: what it may ask for, and what it is told."""

    def __init__(self, play: SimulatedPlay, clock: Clock) -> None:
        self._play = play
        self._clock = clock
        self._lying = Lying(play.electronics.table)
        self._changed = True
        self.face = Face(
            play.controller,
            sent=lambda: play.electronics.spi.writes,
            shining=play.leds,
            table=self._where,
            held=lambda: play.hands.held,
        )

    def do(self, request: dict[str, Any]) -> None:
        """Do what the page asks for, with hands or by a button; raises what is wrong with it."""
        self._changed = self._changed or "push" not in request
        if "do" in request:
            self._play.perform(request)
        else:
            self._play.hands.do(request, self._clock.now())
            self._lying.touch()

    def tell(self, publish: Callable[[messages.Message], None], events: tuple[Event, ...]) -> None:
        """Publish what is new since the last call: all of it, or only where pieces are, and the light."""
        moved = self._lying.moved(self._clock.now())
        self.face.tell(publish, anew=bool(events) or self._changed)
        if moved and not self._changed:
            publish(messages.lying(self._where()))
        self._changed = False

    def _where(self) -> messages.Message:
        """Where every piece is, as the page is told."""
        kinds = map(str, self._play.controller.session.game.rules.box)
        return self._lying.at(self._clock.now(), kinds)


def open_page(address: str) -> None:
    """Open a page in a browser with windows, if there is one; one in the terminal would take that over."""
    try:
        with_windows = type(webbrowser.get()) is not webbrowser.GenericBrowser
    except webbrowser.Error:
        return
    if with_windows:
        webbrowser.open(address)
