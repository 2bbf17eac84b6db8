"""Turns that were taken back are redone by hands and by request, and end with another turn."""

from __future__ import annotations

import pytest

from firmware_host.errors import RequestError
from firmware_host.ports import SensorKind
from tests.support.scripted_board import ScriptedBoard, after

PLACED = "d6 f4 d7 a1"
OPENING = "d6 f4"


def undone(alphabet: SensorKind = SensorKind.PRESENCE) -> ScriptedBoard:
    """A board on which hands took two turns back."""
    board = after(PLACED, alphabet=alphabet)
    board.hands("-a1 100 -d7 3100")
    assert board.texts == OPENING
    assert board.session.timeline.undone_turns == ("d7", "a1")
    return board


@pytest.mark.parametrize("alphabet", [SensorKind.PRESENCE, SensorKind.POLARITY])
@pytest.mark.parametrize("hands", ["@a1 +d7", "+d7 @a1", "+d7 100 @a1", "@a1 800 +d7"])
def test_pieces_put_back_in_any_order_are_redone(hands: str, alphabet: SensorKind) -> None:
    board = undone(alphabet)
    happened = board.hands(f"{hands} 40")
    assert "redone 4" in happened
    assert not any(event.startswith("step") for event in happened)
    assert board.texts == PLACED


def test_redo_by_hands_waits_for_a_landing() -> None:
    assert undone().hands("+d7 @a1 39") == []


def test_the_next_turn_is_played_and_the_rest_can_be_redone() -> None:
    board = undone()
    assert board.hands("+d7 240") == ["step d7 white", "turn d7 white"]
    assert board.session.timeline.undone_turns == ("a1",)
    assert board.ask("redo") == ["redone 4", "mismatch a1"]
    assert board.hands("@a1 100") == ["restored"]


def test_a_turn_onto_a_later_point_counts_after_two_seconds() -> None:
    board = undone()
    assert board.hands("+a1 1999") == []
    assert board.hands("41") == ["step a1 white", "turn a1 white"]
    assert board.session.timeline.undone_turns == ()


def test_another_turn_counts_as_soon_as_ever() -> None:
    board = undone()
    assert board.hands("+g1 240") == ["step g1 white", "turn g1 white"]
    with pytest.raises(RequestError, match="no turn to redo"):
        board.ask("redo")


def test_hands_redo_only_once_a_requested_take_back_is_done() -> None:
    board = after(PLACED)
    board.ask("take_back")
    board.ask("take_back")
    assert board.hands("-d6 100 +d6 5000")[0].startswith("mismatch")
    assert board.texts == OPENING
    assert board.hands("-d7 300 -a1 300")[-1] == "restored"
    assert board.hands("@a1 +d7 40") == ["redone 4"]


def test_a_redo_by_request_has_to_be_done_by_hands() -> None:
    board = undone()
    assert board.ask("redo") == ["redone 3", "mismatch d7"]
    assert board.hands("5000") == []
    assert board.hands("+d7 10") == ["restored"]


def test_a_request_redoes_what_hands_have_set_already() -> None:
    board = after(PLACED)
    board.ask("take_back")
    assert board.ask("redo") == ["redone 4", "restored"]
    assert board.texts == PLACED


def test_steps_through_a_masked_point_are_redone_by_request_only() -> None:
    board = undone()
    board.mask("d7")
    board.hands("+d7 @a1 200")
    assert board.texts == OPENING
    board.ask("redo")
    assert board.ask("redo")[0] == "redone 4"
    board.mask("d7", broken=False)
    assert board.texts == PLACED


def test_a_chosen_turn_is_not_overruled_by_a_redo() -> None:
    board = undone()
    board.ask("choose", "g1")
    assert "redone 4" not in board.hands("+d7 @a1 2000")
    assert board.texts == OPENING


def test_a_redo_to_the_end_ends_a_paused_game() -> None:
    board = after("d6 f4 d7 a1 d5xa1", "standard", "pieces=3")
    board.hands("-d5 @a1 2000")
    assert board.texts == PLACED
    board.ask("pause")
    assert board.ask("redo") == ["redone 6", "over white few-pieces 6"]
    assert not board.session.paused


def test_a_redo_after_the_board_was_to_be_cleared_goes_on() -> None:
    game = after("d6 f4").session.game
    board = ScriptedBoard(game=game.back_to(0), stands="+d6 @f4 +g1", furthest=["d6", "f4"])
    assert board.session.must_clear
    board.ask("redo")
    assert not board.session.must_clear


def test_a_cleared_board_leaves_nothing_to_redo() -> None:
    board = undone()
    board.hands("-d6 -f4 4000")
    assert board.session.timeline.undone_turns == ()
    with pytest.raises(RequestError):
        board.ask("redo")


@pytest.mark.parametrize("alphabet", [SensorKind.PRESENCE, SensorKind.POLARITY])
def test_redo_onto_a_cleared_board_waits_for_its_pieces(alphabet: SensorKind) -> None:
    board = after("d6", alphabet=alphabet)
    board.hands("-d6 3100")
    assert board.texts == ""
    board.ask("redo")
    board.hands("60000")
    assert board.texts == "d6"
    assert board.hands("+d6 100") == ["restored"]
    board.hands("-d6 100")
    assert board.texts == "d6"


def test_take_back_on_a_cleared_board_waits_for_its_pieces() -> None:
    board = after(PLACED)
    board.hands("-d6 -f4 -d7 -a1 1000")
    board.ask("take_back")
    board.hands("60000")
    assert board.texts == "d6 f4 d7"
