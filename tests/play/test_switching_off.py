"""The way to switch the machine off: its countdown, what stops it, and a machine that stays on."""

from __future__ import annotations

import pytest

from firmware_host.errors import RequestError
from firmware_host.play.controller import Controller
from firmware_host.play.requests import perform
from firmware_host.play.switching_off import COUNTDOWN, LIGHTS, PATIENCE, OffStage, SwitchOff
from tests.support.controller_bench import ControllerBench

SECOND = 200
"""Frames."""


@pytest.fixture
def bench() -> ControllerBench:
    bench = ControllerBench(can_switch_off=True)
    bench.frames(10)
    return bench


def stages(names: list[str]) -> int:
    return names.count("off")


def lit(controller: Controller) -> int:
    return sum(any(colour) for colour in controller.leds)


def test_lights_count_down_and_then_off_is_wanted(bench: ControllerBench) -> None:
    off = bench.controller.off
    perform(bench.controller, {"do": "off"})
    counts = []
    for _ in range(LIGHTS):
        bench.frames(1)
        counts.append(lit(bench.controller))
        bench.frames(SECOND * COUNTDOWN // 1_000_000 // LIGHTS - 1)
    assert counts == [8, 7, 6, 5, 4, 3, 2, 1]
    bench.frames(2)
    assert off.stage is OffStage.WANTED
    assert lit(bench.controller) == 1, "the last light stays until the power goes"


def test_any_change_of_a_sensor_stops_it(bench: ControllerBench) -> None:
    perform(bench.controller, {"do": "off"})
    bench.frames(SECOND)
    bench.stands.add("d6")
    bench.frames(1)
    assert bench.controller.off.stage is OffStage.ON
    assert "step" in bench.frames(SECOND), "and counts"


def test_the_same_request_stops_it_and_so_does_the_companion(bench: ControllerBench) -> None:
    for request in ({"do": "off"}, {"do": "stay"}):
        perform(bench.controller, {"do": "off"})
        assert stages(bench.frames(SECOND)) == 1
        perform(bench.controller, request)
        assert stages(bench.frames(SECOND)) == 1
        assert bench.controller.off.stage is OffStage.ON
        assert not bench.controller.faults


def test_a_button_that_is_still_down_keeps_the_machine_on(bench: ControllerBench) -> None:
    off = bench.controller.off
    off.is_held = True
    perform(bench.controller, {"do": "off"})
    bench.frames(10 * SECOND)
    assert off.stage.value == "counting"
    off.is_held = False
    bench.controller.refresh()
    bench.frames(2)
    assert off.stage.value == "wanted"


@pytest.mark.parametrize("is_answered", [True, False])
def test_a_machine_that_stays_on_is_said_and_the_lights_come_back(
    bench: ControllerBench, is_answered: bool
) -> None:
    perform(bench.controller, {"do": "off"})
    bench.frames(4 * SECOND)
    if is_answered:
        perform(bench.controller, {"do": "stay", "why": "not allowed"})
        bench.frames(2)
    else:
        bench.frames(SECOND * PATIENCE // 1_000_000)
    assert bench.controller.off.stage is OffStage.ON
    assert list(bench.controller.faults) == ["care"]
    assert lit(bench.controller) > 8
    perform(bench.controller, {"do": "off"})
    bench.frames(2)
    assert not bench.controller.faults, "it is tried again"


def test_a_board_that_may_not_refuses_it() -> None:
    bench = ControllerBench()
    bench.frames(2)
    with pytest.raises(RequestError, match="can't switch itself off"):
        perform(bench.controller, {"do": "off"})


def test_an_ask_gives_way(bench: ControllerBench) -> None:
    perform(bench.controller, {"do": "ask"})
    bench.frames(2)
    perform(bench.controller, {"do": "off"})
    bench.frames(2)
    assert bench.controller.asks.asking is None
    assert bench.controller.off.holds_game


def test_nothing_is_due_unless_it_is_under_way() -> None:
    off = SwitchOff(ControllerBench().controller.session, is_possible=True)
    assert off.deadline is None
    off.begin_countdown(1_000_000)
    assert off.deadline == 1_000_000 + COUNTDOWN // LIGHTS
