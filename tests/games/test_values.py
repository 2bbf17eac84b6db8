"""Values, and the same seen by the opponent."""

from __future__ import annotations

import pytest

from firmware_host.games.values import Result


@pytest.mark.parametrize(
    ("one", "other"), [("win", "loss"), ("loss", "win"), ("draw", "draw"), ("unknown", "unknown")]
)
def test_result_reversed_is_the_opponents(one: str, other: str) -> None:
    assert Result(one).reversed == Result(other)
