"""A lit board that nobody touches costs little, which is counted in virtual time."""

from __future__ import annotations

import pytest

from firmware_host.play.rest import STILL_PERIOD
from tests.integration.resting import rest

SECONDS = 10
MAX_CALLS = {"run": 80, "sim": 150}
"""The most calls of Python functions in a pass, those of the simulated electronics included."""


@pytest.mark.parametrize("program", MAX_CALLS)
def test_board_at_rest_reads_seldom_and_publishes_nothing(program: str) -> None:
    costs = rest(program, SECONDS, counts_calls=True)
    assert SECONDS * 60 <= costs.passes <= SECONDS * 1_000_000 // STILL_PERIOD + 2
    assert costs.calls <= MAX_CALLS[program] * costs.passes
    assert costs.transmissions <= SECONDS + 1, "besides its refresh each second, the strip is sent nothing"
    assert costs.messages == 0
