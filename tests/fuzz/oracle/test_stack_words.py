"""The stacks that sensors can tell."""

from __future__ import annotations

import pytest

from tests.fuzz.oracle.stack_words import is_readable


@pytest.mark.parametrize("stack", ["", "w", "W", "wb", "wW", "wbB", "bbbw"])
def test_is_readable_stack_of_the_rules(stack: str) -> None:
    assert is_readable(stack)


@pytest.mark.parametrize("stack", ["wB", "bW", "wwB"])
def test_is_readable_ball_on_a_ring_of_the_other_is_not(stack: str) -> None:
    assert not is_readable(stack)
