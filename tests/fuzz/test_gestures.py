"""A gesture that hands make by chance is counted, and hardly any is allowed."""

from __future__ import annotations

from collections import Counter

from tests.fuzz.gestures import HOLD_UPS, KNOCKS, are_few, counted
from tests.support.hands_that_ask import AskingHands


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
    assert are_few(Counter({HOLD_UPS: 1}), 2000)
    assert not are_few(Counter({HOLD_UPS: 1}), 1999)
    assert not are_few(Counter({KNOCKS: 1}), 10**6)
