"""Hands that ask for nothing open no menu, and one that they open is counted."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.fuzz.asks import BROKEN, HOLD_UPS, KNOCKS, TURNS, counted, is_good, play
from tests.support.hands_that_ask import AskingHands


@pytest.mark.parametrize("seed", [0, pytest.param(range(1, 40), marks=pytest.mark.long)], ids=["one", "more"])
def test_hands_that_ask_for_nothing_open_no_menu(seed: int | range) -> None:
    total: Counter[str] = sum(map(play, [seed] if isinstance(seed, int) else seed), Counter())
    assert not total[BROKEN]
    assert is_good(total)
    assert total[TURNS]


def test_menus_that_hands_open_are_counted() -> None:
    counts: Counter[str] = Counter()
    with counted(counts):
        hands = AskingHands()
        hands.place("d6 f4 b4 f2 d7 a1 a7 g1")
        hands.knock("e3")
        hands.ask("ask")
        hands.hold_up("d6", "b4")
        hands.close()
    assert counts == {KNOCKS: 1, HOLD_UPS: 1}


def test_one_hold_up_in_two_thousand_turns_is_allowed_and_no_knock() -> None:
    assert is_good(Counter({TURNS: 2000, HOLD_UPS: 1}))
    assert not is_good(Counter({TURNS: 1999, HOLD_UPS: 1}))
    assert not is_good(Counter({TURNS: 10**6, KNOCKS: 1}))
