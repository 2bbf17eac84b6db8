"""A controller that a test feeds with frames."""

from __future__ import annotations

from firmware_host.games.game import Player
from firmware_host.games.layout import MORRIS
from firmware_host.games.rulesets import rule_set
from firmware_host.i18n import Message
from firmware_host.lights.renderer import Renderer
from firmware_host.lights.themes import theme_named
from firmware_host.play.controller import Controller
from firmware_host.play.outage import OutageDetector
from firmware_host.play.part import PartSettings
from firmware_host.play.session import Session
from firmware_host.ports import NOTHING, SOMETHING, ChipMap, Frame, SensorKind
from firmware_host.settings import Controls, Lights, Play, Timing
from firmware_host.tracking.debounce import Debouncer

FRAME = 5_000


def new_session() -> Session:
    """Return a session before its first frame."""
    return Session(
        rule_set(),
        SensorKind.PRESENCE,
        timing=Timing(),
        play=Play(),
        draw_lot=lambda: Player.WHITE,
    )


class ControllerBench:
    """A controller that is fed a frame every 5 ms."""

    def __init__(self, chips: ChipMap | None = None, *, can_switch_off: bool = False) -> None:
        settings = PartSettings(controls=Controls(off=can_switch_off))
        renderer = Renderer(MORRIS, Lights(), theme_named("harbour"))
        self.controller = Controller(
            new_session(),
            Debouncer(10_000),
            renderer,
            settings,
            outages=OutageDetector(MORRIS, Timing(), chips),
        )
        self.now = -FRAME
        self.stands: set[str] = set()

    @property
    def readings(self) -> Frame:
        return tuple(SOMETHING if p.name in self.stands else NOTHING for p in MORRIS.points)

    def frames(self, count: int) -> list[str]:
        """Return the names of the events in `count` frames."""
        for _ in range(count):
            self.now += FRAME
            self.leds = self.controller.step(self.readings, self.now)
        return self.names()

    def blind(self) -> list[str]:
        self.now += FRAME
        self.leds = self.controller.blind_step(Message("pin 17 is busy"), self.now)
        return self.names()

    def names(self) -> list[str]:
        return [event.name for event in self.controller.take_events()]
