"""The real drivers of button, buzzer and side bars on the kernel's lines and bus."""

from __future__ import annotations

import time
from contextlib import closing
from pathlib import Path

import pytest

from firmware_host.config.wiring_map import bar_positions, led_positions
from firmware_host.errors import SensorError
from firmware_host.games.layout import MORRIS
from firmware_host.ports import DARK, Colour
from firmware_host.settings import Controls, Sensors, Sound, Strip
from hardware.button import open_button
from hardware.buzzer import open_buzzer
from hardware.factory import open_strip
from hardware.machine import PiMachine
from sim.electronics.spi import SimulatedSpi
from tests.contract.virtual_pi_rigs import ControlBoard, KernelSensors, told

CONTROLS, SOUND = Controls(button=26), Sound(buzzer=12)
LEDS = 40
BARS = Strip(leds=LEDS, white_bar=tuple(range(24, 32)), black_bar=tuple(range(32, 40)))
TOLERANCE_MS = 20


@pytest.fixture
def board() -> ControlBoard:
    rig = KernelSensors(Sensors())
    rig.port.close()
    return ControlBoard(CONTROLS.button, SOUND.buzzer)


def test_button_is_read_by_the_kernels_line(board: ControlBoard) -> None:
    with closing(open_button(CONTROLS, Sensors(), Strip(), PiMachine())) as button:
        assert not button.is_down()
        board.press()
        assert button.is_down()
        board.release()
        assert not button.is_down()


@pytest.mark.usefixtures("board")
def test_line_that_is_held_already_is_a_fault() -> None:
    with closing(open_button(CONTROLS, Sensors(), Strip(), PiMachine())), pytest.raises(SensorError):
        open_button(CONTROLS, Sensors(), Strip(), PiMachine())


def test_buzzer_beats_as_its_line_is_written(board: ControlBoard) -> None:
    with closing(open_buzzer(SOUND, CONTROLS, Sensors(), Strip(), PiMachine())) as buzzer:
        assert not board.is_sounding
        for on, wait in ((True, 0.08), (False, 0.06), (True, 0.2), (False, 0)):
            buzzer.sound(on=on)
            time.sleep(wait)
    beats = board.take_burst()
    assert beats == [pytest.approx([80, 60], abs=TOLERANCE_MS), pytest.approx([200, 0], abs=TOLERANCE_MS)]


def test_buzzer_that_is_released_is_silent(board: ControlBoard) -> None:
    with closing(open_buzzer(SOUND, CONTROLS, Sensors(), Strip(), PiMachine())) as buzzer:
        buzzer.sound(on=True)
        assert board.is_sounding
    assert not board.is_sounding


def test_forty_leds_have_the_points_and_both_bars() -> None:
    colours: list[Colour] = [(number + 1, 0, 2 * number) for number in range(LEDS)]
    places = (*led_positions(BARS, MORRIS), *bar_positions(BARS))
    with closing(open_strip(BARS, places, lambda _: None)) as strip:
        strip.show(tuple(colours))
        assert shining() == colours
    assert shining() == [DARK] * LEDS


def shining() -> list[Colour]:
    """Return the colours that 40 LEDs would show, by what was last sent to them."""
    leds = SimulatedSpi(LEDS)
    leds.configure(told("striptap", "hz"))
    leds.write(Path("/dev/striptap").read_bytes())
    return list(leds.leds)
