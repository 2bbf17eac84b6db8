"""The rules of Mitsudomoe, sentence by sentence."""

from __future__ import annotations

import re
import time

import pytest

from firmware_host.errors import IllegalStepError
from firmware_host.games.game import Outcome, Player, Reason, legal_turns
from firmware_host.games.perft import count
from tests.support.games.mitsudomoe import at, following, rules, texts, whole

WHITE, BLACK = Player.WHITE, Player.BLACK
START = rules().start(WHITE)


def by_square(position):
    return dict(zip(position.rules.layout.by_name, position.stacks, strict=True))


def refused(position, step, words):
    with pytest.raises(IllegalStepError, match=re.escape(words)):
        position.play(position.rules.parse_step(step))


# ---- the start -----------------------------------------------------------------------------------------


def test_each_player_starts_with_a_ball_on_a_ring_on_three_squares():
    stacks = {name: " ".join(map(str, stack)) for name, stack in by_square(START).items() if stack}
    white, black = "white-ring white-ball", "black-ring black-ball"
    assert stacks == {"a1": white, "b1": white, "a2": white, "e5": black, "d5": black, "e4": black}


def test_each_player_has_three_balls_and_eight_rings_of_which_five_are_in_supply():
    assert {str(piece): number for piece, number in START.rules.box.items()} == {
        "white-ring": 8,
        "black-ring": 8,
        "white-ball": 3,
        "black-ball": 3,
    }
    assert [START.in_hand(player) for player in Player] == [5, 5]
    assert following(START, "+b2").in_hand(WHITE) == 4


def test_the_visible_piece_of_a_square_is_its_uppermost():
    position = at("c3:wb a3:bwW")
    index = position.rules.layout.by_name
    assert str(position.standing[index["c3"].index]) == "black-ring"
    assert str(position.standing[index["a3"].index]) == "white-ball"
    assert position.standing[index["b3"].index] is None


@pytest.mark.parametrize(("setting", "first"), [("white", WHITE), ("black", BLACK), ("lot", None)])
def test_white_or_black_or_the_lot_begins(setting, first):
    assert rules(f"first={setting}").first is first


# ---- the ring step -------------------------------------------------------------------------------------


def test_a_turn_is_a_ring_step_and_then_a_ball_step():
    after = following(START, "+b2")
    assert after.to_move is WHITE
    assert texts(after) == {"a1-b2", "b1-b2", "a2-b2"}
    assert following(after, "a1-b2").to_move is BLACK
    refused(START, "a1-b2", "a ring has to be laid or moved first")
    refused(after, "+b3", "a ball has to be moved now")


def test_a_ring_is_laid_onto_any_square_whose_top_is_no_ball():
    position = at("a1:wW b1:w c3:b e5:wwb a3:b c1:bB")
    laid = {text[1:] for text in texts(position) if text.startswith("+")}
    balls = {name for name, stack in by_square(position).items() if stack and stack[-1].kind == "ball"}
    assert laid == set(position.rules.layout.by_name) - balls
    refused(position, "+c1", "a ball stands on c1")


def test_none_is_laid_from_an_empty_supply():
    position = at("a1:wW b1:w c3:wwww")
    assert position.in_hand(WHITE) == 0
    assert not [text for text in texts(position) if text.startswith("+")]
    refused(position, "+b2", "White has no rings in supply")


def test_only_exposed_rings_of_the_own_colour_are_moved():
    position = at("a1:wW b1:w c3:wb e5:bw")
    assert {text[:2] for text in texts(position) if ">" in text} == {"b1", "e5"}
    refused(position, "a1>b2", "no ring of White lies open on a1")
    refused(position, "c3>b2", "no ring of White lies open on c3")


def test_a_ring_is_moved_to_any_square_and_uncovers_what_lay_under_it():
    position = at("a1:wW b1:w e5:bw")
    after = following(position, "e5>b2")
    assert [str(piece) for piece in by_square(after)["e5"]] == ["black-ring"]
    assert [str(piece) for piece in by_square(after)["b2"]] == ["white-ring"]


def test_a_moved_ring_does_not_return_to_the_square_it_left():
    position = at("a1:wW b1:w c3:w")
    assert "b1>b1" not in texts(position)
    refused(position, "b1>b1", "a ring does not return to the square that it left")


def test_a_ring_step_is_legal_only_if_a_ball_step_remains():
    assert texts(START) == {"+c1", "+b2", "+c2", "+a3", "+b3"}
    refused(START, "+c3", "no ball could be moved after it")
    only_ring = at("a1:wW b1:w d1:wW e1:wW c5:bB d5:bB e4:bB")
    assert "b1>e3" not in texts(only_ring)
    assert {"b1>b2", "b1>a2"} <= texts(only_ring)


def test_laying_on_the_last_open_ring_of_the_other_colour_may_forbid_the_only_vault():
    position = at("c1:wW c2:bB c3:w e3:b a4:bB b5:bB d1:wW e1:wW a1:w", "w")
    assert {"+e4", "+d2"} <= texts(position)
    assert "+e3" not in texts(position)
    refused(position, "+e3", "no ball could be moved after it")


# ---- the ball step -------------------------------------------------------------------------------------


@pytest.mark.parametrize("square", ["b2", "c2", "d2", "b3", "d3", "b4", "c4", "d4"])
def test_a_ball_moves_to_a_neighbouring_square_in_all_eight_directions(square):
    assert f"c3-{square}" in texts(at(f"c3:wW {square}:w", due="ball"))


def test_a_ball_moves_only_to_a_square_whose_top_is_an_own_ring():
    position = at("c3:wW b2:b c2:wb d2:bw d3:wW b4:bB d4:w", due="ball")
    assert {text for text in texts(position) if text.startswith("c3-")} == {"c3-d2", "c3-d4"}
    refused(position, "c3-b2", "no ring of White lies on top of b2")
    refused(position, "c3-c2", "no ring of White lies on top of c2")
    refused(position, "c3-b3", "no ring of White lies on top of b3")
    refused(position, "c3-d3", "a ball stands on d3")


def test_only_own_balls_are_moved():
    position = at("c3:bB d4:w e3:wW", due="ball")
    refused(position, "c3-d4", "no ball of White stands on c3")


@pytest.mark.parametrize(
    ("between", "behind"),
    [("b1:wW", "c1"), ("b2:bB", "c3"), ("b1:wW c1:bB", "d1"), ("b2:bB c3:wW d4:bB", "e5")],
)
def test_a_ball_vaults_in_a_straight_line_over_balls_of_any_colour(between, behind):
    assert f"a1^{behind}" in texts(at(f"a1:wW {between} {behind}:w a3:b e2:w", due="ball"))


def test_a_vault_goes_onto_the_first_square_behind_an_unbroken_row():
    position = at("a1:wW b1:wW c1:w d1:w e1:wW a3:w", due="ball")
    assert {"a1^c1"} == {text for text in texts(position) if text.startswith("a1^")}
    refused(position, "a1^d1", "nothing to vault stands on c1")
    broken = at("a1:wW b1:wW d1:wW e1:w a3:w a2:w", due="ball")
    refused(broken, "a1^e1", "nothing to vault stands on c1")
    refused(broken, "a1^c2", "c2 does not lie in a straight line from a1")


def test_a_vault_lands_only_where_the_top_is_an_own_ring():
    position = at("a1:wW b1:wW c1:b a2:w", due="ball")
    refused(position, "a1^c1", "no ring of White lies on top of c1")


def test_a_vault_does_not_leave_the_board():
    position = at("d1:wW e1:wW a1:wW a2:w", due="ball")
    assert not [text for text in texts(position) if "^" in text]


def test_own_balls_that_were_vaulted_stay():
    after = following(at("a1:wW b1:wW c1:w", due="ball"), "a1^c1")
    assert after.to_move is BLACK
    assert str(after.standing[after.rules.layout["b1"].index]) == "white-ball"


# ---- relocations ---------------------------------------------------------------------------------------


def test_an_opposing_ball_that_was_vaulted_is_moved_to_an_open_ring_of_its_colour():
    after = following(at("a3:wW b3:bB c3:w e3:b c4:wb b4:bw d3:bB", due="ball"), "a3^c3")
    assert after.to_move is WHITE
    assert texts(after) == {"/b3-e3", "/b3-c4"}
    refused(after, "/b3-b4", "no ring of Black lies on top of b4")
    refused(after, "/b3-d3", "a ball stands on d3")
    refused(after, "/d3-e3", "no ball on d3 was vaulted")
    refused(after, "+a1", "the balls that were vaulted have to be moved now")
    assert following(after, "/b3-e3").to_move is BLACK


def test_it_is_moved_to_another_square_than_its_own():
    position = at("a3:wW b3:bbB c3:w d3:b", due="ball")
    assert texts(following(position, "a3^c3")) == {"/b3-d3"}


def test_every_vaulted_ball_is_moved_and_in_any_order():
    position = at("a1:wW b2:bB c3:bB d4:w a4:b a5:b", due="ball")
    after = {turn for turn in whole(position) if turn.startswith("a1^d4")}
    assert {"a1^d4/b2-a4/c3-a5", "a1^d4/b2-a5/c3-a4", "a1^d4/c3-a4/b2-a5", "a1^d4/c3-a5/b2-a4"} <= after
    assert all(turn.count("/") == 2 for turn in after)


def test_a_square_left_on_the_way_becomes_available():
    position = at("a1:wW b2:bB c3:bB d4:w a5:b", due="ball")
    after = {turn for turn in whole(position) if turn.startswith("a1^d4")}
    assert after == {"a1^d4/b2-a5/c3-b2", "a1^d4/c3-a5/b2-c3"}


def test_a_vault_is_illegal_where_a_vaulted_ball_could_go_nowhere():
    position = at("a3:wW b3:bB c3:w a2:w", due="ball")
    assert "a3^c3" not in texts(position)
    refused(position, "a3^c3", "the balls that it vaults could go nowhere: no ring of Black lies open")


def test_what_is_vaulted_may_be_moved_into_its_goal_and_then_stays_there():
    position = following(at("c1:wW c2:bB c3:w a1:b", due="ball"), "c1^c3/c2-a1")
    assert position.to_move is BLACK
    assert not [step for step in whole(position) if " a1-" in step or " a1^" in step]


# ---- the goal ------------------------------------------------------------------------------------------


def test_a_ball_in_its_goal_never_leaves_it_not_even_to_another_goal_square():
    position = at("e5:wW d5:w d4:w c1:wW c2:w", due="ball")
    assert {text for text in texts(position) if text.startswith("e5")} == set()
    refused(position, "e5-d5", "the ball on e5 stands in its goal and stays there")
    refused(position, "e5-d4", "the ball on e5 stands in its goal and stays there")


def test_a_vault_over_an_opposing_ball_in_its_goal_is_not_allowed():
    position = at("c1:wW b1:bB a1:w d3:b c2:w", due="ball")
    assert "c1^a1" not in texts(position)
    refused(position, "c1^a1", "the ball on b1 stands in its goal and is not vaulted")


def test_nor_as_one_of_a_row():
    position = at("d1:wW c1:bB b1:bB a1:w d3:b d2:w", due="ball")
    assert "d1^a1" not in texts(position)


def test_a_vault_over_an_own_ball_in_the_goal_is_allowed():
    assert "c5^e5" in texts(at("c5:wW d5:wW e5:w", due="ball"))


def test_an_opposing_ball_in_the_movers_goal_is_no_goal_of_its_own_and_may_be_vaulted():
    position = at("c5:wW d5:bB e5:w a3:b", due="ball")
    assert "c5^e5/d5-a3" in whole(position)


# ---- the end -------------------------------------------------------------------------------------------


def test_the_mover_wins_with_all_three_balls_in_the_goal():
    position = at("e5:wW e4:wW c4:wW d5:w", due="ball")
    assert following(position, "c4-d5").outcome == Outcome(Reason.GOAL, WHITE)


def test_a_win_comes_only_after_what_was_vaulted_is_moved():
    position = following(at("e5:wW e4:wW b5:wW c5:bB d5:w a3:b", due="ball"), "b5^d5")
    assert position.outcome is None
    assert following(position, "/c5-a3").outcome == Outcome(Reason.GOAL, WHITE)


@pytest.mark.parametrize("third", ["a2:wW", "a2:bB"])
def test_the_mover_loses_if_its_start_is_covered_by_balls_of_any_colour(third):
    position = at(f"a1:wW c2:wW b1:w {third}", due="ball")
    assert following(position, "c2-b1").outcome == Outcome(Reason.START_COVERED, BLACK)


def test_the_other_players_start_may_be_covered():
    position = at("e5:bB d5:bB c4:wW e4:wW a1:wW b1:w", due="ball")
    assert following(position, "a1-b1").outcome is None


def test_filling_the_opponents_goal_by_relocation_loses():
    position = at("a1:bB b1:bB c1:wW c2:bB c3:w a2:b", due="ball")
    assert following(position, "c1^c3/c2-a2").outcome == Outcome(Reason.START_COVERED, BLACK)


def test_a_win_comes_before_a_loss():
    position = at("e5:wW e4:wW b5:wW c5:bB d5:w a1:bB b1:bB a2:b", due="ball")
    assert following(position, "b5^d5/c5-a2").outcome == Outcome(Reason.GOAL, WHITE)


def test_the_start_position_covers_both_starts_and_is_not_lost():
    assert START.outcome is None
    assert following(START, "+b2 a1-b2").outcome is None


def test_a_player_who_cannot_complete_both_steps_loses():
    """Black's balls in the corner have none of its rings near, and its supply is used up."""
    stacks = "c2:wW b1:w a5:bB b5:bB c5:bB a1:bbbbbw a4:w b4:w c4:w d4:wW d5:wW"
    after = following(at(stacks, due="ball"), "c2-b1")
    assert after.in_hand(BLACK) == 0
    assert after.outcome == Outcome(Reason.BLOCKED, WHITE)
    assert after.legal_steps() == ()


SHUFFLED = "a2>a3 c2-b2 e4>e3 c4-d4 a3>a2 b2-c2 e3>e4 d4-c4"
OPENED = "+b2 a2-b2 +d4 e4-d4 +c2 b2-c2 +c4 d4-c4"


def test_the_same_position_for_the_third_time_is_a_draw():
    position = following(START, f"{OPENED} {SHUFFLED} {SHUFFLED[: -len(' d4-c4')]}")
    assert position.outcome is None
    assert following(position, "d4-c4").outcome == Outcome(Reason.REPETITION, None)


def test_no_repetition_is_a_draw_where_the_switch_is_off():
    start = rules("repetition=0").start(WHITE)
    assert following(start, f"{OPENED} {SHUFFLED} {SHUFFLED} {SHUFFLED}").outcome is None


def test_the_same_rings_in_another_order_are_another_position():
    one, other = at("c3:wb"), at("c3:bw")
    assert one.state[:3] != other.state[:3]


def test_a_finished_game_has_no_steps_and_says_so():
    over = following(at("e5:wW e4:wW c4:wW d5:w", due="ball"), "c4-d5")
    assert over.legal_steps() == ()
    refused(over, "+c3", "the game is over (goal)")


# ---- all of it -----------------------------------------------------------------------------------------


def test_three_turns_deep_is_counted_within_five_seconds():
    began = time.process_time()
    assert [count(START, depth, turns=True) for depth in (1, 2, 3)] == [9, 81, 6287]
    assert time.process_time() - began < 5


def test_one_turn_stands_for_all_orders_that_come_to_the_same():
    position = at("a1:wW b2:bB c3:bB d4:w a4:b a5:b", due="ball")
    vaults = [turn for turn in legal_turns(position) if turn.steps[0].text == "a1^d4"]
    results = {turn.positions[-1].stacks for turn in vaults}
    assert len(vaults) > len(results) == len([t for t in position.turns() if t.steps[0].text == "a1^d4"])
