"""Unplugged parts are reported, and play continues by itself once they are plugged in again: the whole
program on simulated electronics, whose devices, once gone, come back as others, to which no old handle leads.
"""

from __future__ import annotations

import errno
from collections.abc import Callable
from typing import Any

import pytest

from firmware_host.errors import SensorError, StripError
from firmware_host.games.layout import MORRIS
from firmware_host.i18n import Message
from firmware_host.ports import SensorKind
from firmware_host.settings import Sensors
from hardware.factory import sensors_on
from hardware.reconnect import ReconnectingSensors, ReconnectingStrip
from hardware.strip import NeoPixelStrip
from sim.clock import VirtualClock
from sim.electronics.board import SimulatedBoard
from tests.support.matrix import CI, sampled
from tests.support.real_board import RealBench

SECOND = 200
"""Frames of a second."""

KINDS = {
    "mux": Sensors(),
    "direct": Sensors(kind="direct", signal=tuple(n for n in range(2, 28) if n not in (10, 11))),
    "mcp23017": Sensors(kind="mcp23017"),
    "mcp3008": Sensors(kind="mcp3008"),
}


class Handle:
    """An open device, and what it gives: once the device was gone they fail for good."""

    def __init__(self, plug: Plug, real: Any) -> None:
        self._plug, self._real, self._number = plug, real, plug.number

    def __getattr__(self, name: str) -> Any:
        return self._guarded(getattr(self._real, name))

    def _guarded(self, what: Any) -> Any:
        if not callable(what):
            return what

        def call(*arguments: Any, **words: Any) -> Any:
            if self._number != self._plug.number:
                raise OSError(errno.ENODEV, "No such device")
            return self._guarded(what(*arguments, **words))

        return call

    def close(self) -> None:
        """Lines of a chip that is gone cannot be given back, which is an error of its own."""
        self._real.close()
        if self._number != self._plug.number:
            raise OSError(errno.ENODEV, "No such device")


class Plug:
    """Leads to a machine; the devices of a machine that is plugged in again are others."""

    def __init__(self, machine: Any, clock: VirtualClock) -> None:
        self.number = self.opened = 0
        self.sleep = clock.sleep
        self._machine, self._there = machine, True

    def pull(self) -> None:
        self._there = False
        self.number += 1

    def put_in(self) -> None:
        self._there = True

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def open_device(*arguments: Any) -> Any:
            if not self._there:
                raise SensorError(Message("there is no chip"))
            self.opened += 1
            return Handle(self, getattr(self._machine, name)(*arguments))

        return open_device


class StripBus(Handle):
    """A strip's bus."""

    def __init__(self, plug: Plug, spi: Any) -> None:
        super().__init__(plug, spi)
        self.close = lambda: None  # type: ignore[method-assign]


def unpluggable(kind: str) -> tuple[RealBench, Plug]:
    """A board whose sensors hang on a plug."""
    clock = VirtualClock()
    board = SimulatedBoard(MORRIS, SensorKind.PRESENCE, clock, sensors=KINDS[kind])
    plug = Plug(board.harness, clock)
    sensors = ReconnectingSensors(
        lambda: sensors_on(plug, MORRIS, board.sensors),  # type: ignore[arg-type]
        clock=lambda: clock.now() / 1e6,
    )
    real = RealBench(sensors=sensors, strip=board.open_strip())
    real.clock, real.board = clock, board
    return real, plug


@pytest.mark.parametrize("kind", sampled(KINDS, others=CI))
def test_sensors_that_were_gone_are_opened_anew_and_the_turn_that_was_done_meanwhile_counts(
    kind: str,
) -> None:
    real, plug = unpluggable(kind)
    real.frames(SECOND)
    real.put("d6", "white")
    real.frames(SECOND)
    for _ in range(2):
        plug.pull()
        told = real.frames(3 * SECOND)[-1]["state"]
        assert told["status"] == "fault"
        assert told["faults"][0].startswith(("cannot read the sensors", "no expander", "there is no chip"))
        plug.put_in()
        real.frames(2 * SECOND)
    assert real.play.board.controller.faults == {}
    plug.pull()
    real.frames(2 * SECOND)
    real.put("f4", "black")
    plug.put_in()
    real.frames(2 * SECOND)
    assert real.play.board.controller.accepted.turn_texts() == ("d6", "f4")
    assert len(real.said) == 4, "once what broke, and once that it is mended, but four lines a minute"


def test_a_moment_without_an_answer_is_no_reason_to_open_anything_anew() -> None:
    real, plug = unpluggable("mux")
    real.frames(SECOND)
    opened = plug.opened
    plug.number += 1
    real.frames(SECOND // 2)
    assert real.play.board.controller.faults
    plug.number -= 1
    real.frames(SECOND // 2)
    assert real.play.board.controller.faults == {}
    assert plug.opened == opened


def test_a_strip_that_was_gone_is_opened_anew_and_shows_the_light_of_now(
    caplog: pytest.LogCaptureFixture,
) -> None:
    clock = VirtualClock()
    board = SimulatedBoard(MORRIS, SensorKind.PRESENCE, clock)
    plug, there = Plug(board.harness, clock), [True]

    def open_strip() -> NeoPixelStrip:
        if not there[0]:
            raise StripError(Message("there is no bus"))
        return NeoPixelStrip.on_spi(StripBus(plug, board.spi), [(n,) for n in range(24)])

    real = RealBench(sensors=board.open_sensors(), strip=ReconnectingStrip(open_strip))
    real.clock, real.board = clock, board
    real.frames(SECOND)
    there[0] = False
    plug.pull()
    board.spi.plugged = False
    real.put("d6", "white")
    real.frames(5 * SECOND)
    assert set(real.play.board.controller.faults) == {"leds"}
    assert not any(map(any, board.leds()))
    there[0] = board.spi.plugged = True
    real.frames(3 * SECOND)
    assert real.play.board.controller.faults == {}
    assert any(map(any, board.leds()))
    assert not [record for record in caplog.records if record.name.startswith("hardware")], "no news"
    assert len(real.said) == 2
