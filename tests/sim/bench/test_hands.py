"""The hands of the bench play whole turns, and what they play is followed."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from itertools import count
from random import Random

import pytest

from firmware_host.games.game import legal_turns
from sim.bench.hands import Costs, PlayedBoard, instructions, of_hands


@pytest.mark.parametrize("rules", ["standard", "mitsudomoe"])
def test_played_turns_are_followed_and_each_frame_is_timed(rules: str) -> None:
    luck, costs = Random(3), Costs()
    board = PlayedBoard(rules, luck, costs)
    turns = 0
    while board.game.outcome is None and turns < 8:
        board.play(luck.choice(legal_turns(board.game.position)))
        assert board.is_followed
        turns += 1
    assert turns > 1
    assert len(costs.changed) > turns
    assert costs.at_deadline
    assert len(costs.unchanged) > 100
    assert all(cost >= 0 for cost in (*costs.changed, *costs.at_deadline, *costs.unchanged))


def test_a_board_that_lost_a_turn_is_not_followed() -> None:
    luck = Random(3)
    board = PlayedBoard("standard", luck, Costs())
    for _ in range(3):
        board.game = board.game.play(*luck.choice(legal_turns(board.game.position)).steps)
    assert not board.is_followed


def test_of_hands_returns_the_spread_of_each_kind_of_frame() -> None:
    figures = of_hands("standard", 4)
    assert figures["turns"] == 4
    assert figures["boards_left"] == 0
    for kind in ("changed_frame_us", "frame_at_a_deadline_us", "unchanged_frame_us"):
        assert figures[kind]["of"] > 0
        assert figures[kind]["median"] <= figures[kind]["p99"]


@pytest.fixture
def _collecting() -> Iterator[None]:
    """Have Python collect garbage at moments that nobody chose, and call something then."""
    before, calls = gc.get_threshold(), count()

    def call(_phase: str, _info: dict[str, int]) -> None:
        next(calls)

    gc.callbacks.append(call)
    gc.set_threshold(7)
    yield
    gc.set_threshold(*before)
    gc.callbacks.remove(call)


@pytest.mark.usefixtures("_collecting")
def test_instructions_of_a_frame_are_the_same_each_time() -> None:
    first, again = (of_hands("standard", 3, instructions) for _ in range(2))
    assert first == again
    assert first["changed_frame_us"]["median"] > 100
