"""Masked sensors: moves are inferred where possible and confirmed otherwise, and never guessed."""

from __future__ import annotations

from typing import Any

import pytest

from firmware_host.errors import RequestError
from firmware_host.ports import SensorKind
from firmware_host.tracking.verdict import InProgress, Mismatch, Settled
from tests.support.scripted_board import ScriptedBoard, after

FOUR = ("standard", "pieces=4", "flying=never")
PLACED = "d6 f4 d7 a1 a7 g1 g4 c4"
"""White, to move, closes a7 d7 g7 by g4-g7, the only way for g4; d6 may go to d5, b6 and f6."""


def masked(point: str, turns: str = PLACED, rules: tuple[str, ...] = FOUR, **options: Any) -> ScriptedBoard:
    """A board on which `turns` were done, and then the sensor at `point` was masked."""
    board = after(turns, *rules, **options)
    assert board.mask(point) == [f"masked {point}"]
    return board


def without_lifts(events: list[str]) -> list[str]:
    return [event for event in events if not event.startswith("lifted")]


def confirmable(board: ScriptedBoard) -> set[str]:
    return set(board.session.confirmable)


def suspects(board: ScriptedBoard) -> set[str]:
    return {str(point) for point in board.session.suspects}


# ---- undetected changes change nothing -----------------------------------------------------------------


def test_masked_reading_never_differs_from_the_game() -> None:
    board = masked("d6")
    assert board.hands("-d6 5000 +d6 5000 -d6 5000") == []
    assert isinstance(board.session.verdict, Settled)


def test_masking_the_broken_sensor_ends_its_mismatch() -> None:
    board = four()
    assert board.hands("+b2 2000") == ["mismatch b2"]
    assert board.mask("b2") == ["masked b2", "restored"]


def test_a_sensor_that_is_believed_again_is_seen_again() -> None:
    board = masked("b2")
    board.hands("+b2 2000")
    assert board.mask("b2", broken=False) == ["unmasked b2"]
    assert board.hands("2000") == ["mismatch b2"]


def test_masking_says_what_it_cannot() -> None:
    board = masked("d6")
    for point, broken in [("d6", True), ("d5", False), ("d9", True)]:
        with pytest.raises(RequestError, match=point):
            board.mask(point, broken=broken)


def test_turns_elsewhere_are_played_as_ever() -> None:
    board = masked("c4")
    assert board.turns("g4-g7xa1")[-1] == "turn g4-g7xa1 white"


# ---- from a masked point: inferred -------------------------------------------------------------------


@pytest.mark.parametrize("script", ["+d5 240", "-d6 100 +d5 240", "+d5 -d6 240"])
def test_slide_from_masked_point_is_inferred_from_its_target(script: str) -> None:
    board = masked("d6")
    assert board.hands(script)[-2:] == ["step d6-d5 white", "turn d6-d5 white"]


def test_mill_closed_from_masked_point_allows_its_capture() -> None:
    board = masked("g4")
    assert board.hands("+g7 40") == ["step g4-g7 white"]
    assert board.hands("-a1 300")[-1] == "turn g4-g7xa1 white"


def test_capture_before_landing_from_masked_point_counts() -> None:
    board = masked("g4")
    assert board.hands("-a1 5000") == ["lifted a1"]
    assert board.hands("+g7 300") == ["step g4-g7 white", "step xa1 white", "turn g4-g7xa1 white"]


def test_where_two_pieces_could_have_come_it_is_asked() -> None:
    board = masked("d6", "d6 f4", ("lasker",))
    assert board.hands("+d5 5000") == []
    assert confirmable(board) == {"d5", "d6-d5"}
    assert board.ask("confirm", "d6-d5") == ["step d6-d5 white", "turn d6-d5 white"]


def test_a_brush_on_the_way_from_a_masked_point_is_no_landing() -> None:
    board = masked("d6")
    board.hands("+b6 100 -b6 5000")
    assert board.texts == PLACED


# ---- onto a masked point: confirmed ------------------------------------------------------------------


def test_slide_onto_masked_point_counts_once_confirmed() -> None:
    board = masked("d5")
    assert board.hands("-d6 60000") == ["lifted d6"]
    assert confirmable(board) == {"d6-d5"}
    assert board.ask("confirm", "d6-d5") == ["step d6-d5 white", "turn d6-d5 white"]
    assert isinstance(board.session.verdict, Settled)


def test_piece_held_beside_masked_point_can_go_anywhere() -> None:
    board = masked("d5")
    assert board.hands("-d6 2000 +d6 500") == ["lifted d6", "put-back d6"]
    assert board.hands("-d6 2000 +f6 500")[-1] == "turn d6-f6 white"


def test_a_mill_closed_on_a_masked_point_lets_the_capture_follow() -> None:
    board = masked("g7")
    board.hands("-g4 1000")
    assert confirmable(board) == {"g4-g7"}
    assert board.ask("confirm", "g4-g7") == ["step g4-g7 white"]
    assert board.hands("-a1 300")[-1] == "turn g4-g7xa1 white"


def test_early_capture_counts_once_masked_mill_is_confirmed() -> None:
    board = masked("g7")
    assert "step" not in " ".join(board.hands("-g4 500 -a1 5000"))
    assert confirmable(board) == {"g4-g7"}
    assert board.ask("confirm", "g4-g7") == ["step g4-g7 white"]
    assert without_lifts(board.hands("40")) == ["step xa1 white", "turn g4-g7xa1 white"]


def test_a_placement_on_a_masked_point_is_confirmed() -> None:
    board = masked("g7", "d6 f4 d7 a1")
    assert confirmable(board) == {"g7"}
    assert board.ask("confirm", "g7") == ["step g7 white", "turn g7 white"]
    assert confirmable(board) == set()
    assert board.hands("@b2 300") == ["step b2 black", "turn b2 black"]


def test_a_removal_from_a_masked_point_is_confirmed() -> None:
    board = masked("a1")
    board.hands("-g4 100 +g7 400")
    assert board.session.game.position.removal_due
    assert confirmable(board) == {"xa1"}
    assert board.ask("confirm", "xa1") == ["step xa1 white", "turn g4-g7xa1 white"]


def test_other_piece_than_the_masked_one_may_be_removed() -> None:
    board = masked("a1")
    assert board.hands("-g4 100 +g7 400 -f4 400")[-1] == "turn g4-g7xf4 white"


def test_reply_before_the_confirmation_counts_after_it() -> None:
    board = masked("d5")
    board.hands("-d6 500 -c4 100 @b4 2000")
    assert isinstance(board.session.verdict, Mismatch)
    assert confirmable(board) == {"d6-d5"}
    happened = board.ask("confirm", "d6-d5")
    assert happened == ["restored", "step d6-d5 white", "turn d6-d5 white"]
    assert board.hands("40")[-1] == "turn c4-b4 black"


def test_nothing_else_can_be_confirmed() -> None:
    board = masked("d5")
    for text in ("d6-d5", "d6-f6", "nonsense"):
        with pytest.raises(RequestError, match="can't be confirmed"):
            board.ask("confirm", text)
    assert not four().session.confirmable


def test_move_between_two_masked_points_is_confirmed() -> None:
    board = masked("d6")
    board.mask("d5")
    assert confirmable(board) == {"d6-d5"}
    board.ask("confirm", "d6-d5")
    assert board.texts.endswith("d6-d5")


# ---- thinking again, taking back, clearing -----------------------------------------------------------


def test_turn_from_masked_point_is_revised_by_landing_elsewhere() -> None:
    board = masked("d6", PLACED)
    board.hands("+d5 500")
    assert board.hands("-d5 500 +f6 500")[-2:] == ["step d6-f6 white", "turn d6-f6 white"]


def test_piece_lifted_again_is_not_back_on_its_masked_point() -> None:
    board = masked("d6")
    board.hands("+d5 500")
    assert board.hands("-d5 60000") == ["lifted d5"]
    assert board.texts.endswith("d6-d5")
    assert board.ask("take_back") == ["taken-back 8"]
    assert isinstance(board.session.verdict, Settled)


def test_turn_onto_masked_point_is_taken_back_at_its_origin() -> None:
    board = masked("d5")
    board.hands("-d6 500")
    board.ask("confirm", "d6-d5")
    assert board.hands("+d6 500") == ["taken-back 8"]


def test_invisible_last_turn_can_be_taken_back_by_request() -> None:
    board = masked("d5", take_back=False)
    board.hands("-d6 500")
    board.ask("confirm", "d6-d5")
    assert board.ask("take_back")[0] == "taken-back 8"
    board.hands("+d6 500")
    with pytest.raises(RequestError, match="switched off"):
        board.ask("take_back")


def test_invisible_step_is_not_taken_back_by_moving_back() -> None:
    board = masked("g7", "d6 f4 d7 a1")
    board.ask("confirm", "g7")
    assert board.hands("-a1 2000") == ["mismatch a1"]
    assert board.hands("@a1 500") == ["restored"]


def test_piece_touched_beside_invisible_removal_stays() -> None:
    board = masked("a1")
    board.hands("-g4 100 +g7 400")
    board.ask("confirm", "xa1")
    assert "taken-back" not in " ".join(board.hands("-c4 2000 @c4 500"))
    assert board.texts.endswith("g4-g7xa1")


def test_early_capture_from_masked_point_is_not_a_take_back() -> None:
    board = masked("d6", "d6 a7 d7 a4 g1 d1 f2 f6")
    board.hands("+d5 500")
    assert board.hands("-d5 2000") == ["lifted d5"]
    assert board.hands("-d1 500 @a1 500")[-1] == "turn d1-a1xd5 black"


def test_a_board_with_a_masked_piece_on_it_is_cleared_as_ever() -> None:
    board = masked("d6")
    happened = board.hands("-f4 -d7 -a1 -a7 -g1 -g4 -c4 3200")
    assert happened[-2:] == ["over None abandoned 8", "game standard pieces=4 flying=never white"]
    assert board.session.masking.points == {board.rules.layout["d6"]}


def test_a_piece_on_a_masked_point_alone_is_no_cleared_board() -> None:
    board = ScriptedBoard()
    board.mask("d6")
    board.ask("confirm", "d6")
    assert board.hands("60000") == []
    assert board.texts == "d6"


def test_stuck_masked_sensor_lets_a_game_begin() -> None:
    board = masked("d6")
    board.hands("-f4 -d7 -a1 -a7 -g1 -g4 -c4 3200")
    assert not board.session.must_clear
    assert board.hands("+a1 400")[-1] == "turn a1 white"


def test_with_polarity_the_colour_tells_who_came() -> None:
    board = masked("d6", "d6 f4", ("lasker",), alphabet=SensorKind.POLARITY)
    board.hands("+d5 5000")
    assert confirmable(board) == {"d5", "d6-d5"}
    board.ask("confirm", "d5")
    assert board.hands("@b2 500")[-1] == "turn b2 black"


def test_confirmable_excludes_moves_that_leave_a_mismatch() -> None:
    board = masked("d5")
    board.hands("-d6 500")
    assert confirmable(board) == {"d6-d5"}
    board.hands("+b2 2000")
    assert isinstance(board.session.verdict, Mismatch)
    assert confirmable(board) == set()
    board.hands("-b2 500")
    assert confirmable(board) == {"d6-d5"}


def test_captured_last_move_did_not_go_to_a_masked_point() -> None:
    for alphabet in (SensorKind.PRESENCE, SensorKind.POLARITY):
        board = masked("f2", "d2 d7 a1 d5 d2-d3", ("lasker",), alphabet=alphabet)
        assert board.hands("@d6 30 -d3 1500")[-1] == "turn d6xd3 black"


def test_piece_confirmed_on_a_masked_point_is_not_the_one_that_lands_next() -> None:
    board = masked("c5", "c4 f4", ("lasker",))
    board.hands("-c4 1000")
    board.ask("confirm", "c4-c5")
    assert board.hands("@b4 1500")[-1] == "turn b4 black"


def test_masked_placement_is_confirmed_before_the_next() -> None:
    """As README asks of players; to have each placement confirmed while one is possible would be worse."""
    felt, told = ScriptedBoard(), ScriptedBoard(alphabet=SensorKind.POLARITY)
    for board in (felt, told):
        board.mask("d5")
        board.hands("1000")
        assert confirmable(board) == {"d5"}
    assert felt.hands("@f4 1000")[-1] == "turn f4 white", "it cannot be told from one of White's"
    assert told.hands("@f4 1000") == ["mismatch f4"]
    assert told.ask("confirm", "d5")[-1] == "turn d5 white"
    assert told.hands("40")[-1] == "turn f4 black", "both count"
    felt.ask("take_back")
    felt.hands("-f4 1500")
    felt.ask("confirm", "d5")
    assert felt.hands("@f4 1000")[-1] == "turn f4 black", "and so they do once it was put right"


def test_overlooked_placement_is_not_offered_while_a_turn_is_chosen() -> None:
    board = ScriptedBoard()
    board.mask("d5")
    board.hands("1000 @f4 1000")
    board.ask("choose", "d6")
    assert board.session.overlooked == {}


def test_overlooked_placement_is_confirmed_with_the_next() -> None:
    board = ScriptedBoard()
    board.mask("d5")
    board.hands("1000 @f4 1000")
    assert board.texts == "f4"
    assert set(board.session.overlooked) == {"d5 f4"}
    told = board.ask("confirm", "d5 f4")
    assert told == ["taken-back 0", *placed("d5", "white"), *placed("f4", "black")]
    assert board.session.overlooked == {}
    assert isinstance(board.session.verdict, Settled)
    assert board.hands("+b2 1000")[-1] == "turn b2 white"


def test_overlooked_offers_only_a_last_turn_seen_alone() -> None:
    board = ScriptedBoard()
    board.mask("d5")
    board.hands("1000 @f4 1000")
    board.hands("-f4 30")
    assert board.session.overlooked == {}, "something is begun"
    board.hands("@f4 1000 +b2 1000")
    assert set(board.session.overlooked) == {"d5 b2"}
    board.ask("confirm", "d5")
    assert board.session.overlooked == {}, "it stands there"


def test_polarity_sensors_overlook_no_placement() -> None:
    board = ScriptedBoard(alphabet=SensorKind.POLARITY)
    board.mask("d5")
    board.hands("1000 +f4 1000")
    assert board.texts == "f4"
    assert board.session.overlooked == {}


def placed(text: str, by: str) -> list[str]:
    """Return the events of a placement."""
    return [f"step {text} {by}", f"turn {text} {by}"]


# ---- which sensor may be broken ----------------------------------------------------------------------


def test_a_point_that_stands_wrong_may_have_a_broken_sensor() -> None:
    board = four()
    board.hands("+b2 2000")
    assert "b2" in suspects(board)
    board.hands("-b2 500 -f4 -c4 2000")
    assert suspects(board) == {"f4", "c4"}


def test_a_sensor_that_did_not_feel_a_piece_leave_is_suspected() -> None:
    board = four()
    board.hands("+d5 2000")  # from d6, whose sensor is stuck
    assert suspects(board) == {"d5", "d6"}
    assert board.mask("d6") == ["masked d6", "restored"]
    assert board.hands("240")[-1] == "turn d6-d5 white"


def test_suspects_of_an_unchanged_board_are_found_once() -> None:
    """Every request of a page asks for them, and finding them takes longer than a frame."""
    board = four()
    board.hands("+b2 2000")
    found = board.session.suspects
    assert board.session.suspects is found
    board.hands("-b2 500 -f4 -c4 2000")
    assert board.session.suspects is not found


def test_a_board_that_stands_right_suspects_nothing() -> None:
    board = four()
    board.hands("-d6 1000")
    assert isinstance(board.session.verdict, InProgress)
    assert not board.session.suspects


def four() -> ScriptedBoard:
    """Four pieces each, all placed, and every sensor stable."""
    return after(PLACED, *FOUR)
