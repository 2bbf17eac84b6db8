"""The lines of button and buzzer during a set-up: silent unless asked for, and missed where they fail."""

from __future__ import annotations

import pytest

from firmware_host.config.gpio import control_lines
from firmware_host.config.loader import Config
from firmware_host.errors import SensorError, SoundError
from firmware_host.games.layout import MORRIS
from firmware_host.i18n import Message, to_english
from firmware_host.maintenance.setup_session import SetupControls
from firmware_host.ports import ButtonPort, BuzzerPort, SensorKind
from firmware_host.settings import NO_LINE, Controls, Sensors, Sound, Strip
from sim.clock import VirtualClock
from sim.electronics.board import SimulatedBoard

WITH_BOTH = Config(controls=Controls(button=26), sound=Sound(buzzer=12))


class BoardWithoutLines(SimulatedBoard):
    """A board whose machine has no such lines."""

    def open_button(self, controls: Controls) -> ButtonPort:
        raise SensorError(Message("fault.device.unsimulated", {"device": str(controls.button)}))

    def open_buzzer(self, sound: Sound) -> BuzzerPort:
        raise SoundError(Message("fault.device.unsimulated", {"device": str(sound.buzzer)}))


@pytest.fixture
def board() -> SimulatedBoard:
    clock = VirtualClock()
    controls, sound = WITH_BOTH.controls, WITH_BOTH.sound
    return SimulatedBoard(MORRIS, SensorKind.PRESENCE, clock, controls=controls, sound=sound)


def test_guides_lines_are_tried_where_the_configuration_has_none(board: SimulatedBoard) -> None:
    controls = SetupControls(board, Config())
    assert (controls.button_line, controls.buzzer_line) == (26, 12)
    assert not controls.is_button_down()
    board.press(1_000_000)
    board.clock.sleep(0.1)
    assert controls.is_button_down()
    controls.close()


def test_buzzer_beeps_only_while_it_is_asked_for(board: SimulatedBoard) -> None:
    controls = SetupControls(board, Config())
    for is_asked, heard in ((False, {False}), (True, {True, False}), (False, {False})):
        levels = set()
        for now in range(0, 1_000_000, 5000):
            controls.beep(now, is_asked=is_asked)
            levels.add(board.buzzer.is_on)
        assert levels == heard
    controls.beep(0, is_asked=True)
    controls.close()
    assert not board.buzzer.is_on


def test_lines_that_cannot_be_opened_are_not_asked_for() -> None:
    board = BoardWithoutLines(MORRIS, SensorKind.PRESENCE, VirtualClock())
    controls = SetupControls(board, Config())
    assert (controls.button_line, controls.buzzer_line) == (NO_LINE, NO_LINE)
    assert not controls.troubles, "nobody said that there are any"
    assert not controls.is_button_down()
    controls.close()
    troubles = [to_english(trouble) for trouble in SetupControls(board, WITH_BOTH).troubles]
    assert len(troubles) == 2
    assert all("stays as configured" in trouble for trouble in troubles)


@pytest.mark.parametrize(
    ("config", "lines"),
    [
        (Config(), (26, 12)),
        (Config(controls=Controls(button=13), sound=Sound(buzzer=4)), (13, 4)),
        (Config(controls=Controls(button=12)), (12, NO_LINE)),
        (Config(sensors=Sensors(signal=(23, 24, 26))), (NO_LINE, 12)),
        (Config(strip=Strip(backend="pwm", gpio=12)), (26, NO_LINE)),
    ],
)
def test_lines_that_others_have_are_left_alone(config: Config, lines: tuple[int, int]) -> None:
    assert control_lines(config.controls, config.sound, config.sensors, config.strip) == lines
