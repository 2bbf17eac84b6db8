"""Rings and balls under random hands on simulated linear sensors; `tests/model/stack_hands.py` is the judge.

The state machine lets Hypothesis choose what hands do: turns in disorder, errors and their mending, turns
taken back, sensors that break for a while and power cuts. The long run plays seeded games for
MILLWRIGHT_MINUTES (20 unless told), in `make test-long`, and tells what was played.
"""

from __future__ import annotations

import itertools
import os
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule
from model.board import Board
from model.stack_hands import StackHands

LUCK = st.randoms(use_true_random=False)

OFTEN: dict[Callable[[StackHands, Random], None], float] = {
    StackHands.turn: 60,
    StackHands.mischief: 6,
    StackHands.take_back: 3,
    StackHands.move_back: 3,
    StackHands.cut_power: 2,
    StackHands.fault: 2,
}
"""What random hands do, and how often, in the long run."""


class RandomHandsOfStacks(RuleBasedStateMachine):
    """Hypothesis chooses what hands do; each answer is judged."""

    @initialize(seed=st.integers(0, 9))
    def begin(self, seed: int) -> None:
        self.folder = TemporaryDirectory()
        self.board, self.hands = begun(seed, self.folder.name)

    @rule(luck=LUCK, turns=st.integers(1, 6))
    def play(self, luck: Random, turns: int) -> None:
        for _ in range(turns):
            self.hands.turn(luck)

    @rule(luck=LUCK, act=st.sampled_from(list(OFTEN)))
    def do_something(self, luck: Random, act: Callable[[StackHands, Random], None]) -> None:
        act(self.hands, luck)

    def teardown(self) -> None:
        if hasattr(self, "board"):
            self.board.close()
            self.folder.cleanup()


RandomHandsOfStacks.TestCase.settings = settings(
    max_examples=6,
    stateful_step_count=10,
    derandomize=True,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
TestRandomHandsOfStacks = RandomHandsOfStacks.TestCase


def begun(seed: int, folder: str) -> tuple[Board, StackHands]:
    """A board of Mitsudomoe that keeps its games, and hands that have done nothing yet."""
    board = Board("mitsudomoe", "pieces", seed, Path(folder) / "games.db")
    return board, StackHands(board.feed, board.greeting)


def play_long(seed: int, actions: int) -> StackHands:
    """Let random hands do so many things; where a rule is broken, the error tells how to see it."""
    luck = Random(seed)
    with TemporaryDirectory() as folder:
        board, hands = begun(seed, folder)
        try:
            for act in luck.choices(list(OFTEN), list(OFTEN.values()), k=actions):
                act(hands, luck)
        except Exception as error:
            error.add_note(f"seed {seed}, after {len(hands.script)} lines:")
            error.add_note("\n".join(hands.script[-30:]))
            raise
        finally:
            board.close()
    return hands


@pytest.mark.parametrize("seed", [8, 13])
def test_hands_play_with_high_stacks_and_vaults_and_what_they_do_counts(seed: int) -> None:
    hands = play_long(seed, 30)
    assert hands.counts["turns in disorder"]
    assert hands.counts["event turn"] > 10


@pytest.mark.long
def test_random_hands_of_stacks_for_many_minutes(capsys: pytest.CaptureFixture[str]) -> None:
    until = time.monotonic() + 60 * float(os.environ.get("MILLWRIGHT_MINUTES", "20"))
    first = int(os.environ.get("MILLWRIGHT_SEED", "1000"))
    counts: Counter[str] = Counter()
    broken: list[str] = []
    for seed in itertools.count(first):
        if time.monotonic() > until:
            break
        try:
            counts += play_long(seed, 40).counts
        except Exception as error:  # noqa: BLE001 - all that was found is told at the end
            broken.append("\n".join([repr(error), *error.__notes__]))
    with capsys.disabled():
        print(f"\nseeds from {first} on, {len(broken)} of them broke a rule")  # noqa: T201
        for what, number in sorted(counts.items()):
            print(f"  {number:8} {what}")  # noqa: T201
    assert not broken, "\n\n".join(broken)
