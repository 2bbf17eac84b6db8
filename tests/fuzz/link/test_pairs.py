"""Far games of players who change their minds, each on two whole boards in virtual time."""

from __future__ import annotations

import pytest

from tests.fuzz.link import pairs


@pytest.mark.ci("games")  # each takes seconds
@pytest.mark.parametrize("seed", [2, 29])
def test_boards_are_at_the_same_game_whenever_both_have_rested(seed: int) -> None:
    counts, broken = pairs.play(seed)
    assert broken == ""
    assert counts["rests"] > 10
    assert counts["turns"] > 10
