"""The headless board under random hands, judged by plain rules and by what truly stands on the table.

One machine drives every game, the mills and Mitsudomoe. In `tests/fuzz/actors`, `seat` gives a game its hands
and how often they do what, and `people` does what is possible at any board, including what must be refused.
For mills, `hands` acts and `mending` puts the board right again; in `tests/fuzz/oracle`, `table` knows what
the sensors can have read and `referee` what must hold. For stacks these are `stack_hands`, `stack_table` and
`stack_score`. The state machine lets Hypothesis choose and shrink. The long run, in `make test-long`, plays
for MILLWRIGHT_MINUTES (20 by default) from MILLWRIGHT_SEED on, only MILLWRIGHT_GAME if one is named, and
prints what was played.
"""

from __future__ import annotations

import itertools
import os
import time
from collections import Counter
from contextlib import ExitStack
from random import Random

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from tests.fuzz.actors.seat import GAMES, MILL_SENSORS, STACKS, seated
from tests.support.matrix import sampled

LUCK = st.randoms(use_true_random=False)


class RandomHands(RuleBasedStateMachine):
    """Hypothesis chooses the game and what hands do; each answer is judged."""

    def __init__(self) -> None:
        super().__init__()
        self.leaving = ExitStack()

    @initialize(game=st.sampled_from(GAMES), sensors=st.sampled_from(MILL_SENSORS), seed=st.integers(0, 9))
    def begin(self, game: str, sensors: str, seed: int) -> None:
        self.seat = self.leaving.enter_context(seated(game, sensors, seed))

    @rule(luck=LUCK, turns=st.integers(1, 12))
    def play(self, luck: Random, turns: int) -> None:
        for _ in range(turns):
            self.seat.hands.turn(luck)

    @rule(luck=LUCK, turns=st.integers(1, 6))
    def play_and_mend(self, luck: Random, turns: int) -> None:
        for _ in range(turns):
            self.seat.hands.turn(luck)
        self.seat.hands.mend(luck)

    @rule(luck=LUCK, which=st.data())
    def do_something(self, luck: Random, which: st.DataObject) -> None:
        which.draw(st.sampled_from(list(self.seat.often)))(luck)

    @rule(luck=LUCK, which=st.data())
    def break_or_ask(self, luck: Random, which: st.DataObject) -> None:
        hands = self.seat.hands
        what = which.draw(st.sampled_from([*hands.faults, *hands.requests]))
        if what in hands.faults:
            hands.fault(luck, what)
        else:
            hands.request(luck, what)

    def teardown(self) -> None:
        self.leaving.close()


RandomHands.TestCase.settings = settings(
    max_examples=4,  # the long run plays thousands
    stateful_step_count=25,
    derandomize=True,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
TestRandomHands = RandomHands.TestCase


def play_long(seed: int, actions: int, game: str | None = None, *, again: bool = False) -> Counter[str]:
    """Let random hands do so many things and count them; an error says how to see what is broken.

    Done `again`, the same lines must be answered with the same bytes by another board.
    """
    luck = Random(seed)
    with seated(game or luck.choice(GAMES), luck.choice(MILL_SENSORS), seed) as seat:
        try:
            for act in luck.choices(list(seat.often), list(seat.often.values()), k=actions):
                act(luck)
        except Exception as error:
            error.add_note(f"{seat.name}, after {len(seat.hands.script)} lines:")
            error.add_note("\n".join(seat.hands.script[-30:]))
            raise
        assert not again or seat.again() == "".join(seat.hands.heard)
        return seat.hands.tally + Counter({f"boards of {seat.game}": 1})


@pytest.mark.parametrize("seed", sampled(range(6)))
def test_the_same_hands_are_answered_with_the_same_bytes(seed: int) -> None:
    play_long(seed, 60, again=True)


@pytest.mark.parametrize("seed", sampled([8, 13]))
def test_hands_play_with_high_stacks_and_vaults_and_what_they_do_counts(seed: int) -> None:
    tally = play_long(seed, 30, STACKS, again=True)
    assert tally["turns in disorder"]
    assert tally["event turn"] > 10


@pytest.mark.long
def test_random_hands_for_many_minutes(capsys: pytest.CaptureFixture[str]) -> None:
    until = time.monotonic() + 60 * float(os.environ.get("MILLWRIGHT_MINUTES", "20"))
    first = int(os.environ.get("MILLWRIGHT_SEED", "1000"))
    counts: Counter[str] = Counter()
    broken: list[str] = []
    for seed in itertools.count(first):
        if time.monotonic() > until:
            break
        try:
            counts += play_long(seed, 40 + seed % 7 * 40, os.environ.get("MILLWRIGHT_GAME"))
        except Exception as error:  # noqa: BLE001 - all that was found is told at the end
            broken.append("\n".join([repr(error), *error.__notes__]))
    with capsys.disabled():
        print(f"\nseeds from {first} on, {len(broken)} of them broke a rule")  # noqa: T201
        for what, number in sorted(counts.items()):
            print(f"  {number:8} {what}")  # noqa: T201
    assert not broken, "\n\n".join(broken)
