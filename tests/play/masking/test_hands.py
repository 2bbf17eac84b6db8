"""Random hands on a board with broken sensors that are masked: what counts is what they did, or nothing yet.

Hands do legal turns in any order that hands can, touch pieces and put them back, and show and confirm what
the board asks for. The masked sensors say whatever they like.
"""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.games.game import Game, Player, Step, Turn, legal_turns
from firmware_host.games.layout import Point
from firmware_host.games.rulesets import RULE_SETS
from firmware_host.ports import SensorKind
from firmware_host.tracking.verdict import Settled, Undecided
from tests.support.examples import costly
from tests.support.matrix import CI, sampled
from tests.support.scripted_board import ScriptedBoard

RULES = [name for name in sorted(RULE_SETS) if name != "mitsudomoe"]
WAITS_MS = [10, 30, 100, 350, 1200]
RESTS_MS = 1500
TOUCH_MS = 300

Action = tuple[str, Point]


class TrueHands:
    """The true actions, beside the board's view of them."""

    def __init__(self, luck: Random, rules: str, alphabet: SensorKind, masked: int) -> None:
        self.luck = luck
        self.board = ScriptedBoard(rules, "first=white", alphabet=alphabet)
        self.truth: Game = self.board.session.game
        self.masked: list[str] = []
        self.confirmed = 0
        for _ in range(luck.choice([0, 0, 4, 30])):
            self.turn()
        for point in luck.sample(self.board.rules.layout.points, masked):
            self.masked.append(point.name)
            self.board.mask(point.name)

    def turn(self) -> None:
        """Do a whole turn; it counts as it was done, and nothing else ever does."""
        turns = legal_turns(self.truth.position)
        if self.truth.outcome is not None:
            return
        taking = [turn for turn in turns if turn.steps[-1].target is None and turn.steps[-1].origin]
        turn = self.luck.choice(taking if taking and self.luck.random() < 0.6 else turns)
        if self.luck.random() < 0.2:
            self._touch(turn)
        for action in self._in_some_order(turn):
            self._do(*action)
            self._pause(turn)
        self._wait(RESTS_MS, turn)
        self._show(turn)
        self._confirm(turn)
        before, self.truth = self.truth, self.board.session.game
        now, done = texts(self.truth.steps), texts((*before.steps, *turn.steps))
        assert now[: before.ply] == done[: before.ply]
        assert sorted(now) == sorted(done)  # two removals may count in either order
        if self.truth.outcome is None:
            assert isinstance(self.board.session.verdict, Settled), self.board.session.verdict

    def think_again(self) -> None:
        """Take the last turn back by the button, and put the pieces where they were."""
        if not self.truth.ply or self.truth.declared is not None or self.truth.outcome is not None:
            return
        before = self.truth.back_to(self.truth.last_turn)
        self.board.ask("take_back")
        for point, piece in zip(self.board.rules.layout.points, before.position.standing, strict=True):
            if piece != self.truth.position.standing[point.index]:
                self._do(f"{'+' if piece.owner is Player.WHITE else '@'}" if piece else "-", point)
                self.board.hands("50")
        self.board.hands(str(RESTS_MS))
        self.truth = before
        assert played(self.board) == texts(self.truth.steps)
        assert isinstance(self.board.session.verdict, Settled)

    def _show(self, turn: Turn) -> None:
        """Lift what was set down last and set it down again, where the board asks for it."""
        verdict = self.board.session.verdict
        landed = [step.target for step in turn.steps if step.target is not None]
        if not isinstance(verdict, Undecided) or landed[-1] not in verdict.points:
            return
        white = self.truth.position.to_move is Player.WHITE
        for word in ("-", "+" if white else "@"):
            self._do(word, landed[-1])
            self._wait(TOUCH_MS, turn)
        self._wait(RESTS_MS, turn)

    def _confirm(self, turn: Turn) -> None:
        """Confirm what the board asks for, as long as it is what was done."""
        while (left := self._left(turn)) and left[0].piece is not None:
            known = self.board.session.confirmable
            steps = next((steps for steps in known.values() if steps == left[: len(steps)]), None)
            assert steps, f"{texts(turn.steps)} waits, and cannot be confirmed, only {list(known)}"
            self.confirmed += 1
            self.board.ask("confirm", self.board.rules.turn_text(steps))
            self._wait(RESTS_MS, turn)
        if left:
            self.board.ask("decline")

    def _left(self, turn: Turn) -> tuple[Step, ...]:
        return turn.steps[self.board.session.game.ply - self.truth.ply :]

    def _in_some_order(self, turn: Turn) -> list[Action]:
        white = self.truth.position.to_move is Player.WHITE
        runs = []
        for step in turn.steps:
            lift = [("-", step.origin)] if step.origin else []
            land = [("+" if white else "@", step.target)] if step.target else []
            runs.append(lift + land)
        just_played = {step.target for step in self.truth.steps[self.truth.last_turn :]}
        thought_over = any(step.target is None and step.origin in just_played for step in turn.steps)
        if thought_over or self.luck.random() < 0.6:  # taken first, it could be the last turn thought over
            return [action for run in runs for action in run]
        actions: list[Action] = []
        while runs := [run for run in runs if run]:
            actions.append(self.luck.choice(runs).pop(0))
        return actions

    def _touch(self, turn: Turn) -> None:
        """Lift a piece of the player's own, and put it back."""
        mover = self.truth.position.to_move
        points = zip(self.board.rules.layout.points, self.truth.position.standing, strict=True)
        own = [point for point, piece in points if piece and piece.owner is mover]
        if own and not self.truth.position.removal_due:
            point = self.luck.choice(own)
            self._do("-", point)
            self._wait(self.luck.choice([10, 60, 200]), turn)  # longer, it could be a removal thought over
            self._do("+" if mover is Player.WHITE else "@", point)
            self._pause(turn)

    def _do(self, word: str, point: Point) -> None:
        if point.name not in self.masked:
            self.board.hands(f"{word}{point}")
        if self.masked and self.luck.random() < 0.5:
            self.board.hands(f"{self.luck.choice('+-')}{self.luck.choice(self.masked)}")

    def _pause(self, turn: Turn) -> None:
        self._wait(self.luck.choice(WAITS_MS), turn)

    def _wait(self, ms: int, turn: Turn) -> None:
        self.board.hands(str(ms))
        done = texts((*self.truth.steps, *turn.steps))
        now = played(self.board)
        assert sorted(now) == sorted(done[: len(now)]), f"{now[-3:]} counts of {done[-3:]}"


def played(board: ScriptedBoard) -> list[str]:
    return texts(board.session.game.steps)


def texts(steps: tuple[Step, ...]) -> list[str]:
    return [step.text for step in steps]


@pytest.mark.parametrize("alphabet", sampled(SensorKind, others=CI))
@costly(4)
@given(
    luck=st.randoms(use_true_random=False),
    rules=st.sampled_from(RULES),
    masked=st.sampled_from([1, 1, 1, 2, 3]),
)
def test_what_counts_is_what_hands_did_or_nothing_yet(
    luck: Random, rules: str, alphabet: SensorKind, masked: int
) -> None:
    hands = TrueHands(luck, rules, alphabet, masked)
    for _ in range(20):
        hands.turn()
        if luck.random() < 0.15:
            hands.think_again()
