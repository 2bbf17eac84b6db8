"""The stacks that sensors can tell, and the orders in which hands move them."""

from __future__ import annotations

import pytest

from tests.fuzz.oracle.stack_orders import exchanges
from tests.fuzz.oracle.stack_words import Action, actions_of, is_readable, is_surely_read

CHAIN: list[Action] = [*actions_of("/d4-c1", "w"), *actions_of("/c3-d4", "w")]
"""Two balls of Black, of which one comes to where the other was."""


@pytest.mark.parametrize("stack", ["", "w", "W", "wb", "wW", "wbB", "bbbw"])
def test_is_readable_stack_of_the_rules(stack: str) -> None:
    assert is_readable(stack)


@pytest.mark.parametrize("stack", ["wB", "bW", "wwB"])
def test_is_readable_ball_on_a_ring_of_the_other_is_not(stack: str) -> None:
    assert not is_readable(stack)


@pytest.mark.parametrize(("stack", "is_sure"), [("wwbb", True), ("wB", False), ("wwbbb", False)])
def test_is_surely_read_stack_of_five_is_not(stack: str, is_sure: bool) -> None:
    assert is_surely_read(stack) is is_sure


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
