"""Safe mode: the board without its game, after repeated crashes or with an unusable configuration.

One light runs around the board, and the page says in one sentence what happened and what to do.

Invariants: the game, its store and the sensors are not touched, since one of them may be the cause. Strip and
page are started independently, so that a fault of one leaves the other. A signal ends the program, as usual.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from typing import Any

from firmware_host import __version__
from firmware_host.config.loader import Config
from firmware_host.config.wiring_map import led_positions
from firmware_host.errors import PageError, RequestError, reason_of
from firmware_host.frozen import frozen
from firmware_host.games.game import Player
from firmware_host.games.layout import Layout
from firmware_host.games.rulesets import rule_set
from firmware_host.i18n import Message, to_english
from firmware_host.lights.cues import Cue
from firmware_host.lights.renderer import Renderer
from firmware_host.lights.scene import Scene
from firmware_host.lights.themes import theme_named
from firmware_host.play.board import LoopCounters, StripRefresh
from firmware_host.ports import LedFrame, LedPort, SensorKind
from firmware_host.runtime.factory import build_controller
from firmware_host.runtime.journal import NOTICE
from firmware_host.runtime.loop import Loop, stopped_by_signals
from firmware_host.runtime.page import PageAddress
from firmware_host.runtime.watchdog import BoardCondition, ServiceReporter
from firmware_host.settings import Microseconds
from firmware_host.views.page_state import PagePublisher, Publish
from firmware_host.views.snapshot import lit_points
from firmware_host.views.status import machine_status
from firmware_host.web import messages
from firmware_host.web.server import WebServer
from hardware.machine import PiMachine
from hardware.reconnect import reconnecting_strip

_LOG = logging.getLogger(__name__)
RATE_HZ = 20
TRY_AGAIN = "try-again"
"""The request that ends safe mode."""

_SECOND: Microseconds = 1_000_000
_POLL_INTERVAL: Microseconds = 5 * _SECOND
_RING_SIZE = 8
"""The size of the outermost ring, which is the last points of the layout."""


@frozen
class SafeModeReason:
    """The reason for safe mode: a sentence, and each fault with its part and its text."""

    message: Message
    faults: tuple[tuple[str, str], ...]


def run(
    why: SafeModeReason,
    config: Config,
    is_over: Callable[[float], bool],
    *,
    page: PageAddress,
    service: ServiceReporter,
) -> bool:
    """Show the reason until it is time to try again (True) or a signal ends the program (False).

    `is_over` is called every few seconds with the seconds that have passed, and returns whether to try again;
    a page can also request it. `config` describes the strip and its light, and may be the defaults.
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
            _LOG.log(NOTICE, "The board has stopped; %s says why", server.address)

        def after(_events: object, now: Microseconds) -> None:
            if server is not None:
                board.publish_changes(server.publish)
            service.passed(board.condition, now)
            if board.looks(now) and is_over(now / _SECOND):
                board.is_over = True
            if board.is_over:
                loop.stop()

        loop.run(after)
        if not board.is_over:
            service.stopping()
    return board.is_over


def _page(board: SafeBoard, loop: Loop, page: PageAddress, config: Config) -> WebServer | None:
    """Return the page's server, or None if there is none: the light must run even then."""
    try:
        return page.server(
            config,
            lambda request: loop.submit(lambda: board.do(request)),
            lambda: loop.ask(board.status) | machine_status(),
        )
    except PageError as error:
        _LOG.error("%s", error)
    except Exception:  # noqa: BLE001 - it may be what made the program stop
        _LOG.exception("the page cannot be served")
    return None


class SafeBoard:
    """A strip with one light that runs around it, and the page of a board that does not play.

    `strip` replaces that of `config`.
    """

    def __init__(self, why: SafeModeReason, config: Config, strip: LedPort | None = None) -> None:
        self.is_over = False
        """True if it is time to try again."""
        self._why = why
        rules = rule_set()
        self._layout: Layout = rules.layout
        leds = led_positions(config.strip, self._layout)
        counts = [len(own) for own in leds]
        lights = config.lights
        self._renderer = Renderer(
            self._layout,
            lights,
            theme_named(lights.theme),
            counts=counts,
            spare=config.strip.leds - sum(counts),
        )
        self._strip = strip or reconnecting_strip(config.sensors, config.strip, leds, PiMachine(), _LOG.info)
        self._frame: LedFrame = ()
        self._fault: Message | str = ""
        self._has_news = False
        bare = build_controller(rules, SensorKind.PRESENCE, Config.default(), draw_lot=lambda: Player.WHITE)
        bare.blind_step(why.message, 0)
        self._face = PagePublisher(
            bare, sent=lambda: self._frame, shining=lambda: lit_points(self._layout, self._frame)
        )
        self._refresh = StripRefresh()
        self._look_at: Microseconds = 0
        self._now: Microseconds = 0
        self._rounds = 0

    def tick(self, now: Microseconds) -> tuple[()]:
        """Move the light."""
        self._now = now
        self._rounds += 1
        self._frame = self._renderer.render(chasing_light(self._layout, now), now)
        if self._refresh.is_due(self._frame, now):
            self._show(now)
        return ()

    def do(self, request: Mapping[str, Any]) -> None:
        """Carry out the only request of this mode, to try again. Raise RequestError for any other."""
        if request.get("do") != TRY_AGAIN:
            raise RequestError(Message("refused.safe"))
        self.is_over = True

    def publish_changes(self, publish: Publish) -> None:
        """Publish the changes since the last call."""
        self._face.publish_changes(
            lambda message: publish(self._with_reason(message)), self._now, force=self._has_news
        )
        self._has_news = False

    def looks(self, now: Microseconds) -> bool:
        """Return whether it is time to check whether safe mode is over."""
        if now < self._look_at:
            return False
        self._look_at = now + _POLL_INTERVAL
        return True

    def condition(self) -> BoardCondition:
        """Return the board's condition for the service manager: ready, with the reason."""
        text = f"safe mode: {to_english(self._why.message)}"  # an update is undone by it
        return BoardCondition(LoopCounters(self._rounds, self._rounds), self._rounds, text)

    def status(self) -> dict[str, Any]:
        """Return the board's status."""
        return {
            "version": __version__,
            "uptime_s": self._now // _SECOND,
            "status": "safe mode",
            "sentence": to_english(self._why.message),
            "faults": {part: to_english(what) for part, what in self._faults()},
        }

    def close(self) -> None:
        """Darken the strip."""
        self._strip.close()

    def _show(self, now: Microseconds) -> None:
        try:
            self._strip.show(self._frame)
        except Exception as error:  # noqa: BLE001 - it may be what made the program stop
            self._refresh.did_fail(now)
            if not self._fault:
                _LOG.error("leds: %s", error)
            self._has_news |= self._fault != reason_of(error)
            self._fault = reason_of(error)
        else:
            self._refresh.succeeded(self._frame, now)
            if self._fault:
                self._fault, self._has_news = "", True

    def _with_reason(self, message: messages.PageMessage) -> messages.PageMessage:
        """Return `message` with the reason in it, as a board that cannot play sends it."""
        if "state" not in message:
            return message
        faults = self._faults()
        own = {
            "sentence": to_english(self._why.message),
            "said": self._why.message.as_dict(),
            "can": [TRY_AGAIN],
            "faults": [to_english(what) for _, what in faults],
            "advice": "",
            "advice_said": None,
            "rests": False,
            "faults_said": [Message(f"fault.{part}", {"text": what}).as_dict() for part, what in faults],
        }
        return {**message, "state": {**message["state"], **own}}

    def _faults(self) -> list[tuple[str, Message | str]]:
        return [*self._why.faults, *([("leds", self._fault)] if self._fault else [])]


def chasing_light(layout: Layout, now: Microseconds) -> Scene:
    """Return one light that moves round the outermost ring, one second at each point."""
    point = layout.points[-_RING_SIZE:][now // _SECOND % _RING_SIZE]
    return Scene({point: frozenset({Cue.BROKEN})})
