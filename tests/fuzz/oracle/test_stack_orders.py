"""Orders of actions on stacks."""

from __future__ import annotations

import pytest

from tests.fuzz.oracle.stack_orders import exchanges
from tests.fuzz.oracle.stack_words import Action, actions_of

CHAIN: list[Action] = [*actions_of("/d4-c1", "w"), *actions_of("/c3-d4", "w")]
"""Two balls of Black, of which one comes to where the other was."""


@pytest.mark.parametrize(
    ("order", "exchanged"), [((0, 1, 2, 3), False), ((2, 0, 1, 3), False), ((2, 0, 3, 1), True)]
)
def test_orders_a_ball_for_one_like_it_in_hand_is_an_exchange(
    order: tuple[int, ...], exchanged: bool
) -> None:
    assert exchanges([CHAIN[number] for number in order]) is exchanged


def test_orders_of_another_piece_or_place_exchange_nothing() -> None:
    assert not exchanges([("lift", "d4", "B"), ("put", "d4", "W"), ("put", "c1", "B")])
    assert not exchanges([("lift", "d4", "B"), ("lift", "c3", "B"), ("put", "c1", "B"), ("put", "d4", "B")])
