"""The questions that are taken out of a board's lines."""

from __future__ import annotations

from collections import Counter

from tests.fuzz.actors.asking import Asks

UNDONE, OVER, GAME, STEP = ({"event": event} for event in ("end-undone", "over", "game", "step"))


def test_asks_result_that_is_named_is_taken_out() -> None:
    assert Asks(Counter()).take_out([UNDONE, OVER, GAME]) == [GAME]


def test_asks_cleared_game_that_goes_on_stays() -> None:
    assert Asks(Counter()).take_out([UNDONE]) == [UNDONE]
    assert Asks(Counter()).take_out([UNDONE, STEP, OVER]) == [UNDONE, STEP, OVER]
