"""The evaluation: the same for both players but for the sign, and for mirrored boards."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from firmware_host.engine.searching.evaluation import Evaluation, Weights, evaluation
from firmware_host.engine.searching.mill_bits import mill_bits
from firmware_host.games.options import MorrisOptions
from firmware_host.games.rulesets import MILL_SETS

NOTHING = Weights(0, 0, 0, 0, 0, 0, 0)


def turned(points: int) -> int:
    """Return the points a quarter turn on."""
    return sum(
        (ring << 2 & 0xFF | ring >> 6) << shift for shift in (0, 8, 16) for ring in [points >> shift & 0xFF]
    )


@pytest.mark.parametrize("options", MILL_SETS.values(), ids=MILL_SETS)
def test_evaluation_turns_with_the_board_and_the_players(options: MorrisOptions) -> None:
    evaluate, rng = evaluation(mill_bits(options)), random.Random(2)
    for _ in range(200):
        mine = rng.getrandbits(24) & rng.getrandbits(24) & evaluate.rules.usable
        theirs = rng.getrandbits(24) & rng.getrandbits(24) & evaluate.rules.usable & ~mine
        hands = rng.randrange(3), rng.randrange(3)
        worth = evaluate(mine, theirs, *hands)
        assert evaluate(theirs, mine, *reversed(hands)) == -worth
        assert evaluate(turned(mine), turned(theirs), *hands) == worth


def test_evaluation_of_a_closed_mill_counts_its_parts() -> None:
    rules = mill_bits(MILL_SETS["standard"])
    mill = 0b1000_0011
    counted = {
        name: Evaluation(rules, replace(NOTHING, **{name: 1}))(mill, 0, 1, 0)
        for name in ("material", "mobility", "twos", "mills", "degree", "shut_in")
    }
    assert counted == {"material": 4, "mobility": 3, "twos": 0, "mills": 1, "degree": 7, "shut_in": 0}


def test_evaluation_of_a_piece_without_a_way_counts_it() -> None:
    rules = mill_bits(MILL_SETS["standard"])
    corner, around = 1 << 17, 1 << 16 | 1 << 18
    assert Evaluation(rules, replace(NOTHING, shut_in=1))(corner, around, 0, 0) == 1
    assert Evaluation(rules, replace(NOTHING, twos=1))(around | 1 << 23, 1, 0, 0) == 1
