"""The stacks that sensors can tell."""

from __future__ import annotations

import pytest

from tests.fuzz.oracle.stack_words import is_readable, is_surely_read


@pytest.mark.parametrize("stack", ["", "w", "W", "wb", "wW", "wbB", "bbbw"])
def test_is_readable_stack_of_the_rules(stack: str) -> None:
    assert is_readable(stack)


@pytest.mark.parametrize("stack", ["wB", "bW", "wwB"])
def test_is_readable_ball_on_a_ring_of_the_other_is_not(stack: str) -> None:
    assert not is_readable(stack)


@pytest.mark.parametrize(("stack", "is_sure"), [("wwbb", True), ("wB", False), ("wwbbb", False)])
def test_is_surely_read_stack_of_five_is_not(stack: str, is_sure: bool) -> None:
    assert is_surely_read(stack) is is_sure
