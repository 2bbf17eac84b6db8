"""The board's own Wi-Fi as the board shows it: wanted by the button, lit until it was seen, and named."""

from __future__ import annotations

import pytest

from firmware_host.games.layout import MORRIS, SQUARES
from firmware_host.i18n import Message
from firmware_host.lights.cues import Cue
from firmware_host.lights.scene import own_wifi_scene
from firmware_host.play.own_wifi import PATIENCE
from firmware_host.play.requests import perform
from firmware_host.views.snapshot import take
from tests.support.controller_bench import FRAME, ControllerBench

WAVES = dict.fromkeys(("d5", "d6", "d7"), ("own-wifi",))


@pytest.fixture
def bench() -> ControllerBench:
    bench = ControllerBench()
    bench.frames(10)
    return bench


def report(bench: ControllerBench, *, is_open: bool) -> None:
    perform(bench.controller, {"do": "wifi", "on": is_open})
    bench.frames(1)


def test_own_wifi_is_lit_until_somebody_touches_the_board(bench: ControllerBench) -> None:
    report(bench, is_open=True)
    assert take(bench.controller).cues == WAVES
    bench.frames(20_000)
    assert take(bench.controller).cues == WAVES
    bench.stands.add("d6")
    bench.frames(1)
    assert take(bench.controller).cues != WAVES
    assert "step" in bench.frames(200), "and that touch counts for the game"


def test_own_wifi_is_named_as_long_as_it_is_open(bench: ControllerBench) -> None:
    report(bench, is_open=True)
    bench.stands.add("d6")
    bench.frames(200)
    assert bench.controller.faults["wifi"] == Message("fault.wifi.own")
    assert take(bench.controller).wifi == "open"
    report(bench, is_open=False)
    assert "wifi" not in bench.controller.faults
    assert take(bench.controller).wifi is None


def test_a_sleeping_board_wakes_to_show_it(bench: ControllerBench) -> None:
    bench.frames(200 * 3600)
    assert take(bench.controller).cues == {"d5": ("resting",)}
    report(bench, is_open=True)
    assert take(bench.controller).cues == WAVES


def test_a_companion_that_does_nothing_is_named(bench: ControllerBench) -> None:
    bench.controller.wifi.want(bench.now)
    bench.frames(PATIENCE // FRAME - 1)
    assert take(bench.controller).wifi == "wanted"
    bench.frames(2)
    assert take(bench.controller).wifi is None
    assert bench.controller.faults["wifi"] == Message("fault.wifi.none")
    report(bench, is_open=True)
    assert bench.controller.faults["wifi"] == Message("fault.wifi.own")


def test_what_is_wanted_is_answered_by_the_companion(bench: ControllerBench) -> None:
    bench.controller.wifi.want(bench.now)
    bench.frames(1)
    report(bench, is_open=True)
    bench.frames(PATIENCE // FRAME + 1)
    assert take(bench.controller).wifi == "open"


def test_its_report_leaves_a_question_open(bench: ControllerBench) -> None:
    perform(bench.controller, {"do": "ask"})
    bench.frames(1)
    report(bench, is_open=True)
    assert bench.controller.asks.asking is not None


def test_every_board_has_points_for_its_light() -> None:
    for layout in (MORRIS, SQUARES):
        lit = own_wifi_scene(layout).cues
        assert 1 < len(lit) < len(layout.points)
        assert set(lit.values()) == {frozenset({Cue.OWN_WIFI})}
