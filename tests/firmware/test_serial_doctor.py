"""The doctor at a board on a serial line, with the firmware as it is in a simulated Nano."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from firmware_host.errors import SensorError
from firmware_host.games.layout import Layout, Point
from firmware_host.i18n import Message
from firmware_host.settings import Lights, Sensors, Strip
from hardware.doctor.doctor import Doctor
from hardware.doctor.examination import Examination, ExaminedBoard
from hardware.doctor.findings import Verdict
from hardware.doctor.prompts import DONE, NOT_THERE, ClearBoard, PlacePiece, Question, Task
from tests.firmware.simulated_nano import NanoBoard, need_simavr

FEW = Layout("three points", tuple(Point(f"p{n}", n, 5 * n, 0) for n in range(3)), ())
"""So that a walk is short: the Nano is simulated clock by clock."""

SENSORS, STRIP = Sensors(kind="serial"), Strip(backend="serial", points={})
PLAN = ExaminedBoard(FEW, SENSORS, STRIP, Lights(), {f"p{n}": (n,) for n in range(3)})


@dataclass
class NanoBench:
    """The Nano as electronics, and the hands at it."""

    nano: NanoBoard
    silent: tuple[int, ...] = ()
    task: Task = field(default_factory=ClearBoard)
    asked: int = 0

    def open_scanner(self, sensors, pull=None):
        return self.nano.board.scanner(self.nano.wires)

    def open_leds(self, strip):
        return self.nano.board.strip([(led,) for led in range(strip.leds)], order=strip.order)

    def open_button(self, controls):
        raise SensorError(Message("there is no button"))

    def open_buzzer(self, sound):
        raise SensorError(Message("there is no buzzer"))

    def sleep(self, seconds: float) -> None:
        self.nano.nano.run(round(seconds * 1_000_000))

    def do(self, task: Task) -> None:
        self.task, self.asked = task, 0
        for point in range(3):
            self.nano.nano.contact((0, point), closed=False)
        if isinstance(task, PlacePiece) and (point := int(task.point[1:])) not in self.silent:
            self.nano.nano.contact((0, point), closed=True)

    def reply(self) -> str:
        self.asked += 1
        if isinstance(self.task, ClearBoard):
            return DONE
        if self.asked == 10 and self.task.lit and self.task.point not in self.shining():
            return NOT_THERE
        return DONE if self.asked == 120 else ""

    def answer(self, question: Question, meanwhile: Callable[[], object]) -> str:
        for _ in range(20):
            meanwhile()
        leds = self.nano.nano.leds
        if "red" in question.answers:
            names = ("green", "red", "blue")
            (lit,) = {
                tuple(name for name, light in zip(names, led, strict=True) if light > 20) for led in leds
            }
            return lit[0] if len(lit) == 1 else "other"
        if "dark" in question.answers:
            return "some" if any(map(any, leds)) else "dark"
        return next(iter(self.shining()), "nowhere")

    def shining(self) -> list[str]:
        return [f"p{led}" for led, colour in enumerate(self.nano.nano.leds) if max(colour) > 20]


def findings(bench: NanoBench):
    look = Examination(PLAN, bench, bench, bench.sleep)
    return list(Doctor(look, lambda: 0).findings())


@pytest.mark.ci("devices")
@pytest.mark.parametrize("silent", [pytest.param((), marks=pytest.mark.long), (1,)])
def test_a_serial_board_is_looked_at_as_any_other(silent):
    need_simavr()
    found = findings(NanoBench(NanoBoard().ready(), silent=silent))
    wrong = [finding for finding in found if finding.verdict is not Verdict.PASS]
    assert [finding.check for finding in wrong] == (["silent contacts"] if silent else [])
    assert {finding.check for finding in found} >= {"colours", "first LED", "LED order", "order", "supply"}
    if silent:
        assert "p1 (chip 0, channel 1)" in wrong[0].found
