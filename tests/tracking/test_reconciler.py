"""The meaning of frames: each promise of the reconciler, on frames and times alone."""

from __future__ import annotations

from typing import Any

import pytest

from firmware_host.games.game import Position
from firmware_host.ports import SensorKind
from firmware_host.settings import Timing
from firmware_host.tracking import expected_game
from firmware_host.tracking.candidates import CandidateTurns
from firmware_host.tracking.verdict import InProgress, Mismatch, Settled, TakingBack, Undecided
from tests.support.scripted_board import ScriptedBoard, after

FOUR = ("standard", "pieces=4", "flying=never")
PLACED = "d6 f4 d7 a1 a7 g1 g4 c4"
"""White, to move, closes a7 d7 g7 by g4-g7, the only way for g4; d6 may go to d5, b6 and f6."""

CAPTURE = ["step g4-g7 white", "step xa1 white", "turn g4-g7xa1 white"]

POLARITY = SensorKind.POLARITY


def four(turns: str = PLACED, **options: object) -> ScriptedBoard:
    """Four pieces each, all placed, and then `turns`."""
    return after(turns, *FOUR, **options)


def without_lifts(events: list[str]) -> list[str]:
    """The events that say more than that a piece was lifted."""
    return [event for event in events if not event.startswith("lifted")]


# ---- a turn is a set of hand actions, in any order that hands can do ---------------------------------


@pytest.mark.parametrize(
    "script",
    [
        "-g4 100 +g7 100 -a1 400",
        "-g4 100 +g7 900 -a1 400",
        "-g4 100 -a1 100 +g7 400",
        "-a1 100 -g4 100 +g7 400",
        "-a1 60000 -g4 60000 +g7 400",
        "-a1 -g4 +g7 400",
    ],
)
def test_the_actions_of_a_turn_count_in_any_order(script: str) -> None:
    assert without_lifts(four().hands(script)) == CAPTURE


def test_a_placed_mill_and_its_capture_count_in_any_order() -> None:
    for script in ("+d5 100 -f4 400", "-f4 2000 +d5 400"):
        board = after("d6 f4 d7 a1")
        assert without_lifts(board.hands(script)) == ["step d5 white", "step xf4 white", "turn d5xf4 white"]


def test_a_destination_filled_before_its_origin_is_empty_counts_after_a_rest() -> None:
    board = four()
    assert board.hands("+g7 250") == ["mismatch g7"]
    assert "step g4-g7 white" not in board.hands("-g4 999"), "the landing came before the lift"
    assert board.hands("1")[-1] == "step g4-g7 white"


def test_what_is_left_of_a_half_corrected_board_counts_after_a_second() -> None:
    board = four()
    board.hands("-d6 100 -g4 100 +g7 1000")
    assert board.hands("+d6 999") == ["mismatch g4 g7"]
    assert board.hands("1") == ["restored", "put-back d6", "lifted g4"]
    assert board.hands("40") == ["step g4-g7 white"]


def test_turn_after_a_corrected_mismatch_waits_no_longer_than_any() -> None:
    for script, waits in (("-g4 100 +g7", 40), ("-d6 100 +d5", 240)):
        board = four()
        assert board.hands("+b2 700") == ["mismatch b2"]
        assert board.hands("-b2 10") == ["restored"]
        assert without_lifts(board.hands(f"{script} {waits - 1}")) == []
        assert board.hands("1")[0].startswith("step "), "no longer than on a board that was never wrong"


def test_a_board_that_is_corrected_in_two_moves_plays_no_turn_between_them() -> None:
    board = four()
    board.hands("-d6 -g4 +g7 1000")
    assert board.hands("+d6 500 -g7 100 +g4 2000")[-2:] == ["restored", "put-back d6"]
    assert board.texts == PLACED


def test_a_piece_that_was_pushed_is_no_turn_once_the_others_are_back() -> None:
    board = four()
    board.hands("-d6 -g4 +g7 1000")
    assert board.hands("+d6 60000") == ["mismatch g4 g7"], "g7 was filled as g4 was vacated"


def test_a_jolt_is_no_turn_however_soon_the_other_piece_is_back() -> None:
    board = four()
    board.hands("-a1 -d6 +d5 300 +a1 60000")
    assert board.texts == PLACED


def test_a_brush_over_a_point_is_not_shown_while_another_stands_wrong() -> None:
    board = four()
    assert board.hands("+b2 700") == ["mismatch b2"]
    assert board.hands("+b4 100 -b4 500") == []
    assert board.hands("+b4 249") == []
    assert board.hands("1") == ["mismatch b2 b4"]


def test_nor_is_one_that_goes_on_while_what_stood_wrong_is_put_right() -> None:
    board = four()
    assert board.hands("+b2 700") == ["mismatch b2"]
    assert board.hands("+b4 50 -b2") == ["restored"]
    assert board.hands("50 -b4 2000") == []
    assert board.hands("+b2 700") == ["mismatch b2"]
    assert board.hands("+b4 50 -b2") == ["restored"]
    assert board.hands("199") == []
    assert board.hands("1") == ["mismatch b4"], "it stood for as long as any illegal landing"


def test_what_is_done_of_a_turn_is_completed_by_one_or_more_of_its_steps() -> None:
    board = four()
    assert board.hands("-g4 +g7 40") == ["lifted g4", "step g4-g7 white"]
    assert board.session.game.position.removal_due
    assert board.hands("-a1 300") == ["lifted a1", "step xa1 white", "turn g4-g7xa1 white"]


def test_the_legal_turns_are_computed_once_for_each_base(monkeypatch: pytest.MonkeyPatch) -> None:
    computed: list[str] = []

    class CountedBase(CandidateTurns):
        def __init__(self, position: Position, *more: Any) -> None:
            computed.append(str(position))
            super().__init__(position, *more)

    monkeypatch.setattr(expected_game, CandidateTurns.__name__, CountedBase)
    board = four()
    board.hands("-d6 100 +d5 50 -f4 20 +f4 20 -f4 100 +e4 500 -e4 100 +f4 500 -d5 +d6 -g4 +g7 100 -a1 400")
    assert (
        max(map(computed.count, computed)) <= 3
    )  # as a reply that has begun, as its turn, and once that was taken back


def test_two_removals_count_in_the_order_in_which_hands_did_them() -> None:
    board = after("d7 b4 a7 e3 g4 d1 g1 c5", "the-mill")
    assert without_lifts(board.hands("+g7 50 -e3 50 -b4 300"))[-1] == "turn g7xe3xb4 white"
    board = after("d7 b4 a7 e3 g4 d1 g1 c5", "the-mill")
    assert without_lifts(board.hands("-b4 50 +g7 50 -e3 300"))[-1] == "turn g7xb4xe3 white"


# ---- the position that counts  -----------------------------------------------------------------------


def test_a_piece_that_is_put_back_changes_nothing() -> None:
    board = four()
    assert board.hands("-d6 700 +d6 5000") == ["lifted d6", "put-back d6"]
    assert board.session.verdict == Settled()
    assert board.texts == PLACED


def test_a_lifted_piece_shows_how_it_can_go_on() -> None:
    board = four()
    board.hands("-d6")
    assert isinstance(board.session.verdict, InProgress)
    assert {str(fit.turn.steps[0]) for fit in board.session.verdict.fits} == {"d6-d5", "d6-b6", "d6-f6"}


def test_taking_the_captured_piece_first_is_right() -> None:
    board = four()
    assert board.hands("-a1 5000") == ["lifted a1"]
    assert isinstance(board.session.verdict, InProgress)
    assert {str(fit.turn.steps[0]) for fit in board.session.verdict.fits} == {"g4-g7"}


def test_a_piece_held_for_a_minute_may_still_go_on() -> None:
    assert four().hands("-d6 60000 +d5 240")[1:] == ["step d6-d5 white", "turn d6-d5 white"]


# ---- turns that overlap -------------------------------------------------------------------------------


def test_a_reply_does_not_shorten_the_dwell_of_the_turn_before_it() -> None:
    board = four()
    assert board.hands("-d6 50 +d5 100 -f4 139") == ["lifted d6", "lifted f4"]
    assert board.hands("1") == ["step d6-d5 white", "turn d6-d5 white"]
    assert board.hands("+e4 239") == []
    assert board.hands("1") == ["step f4-e4 black", "turn f4-e4 black"]


def test_a_turn_whose_piece_was_lifted_again_is_not_ended_by_a_reply() -> None:
    board = four()
    assert board.hands("-d6 50 +d5 100 -d5 20 -f4 400") == ["lifted d6"]
    assert board.texts == PLACED


@pytest.mark.parametrize("alphabet", [SensorKind.PRESENCE, POLARITY])
def test_replies_faster_than_every_dwell_are_all_counted(alphabet: SensorKind) -> None:
    board = ScriptedBoard(alphabet=alphabet)
    board.hands("+d6 90 @f4 90 +d7 90 @a1 90 +d5 300 -a1 400")
    assert board.texts == "d6 f4 d7 a1 d5xa1"


@pytest.mark.parametrize("alphabet", [SensorKind.PRESENCE, POLARITY])
@pytest.mark.parametrize("landings", ["+d5 200 @e4", "@e4 200 +d5", "+d5 @e4"])
def test_turns_that_overlap_count_where_each_piece_can_only_have_gone_one_way(
    landings: str, alphabet: SensorKind
) -> None:
    board = four(alphabet=alphabet)
    assert without_lifts(board.hands(f"-d6 300 -f4 300 {landings} 1500")) == [
        "step d6-d5 white",
        "turn d6-d5 white",
        "step f4-e4 black",
        "turn f4-e4 black",
    ]


def test_flights_that_overlap_are_undecided_unless_the_colour_tells_the_pieces() -> None:
    flights = "-d6 300 -f4 300 +d3 200 @e4 2000"
    felt = after("d6 f4 a1 g1 g7 b2", "standard", "pieces=3")
    felt.hands(flights)
    assert isinstance(felt.session.verdict, Undecided)
    told = after("d6 f4 a1 g1 g7 b2", "standard", "pieces=3", alphabet=POLARITY)
    assert without_lifts(told.hands(flights))[-1] == "turn f4-e4 black"


def test_landing_of_either_lifted_piece_waits_for_the_other() -> None:
    board = after("d6 f4 a1 g1 g7 b2", "standard", "pieces=3")
    assert without_lifts(board.hands("-d6 300 -f4 300 +d3 60000")) == []
    assert isinstance(board.session.verdict, Undecided)
    assert {str(point) for point in board.session.verdict.points} == {"d3"}
    assert without_lifts(board.hands("@f4 300"))[-1] == "turn d6-d3 white"


def test_landing_before_the_reply_was_lifted_does_not_wait() -> None:
    board = after("d6 f4 a1 g1 g7 b2", "standard", "pieces=3")
    assert without_lifts(board.hands("-d6 300 +d3 100 -f4 240"))[-1] == "turn d6-d3 white"


def test_two_placements_in_one_frame_count_where_the_colour_tells_them_apart() -> None:
    told, felt = ScriptedBoard(alphabet=POLARITY), ScriptedBoard()
    assert told.hands("+d6 @f4 300")[-1] == "turn f4 black"
    felt.hands("+d6 @f4 3000")
    assert isinstance(felt.session.verdict, Undecided)


def test_a_reply_set_down_before_the_captured_piece_is_lifted_counts_once_it_is_off() -> None:
    board = after("a1 b6 a4 f2 a7", alphabet=POLARITY)
    assert board.hands("@g1 500") == []
    assert board.hands("-b6 300")[-1] == "turn g1 black"


# ---- hands that touch more than they move -------------------------------------------------------------


@pytest.mark.parametrize("alphabet", [SensorKind.PRESENCE, POLARITY])
@pytest.mark.parametrize("brush", [50, 250])
def test_a_brush_followed_by_the_capture_is_not_taken_as_a_capture_and_a_reply(
    brush: int, alphabet: SensorKind
) -> None:
    board = after("a1 b6 a4 d6 g1 f2 d7 c3 d7-a7", *FOUR, alphabet=alphabet)
    board.hands(f"-b6 {brush} -d6 50 @b6 1500")
    assert board.texts.endswith("d7-a7xd6")


@pytest.mark.parametrize("since", [1000, 60000])
@pytest.mark.parametrize("bounce", [50, 500])
def test_a_bounced_landing_where_a_piece_was_captured_is_a_placement(since: int, bounce: int) -> None:
    board = after("d6 f4 d7 a1 d5")
    board.hands(f"-a1 {since} @a1 100 -a1 {bounce} @a1 1500")
    assert board.texts == "d6 f4 d7 a1 d5xa1 a1"


@pytest.mark.parametrize("away", [20, 300, 900])
def test_a_piece_that_is_straightened_after_a_landing_keeps_its_owner(away: int) -> None:
    board = after("a1 d3")
    board.hands(f"+g7 50 -d3 {away} @d3 1500")
    assert board.texts == "a1 d3 g7"


# ---- the last turn thought over ---------------------------------------------------------------------


@pytest.mark.parametrize("take_back", [True, False])
def test_a_player_may_think_again_until_the_opponents_turn_is_committed(take_back: bool) -> None:
    board = four(PLACED + " d6-d5", take_back=take_back)
    assert board.hands("-d5 100 +f6 240") == [
        "lifted d5",
        "taken-back 8",
        "step d6-f6 white",
        "turn d6-f6 white",
    ]


@pytest.mark.parametrize("away", [250, 999])
def test_a_piece_touched_after_a_placement_is_not_moved_there_in_its_place(away: int) -> None:
    board = after("g4 a1 f4", "lasker")
    assert board.hands(f"-g4 {away} +g4 1500") == ["lifted g4", "put-back g4"]
    assert board.texts == "g4 a1 f4"


def test_a_piece_taken_away_after_a_placement_was_not_moved_there() -> None:
    board = after("g4 a1 f4", "lasker")
    assert board.hands("-g4 999") == ["lifted g4"]
    assert board.hands("1") == ["mismatch g4"]


def test_a_placement_is_taken_back_a_second_after_it_was_lifted() -> None:
    board = after("d6 f4")
    assert board.hands("-f4 999") == ["lifted f4"]
    assert board.hands("1") == ["taken-back 1"]


def test_a_turn_is_taken_back_by_moving_back() -> None:
    board = four(PLACED + " d6-d5")
    assert board.hands("-d5 100 +d6 899") == ["lifted d5"]
    assert board.hands("1") == ["taken-back 8"]
    assert board.texts == PLACED


def test_a_capture_is_thought_over_piece_by_piece() -> None:
    board = four(PLACED + " g4-g7xa1", take_back=False)
    assert board.hands("@a1 999") == []
    assert board.hands("1") == ["taken-back 9"]
    assert board.hands("-g7 100 +g4 900") == ["lifted g7", "taken-back 8"]
    assert board.texts == PLACED


def test_without_take_back_a_turn_stays_once_the_opponents_is_committed() -> None:
    board = four(PLACED + " d6-d5 f4-e4", take_back=False)
    assert board.hands("-e4 100 +f4 1500") == ["lifted e4", "taken-back 9"]
    assert board.hands("-d5 100 +d6 5000") == ["mismatch d5 d6"]
    assert board.texts == PLACED + " d6-d5"


# ---- older positions ------------------------------------------------------------------------------------


def test_an_older_position_is_announced_for_two_seconds_and_counts_after_three() -> None:
    board = after("d6 f4 d7 a1")
    board.hands("-a1 300 -d7 999")
    assert isinstance(board.session.verdict, InProgress)
    board.hands("1")
    assert isinstance(board.session.verdict, TakingBack)
    assert {str(point) for point in board.session.verdict.points} == {"a1", "d7"}
    assert board.hands("1999") == []
    assert board.hands("1") == ["taken-back 2"]


@pytest.mark.parametrize("pause", [0, 79])
def test_an_older_position_reached_faster_than_hands_are_is_a_mismatch(pause: int) -> None:
    board = after("d6 f4 d7 a1")
    board.hands(f"-a1 {pause} -d7 60000")
    assert isinstance(board.session.verdict, Mismatch)
    assert board.texts == "d6 f4 d7 a1"


def test_an_older_position_that_is_left_in_time_takes_nothing_back() -> None:
    board = after("d6 f4 d7 a1")
    board.hands("-a1 300 -d7 2999 +d7 300 @a1 60000")
    assert board.texts == "d6 f4 d7 a1"
    assert board.session.verdict == Settled()


def test_an_older_position_counts_only_if_take_back_is_on() -> None:
    board = after("d6 f4 d7 a1", take_back=False)
    board.hands("-a1 300 -d7 60000")
    assert isinstance(board.session.verdict, Mismatch)


def test_of_older_positions_the_latest_counts() -> None:
    turns = "d6-d5 f4-e4 d5-d6 e4-f4 g4-g7xa1 f4-e4"
    board = four(f"{PLACED} {turns}")
    board.hands("-e4 300 @f4 300 @a1 300 -g7 300 +g4 3000")
    assert board.texts == f"{PLACED} d6-d5 f4-e4 d5-d6 e4-f4"


def test_turns_moved_back_one_after_the_other_are_no_turns_in_reverse_order() -> None:
    board = four(PLACED + " d6-d5 f4-e4")
    board.hands("-e4 200 @f4 300 -d5 200 +d6 900")
    assert board.texts == PLACED + " d6-d5 f4-e4"
    board.hands("5000")
    assert board.texts == PLACED


@pytest.mark.parametrize("hands", ["-d6 200 -f4 200 -a1 2000", "-g7 600 -a1 600 -f4 3500"])
def test_a_board_that_is_being_cleared_takes_nothing_back(hands: str) -> None:
    board = after("d6 f4 a1 g7")
    board.hands(hands)
    assert board.texts == "d6 f4 a1 g7"


# ---- a mismatch ----- ----------------------------------------------------------------------------------


def test_a_mismatch_says_what_is_missing_extra_and_wrong() -> None:
    board = four(alphabet=POLARITY)
    assert board.hands("-d6 -d7 @d7 -g1 +e3 250") == ["lifted d6", "mismatch d6 g1 e3 d7"]
    verdict = board.session.verdict
    assert isinstance(verdict, Mismatch)
    assert [sorted(map(str, points)) for points in (verdict.missing, verdict.extra, verdict.wrong)] == [
        ["d6", "g1"],
        ["e3"],
        ["d7"],
    ]


def test_a_mismatch_ends_when_the_board_matches_and_nothing_is_lost_in_it() -> None:
    board = four()
    assert board.hands("-d6 100 -g1 1000") == ["lifted d6", "mismatch d6 g1"]
    assert board.hands("@g1") == ["mismatch d6"], "what is left stays lit"
    assert board.hands("+d5 240") == ["restored", "step d6-d5 white", "turn d6-d5 white"]


def test_a_turn_after_a_mismatch_waits_no_longer_than_any() -> None:
    board = four()
    board.hands("-g1 1000 @g1")
    assert board.hands("-d6 100 +d5 240")[-1] == "turn d6-d5 white"


# ---- a capture taken early, or the last turn thought over ---------------------------------------------

OPEN = "d6 f4 a1 f6 g7"
"""Black, to place, closes f2 f4 f6 and may take g7, which White has just placed."""


def test_a_piece_just_played_may_be_lifted_as_a_capture_taken_early_or_to_think_again() -> None:
    board = after(OPEN)
    assert board.hands("-g7 10000") == ["lifted g7"]
    assert isinstance(board.session.verdict, InProgress)
    assert board.texts == OPEN


def test_if_both_complete_and_the_point_opened_first_it_is_undecided() -> None:
    board = after(OPEN)
    assert board.hands("-g7 200 +f2 499") == ["lifted g7"]
    assert isinstance(board.session.verdict, InProgress)
    assert board.hands("60000") == []
    verdict = board.session.verdict
    assert isinstance(verdict, Undecided)
    assert {str(point) for point in verdict.points} == {"f2"}
    assert {str(point) for point in verdict.vacated} == {"g7"}
    assert board.texts == OPEN


def test_what_is_undecided_is_put_back_and_done_in_a_clear_order() -> None:
    board = after(OPEN)
    board.hands("-g7 200 @f2 1000 -f2 300 +g7 1000")
    assert board.session.verdict == Settled()
    assert board.hands("@f2 300 -g7 300")[-1] == "turn f2xg7 black"


def test_if_both_complete_the_capture_wins_if_that_point_opened_last() -> None:
    assert after(OPEN).hands("+f2 100 -g7 300") == [
        "lifted g7",
        "step f2 black",
        "step xg7 black",
        "turn f2xg7 black",
    ]


def test_a_piece_lifted_to_think_again_is_set_down_elsewhere() -> None:
    assert after(OPEN).hands("-g7 200 +g4 800")[1:] == ["taken-back 4", "step g4 white", "turn g4 white"]


def test_with_polarity_the_reading_tells_an_early_capture_from_a_revision() -> None:
    assert after(OPEN, alphabet=POLARITY).hands("-g7 200 @f2 300")[1:] == [
        "step f2 black",
        "step xg7 black",
        "turn f2xg7 black",
    ]


# ---- waiting ------------------------------------------------------------------------------------------


def test_a_landing_waits_40_ms_where_the_lifted_piece_has_no_other() -> None:
    board = four()
    assert board.hands("-g4 100 +g7 39") == ["lifted g4"]
    assert board.hands("1") == ["step g4-g7 white"]


def test_a_landing_waits_240_ms_where_a_slide_could_go_on() -> None:
    board = four()
    assert board.hands("-d6 100 +d5 239") == ["lifted d6"]
    assert board.hands("1") == ["step d6-d5 white", "turn d6-d5 white"]


def test_a_brush_over_a_point_is_no_landing() -> None:
    board = four()
    assert board.hands("-d6 60 +d5 100 -d5 60 +f6 100 -f6 60 +b6 240") == [
        "lifted d6",
        "step d6-b6 white",
        "turn d6-b6 white",
    ]


def test_a_removal_counts_after_300_ms_so_that_a_drop_out_is_none() -> None:
    board = four(PLACED + " g4-g7")
    assert board.hands("-a1 299 +a1 300") == ["lifted a1", "put-back a1"]
    assert board.hands("-a1 299") == ["lifted a1"]
    assert board.hands("1") == ["step xa1 white", "turn g4-g7xa1 white"]


def test_a_removed_piece_that_is_back_within_a_second_was_put_back() -> None:
    board = after("d6 f4 d7 a1 d5")
    assert board.hands("-a1 999 +a1 1000")[-1] == "taken-back 5"
    assert board.session.game.position.removal_due


def test_a_piece_flown_to_the_captured_point_is_a_reply_once_it_can_not_be_a_put_back() -> None:
    board = after(PLACED, "standard", "pieces=4")
    assert board.hands("-g4 100 +g7 300 -a1 900")[-1] == "turn g4-g7xa1 white"
    assert board.hands("-c4 100 @a1 300")[-1] == "turn c4-a1 black"


def test_a_piece_flown_to_the_captured_point_at_once_may_be_captured_instead() -> None:
    board = after(PLACED, "standard", "pieces=4")
    assert board.hands("-g4 100 +g7 300 -a1 250 -c4 100 @a1 900")[-1] == "turn g4-g7xc4 white"


def test_a_piece_flown_to_the_captured_point_within_a_second_is_undecided() -> None:
    board = after(PLACED, "standard", "pieces=4")
    assert board.hands("-g4 100 +g7 300 -a1 500 -c4 100 @a1 300")[-1] == "lifted c4"
    assert isinstance(board.session.verdict, InProgress)
    board.hands("200")
    assert isinstance(board.session.verdict, Undecided)
    assert [point.name for point in board.session.verdict.points] == ["a1"]
    assert board.hands("-a1 300 @a1 300")[-1] == "turn c4-a1 black"


def test_a_removed_piece_that_is_back_later_is_a_placement() -> None:
    board = after("d6 f4 d7 a1 d5")
    assert board.hands("-a1 1000 +a1 240")[-1] == "turn a1 black"


def test_an_illegal_landing_is_shown_after_250_ms() -> None:
    board = four()
    assert board.hands("-d6 500 +b2 249") == ["lifted d6"]
    assert board.hands("1") == ["mismatch d6 b2"]


def test_an_illegal_landing_is_shown_later_where_it_may_be_an_early_reply() -> None:
    held = "-d6 200 -f4 200 +b2 500"
    assert "mismatch d6 f4 b2" not in four().hands(held)
    assert "mismatch d6 f4 b2" in four(alphabet=SensorKind.POLARITY).hands(held), "it is White's"


def test_a_placement_waits_for_a_piece_that_has_just_touched_another_point() -> None:
    board = after("a7 e3")
    board.hands("+b2 100 -b2 100 +d6 300")
    assert board.texts == "a7 e3"
    board.hands("600")
    assert board.texts == "a7 e3 d6"


def test_a_reply_declines_a_capture_once_its_piece_can_not_be_taken_any_more() -> None:
    board = after(PLACED, *FOUR, "removal=may")
    board.hands("-g4 200 +g7 500 -f4 200 +e4 600")
    assert board.texts == f"{PLACED} g4-g7"
    board.hands("400")
    assert board.texts == f"{PLACED} g4-g7x- f4-e4"


def test_a_capture_has_a_second_after_its_mill_though_the_reply_was_down_before() -> None:
    board = after(PLACED, *FOUR, "removal=may")
    board.hands("-g4 200 -f4 200 +e4 600 +g7 700 -a1 1000")
    assert board.texts == f"{PLACED} g4-g7xa1 f4-e4"


def test_any_other_mismatch_is_shown_after_a_second() -> None:
    board = four()
    assert board.hands("-a1 100 -g1 999") == ["lifted a1"]
    assert board.hands("1") == ["mismatch a1 g1"]


def test_every_wait_is_config() -> None:
    slow = Timing(
        sliding_landing_ms=1000, landing_ms=900, removal_ms=800, illegal_landing_ms=700, mismatch_ms=900
    )
    board = after(PLACED, *FOUR, timing=slow)
    assert board.hands("-d6 +b2 699") == ["lifted d6"]
    assert board.hands("1") == ["mismatch d6 b2"]
    assert board.hands("-b2 100 +d5 999") == ["mismatch d6", "restored"]
    assert board.hands("1") == ["step d6-d5 white", "turn d6-d5 white"]


# ---- what presence cannot see, and polarity can -------------------------------------------------------


def test_an_opponent_who_lifts_an_own_removable_piece_has_removed_it() -> None:
    for alphabet in SensorKind:
        assert four(PLACED + " g4-g7", alphabet=alphabet).hands("-f4 300")[-1] == "turn g4-g7xf4 white"


def test_swapped_colours_are_wrong_with_polarity_and_nothing_with_presence() -> None:
    swap = "-d6 -f4 @d6 +f4 2000"
    assert four().hands(swap)[-1] != "mismatch d6 f4"
    assert four(alphabet=POLARITY).hands(swap)[-1] == "mismatch d6 f4"


def test_an_opposing_piece_that_jumps_onto_a_mill_point_is_seen_with_polarity() -> None:
    jump = "-f4 100 @d5 2000"
    assert after("d6 f4 d7 a1").hands(jump)[-1] == "turn d5xf4 white"
    assert after("d6 f4 d7 a1", alphabet=POLARITY).hands(jump)[-1] == "mismatch f4 d5"
