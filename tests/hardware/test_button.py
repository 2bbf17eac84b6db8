"""The button's driver: its line, and what happens while it can't be read."""

from __future__ import annotations

from typing import Any

import pytest

from firmware_host.errors import SensorError
from firmware_host.settings import Controls, Sensors, Strip
from hardware.button import Button, open_button
from hardware.reconnect import ReconnectingButton


class SetLine:
    """A line whose level a test sets; None while the kernel refuses to read it."""

    def __init__(self, level: int | None = 1) -> None:
        self.level = level
        self.closed = 0

    def read(self) -> int:
        if self.level is None:
            raise OSError("it is gone")
        return self.level

    def close(self) -> None:
        self.closed += 1


class ButtonMachine:
    """A machine that notes which line was opened."""

    def __init__(self, line: SetLine) -> None:
        self.line = line
        self.opened: list[object] = []

    def lines(self, *wanted: object) -> SetLine:
        self.opened.append(wanted)
        return self.line


def test_the_button_is_down_while_its_line_is_low() -> None:
    line = SetLine()
    machine: Any = ButtonMachine(line)
    button = open_button(Controls(button=26), Sensors(), Strip(), machine)
    assert machine.opened == [((), (26,), "up", 0)]
    assert not button.is_down()
    line.level = 0
    assert button.is_down()


def test_a_line_of_another_part_is_refused() -> None:
    machine: Any = ButtonMachine(SetLine())
    with pytest.raises(SensorError, match="GPIO 23 is assigned to both"):
        open_button(Controls(button=23), Sensors(), Strip(), machine)


def test_a_button_that_fails_is_opened_again_after_a_second() -> None:
    lines = [SetLine(None), SetLine(0)]
    opened: list[SetLine] = []
    now = [0.0]

    def open_next() -> Button:
        line: Any = lines[len(opened)]
        opened.append(line)
        return Button(line)

    button = ReconnectingButton(open_next, lambda: now[0])
    for at in (0.0, 0.5):
        now[0] = at
        with pytest.raises(SensorError, match="cannot read the button: it is gone"):
            button.is_down()
    assert len(opened) == 1
    assert lines[0].closed == 1
    now[0] = 1.0
    assert button.is_down()
    button.close()
    button.close()
    assert lines[1].closed == 1
