"""Removals that may be declined: by the opponent's turn, which hands may begin with the same lift."""

from __future__ import annotations

from tests.support.scripted_board import after

MAY = ("standard", "pieces=4", "flying=never", "removal=may")
CLOSED = "d6 f4 d7 a1 a7 g1 g4 c4 g4-g7"
"""White has closed a7 d7 g7; f4 may be taken, or go to e4."""


def test_the_opponents_completed_legal_turn_declines() -> None:
    board = after(CLOSED, *MAY)
    assert board.hands("-f4 100 +e4 1000")[1:] == [
        "step x- white",
        "turn g4-g7x- white",
        "step f4-e4 black",
        "turn f4-e4 black",
    ]


def test_ambiguous_lift_is_decided_by_the_next_reading() -> None:
    board = after(CLOSED, *MAY)
    assert board.hands("-f4 300") == ["lifted f4", "step xf4 white", "turn g4-g7xf4 white"]
    assert board.hands("+e4 1100") == [
        "taken-back 9",
        "step x- white",
        "turn g4-g7x- white",
        "step f4-e4 black",
        "turn f4-e4 black",
    ]


def test_while_placing_the_opponents_placement_declines() -> None:
    board = after("d6 f4 d7 a1 d5", "standard", "removal=may")
    assert board.hands("+g1 999") == []
    assert board.hands("1")[-1] == "turn g1 black"
    assert board.texts == "d6 f4 d7 a1 d5x- g1"


def test_a_piece_that_is_taken_after_the_reply_was_not_declined() -> None:
    board = after("d6 f4 d7 a1 d5", "standard", "removal=may")
    board.hands("+g1 700 -a1 1300")
    assert board.texts == "d6 f4 d7 a1 d5xa1 g1"
