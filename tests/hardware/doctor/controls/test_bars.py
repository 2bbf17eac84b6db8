"""The doctor asks what half a side bar looks like, and says what is wrong with it."""

from __future__ import annotations

import pytest

from firmware_host.settings import Strip
from hardware.doctor.controls.bars import check_bars
from hardware.doctor.findings import Verdict
from tests.support.hardware.doctoring import examined, wrong

WHITE, BLACK = tuple(range(24, 32)), tuple(range(32, 40))
BARS = Strip(leds=40, white_bar=WHITE, black_bar=BLACK)


def test_bars_that_shine_as_configured_pass() -> None:
    findings = examined(strip=BARS, thought_strip=BARS)
    assert wrong(findings) == []
    (found,) = (finding for finding in findings if finding.check == "side bars")
    assert found.verdict is Verdict.PASS
    assert found.found == "8 LEDs on each side, in their order"


def test_a_board_without_bars_is_not_asked_about_them() -> None:
    assert "side bars" not in {finding.check for finding in examined()}


@pytest.mark.parametrize(
    ("truth", "found", "fix"),
    [
        (
            Strip(leds=40, white_bar=BLACK, black_bar=WHITE),
            "on the other player's side",
            "exchange white_bar",
        ),
        (
            Strip(leds=40, white_bar=WHITE[::-1], black_bar=BLACK),
            "White's bar shone at its other end",
            "round",
        ),
    ],
)
def test_bars_that_are_wired_otherwise_are_told(truth: Strip, found: str, fix: str) -> None:
    (finding,) = wrong(examined(strip=truth, thought_strip=BARS))
    assert finding.check == "side bars"
    assert found in finding.found
    assert fix in finding.fix


def test_a_bar_behind_a_broken_led_is_told() -> None:
    (finding,) = wrong(examined({"leds": "broken", "led": 33}, strip=BARS, thought_strip=BARS))
    assert (finding.check, finding.found) == ("side bars", "Black's bar shone in part")
    (dark,) = check_bars({"White": "half", "Black": "none"}, BARS)
    assert dark.found == "Black's bar stayed dark"
    assert "the wires to LED 32" in dark.fix
