"""The board without its game: a light that goes round, and a page that says why; each without the other."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from firmware_host.config.loader import Config
from firmware_host.errors import PageError, RequestError, StripError
from firmware_host.games.layout import MORRIS
from firmware_host.i18n import Message
from firmware_host.lights.themes import THEMES
from firmware_host.ports import LedFrame, SensorKind
from firmware_host.runtime import safe_mode
from firmware_host.runtime.page import PageAddress
from firmware_host.runtime.safe_mode import RATE_HZ, SafeBoard, SafeModeReason
from firmware_host.runtime.watchdog import Notifier, ServiceReporter
from firmware_host.settings import Lights
from firmware_host.web.server import WebServer
from sim.clock import VirtualClock
from sim.electronics.board import SimulatedBoard
from tests.support.log import LogRecorder, recorded_log
from tests.support.web.protocol import check_from_board

FRAME_US = 1_000_000 // RATE_HZ
OUTER = ["d7", "g7", "g4", "g1", "d1", "a1", "a4", "a7"]
WHY = SafeModeReason(
    Message("safe.crashed", {"when": "14:05", "text": "OSError: no card", "again": "14:10"}),
    (("program", "OSError: no card"),),
)


class Safe:
    """A board in safe mode, with a simulated strip."""

    def __init__(self, lights: Lights | None = None, why: SafeModeReason = WHY) -> None:
        self.electronics = SimulatedBoard(MORRIS, SensorKind.PRESENCE, VirtualClock())
        self.log = LogRecorder()
        config = replace(Config.default(), lights=lights or Lights())
        self.board = SafeBoard(why, config, self.electronics.open_strip())
        self.told: list[dict[str, Any]] = []
        self._now = 0

    def passes(self, seconds: float, look: Callable[[], object] = lambda: None) -> None:
        with recorded_log(self.log):
            for _ in range(round(seconds * RATE_HZ)):
                self.board.tick(self._now)
                self.board.publish_changes(lambda message: self.told.append(json.loads(json.dumps(message))))
                self._now += FRAME_US
                look()

    def lit(self) -> list[str]:
        return [
            p.name for p, colour in zip(MORRIS.points, self.electronics.leds(), strict=True) if any(colour)
        ]


@pytest.mark.parametrize("theme", THEMES)
def test_one_light_goes_round_calmly(theme: str) -> None:
    safe, seen = Safe(Lights(theme=theme)), []
    safe.passes(16, lambda: seen.append(tuple(safe.lit())))
    runs = [light for light, before in zip(seen, [None, *seen], strict=False) if light != before]
    assert runs == [(point,) for point in OUTER * 2]


def test_the_light_keeps_to_its_budget() -> None:
    def brightest(lights: Lights) -> int:
        safe, most = Safe(lights), [0]
        safe.passes(8, lambda: most.append(sum(map(sum, safe.electronics.leds()))))
        return max(most)

    assert brightest(Lights(budget_ma=100, idle_ma_per_led=4.1)) < brightest(Lights(budget_ma=500)) / 3


def test_the_page_is_told_why_in_one_sentence_and_can_ask_to_try_again() -> None:
    safe = Safe()
    safe.passes(2)
    whole, *later = safe.told
    check_from_board({**whole, "seq": 1})
    state = whole["state"]
    assert state["said"] == WHY.message.as_dict()
    assert "OSError: no card" in state["sentence"]
    assert "14:05" in state["sentence"]
    assert state["faults_said"] == [{"key": "fault.program", "slots": {"text": "OSError: no card"}}]
    assert state["can"] == ["try-again"]
    assert {message["type"] for message in later} == {"leds"}
    with pytest.raises(RequestError):
        safe.board.do({"do": "new-game"})
    assert not safe.board.is_over
    safe.board.do({"do": "try-again"})
    assert safe.board.is_over


class Bewitched:
    """A strip that fails in unforeseen ways, and is closed nevertheless."""

    def __init__(self, error: Exception | None) -> None:
        self.error = error
        self.shown: list[LedFrame] = []

    def show(self, frame: LedFrame) -> None:
        if self.error:
            raise self.error
        self.shown.append(frame)

    def close(self) -> None:
        self.shown.append(())


@pytest.mark.parametrize("error", [StripError(Message("no bus")), ZeroDivisionError("no bus")])
def test_without_a_strip_the_page_is_served_and_says_that_too(error: Exception) -> None:
    safe, strip = Safe(), Bewitched(error)
    safe.board = SafeBoard(WHY, Config.default(), strip)
    safe.passes(3)
    assert [message["state"]["faults"] for message in safe.told if message["type"] == "snapshot"][-1] == [
        "OSError: no card",
        "no bus",
    ]
    assert safe.board.status()["faults"] == {"program": "OSError: no card", "leds": "no bus"}
    assert len(safe.log.records) == 1, "it is told once"
    strip.error = None
    safe.passes(2)
    assert strip.shown
    assert safe.told[-1]["type"] == "leds" or safe.told[-1]["state"]["faults"] == ["OSError: no card"]
    assert safe.board.status()["faults"] == {"program": "OSError: no card"}
    safe.board.close()
    assert strip.shown[-1] == ()


@pytest.mark.parametrize("error", [PageError("the port is taken"), ZeroDivisionError("nobody thought of it")])
def test_without_a_page_the_light_goes_round_and_it_is_told_why_there_is_none(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, error: Exception
) -> None:
    """Whatever keeps it from being served: it may be what made the program stop."""

    class NoPage(PageAddress):
        def server(self, *_: object, **__: object) -> WebServer:
            raise error

    strip = Bewitched(None)
    monkeypatch.setattr(safe_mode, "reconnecting_strip", lambda *_: strip)
    again = safe_mode.run(
        WHY,
        Config.default(),
        lambda _seconds: len(strip.shown) > 0,
        page=NoPage(),
        service=ServiceReporter(Notifier(None), None),
    )
    assert again
    assert strip.shown[0] != strip.shown[-1] == (), "it shone, and went dark in the end"
    assert str(error) in caplog.text
