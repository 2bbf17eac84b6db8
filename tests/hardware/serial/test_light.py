"""Light frames get through a line that loses some, one at a time, and none is sent for nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.serial.light import ACK_TIMEOUT_S, KEEP_ALIVE_S, LightExchange

PASS_S = 0.005
FRAMES = st.binary(min_size=3, max_size=3)


class FarStrip:
    """The other end: it shows the frames that reach it, and loses the chosen ones, there or back."""

    def __init__(self) -> None:
        self.light = LightExchange()
        self.now = 0.0
        self.shows = b""
        self.sent = 0
        self.answers: list[int] = []

    def run(self, seconds: float, fates: list[str]) -> None:
        for _ in range(round(seconds / PASS_S)):
            self.now += PASS_S
            for number in self.answers:
                self.light.answered(number)
            self.answers = []
            due = self.light.due(self.now)
            if due is None:
                continue
            self.sent += 1
            fate = fates.pop() if fates else "arrives"
            if fate != "lost":
                self.shows = due[1]
            if fate == "arrives":
                self.answers = [due[0]]


@given(
    wanted=st.lists(st.tuples(FRAMES, st.floats(0, 0.3)), min_size=1, max_size=8),
    fates=st.lists(st.sampled_from(["arrives", "lost", "answer lost"]), max_size=12),
)
def test_whatever_is_lost_the_newest_frame_is_shown_in_the_end(wanted, fates):
    strip = FarStrip()
    for frame, seconds in wanted:
        strip.light.wanted = frame
        strip.run(seconds, fates)
    strip.run(len(fates) * KEEP_ALIVE_S + 2 * ACK_TIMEOUT_S, fates)
    assert strip.shows == wanted[-1][0]
    assert not strip.light.failing


@given(frame=FRAMES, seconds=st.floats(0, 10))
def test_a_frame_that_is_shown_is_sent_once_a_second(frame, seconds):
    strip = FarStrip()
    strip.light.wanted = frame
    strip.run(seconds, [])
    assert strip.sent <= 1 + seconds / KEEP_ALIVE_S
    assert strip.sent >= seconds / (KEEP_ALIVE_S + 2 * PASS_S) - 1


def test_no_frame_leaves_while_one_is_under_way():
    light = LightExchange()
    light.wanted = b"old"
    assert light.due(0.0) == (0, b"old")
    light.wanted = b"new"
    assert light.due(ACK_TIMEOUT_S / 2) is None
    light.answered(0)
    assert light.due(ACK_TIMEOUT_S / 2) == (1, b"new")


def test_an_answer_that_comes_too_late_is_none():
    light = LightExchange()
    light.wanted = b"red"
    light.due(0.0)
    assert light.due(ACK_TIMEOUT_S) == (1, b"red")
    light.answered(0)
    assert light.due(2 * ACK_TIMEOUT_S) == (2, b"red")


def test_without_answers_it_is_failing_and_tried_every_second_until_one_comes():
    light = LightExchange()
    light.wanted = b"red"
    sent = [now / 200 for now in range(1000) if light.due(now / 200)]
    assert sent == pytest.approx([0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 1.5, 2.5, 3.5, 4.5], abs=0.04)
    assert light.failing
    light.answered(9)
    assert not light.failing
