"""The search of Mitsudomoe, and what it costs."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from firmware_host.engine.choosing import choose
from firmware_host.games.game import Game
from firmware_host.games.mitsudomoe.rules import MitsudomoeMechanics, MitsudomoeState
from firmware_host.games.rulesets import rule_set

MANY_TURNS = "-,-,bB,bB,b/-,-,-,bwb,b/-,wW,w,wW,bB/w,-,wW,-,-/-,w,-,-,w w ring 9"
"""A position with 341 turns, to each of which there are about as many answers."""


def test_level_3_of_mitsudomoe_plays_few_states(monkeypatch: pytest.MonkeyPatch) -> None:
    played = 0
    after_turns = MitsudomoeMechanics.after_turns

    def counted(self: MitsudomoeMechanics, state: MitsudomoeState) -> Iterator[MitsudomoeState]:
        nonlocal played
        for after in after_turns(self, state):
            played += 1
            yield after

    monkeypatch.setattr(MitsudomoeMechanics, "after_turns", counted)
    rules = rule_set("mitsudomoe")
    game = Game.begin(rules, rules.position(MANY_TURNS))
    assert choose(game, 3, rng=random.Random(1))
    # A limit on the positions that are searched is one on time only if no others are made: it was 112,625.
    assert 1_000 < played <= 6_000
