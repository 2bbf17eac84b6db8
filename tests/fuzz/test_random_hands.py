"""The headless board under random hands, judged by plain rules and by what truly stands on the table.

One machine drives every game, the mills and Mitsudomoe. In `tests/fuzz/actors`, `seat` gives a game its hands
and how often they do what, and `people` does what is possible at any board, including what must be refused.
For mills, `hands` acts and `mending` puts the board right again; in `tests/fuzz/oracle`, `table` knows what
the sensors can have read and `referee` what must hold. For stacks these are `stacks.hands`, `stack_table` and
`stack_score`. Every game with every kind of sensors is played from a seed of its own, the same each time. In
`make test-long` the state machine lets Hypothesis choose and shrink: it draws by the modules that happen to
be loaded, so that a failure need not come from a change. The long run plays for MILLWRIGHT_MINUTES (20 by
default) from MILLWRIGHT_SEED on, as `actions` does, and prints what was played.
"""

from __future__ import annotations

import os
import time
from contextlib import ExitStack
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from tests.fuzz import actions
from tests.fuzz.actions import KINDS, PlayedSeed, boards, main, play_board, read, total
from tests.fuzz.actors.seat import GAMES, MILL_SENSORS, STACKS, seated
from tests.fuzz.gestures import KNOCKS, are_few
from tests.support.matrix import sampled

pytestmark = pytest.mark.ci("games")

LUCK = st.randoms(use_true_random=False)
OF_ONE_CHIP = ("a1", "d1", "g1", "a4", "g4", "a7", "d7", "g7")
"""The points whose sensors the third multiplexer reads."""


class JudgedHands(RuleBasedStateMachine):
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


JudgedHands.TestCase.settings = settings(
    max_examples=40,  # the long run plays thousands
    stateful_step_count=25,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
TestRandomHands = pytest.mark.long(JudgedHands.TestCase)


@pytest.mark.parametrize("seed", sampled(range(12), 2))
def test_hands_play_on_after_a_failed_chip_cleared_the_board(seed: int) -> None:
    luck = Random(seed)
    with seated("standard", "presence", seed) as seat:
        hands = seat.hands
        for point, colour in zip(luck.sample(OF_ONE_CHIP, 2), ("white", "black"), strict=True):
            hands.do(put=point, piece=colour)
            hands.wait(1.0)
        hands.do(fault={"mux": 2, "kind": "dead"})
        hands.wait(luck.choice([4.0, 20.0]))
        hands.do(repair=True)
        hands.wait(luck.choice([0.1, 1.5]))
        assert (hands.standing.ply, hands.standing.over) == (2, False)
        for act in luck.choices(list(seat.often), list(seat.often.values()), k=10):
            act(luck)


@pytest.mark.parametrize(("seed", "kind"), list(enumerate(KINDS)), ids=str)
def test_random_hands_find_no_broken_rule(seed: int, kind: tuple[str, str]) -> None:
    tally = play_board(*kind, 28 + seed, 60)
    assert are_few(tally, tally["event turn"])


@pytest.mark.parametrize("seed", sampled(range(6)))
def test_the_same_hands_are_answered_with_the_same_bytes(seed: int) -> None:
    luck = Random(seed)
    play_board(luck.choice(GAMES), luck.choice(MILL_SENSORS), seed, 60, again=True)


@pytest.mark.parametrize("seed", sampled([8, 13]))
def test_hands_play_with_high_stacks_and_vaults_and_what_they_do_counts(seed: int) -> None:
    tally = play_board(STACKS, "pieces", seed, 30, again=True)
    assert tally["turns in disorder"]
    assert tally["event turn"] > 10


@pytest.mark.long
def test_random_hands_for_many_minutes(capsys: pytest.CaptureFixture[str]) -> None:
    until = time.monotonic() + 60 * float(os.environ.get("MILLWRIGHT_MINUTES", "20"))
    played: list[PlayedSeed] = []
    for board in boards(int(os.environ.get("MILLWRIGHT_SEED", "1000"))):
        played.append(board)
        if time.monotonic() > until:
            break
    with capsys.disabled():
        print(f"\nseeds {played[0].seed} to {played[-1].seed}")  # noqa: T201
        for what, number in sorted(total(played).items()):
            print(f"  {number:8} {what}")  # noqa: T201
    assert not any(board.broken for board in played), "\n\n".join(board.broken for board in played)


def test_actions_go_on_after_the_last_board_of_their_journal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(actions, "board_of", lambda seed: (*KINDS[seed % len(KINDS)], 2))
    journal = tmp_path / "actions.jsonl"
    assert main(["--actions", "1", "--journal", str(journal)]) == 0
    first = read(journal)
    assert main(["--actions", "100", "--journal", str(journal)]) == 0
    both = read(journal)
    assert both[: len(first)] == first
    assert [board.seed for board in both] == list(range(len(both)))
    assert total(both)["actions"] >= 100
    assert "boards of " in capsys.readouterr().out


def test_board_that_breaks_a_rule_is_told_with_its_last_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.fuzz.actors.seat.MillHands.turn", _object)
    broken = next(board for board in boards(0) if board.broken)
    assert broken.broken.startswith("AssertionError('no such turn')\nseed 0 ")
    assert total([broken])["boards with a broken rule"] == 1


def test_menu_that_opens_by_chance_makes_the_run_fail(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    board = PlayedSeed(0, "standard", "presence", {"actions": 1, "event turn": 1, KNOCKS: 1})
    monkeypatch.setattr(actions, "boards", lambda _: iter([board]))
    assert main(["--actions", "1"]) == 1
    assert f"1 {KNOCKS}" in capsys.readouterr().out


def _object(*_: object) -> None:
    raise AssertionError("no such turn")
