"""The program on a real board, put together.

Rules kept here: start-up is a list, shutdown its reverse; the board's loop runs in the main thread and alone
touches the drivers; whatever is wrong, with the settings, the sensors or the strip, the page says so and the
program stays, until a signal ends it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from random import SystemRandom
from typing import Any, NoReturn

from firmware_host import requests
from firmware_host.assembly import assemble
from firmware_host.board import Board
from firmware_host.config import Config, find, load
from firmware_host.daemon import Loop, stopped_by_signals
from firmware_host.errors import ConfigError, RequestError, SensorError, StripError
from firmware_host.events import Event, FaultCleared, FaultFound
from firmware_host.face import Face, Publish
from firmware_host.games.game import Player
from firmware_host.games.rulesets import rule_set
from firmware_host.ports import Alphabet, LedPort, SensorPort
from firmware_host.snapshot import shining
from firmware_host.web.server import WebServer
from firmware_host.wires import places
from hardware.leds import open_strip
from hardware.opening import SensorsWhenReady, StripWhenReady
from hardware.sensors import open_sensors

Say = Callable[[str], object]


def play(given: str | None, host: str, port: int, say: Say, tell: Say) -> None:
    """Play on this Pi's board until SIGINT or SIGTERM, by the file `given` or the one that counts without it.

    `say` is told where the page is, and `tell` what is wrong. Raises PageError where there can be no page.
    """
    config, trouble = _settings(given, tell)
    with ExitStack() as parts:
        board = RealPlay(config, tell, trouble=trouble)
        parts.callback(board.board.close)
        loop = Loop(board.board, config.timing.frame_rate_hz)
        server = WebServer(lambda request: loop.submit(lambda: board.do(request)), host, port)
        parts.callback(server.close)
        parts.enter_context(stopped_by_signals(loop.stop))
        server.start()
        say(f"The board is at {server.address} (Ctrl-C ends it)")
        loop.run(lambda events, _now: board.tell(server.publish, events))


class RealPlay:
    """A real board and what plays on it.

    `trouble` is what is wrong with its settings: then it only says so.
    """

    def __init__(
        self,
        config: Config,
        say: Say,
        *,
        trouble: Sequence[str] = (),
        sensors: SensorPort | None = None,
        strip: LedPort | None = None,
    ) -> None:
        """`sensors` and `strip` stand in for those of the settings, which are opened when first used."""
        rules = rule_set(config.play.rules, config.play.switches)
        layout, leds = rules.layout, places(config.strip, rules.layout)
        counts = [len(own) for own in leds]
        controller = assemble(
            rules,
            Alphabet(config.sensors.alphabet),
            config,
            draw_lot=lambda: SystemRandom().choice(list(Player)),
            counts=counts,
            spare=config.strip.leds - sum(counts),
        )
        if trouble:
            sensors, strip = SensorsWhenReady(_no_sensors), StripWhenReady(_no_strip)
        self.board = Board(
            sensors or SensorsWhenReady(lambda: open_sensors(layout, config.sensors, config.strip)),
            strip or StripWhenReady(lambda: open_strip(config.strip, leds, say)),
            controller,
        )
        self._say = say
        self._asked = False
        self._face = Face(
            controller,
            sent=lambda: controller.leds,
            shining=lambda: shining(layout, controller.leds),
            trouble=trouble,
        )

    def do(self, request: dict[str, Any]) -> None:
        """Do what a page asks for by a button; raises what is wrong with it."""
        if "do" not in request:
            raise RequestError("this board has real pieces: move them by hand")
        self._asked = True
        requests.perform(self.board.controller, request)

    def tell(self, publish: Publish, events: tuple[Event, ...]) -> None:
        """Publish what is new since the last call, and say what broke or was mended."""
        for event in events:
            if isinstance(event, FaultFound):
                self._say(f"{event.part}: {event.text}")
            elif isinstance(event, FaultCleared):
                self._say(f"{event.part}: all is well again")
        self._face.tell(publish, anew=bool(events) or self._asked)
        self._asked = False


def _settings(given: str | None, say: Say) -> tuple[Config, list[str]]:
    """What holds, and what is wrong with it; where something is, all is as it comes."""
    try:
        return load(find(given)), []
    except ConfigError as error:
        say(str(error))
        return Config.default(), str(error).split("\n")


def _no_sensors() -> NoReturn:
    raise SensorError("its settings cannot be used: mend them, and start it again")


def _no_strip() -> NoReturn:
    raise StripError("its settings cannot be used")
