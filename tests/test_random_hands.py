"""The headless board under random hands, judged by plain rules and by what truly stands on the table.

`tests/model` has the parts: `hands` says what is done, `table` what the sensors can have felt of it,
`referee` and `mending` what must hold. The state machine lets Hypothesis choose and shrink; the long run
plays seeded games for MILLWRIGHT_MINUTES (20 unless told), in `make test-long`, and tells what was played.
"""

from __future__ import annotations

import itertools
import os
import time
from collections import Counter
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule
from model.board import Board, replay
from model.hands import FAULTS, REQUESTS, Hands
from model.mending import mend
from model.plain_rules import RULE_SETS

SENSORS = ["presence", "polarity"]
RULES = sorted(RULE_SETS)
LUCK = st.randoms(use_true_random=False)

OFTEN: dict[Callable[[Hands, Random], None], float] = {
    Hands.turn: 60,
    mend: 8,
    Hands.mischief: 6,
    Hands.linger: 4,
    Hands.fault: 3,
    Hands.move_back: 3,
    Hands.request: 2,
    Hands.impossible: 1,
    Hands.clear: 0.7,
    Hands.new_game: 0.3,
}
"""What random hands do, and how often, in the long run."""


class RandomHands(RuleBasedStateMachine):
    """Hypothesis chooses what hands do; the referee judges each answer."""

    @initialize(rules=st.sampled_from(RULES), sensors=st.sampled_from(SENSORS), seed=st.integers(0, 9))
    def begin(self, rules: str, sensors: str, seed: int) -> None:
        self.asked = rules, sensors, seed
        self.board = Board(*self.asked)
        self.hands = Hands(self.board.feed, self.board.greeting, RULE_SETS[rules], sensors)

    @rule(luck=LUCK, turns=st.integers(1, 12))
    def play(self, luck: Random, turns: int) -> None:
        for _ in range(turns):
            self.hands.turn(luck)

    @rule(luck=LUCK, turns=st.integers(1, 6))
    def play_and_mend(self, luck: Random, turns: int) -> None:
        for _ in range(turns):
            self.hands.turn(luck)
        mend(self.hands, luck)

    @rule(luck=LUCK, act=st.sampled_from(list(OFTEN)))
    def do_something(self, luck: Random, act: Callable[[Hands, Random], None]) -> None:
        act(self.hands, luck)

    @rule(luck=LUCK, what=st.sampled_from(FAULTS + REQUESTS))
    def break_or_ask(self, luck: Random, what: str) -> None:
        if what in FAULTS:
            self.hands.fault(luck, what)
        else:
            self.hands.request(luck, what)

    def teardown(self) -> None:
        if hasattr(self, "board"):
            self.board.close()


RandomHands.TestCase.settings = settings(
    max_examples=15,
    stateful_step_count=25,
    derandomize=True,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
TestRandomHands = RandomHands.TestCase


def play_long(seed: int, actions: int) -> Hands:
    """Let random hands do so many things; where a rule is broken, the error tells how to see it."""
    luck = Random(seed)
    rules, sensors = luck.choice(RULES), luck.choice(SENSORS)
    board = Board(rules, sensors, seed)
    hands = Hands(board.feed, board.greeting, RULE_SETS[rules], sensors)
    try:
        for act in luck.choices(list(OFTEN), list(OFTEN.values()), k=actions):
            act(hands, luck)
    except Exception as error:
        error.add_note(f"seed {seed} ({rules}, {sensors}), after {len(hands.script)} lines:")
        error.add_note("\n".join(hands.script[-30:]))
        raise
    finally:
        board.close()
    return hands


@pytest.mark.parametrize("seed", range(6))
def test_the_same_hands_are_answered_with_the_same_bytes(seed: int) -> None:
    hands = play_long(seed, 60)
    asked = Random(seed)
    rules, sensors = asked.choice(RULES), asked.choice(SENSORS)
    assert replay(hands.script, rules, sensors, seed) == "".join(hands.heard)


@pytest.mark.long
def test_random_hands_for_many_minutes(capsys: pytest.CaptureFixture[str]) -> None:
    until = time.monotonic() + 60 * float(os.environ.get("MILLWRIGHT_MINUTES", "20"))
    first = int(os.environ.get("MILLWRIGHT_SEED", "1000"))
    counts: Counter[str] = Counter()
    broken: list[str] = []
    for seed in itertools.count(first):
        if time.monotonic() > until:
            break
        counts["boards"] += 1
        try:
            hands = play_long(seed, 40 + seed % 7 * 40)
        except Exception as error:  # noqa: BLE001 - all that was found is told at the end
            broken.append("\n".join([repr(error), *error.__notes__]))
        else:
            counts += hands.counts + hands.referee.counts
    with capsys.disabled():
        print(f"\nseeds from {first} on, {len(broken)} of them broke a rule")  # noqa: T201
        for what, number in sorted(counts.items()):
            print(f"  {number:8} {what}")  # noqa: T201
    assert not broken, "\n\n".join(broken)
