"""The board without its game, after the program has stopped again and again, or with settings that it cannot
use: light goes round, and the page says in one sentence what happened and what to do.

Rules kept here: nothing of the game, its store or the sensors is touched, since one of them may be to blame;
strip and page are each tried, and a fault of one leaves the other; a signal ends it, as ever.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from firmware_host import __version__
from firmware_host.config.loader import Config
from firmware_host.config.wiring_map import places
from firmware_host.errors import PageError, RequestError, reason_of
from firmware_host.games.game import Player
from firmware_host.games.layout import Layout
from firmware_host.games.rulesets import rule_set
from firmware_host.i18n import Message, to_english
from firmware_host.lights.renderer import Renderer
from firmware_host.lights.scene import Cue, Scene
from firmware_host.lights.themes import theme_named
from firmware_host.play.board import Progress
from firmware_host.play.strip_refresh import Sending
from firmware_host.ports import Alphabet, LedFrame, LedPort
from firmware_host.runtime.factory import assemble
from firmware_host.runtime.journal import NOTICE
from firmware_host.runtime.loop import Loop, stopped_by_signals
from firmware_host.runtime.page import Page
from firmware_host.runtime.watchdog import Condition, Service
from firmware_host.settings import Microseconds
from firmware_host.views.page_updates import Face, Publish
from firmware_host.views.snapshot import shining
from firmware_host.views.status import of_machine
from firmware_host.web import messages
from firmware_host.web.server import WebServer
from hardware.machine import PiMachine
from hardware.reconnect import strip_when_ready

_LOG = logging.getLogger(__name__)
RATE_HZ = 20
TRY_AGAIN = "try-again"
"""The request that ends it."""

_SECOND: Microseconds = 1_000_000
_LOOK_EVERY: Microseconds = 5 * _SECOND
_RING = 8
"""So many points, the last of the layout, are the outermost ring."""


@dataclass(frozen=True, slots=True)
class Why:
    """Why the board does not play: a sentence, and each fault as its part and its text."""

    said: Message
    faults: tuple[tuple[str, str], ...]


def run(
    why: Why,
    config: Config,
    is_over: Callable[[float], bool],
    *,
    page: Page,
    service: Service,
) -> bool:
    """Say so until it is to be tried again (True), or a signal ends the program (False).

    `is_over` is asked every few seconds, with how many have passed, whether it is to be tried again; a page
    can ask for that, too. `config` says what of the strip and its light, and may be as it comes.
    """
    with ExitStack() as parts:
        board = SafeBoard(why, config)
        parts.callback(board.close)
        loop = Loop(board, RATE_HZ)
        server = _page(board, loop, page, config)
        if server is not None:
            parts.callback(server.close)
        parts.enter_context(stopped_by_signals(loop.stop))
        if server is not None:
            server.start()
            _LOG.log(NOTICE, "The board does not play, and says why at %s", server.address)

        def after(_events: object, now: Microseconds) -> None:
            if server is not None:
                board.tell(server.publish)
            service.passed(board.condition, now)
            if board.looks(now) and is_over(now / _SECOND):
                board.is_over = True
            if board.is_over:
                loop.stop()

        loop.run(after)
        if not board.is_over:
            service.stopping()
    return board.is_over


def _page(board: SafeBoard, loop: Loop, page: Page, config: Config) -> WebServer | None:
    """The server of the page; None where there can be none, which is no reason to be dark as well."""
    try:
        return page.server(
            config,
            lambda request: loop.submit(lambda: board.do(request)),
            lambda: loop.ask(board.status) | of_machine(),
        )
    except PageError as error:
        _LOG.error("%s", error)
    except Exception:  # noqa: BLE001 - it may be what made the program stop
        _LOG.exception("the page cannot be served")
    return None


class SafeBoard:
    """A strip with a light that goes round, and what a page is told.

    `strip` stands in for that of `config`.
    """

    def __init__(self, why: Why, config: Config, strip: LedPort | None = None) -> None:
        self.is_over = False
        """Whether somebody asked to try again."""
        self._why = why
        rules = rule_set()
        self._layout: Layout = rules.layout
        leds = places(config.strip, self._layout)
        counts = [len(own) for own in leds]
        lights = config.lights
        self._renderer = Renderer(
            self._layout,
            lights,
            theme_named(lights.theme),
            counts=counts,
            spare=config.strip.leds - sum(counts),
        )
        self._strip = strip or strip_when_ready(config.sensors, config.strip, leds, PiMachine(), _LOG.info)
        self._frame: LedFrame = ()
        self._fault: Message | str = ""
        self._has_news = False
        bare = assemble(rules, Alphabet.PRESENCE, Config.default(), draw_lot=lambda: Player.WHITE)
        bare.blind_step(why.said, 0)
        self._face = Face(bare, sent=lambda: self._frame, shining=lambda: shining(self._layout, self._frame))
        self._sending = Sending()
        self._look_at: Microseconds = 0
        self._now: Microseconds = 0
        self._rounds = 0

    def tick(self, now: Microseconds) -> tuple[()]:
        """Let the light go on."""
        self._now = now
        self._rounds += 1
        self._frame = self._renderer.render(going_round(self._layout, now), now)
        if self._sending.is_due(self._frame, now):
            self._show(now)
        return ()

    def do(self, request: Mapping[str, Any]) -> None:
        """Do what a page asks for; raises RequestError for all but to try again."""
        if request.get("do") != TRY_AGAIN:
            raise RequestError(Message("refused.safe"))
        self.is_over = True

    def tell(self, publish: Publish) -> None:
        """Publish what is new since the last call."""
        self._face.tell(lambda message: publish(self._said(message)), self._now, anew=self._has_news)
        self._has_news = False

    def looks(self, now: Microseconds) -> bool:
        """Whether it is time to look whether it is over."""
        if now < self._look_at:
            return False
        self._look_at = now + _LOOK_EVERY
        return True

    def condition(self) -> Condition:
        """How the board is, for the service manager: ready to say what is wrong."""
        return Condition(Progress(self._rounds, self._rounds), self._rounds, to_english(self._why.said))

    def status(self) -> dict[str, Any]:
        """How the board is, for who asks."""
        return {
            "version": __version__,
            "uptime_s": self._now // _SECOND,
            "status": "safe mode",
            "sentence": to_english(self._why.said),
            "faults": {part: to_english(what) for part, what in self._faults()},
        }

    def close(self) -> None:
        """Go dark."""
        self._strip.close()

    def _show(self, now: Microseconds) -> None:
        try:
            self._strip.show(self._frame)
        except Exception as error:  # noqa: BLE001 - it may be what made the program stop
            self._sending.did_fail(now)
            if not self._fault:
                _LOG.error("leds: %s", error)
            self._has_news |= self._fault != reason_of(error)
            self._fault = reason_of(error)
        else:
            self._sending.succeeded(self._frame, now)
            if self._fault:
                self._fault, self._has_news = "", True

    def _said(self, message: messages.PageMessage) -> messages.PageMessage:
        """What a board that cannot play says, with why that is."""
        if "state" not in message:
            return message
        faults = self._faults()
        own = {
            "sentence": to_english(self._why.said),
            "said": self._why.said.as_dict(),
            "can": [TRY_AGAIN],
            "faults": [to_english(what) for _, what in faults],
            "faults_said": [Message(f"fault.{part}", {"text": what}).as_dict() for part, what in faults],
        }
        return {**message, "state": {**message["state"], **own}}

    def _faults(self) -> list[tuple[str, Message | str]]:
        return [*self._why.faults, *([("leds", self._fault)] if self._fault else [])]


def going_round(layout: Layout, now: Microseconds) -> Scene:
    """One light that goes round the outermost ring, a second on each point."""
    point = layout.points[-_RING:][now // _SECOND % _RING]
    return Scene({point: frozenset({Cue.BROKEN})})
