"""Positions while pieces are placed, and their values by the rules that are played."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache

from firmware_host.engine.tables import Tables
from firmware_host.games.morris.position import MorrisRules
from firmware_host.games.morris.rules import MorrisState
from firmware_host.games.values import Result

VALUES = {Result.LOSS: -1, Result.DRAW: 0, Result.WIN: 1}


def minimax(rules: MorrisRules, tables: Tables) -> Callable[[MorrisState], int]:
    """Return a function that values a state for the player who began, by the rules that are played."""

    @cache
    def value(mine: int, theirs: int, my_hand: int, their_hand: int, black: int) -> int:
        if mine.bit_count() + my_hand < 3:
            return -1
        if theirs.bit_count() + their_hand < 3:
            return 1
        state = rules.mechanics.start(black=False)
        state = state._replace(mine=mine, theirs=theirs, my_hand=my_hand, their_hand=their_hand, black=black)
        if not (my_hand or their_hand):
            known = tables.probe(rules, state)
            assert known is not None
            return VALUES[known.result]
        return max(-value(*after[:4], after.black) for after in rules.mechanics.after_turns(state))

    return lambda state: value(*state[:4], state.black) * (-1 if state.black else 1)


def random_states(rules: MorrisRules, placed: int, count: int) -> list[MorrisState]:
    """Return states after some placements, in which the game goes on."""
    rng, found = random.Random(placed), list[MorrisState]()
    while len(found) < count:
        state = rules.mechanics.start(black=False)
        while placed > 2 * rules.options.pieces - state.my_hand - state.their_hand:
            state = rng.choice(list(rules.mechanics.after_turns(state)))
            if rules.mechanics.ending(state) is not None:
                break
        else:
            found.append(state)
    return found
