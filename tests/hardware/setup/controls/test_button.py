"""The button in a set-up: pressed to be found, and not taken for a wire that touches ground."""

from __future__ import annotations

from firmware_host.i18n import to_english
from firmware_host.settings import NO_LINE
from hardware.setup.controls.button import PRESS_READINGS
from hardware.setup.progress import SetupFindings
from hardware.setup.prompts import Prompt
from hardware.setup.wizard import SetupWizard
from tests.support.hardware.setup_at_its_end import FRAME, wizard_at_its_end

LOW, HIGH = "low", "high"


class ButtonWizardBench:
    """A set-up in which every point is found, and a button on GPIO 26."""

    def __init__(
        self, found: SetupFindings | None = None, *, buzzer: int = NO_LINE, is_low: bool = False
    ) -> None:
        self.now = 0
        self.setup: SetupWizard = wizard_at_its_end(found, button=26, buzzer=buzzer, is_button_down=is_low)

    def read(self, *levels: str) -> Prompt:
        for level in levels:
            self.now += FRAME
            self.setup.step((0,) * 24, self.now, is_button_down=level == LOW)
        return self.setup.prompt


def test_press_finds_it() -> None:
    bench = ButtonWizardBench()
    assert bench.read(HIGH, HIGH).stage == "button"
    assert "GPIO 26" in to_english(bench.setup.prompt.sentence)
    prompt = bench.read(*[LOW] * PRESS_READINGS)
    assert prompt.stage == "review"
    assert "The button is on GPIO 26." in [to_english(note) for note in prompt.notes]
    assert bench.setup.result().button == 26


def test_spark_is_no_press() -> None:
    bench = ButtonWizardBench()
    assert bench.read(HIGH, *[LOW] * (PRESS_READINGS - 1), HIGH, LOW, HIGH).stage == "button"


def test_line_that_is_low_at_first_is_no_press() -> None:
    bench = ButtonWizardBench(is_low=True)
    prompt = bench.read(*[LOW] * 100)
    assert prompt.stage == "button"
    assert "low already" in to_english(prompt.sentence)
    assert "press it now" in to_english(bench.read(HIGH).sentence)
    assert bench.read(*[LOW] * PRESS_READINGS).stage == "review"


def test_board_without_one_is_set_up_without() -> None:
    bench = ButtonWizardBench()
    bench.read(HIGH)
    assert bench.setup.answer("", bench.now).stage == "review"
    assert bench.setup.result().button == NO_LINE


def test_back_asks_for_it_again() -> None:
    bench = ButtonWizardBench()
    bench.read(HIGH, *[LOW] * PRESS_READINGS)
    assert bench.setup.answer("b", bench.now).stage == "button"
    assert bench.read(*[LOW] * 10).stage == "button", "it is still down"
    bench.setup.answer("", bench.now)
    assert bench.setup.result().button == NO_LINE


def test_buzzer_is_asked_for_next() -> None:
    bench = ButtonWizardBench(buzzer=12)
    assert bench.read(HIGH, *[LOW] * PRESS_READINGS).stage == "buzzer"


def test_earlier_set_up_is_not_asked_again() -> None:
    bench = ButtonWizardBench()
    bench.read(HIGH, *[LOW] * PRESS_READINGS)
    again = ButtonWizardBench(bench.setup.found)
    assert again.read(HIGH).stage == "review"
    assert again.setup.result().button == 26
