"""Habits of the levels: what a position offers, and how often people's mistakes are made."""

from __future__ import annotations

import pytest

from firmware_host.games.rulesets import DEFAULT
from tests.engine.levels.habits import CLOSES, STOPS, WINS, by_chance, chances, measured
from tests.engine.measuring.answers import sampled
from tests.engine.measuring.openings import game_of


def test_chances_name_the_turns_that_stop_a_mill() -> None:
    found = chances(game_of(["d6", "a7", "f4", "d7"]))
    assert found.right == {STOPS: {"g7"}}


def test_chances_leave_stopping_out_where_a_mill_can_be_closed() -> None:
    found = chances(game_of(["d6", "a7", "d5", "d7", "a1", "f4"]))
    assert set(found.right) == {STOPS}
    closing = chances(game_of(["g1", "a7", "d1", "d7"]))
    assert set(closing.right) == {CLOSES}
    assert closing.right[CLOSES] == {"a1xa7", "a1xd7"}


@pytest.mark.ci("engine")
def test_levels_close_and_stop_mills_more_often_from_one_to_the_next() -> None:
    positions = [one for one in map(chances, sampled(DEFAULT, 600, 1)) if one.right]
    shares = [by_chance(positions), *(measured(positions, level, 1) for level in range(1, 5))]
    stops = [one.share(STOPS) for one in shares]
    assert stops == sorted(stops)
    assert stops[1] > 50
    assert all(one.share(CLOSES) >= 90 for one in shares[1:])
    assert all(one.share(WINS) == 100 for one in shares[1:])
