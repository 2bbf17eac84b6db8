"""The fit of the evaluation's weights: its features, and weights that are known beforehand."""

from __future__ import annotations

import math
import random

import pytest

from firmware_host.engine.searching.evaluation import WEIGHTS, evaluation
from firmware_host.engine.searching.mill_bits import mill_bits
from firmware_host.games.morris.position import MorrisRules
from firmware_host.games.rulesets import rule_set
from tests.engine.measuring.weights import FITTED, SolvedSample, features, fitted, match, solved, worth

pytestmark = pytest.mark.ci("engine")


def standard() -> MorrisRules:
    rules = rule_set("standard")
    assert isinstance(rules, MorrisRules)
    return rules


@pytest.mark.parametrize("hands", [(0, 0), (3, 2)])
def test_features_times_weights_are_the_evaluation(hands: tuple[int, int]) -> None:
    rng, rules = random.Random(1), standard()
    weights = [getattr(WEIGHTS, name) for name in FITTED]
    for _ in range(40):
        points = [1 << point for point in rng.sample(range(24), 11)]
        node = sum(points[:6]), sum(points[6:]), *hands
        value = worth(SolvedSample(features(rules, node), 0), weights)
        assert value == evaluation(mill_bits(rules.options))(*node)


def test_fitted_finds_the_weights_that_made_the_results() -> None:
    rng = random.Random(2)

    def drawn() -> SolvedSample:
        found = rng.randrange(-4, 5), rng.randrange(-4, 5)
        chance = rng.random()
        value = 0.8 * found[0] - 0.3 * found[1] + math.log(chance / (1 - chance))
        return SolvedSample(found, 1 if value > 1 else -1 if value < -1 else 0)

    assert fitted([drawn() for _ in range(4000)]) == pytest.approx([0.8, -0.3, 1.0], abs=0.1)


def test_solved_equations_hold_without_a_leading_pivot() -> None:
    assert solved([[0.0, 2.0], [4.0, 1.0]], [6.0, 11.0]) == pytest.approx([2.0, 3.0])


def test_match_of_equal_weights_is_even() -> None:
    score = match(standard(), WEIGHTS, 2, 2)
    assert (score.games, score.wins) == (2, score.losses)
