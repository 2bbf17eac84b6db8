"""The shipped opening, and the frame of certificates."""

import random

import pytest

from firmware_host.engine.certificate import Certificate, read_certificates
from firmware_host.engine.solving.folder import SHIPPED_OPENING, open_tables
from firmware_host.errors import TableError
from tests.support.games.morris import mill_rules

STANDARD = mill_rules("standard")
OPENING_TURNS = 5


@pytest.mark.parametrize("player", [0, 1])
def test_opening_answers_every_opponent_for_five_turns(tmp_path, player):
    tables, rng, mechanics = open_tables(tmp_path), random.Random(player), STANDARD.mechanics
    for _ in range(30):
        state = mechanics.start(black=False)
        for ply in range(2 * OPENING_TURNS):
            turns = list(mechanics.after_turns(state))
            if ply % 2 == player:
                reply = tables.reply(STANDARD, state)
                turns = [one for one in turns if (one.theirs, one.mine) == reply]
                assert turns
            state = rng.choice(turns)


@pytest.mark.parametrize("name", ["lasker", "six", "twelve"])
def test_opening_is_not_used_under_other_rules(tmp_path, name):
    rules = mill_rules(name)
    assert open_tables(tmp_path).reply(rules, rules.mechanics.start(black=False)) is None


def test_opening_with_a_flipped_bit_gives_no_reply(tmp_path):
    whole, rng = SHIPPED_OPENING.read_bytes(), random.Random(9)
    first = read_certificates(memoryview(whole), "opening.mwc")[0]
    for _ in range(50):
        damaged = bytearray(whole[: first.length])
        damaged[rng.randrange(first.length)] ^= 1 << rng.randrange(8)
        with pytest.raises(TableError):
            Certificate(memoryview(damaged)).turn_entries(0)
