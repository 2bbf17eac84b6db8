"""A game that was cut off goes on: at once where the board stands so, and is led to where it does not."""

from __future__ import annotations

import pytest

from firmware_host.games.game import Player
from firmware_host.tracking.verdict import Mismatch, Settled
from tests.support.scripted_board import ScriptedBoard, after

PLACED = "d6 f4 b2 a1"
STANDS = "+d6 @f4 +b2 @a1"
THREE = ("standard", "pieces=3")
WON = "d6 f4 d7 a1 d5xa1"


def cut_off(turns: str, *rules: str, stands: str, **options: object) -> ScriptedBoard:
    """A board that is switched on again after `turns`, with `stands` on it."""
    game = after(turns, *(rules or ("standard",))).session.game
    return ScriptedBoard(*(rules or ("standard",)), stands=stands, game=game, **options)  # type: ignore[arg-type]


def test_where_the_board_stands_so_the_game_goes_on_at_once() -> None:
    board = cut_off(PLACED, stands=STANDS)
    assert board.hands("") == ["continued standard 4"]
    assert board.session.verdict == Settled()
    assert board.hands("+d3 240") == ["step d3 white", "turn d3 white"]


def test_what_is_missing_is_missing_and_no_take_back() -> None:
    """Though it looks like turns that are thought over or taken back."""
    for stands in ("+d6 @f4 +b2", "+d6 @f4", "+d6"):
        board = cut_off(PLACED, stands=stands)
        board.hands("5000")
        assert board.texts == PLACED
        assert isinstance(board.session.verdict, Mismatch)


def test_lights_lead_to_the_game_and_then_it_goes_on_as_ever() -> None:
    board = cut_off(PLACED, stands="+d6 @f4 @g1")
    assert board.hands("1000")[-1] == "mismatch a1 b2 g1"
    assert board.hands("-g1 1000 +b2 1000")[-2:] == ["mismatch a1 b2", "mismatch a1"]
    assert board.hands("@a1 1000") == ["restored"]
    assert board.hands("-a1 1000") == ["lifted a1", "taken-back 3"]


def test_a_turn_that_was_begun_as_the_power_went_goes_on() -> None:
    placed = "d6 f4 d7 a1 a7 g1 g4 c4"
    four = ("standard", "pieces=4", "flying=never")
    board = cut_off(placed, *four, stands="+d6 @f4 +d7 @a1 +a7 @g1 @c4")
    assert board.hands("1000") == ["continued standard pieces=4 flying=never 8", "lifted g4"]
    assert board.hands("+g7 1000")[:1] == ["step g4-g7 white"]


def test_a_step_that_was_done_but_not_kept_counts_from_the_board() -> None:
    board = cut_off(PLACED, stands=STANDS + " +g7")
    assert board.hands("1000") == ["continued standard 4", "step g7 white", "turn g7 white"]


def test_a_placement_soon_after_the_start_where_a_piece_was_taken_is_no_piece_put_back() -> None:
    board = cut_off(WON, stands="+d6 +d7 +d5 @f4")
    assert board.hands("500 @a1 1000") == ["continued standard 6", "step a1 black", "turn a1 black"]


def test_nor_is_a_first_step_lost() -> None:
    board = cut_off("", stands="+d6")
    assert board.hands("1000") == ["continued standard 0", "step d6 white", "turn d6 white"]


def test_a_game_that_was_only_begun_waits_for_a_clear_board() -> None:
    board = cut_off("", stands="+d6 @f4")
    assert board.session.must_clear
    assert board.hands("-d6 -f4 +a1 1000") == ["continued standard 0", "step a1 white", "turn a1 white"]


def test_a_player_begins_anew_by_clearing_the_board() -> None:
    board = cut_off(PLACED, stands="+d6 @g1")
    board.hands("1000")
    assert board.hands("-d6 -g1 3000")[-2:] == ["over None abandoned 4", "game standard white"]


@pytest.mark.parametrize("stands", ["+d6 +d5 +d7 @f4", "+d6 +d5"])
def test_an_end_is_shown_again_until_the_board_is_cleared(stands: str) -> None:
    board = cut_off(WON, *THREE, stands=stands)
    assert board.hands("5000") == ["continued standard pieces=3 6"]
    assert board.session.game.outcome is not None
    cleared = " ".join(f"-{word[1:]}" for word in stands.split())
    assert board.hands(cleared + " 3000")[-1] == "game standard pieces=3 white"


def test_an_end_whose_board_was_cleared_meanwhile_is_followed_by_the_next_game_at_once() -> None:
    board = cut_off(WON, *THREE, stands="")
    assert board.hands("") == ["continued standard pieces=3 6", "game standard pieces=3 white"]
    assert board.hands("+d6 240") == ["step d6 white", "turn d6 white"]


def test_with_the_last_turn_thought_over_before_the_cut_it_can_be_thought_over_again() -> None:
    board = cut_off("d6 f4 d7", stands="+d6 @f4 +d7", take_back=False)
    board.hands("")
    assert board.hands("-d7 +a7 1000") == ["lifted d7", "taken-back 2", "step a7 white", "turn a7 white"]
    assert board.session.game.position.to_move is Player.BLACK
