"""The search's rules against the rules that are played."""

from __future__ import annotations

import random

import pytest

from firmware_host.engine.searching.mill_bits import MillBits, Node, mill_bits
from firmware_host.games.morris.rules import MorrisMechanics, MorrisState
from firmware_host.games.options import MorrisOptions
from firmware_host.games.rulesets import MILL_SETS

OPTIONS = {
    **MILL_SETS,
    "flying both, may": MorrisOptions(flying="both", removal="may", captures="per-mill", protection="none"),
    "twelve moving": MorrisOptions(
        pieces=12, diagonals=True, move_while_placing=True, captures="per-mill", full_board="first-loses"
    ),
    "six on the outer rings": MorrisOptions(
        pieces=4, points="outer", diagonals=True, protection="unless-three"
    ),
    "three": MorrisOptions(pieces=3),
    "four": MorrisOptions(pieces=4, flying="both"),
}
EACH = pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)


def changes(bits: MillBits, node: Node) -> list[tuple[int, ...]]:
    closing, quiet = bits.turns(*node)
    assert sorted(closing) == sorted(bits.closing_turns(*node))
    return sorted((*change, node[3]) for change in (*closing, *quiet))


def played(mechanics: MorrisMechanics, state: MorrisState) -> list[tuple[int, ...]]:
    found = []
    for after in mechanics.after_turns(state):
        own = (after.theirs, after.mine, after.their_hand, after.my_hand)
        same = (after.mine, after.theirs, after.my_hand, after.their_hand)
        found.append(same if after.black == state.black else own)
    return sorted(found)


@EACH
def test_turns_along_random_games_are_those_of_the_rules(options: MorrisOptions) -> None:
    mechanics, bits, rng = MorrisMechanics(options), mill_bits(options), random.Random(3)
    seen = captures = 0
    for _ in range(12):
        state = mechanics.start(black=False)
        for _ in range(70):
            if mechanics.ending(state) is not None:
                break
            node = state[:4]
            assert changes(bits, node) == played(mechanics, state)
            seen += 1
            afters = list(mechanics.after_turns(state))
            taking = [
                after
                for after in afters
                if after.mine.bit_count() + after.my_hand < state[1].bit_count() + state[3]
            ]
            captures += bool(taking)
            state = rng.choice(taking if taking and rng.random() < 0.7 else afters)
    assert seen > 60
    assert captures > 2
