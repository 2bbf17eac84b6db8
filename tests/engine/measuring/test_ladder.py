"""The ladder's arithmetic, and one short match."""

from __future__ import annotations

import math

import pytest

from firmware_host.games.game import Player
from tests.engine.measuring.ladder import PairScore, match, play

pytestmark = pytest.mark.ci("engine")


def test_score_of_equals_has_no_difference() -> None:
    middle, low, high = PairScore(100, 200, 100).elo()
    assert middle == 0
    assert low == pytest.approx(-high)
    assert 20 < high < 30


def test_score_of_three_quarters_is_191_elo() -> None:
    middle, low, high = PairScore(300, 0, 100).elo()
    assert middle == pytest.approx(190.8, abs=0.1)
    assert low < middle < high


def test_score_of_wins_only_has_no_bound() -> None:
    assert PairScore(5, 0, 0).elo()[0] == math.inf


def test_match_is_won_by_the_higher_level() -> None:
    score = match("standard", (1, 6), 4, 3, 0.1)
    assert score.games == 4
    assert score.wins > score.losses


def test_play_with_one_seed_repeats_itself() -> None:
    first = play("six", 4, 1, 6, 0.1)
    assert first == play("six", 4, 1, 6, 0.1)
    assert first in (Player.WHITE, Player.BLACK, None)
