"""The way from readings to light: the answers, their times, and the cost of unchanged frames."""

from __future__ import annotations

import pytest

from firmware_host.i18n import Message
from firmware_host.play import requests
from firmware_host.ports import DARK
from firmware_host.tracking.verdict import Settled
from tests.support.controller_bench import FRAME, ControllerBench
from tests.support.fault_texts import fault_texts


@pytest.fixture
def bench() -> ControllerBench:
    bench = ControllerBench()
    assert bench.frames(1) == ["game"]
    return bench


def test_a_placement_is_told_and_lit_after_debounce_and_dwell(bench: ControllerBench) -> None:
    bench.stands.add("d6")
    assert bench.frames(1 + 2 + 47) == []
    before = bench.leds
    assert bench.frames(1) == ["step", "turn"]
    assert bench.leds != before


def test_step_with_unchanged_frame_returns_same_object(bench: ControllerBench) -> None:
    bench.frames(1)
    first = bench.leds
    bench.frames(1)
    assert bench.leds is first


def test_a_bounce_shorter_than_the_debounce_time_is_not_felt(bench: ControllerBench) -> None:
    bench.stands.add("d6")
    bench.frames(2)
    bench.stands.clear()
    assert bench.frames(200) == []
    assert bench.controller.session.frame == bench.readings


def test_a_request_is_answered_by_the_next_frame(bench: ControllerBench) -> None:
    lit = bench.leds
    requests.perform(bench.controller, {"do": "pause"})
    assert bench.frames(1) == ["paused"]
    assert sum(led != DARK for led in bench.leds) == 1
    requests.perform(bench.controller, {"do": "resume"})
    assert bench.frames(1) == ["resumed"]
    assert bench.controller.scene.cues
    bench.frames(400)
    assert bench.leds == lit


def test_sensors_that_fail_stop_play_and_are_told_once(bench: ControllerBench) -> None:
    assert bench.blind() == ["fault"]
    assert set(bench.leds) == {DARK}
    assert bench.blind() == []
    assert fault_texts(bench.controller.faults) == {"sensors": "pin 17 is busy"}
    assert bench.frames(1) == ["fault-cleared"]
    assert bench.controller.scene.cues
    bench.stands.add("d6")
    assert bench.frames(60) == ["step", "turn"]


def test_what_hands_do_while_the_sensors_fail_counts_afterwards(bench: ControllerBench) -> None:
    bench.blind()
    bench.stands.add("d6")
    bench.blind()
    assert bench.frames(60) == ["fault-cleared", "step", "turn"]


def test_a_turn_while_the_sensors_fail_counts_beside_other_changes(bench: ControllerBench) -> None:
    """All comes in one frame: a piece moved, and two others lifted for a while."""
    position = "**@**@**/O****O*O/***O@*@* b m s 4 0 4 0 0 0 0 0 0 0 0 0 5"
    requests.perform(bench.controller, {"do": "set-up", "position": position})
    bench.stands |= {"e4", "c3", "d6", "b2", "b6", "g1", "d1", "a4"}
    assert bench.frames(300)[-1] == "set-up"
    bench.stands ^= {"e4", "f4", "d1", "a4"}
    bench.blind()
    bench.frames(300)
    bench.stands |= {"d1", "a4"}
    assert bench.frames(300) == ["mismatch", "restored", "step", "turn"]
    assert bench.controller.session.game.steps[-1].text == "e4-f4"


def test_a_strip_that_fails_stops_nothing(bench: ControllerBench) -> None:
    bench.controller.fault("leds", Message("unplugged"))
    bench.stands.add("d6")
    assert bench.frames(60) == ["fault", "step", "turn"]
    bench.controller.fault_cleared("leds")
    assert bench.frames(1) == ["fault-cleared"]


def test_the_deadline_is_of_what_may_happen_and_not_of_the_light(bench: ControllerBench) -> None:
    assert bench.controller.deadline is None
    bench.stands.add("d6")
    bench.frames(1)
    assert bench.controller.deadline == bench.now + 10_000
    bench.frames(2)
    assert bench.controller.deadline == bench.now + 240_000


def test_glow_shows_the_light_of_skipped_frames() -> None:
    glowing, stepping = ControllerBench(), ControllerBench()
    for bench in (glowing, stepping):
        bench.stands |= {"d6", "f4"}
        bench.frames(1)
    stepping.frames(700)
    end = stepping.now
    while (due := glowing.controller.next_light(glowing.now)) is not None and due < end:
        glowing.now = -(-due // FRAME) * FRAME
        glowing.controller.glow(glowing.now)
    glowing.now = end - FRAME
    glowing.frames(1)
    assert glowing.leds == stepping.leds


def test_an_outage_stops_play_and_is_told_once(bench: ControllerBench) -> None:
    played(bench, "d6", "f4", "a1", "d7")
    light, stood, game = bench.leds, set(bench.stands), bench.controller.session.game
    bench.stands.clear()
    assert bench.frames(3) == ["fault"]
    assert list(bench.controller.faults) == ["sensors"]
    assert set(bench.leds) == {DARK}
    assert bench.controller.deadline is None
    assert bench.frames(2000) == []
    bench.stands |= stood
    assert bench.frames(3) == ["fault-cleared"]
    assert (bench.leds, bench.controller.session.game) == (light, game)


def test_an_outage_goes_on_after_the_sensors_could_not_be_read(bench: ControllerBench) -> None:
    played(bench, "d6", "f4", "a1", "d7")
    bench.stands.clear()
    bench.frames(3)
    assert bench.blind() == []
    assert bench.frames(3) == []
    assert bench.controller.faults["sensors"].key == "fault.outage"


def test_pieces_taken_while_nothing_could_be_read_are_no_outage(bench: ControllerBench) -> None:
    played(bench, "d6", "f4", "a1", "d7")
    bench.blind()
    bench.stands.clear()
    assert bench.frames(4) == ["fault-cleared"]
    assert bench.frames(600)[-3:] == ["over", "game", "ask"]


@pytest.fixture
def cleared(bench: ControllerBench) -> ControllerBench:
    """A board whose only two pieces vanished in one frame, so that it counts as cleared."""
    played(bench, "d6", "f4")
    bench.stands.clear()
    assert bench.frames(700)[-3:] == ["over", "game", "ask"]
    return bench


@pytest.mark.parametrize("rest", [10, 10_000])
def test_game_goes_on_if_its_pieces_are_back_as_they_went(cleared: ControllerBench, rest: int) -> None:
    session = cleared.controller.session
    closed = cleared.frames(rest)
    cleared.stands |= {"d6", "f4"}
    back = [*closed, *cleared.frames(3)]
    assert [name for name in back if name != "ask-closed"] == ["fault", "fault-cleared", "end-undone"]
    assert (session.game.ply, session.verdict, session.was_cleared) == (2, Settled(), False)
    cleared.stands.add("a1")
    assert cleared.frames(60) == ["step", "turn"]


@pytest.mark.parametrize("request_name", ["new-game", "pause", "ask"])
def test_game_is_left_if_something_else_was_asked_for(cleared: ControllerBench, request_name: str) -> None:
    requests.perform(cleared.controller, {"do": request_name})
    cleared.frames(10)
    cleared.stands |= {"d6", "f4"}
    assert not {"fault", "end-undone"} & set(cleared.frames(3))
    assert cleared.controller.session.game.ply == 0


def played(bench: ControllerBench, *points: str) -> None:
    """Have pieces placed, one turn after the other."""
    for point in points:
        bench.stands.add(point)
        bench.frames(100)
