"""The runs of steps that explain what hands did: who may have set down what lands too early."""

from __future__ import annotations

import pytest

from firmware_host.games.layout import MORRIS
from firmware_host.ports import SensorKind
from tests.support.observed_script import ObservedScript, game_of

MILL = game_of("a7 e3 d7 f2")
"""White, to place, closes a7 d7 g7 by g7, and may take e3 or f2."""


@pytest.mark.parametrize(
    ("kind", "landing", "may_be_reply"),
    [
        (SensorKind.POLARITY, "@b4", True),
        (SensorKind.POLARITY, "+b4", False),
        (SensorKind.PRESENCE, "+b4", True),
    ],
    ids=["reply", "same player", "without colours"],
)
def test_landing_before_a_capture_may_be_the_opponents_alone(
    kind: SensorKind, landing: str, may_be_reply: bool
) -> None:
    found = ObservedScript(MILL, f"+g7 500 {landing} 500", kind).explanations()
    assert any(e.early == (MORRIS["b4"].index,) for e in found) is may_be_reply
