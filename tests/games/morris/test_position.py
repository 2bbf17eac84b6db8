"""The rules of the mill family, sentence by sentence."""

import re

import pytest

from firmware_host.errors import IllegalStepError
from firmware_host.games.game import Game, Outcome, Piece, Player, Reason, Step
from firmware_host.games.layout import MORRIS
from firmware_host.games.rulesets import rule_set
from tests.support.games.morris import after, at, texts

WHITE_WINS = Outcome(Reason.FEW_PIECES, Player.WHITE)


# The board


def test_the_start_is_an_empty_board_and_full_hands():
    start = rule_set().start(Player.WHITE)
    assert str(start) == "********/********/******** w p p 0 9 0 9 0 0 0 0 0 0 0 0 1"
    assert start.standing == (None,) * 24
    assert (start.in_hand(Player.WHITE), start.in_hand(Player.BLACK)) == (9, 9)
    assert start.outcome is None


def test_players_place_in_turn_on_any_empty_point():
    position = after("d6 f4")
    assert position.to_move is Player.WHITE
    assert position.standing[MORRIS["d6"].index] == Piece(Player.WHITE)
    assert position.standing[MORRIS["f4"].index] == Piece(Player.BLACK)
    assert texts(position) == {point.name for point in MORRIS.points} - {"d6", "f4"}


def test_pieces_move_to_neighbours_on_a_line():
    position = at("d6 a1 a4 f2", "g7 g1 b2 b6")
    assert texts(position) == {"d6-d5", "d6-d7", "d6-f6", "a1-d1", "a4-a7", "a4-b4", "f2-d2", "f2-f4"}


def test_c4_and_e4_are_no_neighbours():
    assert "c4-e4" not in texts(at("c4 a1 a7 g1", "d6 d2 f4 b4"))


def test_diagonals_join_the_corners_of_the_rings():
    plain, diagonal = at("b6 d1 g4 f4", "a1 c3 e3 g1"), at("b6 d1 g4 f4", "a1 c3 e3 g1", "twelve")
    assert texts(diagonal) - texts(plain) == {"b6-a7", "b6-c5"}


def test_diagonal_lines_are_mills():
    assert after("a7 d1 b6 d2 c5", "standard").to_move is Player.BLACK
    assert after("a7 d1 b6 d2 c5", "twelve").removal_due


# points


def test_with_outer_points_nobody_stands_inside():
    assert texts(rule_set("six").start(Player.WHITE)) == {
        point.name for point in MORRIS.points if point.index >= 8
    }


def test_a_line_without_its_inner_point_makes_no_mill_but_joins_the_others():
    position = at("d6 a1 b4 f2", "d7 g1 a4 b2", "six")
    assert {"d6-b6", "d6-f6", "b4-b6"} <= texts(position)
    assert "d7-d6" in texts(position.play(position.legal_step("d6-f6")))
    assert not after("d7 a1 d6 a4", "six").removal_due


# mills


def test_a_mill_is_closed_by_the_step_that_completes_a_line():
    position = after("d5 a1 d6 a4 d7")
    assert position.removal_due
    assert position.to_move is Player.WHITE
    assert texts(position) == {"xa1", "xa4"}
    assert {point.name for point in position.closed} == {"d5", "d6", "d7"}


def test_a_removal_ends_the_turn_and_the_mill_is_still_told():
    position = after("d5 a1 d6 a4 d7 xa1")
    assert position.to_move is Player.BLACK
    assert not position.removal_due
    assert {point.name for point in position.closed} == {"d5", "d6", "d7"}
    assert not position.play(position.legal_step("g1")).closed


def test_a_mill_that_already_stood_earns_nothing():
    assert not after("d5 a1 d6 a4 d7 xa1 a1 g1").removal_due


def test_breaking_a_mill_and_closing_it_again_earns_again():
    broken = at("d5 d6 d7 a1", "g4 f4 b4 b2", moves="d6-f6 b4-c4")
    closed = broken.play(broken.legal_step("f6-d6"))
    assert closed.removal_due


def test_sliding_along_a_line_does_not_complete_it():
    assert not at("d5 d6 a1 a4", "g4 f4 b2 f2", moves="d6-d7").removal_due


# captures

TWO_MILLS = "d5 a1 d6 a4 g7 b4 a7 b2 d7"


def test_two_mills_at_once_earn_one_removal_or_one_for_each():
    one, two = after(TWO_MILLS), after(TWO_MILLS, "standard", "captures=per-mill")
    assert {point.name for point in one.closed} == {"d5", "d6", "d7", "a7", "g7"}
    taken_one, taken_two = (position.play(position.legal_step("xa1")) for position in (one, two))
    assert taken_one.to_move is Player.BLACK
    assert taken_two.to_move is Player.WHITE
    assert texts(taken_two) == {"xa4", "xb4", "xb2"}
    assert taken_two.play(taken_two.legal_step("xa4")).to_move is Player.BLACK


def test_three_mills_at_once_are_possible_with_diagonals():
    position = at("d7 g7 a1 a4 b6 c5 g1 e4 f2", "d3 d2 f6 b2", "twelve", "captures=per-mill", hands=(1, 0))
    assert str(position.play(position.legal_step("a7"))).split()[8] == "3"


def test_protection_is_judged_anew_before_each_removal():
    two = at("d5 d6 g7 a7", "a1 a4 b4 c4 f2 d1", "standard", "captures=per-mill", hands=(1, 0), moves="d7")
    assert texts(two) == {"xa1", "xf2", "xd1"}
    first = two.play(two.legal_step("xa1"))
    assert texts(first) == {"xf2", "xd1"}
    all_in_mill = at(
        "d5 d6 g7 a7", "a4 b4 c4 f2", "standard", "captures=per-mill", hands=(1, 0), moves="d7 xf2"
    )
    assert texts(all_in_mill) == {"xa4", "xb4", "xc4"}


def test_removals_with_nothing_to_remove_lapse():
    settings = ("standard", "captures=per-mill", "protection=always")
    position = at("d5 d6 g7 a7", "a4 b4 c4 f2", *settings, hands=(1, 0), moves="d7 xf2")
    assert position.to_move is Player.BLACK
    assert position.outcome is None


def test_the_first_removal_that_leaves_under_three_ends_the_game():
    position = at("d5 d6 g7 a7", "a4 b4 f2", "standard", "captures=per-mill", hands=(1, 0), moves="d7 xf2")
    assert position.outcome == WHITE_WINS
    assert position.legal_steps() == ()
    assert not position.removal_due


# protection


@pytest.mark.parametrize(
    ("protection", "loose", "all_four", "just_three"),
    [
        ("unless-all", {"xf2"}, {"xa4", "xb4", "xc4", "xa1", "xa7"}, {"xa4", "xb4", "xc4"}),
        ("always", {"xf2"}, set(), set()),
        ("unless-three", {"xf2"}, set(), {"xa4", "xb4", "xc4"}),
        (
            "none",
            {"xa4", "xb4", "xc4", "xf2"},
            {"xa4", "xb4", "xc4", "xa1", "xa7"},
            {"xa4", "xb4", "xc4"},
        ),
    ],
)
def test_a_piece_in_a_mill_may_be_removed_as_protection_says(protection, loose, all_four, just_three):
    for black, removable in (("a4 b4 c4 f2", loose), ("a4 b4 c4 a1 a7", all_four), ("a4 b4 c4", just_three)):
        position = at("d5 d6 g7 g1", black, "standard", f"protection={protection}", hands=(1, 0), moves="d7")
        assert position.removal_due == bool(removable)
        assert {text for text in texts(position) if position.removal_due} == removable


def test_nothing_is_removed_where_the_opponent_has_nothing_on_the_board():
    position = at("d5 d6", "", "lasker", hands=(8, 8), moves="d7")
    assert position.to_move is Player.BLACK


# removal


def test_a_removal_can_be_declined_where_it_may_be():
    must, may = after("d5 a1 d6 a4 d7"), after("d5 a1 d6 a4 d7", "arena")
    assert texts(may) - texts(must) == {"x-"}
    declined = may.play(may.legal_step("x-"))
    assert declined.to_move is Player.BLACK
    assert declined.standing == may.standing
    with pytest.raises(IllegalStepError, match="the removal must be made"):
        must.legal_step("x-")


def test_declining_declines_all_that_is_still_due():
    position = after(TWO_MILLS, "arena", "captures=per-mill")
    assert position.play(position.legal_step("x-")).to_move is Player.BLACK
    taken = position.play(position.legal_step("xa1"))
    assert taken.play(taken.legal_step("x-")).to_move is Player.BLACK


# flying


@pytest.mark.parametrize(
    ("flying", "white_flies", "black_flies"),
    [("never", False, False), ("own", True, False), ("both", True, True)],
)
def test_who_flies_with_three_against_four(flying, white_flies, black_flies):
    for side, flies in (("w", white_flies), ("b", black_flies)):
        position = at("d6 a1 a4", "g7 g1 b2 b6", "standard", f"flying={flying}", side=side)
        far = "d6-e3" if side == "w" else "g7-e3"
        assert (far in texts(position)) == flies


@pytest.mark.parametrize("flying", ["never", "own", "both"])
def test_nobody_flies_with_four_against_four(flying):
    assert "d6-e3" not in texts(at("d6 a1 a4 c3", "g7 g1 b2 b6", "standard", f"flying={flying}"))


def test_nobody_flies_with_pieces_in_hand():
    lasker = {"name": "lasker", "side": "w"}
    assert "d6-e3" not in texts(at("d6 a1 a4", "g7 g1 b2", hands=(1, 0), **lasker))
    assert "d6-e3" in texts(at("d6 a1 a4", "g7 g1 b2", hands=(0, 1), **lasker))
    both = at("d6 a1 a4", "g7 g1 b2", "lasker", "flying=both", hands=(0, 1))
    assert "d6-e3" not in texts(both)


# move_while_placing


def test_pieces_may_be_moved_while_placing_where_they_may():
    assert "d6-d5" not in texts(after("d6 f4", "standard"))
    assert {"d6-d5", "d7", "e3"} <= texts(after("d6 f4", "lasker"))
    assert "d6-e3" not in texts(after("d6 f4", "lasker"))


# first


def test_black_may_start():
    start = rule_set("standard", ["first=black"]).start(Player.BLACK)
    assert start.to_move is Player.BLACK
    assert str(start).split()[1] == "b"
    assert str(start.play(start.legal_step("d6"))).split()[-1] == "2"


# The end


def test_two_on_the_board_with_pieces_in_hand_is_not_lost():
    assert at("d6 a1", "g7 g1 b2", hands=(1, 0)).outcome is None


def test_fewer_than_three_in_all_is_lost():
    position = at("d5 d6 a7 g1", "b2 b4 f2", hands=(1, 0), moves="d7 xb2")
    assert position.outcome == WHITE_WINS
    assert position.to_move is Player.BLACK


def test_a_player_without_a_legal_step_loses():
    blocked = at("a7 d7 g7 a4 g4", "d6 b4 e4 a1 g1", side="b", moves="e4-f4")
    assert blocked.outcome == Outcome(Reason.BLOCKED, Player.BLACK)
    assert blocked.legal_steps() == ()


FULL = "d5 e5 e4 e3 c3 c4 d6 b6 f4 a4 f2 b2 d7 g7 g1 g4 d1 a1 b4 f6 a7 c5 d2"


def full_board(*settings: str):
    """Twelve against twelve, the last on d3."""
    white, black = FULL.split()[0::2], FULL.split()[1::2]
    rules = ("twelve", *settings)
    return at(" ".join(white), " ".join(black), *rules, side="b", hands=(0, 1))


def test_a_full_board_is_a_draw_or_lost_for_who_started():
    position = full_board("diagonals=no")
    assert not position.removal_due
    assert position.play(position.legal_step("d3")).outcome == Outcome(Reason.FULL_BOARD, None)
    position = full_board("diagonals=no", "full_board=first-loses")
    assert position.play(position.legal_step("d3")).outcome == Outcome(Reason.FULL_BOARD, Player.BLACK)


REPEATED = "d6-d5 g7-d7 d5-d6 d7-g7 "


def test_a_position_is_a_draw_when_it_occurs_the_third_time():
    assert at("d6 a1 a4 f2", "g7 g1 b2 b6", moves=REPEATED + "d6-d5 g7-d7 d5-d6").outcome is None
    repeated = at("d6 a1 a4 f2", "g7 g1 b2 b6", moves=REPEATED * 2)
    assert repeated.outcome == Outcome(Reason.REPETITION, None)
    assert at("d6 a1 a4 f2", "g7 g1 b2 b6", "standard", "repetition=0", moves=REPEATED * 3).outcome is None


def test_a_position_before_a_capture_cannot_come_again():
    assert at("d5 d7 f6 a1", "g4 f4 b4 b2", moves="a1-d1").state.past
    assert not at("d5 d7 f6 a1", "g4 f4 b4 b2", moves="f6-d6 xb2").state.past


def test_a_hundred_steps_without_placement_or_removal_are_a_draw():
    position = at("d6 a1 a4 f2", "g7 g1 b2 b6", quiet=98)
    position = position.play(position.legal_step("d6-d5"))
    assert position.outcome is None
    assert position.play(position.legal_step("g7-d7")).outcome == Outcome(Reason.QUIET, None)
    unlimited = at("d6 a1 a4 f2", "g7 g1 b2 b6", "standard", "quiet=0", quiet=99, moves="d6-d5")
    assert unlimited.outcome is None


def test_a_removal_that_is_due_comes_before_a_draw():
    position = at("d5 d7 f6 a1", "g4 f4 b4 b2", quiet=99, moves="f6-d6")
    assert position.removal_due
    assert position.play(position.legal_step("xb2")).outcome is None


def test_a_removal_declined_leaves_the_draw():
    position = at("d5 d7 f6 a1", "g4 f4 b4 b2", "standard", "removal=may", quiet=99, moves="f6-d6 x-")
    assert position.outcome == Outcome(Reason.QUIET, None)


def test_a_win_comes_before_a_draw():
    position = at("d5 d7 f6 a1", "g4 f4 b4", quiet=99, moves="f6-d6 xb4")
    assert position.outcome == WHITE_WINS
    blocking = at("a7 d7 g7 a4 g4", "d6 b4 e4 a1 g1", quiet=99, side="b", moves="e4-f4")
    assert blocking.outcome == Outcome(Reason.BLOCKED, Player.BLACK)


# What is not allowed says why


@pytest.mark.parametrize(
    ("position", "step", "why"),
    [
        (at("d6 a1 a4 f2", "g7 g1 b2 b6"), "d6-d1", "d6-d1: d6 and d1 are not neighbours"),
        (at("d6 a1 a4 f2", "g7 g1 b2 b6"), "a1-a4", "a4 is occupied"),
        (at("d6 a1 a4 f2", "g7 g1 b2 b6"), "g7-d7", "the piece on g7 is Black's"),
        (at("d6 a1 a4 f2", "g7 g1 b2 b6"), "e3-d3", "nothing stands on e3"),
        (at("d6 a1 a4 f2", "g7 g1 b2 b6"), "e3", "White has no pieces in hand"),
        (at("d6 a1 a4 f2", "g7 g1 b2 b6"), "xg7", "no removal is due"),
        (at("d6 a1 a4 f2", "g7 g1 b2 b6"), "x-", "no removal is due"),
        (after("d6"), "d6", "d6: d6 is occupied"),
        (after("d6 f4"), "d6-d5", "White has 8 in hand to place first"),
        (after("d5 a1 d6 a4 d7"), "g1", "a removal is due"),
        (after("d5 a1 d6 a4 d7"), "xd7", "none of Black's pieces stands on d7"),
        (after("d5 a1 d6 a4 d7"), "xg1", "none of Black's pieces stands on g1"),
        (rule_set("six").start(Player.WHITE), "d5", "d5 is not used with points=outer"),
        (
            at("d5 d6 g7 g1", "a4 b4 c4 f2", hands=(1, 0), moves="d7"),
            "xa4",
            "xa4: a4 stands in a mill, and f2 does not",
        ),
        (
            at("d5 d6 g7 g1", "a4 b4 c4 f2", "molendinum", hands=(1, 0), moves="d7"),
            "xa4",
            "xa4: a4 stands in a mill",
        ),
        (
            at("d5 d6 g7 g1", "a4 b4 c4 f2", "pounding-0.3b", hands=(1, 0), moves="d7"),
            "xa4",
            "a4 stands in a mill, and Black has not just 3 on the board",
        ),
        (at("a7 d7 g7 a4 g4", "d6 b4 f4 a1 g1"), "d7-d6", "the game is over (blocked)"),
    ],
)
def test_an_illegal_step_is_refused_with_its_reason(position, step, why):
    parsed = position.rules.parse_step(step)
    with pytest.raises(IllegalStepError, match=re.escape(why)):
        position.play(parsed)
    with pytest.raises(IllegalStepError, match=re.escape(why)):
        position.legal_step(step)


def test_a_step_of_the_other_players_piece_is_refused():
    step = Step("d6", Piece(Player.BLACK), None, MORRIS["d6"])
    with pytest.raises(IllegalStepError, match="it is White's turn"):
        rule_set().start(Player.WHITE).play(step)


def test_a_removal_of_the_movers_own_kind_of_piece_is_refused():
    step = Step("xa1", Piece(Player.WHITE), MORRIS["a1"], None)
    with pytest.raises(IllegalStepError, match="it is Black's piece that is removed"):
        after("d5 a1 d6 a4 d7").play(step)


def test_a_step_that_was_read_is_the_same_as_the_positions_own():
    position = after("d6 f4")
    own = position.legal_step("e3")
    assert own in position.legal_steps()
    assert own.piece == Piece(Player.WHITE)
    assert position.play(position.rules.parse_step("e3")) == position.play(own)


def test_positions_that_go_on_alike_are_equal():
    assert after("d6 f4 d5 f6") == after("d5 f4 d6 f6")
    assert hash(after("d6 f4 d5 f6")) == hash(after("d5 f4 d6 f6"))
    assert after("d6 f4") != after("f4 d6")


def test_whole_turns_are_told_by_the_game():
    game = Game.begin(rule_set(), rule_set().start(Player.WHITE))
    for text in ["d5", "a1", "d6", "a4", "d7", "xa1"]:
        game = game.play(game.position.legal_step(text))
    assert game.turn_texts() == ("d5", "a1", "d6", "a4", "d7xa1")
