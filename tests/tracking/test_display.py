"""A half-corrected board: pieces that were pushed, and when play goes on."""

from __future__ import annotations

import pytest

from firmware_host.settings import Timing
from firmware_host.tracking.display import Display
from firmware_host.tracking.dwell import Dwell
from firmware_host.tracking.expected_game import ExpectedGame
from firmware_host.tracking.explanation import Explanation
from firmware_host.tracking.observation import PACE
from tests.support.observed_script import ObservedScript, game_of

TURNS = "d6 f4 d7 a1 a7 g1 g4 c4"
PLACED = game_of(TURNS, "standard", "pieces=4", "flying=never")
MS = 1000


def display(script: str) -> tuple[Display, ObservedScript]:
    """Return the display of a board at which hands did what the `script` says."""
    seen = ObservedScript(PLACED, script)
    expected = ExpectedGame(PLACED, seen.sensors, found=False)
    return Display(expected, seen.seen, Dwell(Timing(mismatch_ms=0))), seen


def played(turn: str) -> Explanation:
    """Return the explanation by one more turn."""
    after = game_of(f"{TURNS} {turn}", "standard", "pieces=4", "flying=never")
    return Explanation(PLACED.ply, after.steps[PLACED.ply :], after.position)


@pytest.mark.parametrize(("gap", "is_pushed"), [(PACE // MS - 1, True), (PACE // MS, False)])
def test_piece_that_moves_faster_than_hands_was_pushed(gap: int, is_pushed: bool) -> None:
    assert display(f"-d6 {gap} +d5")[0].was_pushed() is is_pushed
    assert display(f"+d5 {gap} -d6")[0].was_pushed() is is_pushed


def corrected(script: str, answers: str) -> tuple[Display, int]:
    """Return a display that showed a mismatch after the `script`, and the time of the `answers` to it."""
    shown, hands = display(f"{script} 5000")
    shown.show_mismatch(hands.now, at_once=True)
    for word in answers.split():
        hands._do(word)
    shown.note_answers()
    return shown, hands.now


def test_half_corrected_board_plays_on_after_a_rest() -> None:
    shown, now = corrected("-d6 500 +d5 500 @b2", "-b2")
    rest = Timing().put_back_ms * MS
    assert shown.is_half_corrected
    assert not shown.may_play_on([played("d6-d5")], now + rest - 1)
    assert shown.may_play_on([played("d6-d5")], now + rest)


def test_board_plays_on_at_once_if_the_piece_in_hand_moves() -> None:
    shown, now = corrected("-d6 500 @b2", "-b2 +d5")
    assert shown.may_play_on([played("d6-d5")], now)
    assert not shown.may_play_on([played("d7-g7")], now), "the piece of d6 is still missing"
