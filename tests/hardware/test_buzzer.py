"""The buzzer's driver: its line, low but for its sounds, and what happens while it can't be driven."""

from __future__ import annotations

from typing import Any

import pytest

from firmware_host.errors import SensorError, SoundError
from firmware_host.i18n import Message
from firmware_host.settings import Controls, Sensors, Sound, Strip
from hardware.buzzer import Buzzer, buzzer_on, open_buzzer
from hardware.reconnect import ReconnectingBuzzer


class NotedLine:
    """An output that notes its levels; the kernel refuses to write it while it is `gone`."""

    def __init__(self, *, gone: bool = False) -> None:
        self.gone = gone
        self.levels: list[int] = []
        self.closed = 0

    def write(self, level: int) -> None:
        if self.gone or self.closed:
            raise OSError("it is gone")
        self.levels.append(level)

    def close(self) -> None:
        self.closed += 1


class BuzzerMachine:
    """A machine that notes which line was opened."""

    def __init__(self, line: NotedLine | None) -> None:
        self.line = line
        self.opened: list[object] = []

    def lines(self, *wanted: object) -> NotedLine:
        self.opened.append(wanted)
        if self.line is None:
            raise SensorError(Message("fault.lines.held", {"lines": "GPIO 12 (other)"}))
        return self.line


def opened(machine: Any, gpio: int = 12) -> Buzzer:
    return open_buzzer(Sound(buzzer=gpio), Controls(), Sensors(), Strip(), machine)


def test_the_line_is_low_but_for_the_sounds() -> None:
    line = NotedLine()
    machine = BuzzerMachine(line)
    buzzer = opened(machine)
    assert machine.opened == [((12,), (), "floating", 0)]
    buzzer.sound(on=True)
    buzzer.sound(on=False)
    buzzer.sound(on=True)
    buzzer.close()
    buzzer.close()
    assert line.levels == [1, 0, 1, 0]
    assert line.closed == 2


def test_a_line_of_another_part_or_program_is_refused() -> None:
    with pytest.raises(SoundError, match="GPIO 23 is assigned to both"):
        opened(BuzzerMachine(NotedLine()), gpio=23)
    held: Any = BuzzerMachine(None)
    with pytest.raises(SoundError, match="GPIO 12"):
        buzzer_on(held, Sound(buzzer=12))


def test_a_buzzer_that_fails_is_opened_again() -> None:
    lines = [NotedLine(gone=True), NotedLine()]
    left = iter(lines)

    def open_next() -> Buzzer:
        line: Any = next(left)
        return Buzzer(line)

    buzzer = ReconnectingBuzzer(open_next)
    with pytest.raises(SoundError, match="cannot drive the buzzer: it is gone"):
        buzzer.sound(on=True)
    assert lines[0].closed == 1
    buzzer.sound(on=True)
    buzzer.close()
    buzzer.close()
    assert lines[1].levels == [1, 0]
    assert lines[1].closed == 1
