"""The buzzer in a set-up: it beeps, and the maker says whether that is heard."""

from __future__ import annotations

import pytest

from firmware_host.i18n import to_english
from firmware_host.settings import NO_LINE
from hardware.setup.controls.buzzer import is_beep
from tests.support.hardware.setup_at_its_end import FRAME, wizard_at_its_end


@pytest.mark.parametrize(("key", "line"), [("y", 12), ("", NO_LINE)])
def test_answer_says_whether_there_is_one(key: str, line: int) -> None:
    setup = wizard_at_its_end(buzzer=12)
    assert "GPIO 12" in to_english(setup.prompt.sentence)
    prompt = setup.answer(key, FRAME)
    assert prompt.stage == "review"
    assert setup.result().buzzer == line
    notes = [to_english(note) for note in prompt.notes]
    assert ("The buzzer is on GPIO 12." in notes) is (line == 12)


def test_back_asks_for_it_again() -> None:
    setup = wizard_at_its_end(buzzer=12)
    setup.answer("y", FRAME)
    assert setup.answer("b", FRAME).stage == "buzzer"


def test_board_whose_line_is_taken_is_not_asked() -> None:
    setup = wizard_at_its_end()
    assert setup.prompt.stage == "review"
    assert (setup.result().button, setup.result().buzzer) == (None, None)


def test_it_beeps_twice_a_second() -> None:
    levels = [is_beep(now) for now in range(0, 2_000_000, FRAME)]
    rises = sum(not before and after for before, after in zip([False, *levels], levels, strict=False))
    assert rises == 4
    assert 0.3 < sum(levels) / len(levels) < 0.5
