"""Passes of a board whose ports fail."""

from __future__ import annotations

import pytest

from firmware_host.errors import SensorError, StripError
from firmware_host.i18n import Message
from firmware_host.play.board import Board
from firmware_host.ports import Frame, LedFrame
from tests.support.controller_bench import FRAME, ControllerBench


class BenchSensors:
    """Reads what the bench says, or fails."""

    def __init__(self, bench: ControllerBench) -> None:
        self.bench = bench
        self.broken = False
        self.closed = False

    def read(self) -> Frame:
        if self.broken:
            raise SensorError(Message("pin 17 is busy"))
        return self.bench.readings

    def close(self) -> None:
        self.closed = True


class NotedStrip:
    """Notes what it is shown, or fails."""

    def __init__(self) -> None:
        self.shown: list[LedFrame] = []
        self.tries = 0
        self.unplugged = False
        self.closed = False

    def show(self, frame: LedFrame) -> None:
        self.tries += 1
        if self.unplugged:
            raise StripError(Message("it is unplugged"))
        self.shown.append(frame)

    def close(self) -> None:
        self.closed = True


class Passes:
    """A board, and passes at 200 Hz."""

    def __init__(self) -> None:
        self.bench = ControllerBench()
        self.sensors = BenchSensors(self.bench)
        self.strip = NotedStrip()
        self.board = Board(self.sensors, self.strip, self.bench.controller)
        self.now = 0

    def passes(self, count: int) -> list[str]:
        """Return the names of the events in `count` passes."""
        names = []
        for _ in range(count):
            names += [event.name for event in self.board.tick(self.now)]
            self.now += FRAME
        return names


@pytest.fixture
def run() -> Passes:
    run = Passes()
    assert run.passes(1) == ["game"]
    return run


def test_light_is_sent_when_it_changes_and_at_rest_once_a_second(run: Passes) -> None:
    run.passes(199)
    assert run.strip.tries == 1
    run.passes(1)
    assert run.strip.tries == 2
    run.passes(1000)
    assert run.strip.tries == 7
    assert len(set(run.strip.shown)) == 1
    run.bench.stands.add("d6")
    run.passes(100)
    assert len(set(run.strip.shown)) > 1


def test_failed_light_is_retried_even_if_it_changes_back(run: Passes) -> None:
    run.bench.stands.add("d6")
    run.strip.unplugged = True
    assert "fault" in run.passes(10)
    run.bench.stands.discard("d6")
    run.strip.unplugged = False
    assert "fault-cleared" in run.passes(210)


def test_failing_strip_is_reported_once_and_retried(run: Passes) -> None:
    run.strip.unplugged = True
    run.bench.stands.add("d6")
    assert run.passes(3) == ["fault"]
    tries = run.strip.tries
    assert run.board.deadline is not None
    assert run.passes(197) == ["step", "turn"]
    assert run.strip.tries == tries
    assert run.passes(4) == []
    assert run.strip.tries == tries + 1
    run.strip.unplugged = False
    assert run.passes(220) == ["fault-cleared"]
    assert run.strip.shown[-1] is run.board.controller.step(run.bench.readings, run.now)


def test_sensors_that_fail_stop_play_until_they_can_be_read(run: Passes) -> None:
    run.sensors.broken = True
    run.bench.stands.add("d6")
    assert run.passes(200) == ["fault"]
    run.sensors.broken = False
    assert run.passes(100) == ["fault-cleared", "step", "turn"]


def test_closing_gives_both_ports_back(run: Passes) -> None:
    run.board.close()
    assert run.sensors.closed
    assert run.strip.closed
