"""The table of cues: it has all of them, and nothing is lit together that it doesn't list."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from firmware_host.lights.cues import PRIORITY, TOGETHER, VALUES, Cue, DisplayedCue, displayed_cue
from tests.support.paths import SCENARIOS


def states() -> Iterator[dict[str, list[str]]]:
    """Yield the cues of each state that a scenario shows."""
    for path in SCENARIOS.glob("*.txt"):
        for line in path.read_text("utf-8").splitlines():
            state = json.loads(line)["state"] if line.startswith("{") and '"state"' in line else {}
            if "cues" in state:
                yield state["cues"]


def lit(cues: dict[str, list[str]]) -> frozenset[DisplayedCue]:
    """Return the cues that the light shows of those that points have."""
    return frozenset(displayed_cue([Cue(name) for name in names]) for names in cues.values())


def test_every_cue_has_a_priority_and_a_group() -> None:
    assert sorted(PRIORITY, key=str) == sorted(Cue, key=str)
    assert frozenset().union(*TOGETHER.values()) >= set(Cue)


def test_what_is_lit_together_is_in_the_table() -> None:
    shown = {lit(cues) for cues in states()}
    assert any(set(VALUES) <= together for together in shown), "no scenario shows all results at once"
    assert [one for one in shown if not any(one <= group for group in TOGETHER.values())] == []


@pytest.mark.parametrize("value", VALUES)
def test_a_result_is_shown_before_what_is_legal(value: Cue) -> None:
    assert displayed_cue((Cue.REMOVABLE, Cue.LAST_MOVE, value)) is value
