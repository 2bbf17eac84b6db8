"""A board and its seat follow each other, and find together whatever was lost between them."""

from __future__ import annotations

from typing import Any

from firmware_host.far.board_link import BoardState, far_status, taken_over, wishes
from firmware_host.far.seat import FarSeat
from firmware_host.games.game import Outcome, Player, Reason
from tests.far.boards import agreed, playing, told

WHITE_HERE = {"white": "here", "black": "far"}


def board(*turns: str, **changes: Any) -> BoardState:
    """Return the state of White's board after these turns."""
    values = {"seats": WHITE_HERE, "outcome": None, "status": "stands", "chosen": False, **changes}
    return BoardState(turns, **values)


def wished(seat: FarSeat, state: BoardState, *, led: int = 0) -> list[dict[str, Any]]:
    """Return the requests to the board."""
    return list(wishes(seat, state, led=led, is_away=False))


def test_a_turn_of_hands_is_taken_over_once_it_is_whole() -> None:
    white, _ = playing("d6", "f4", "d2", "b4")
    white = white.carry(4)
    before = ("d6", "f4", "d2", "b4")
    assert taken_over(white, board(*before, "nonsense"), 5, led=0).turns == before
    after = taken_over(white, board(*before, "f2"), 4120, led=0)
    assert after.turns == (*before, "f2")
    assert after.used_ms[-1] == 4120


def test_a_turn_that_was_taken_back_is_not_taken_for_a_new_one() -> None:
    white, black = playing("d6", "f4", "d2")
    white, black = agreed(white, black.offer_take_back(2))
    white = white.accept()
    state = board("d6", "f4", "d2")
    assert taken_over(white, state, 0, led=0) is white
    assert {"do": "far", "turns": ["d6", "f4"]} in wished(white.carry(2), state)


def test_hands_that_change_their_mind_revise_the_record() -> None:
    white, _ = playing("d6")
    assert taken_over(white, board(), 0, led=0).turns == ()
    assert taken_over(white, board("f4"), 0, led=0).turns == ("f4",)


def test_a_board_is_led_to_the_end_on_which_both_agree_at_last() -> None:
    white, _ = playing("d6")
    over = white.carry(1).resign()
    lost, drawn = {"winner": "black", "reason": "resigned"}, {"winner": None, "reason": "agreed"}
    assert wished(over, board("d6", outcome=lost)) == []
    again = {"do": "far", "turns": ["d6"], "undo": True}
    assert wished(over, board("d6", outcome=drawn)) == [again, {"do": "far", "end": lost}]
    assert wished(over, board(outcome=drawn)) == [again, {"do": "far", "end": lost}]


def test_an_end_by_the_rules_comes_before_a_declared_one() -> None:
    turns = ("a1", "b2", "d1", "b4", "g4", "c5", "d6", "e5", "g4-g1xb2", "b4-b6", "g1-g4", "c5-c4")
    _, black = playing(*turns, rules="standard pieces=4")
    black = black.with_turn("g4-g1xb6", 1).declare(Outcome(Reason.RESIGNED, Player.WHITE))
    there = {"seats": {"white": "far", "black": "here"}}
    by_rules = {"winner": "white", "reason": "few-pieces"}
    assert wished(black, board(*turns, "g4-g1xb6", outcome=by_rules, **there)) == []
    gave_up = {"winner": "white", "reason": "resigned"}
    undone = {"do": "far", "turns": list(turns), "undo": True}
    assert wished(black, board(*turns, outcome=gave_up, **there)) == [undone]
    assert wished(black, board(*turns, **there)) == [{"do": "choose", "turn": "g4-g1xb6"}]


def test_a_resignation_counts_before_the_board_is_led_on() -> None:
    white, black = playing("d6", "f4")
    white, _ = agreed(white.offer_take_back(), black)
    taken_back = white.back_to(0, 1)
    lost = {"winner": "black", "reason": "resigned"}
    assert taken_over(taken_back, board("d6", "f4", outcome=lost), 0, led=0).outcome is not None
    assert taken_over(taken_back, board("d6", "f4", outcome=lost), 0, led=None).outcome is None


def test_a_choice_that_was_taken_back_is_ended() -> None:
    white, black = playing("d6", "f4")
    white, _ = agreed(white, black.revise())
    chosen = board("d6", chosen=True)
    assert wished(white, chosen)[0] == {"do": "far", "turns": ["d6"]}
    assert {"do": "far", "turns": ["d6"]} not in wished(white, board("d6"))


def test_hands_that_are_changing_their_own_turn_are_not_led_back() -> None:
    white, _ = playing("d6")
    back = {"do": "far", "turns": ["d6"]}
    assert back not in wished(white, board("d6", chosen=True, rests=False))
    assert back in wished(white, board("d6", chosen=True))


def test_a_board_that_comes_back_may_have_chosen_an_older_turn() -> None:
    white, _ = playing("d6", "f4")
    lead, choice = {"do": "far", "turns": ["d6"]}, {"do": "choose", "turn": "f4"}
    wanted = [*wishes(white, board("d6", chosen=True), led=0, is_away=False, is_new=True)]
    assert wanted[0] == choice  # and hands that carry it out already are not led back
    mill, _ = playing("a1", "b2", "a4", "b4", "a7xb2")
    begun = board("a1", "b2", "a4", "b4", "a7", chosen=True)
    assert choice not in wishes(mill, begun, led=0, is_away=False, is_new=True)
    assert lead not in wishes(mill, begun, led=0, is_away=False, is_new=True)


def test_another_turn_than_the_chosen_one_is_led_back_from() -> None:
    white, _ = playing("d6", "f4")
    wanted = wished(white, board("d6", "a1"))
    assert wanted[:2] == [{"do": "far", "turns": ["d6"]}, {"do": "choose", "turn": "f4"}]


def test_only_a_turn_of_the_other_board_is_a_choice() -> None:
    state = {
        "turns": [],
        "outcome": None,
        "moves": ["d6"],
        "status": "ready",
        "seats": WHITE_HERE,
        "rests": True,
    }
    assert not BoardState.of({**state, "to_move": "white"}).chosen
    assert BoardState.of({**state, "to_move": "black"}).chosen
    assert not BoardState.of({**state, "to_move": "black", "moves": []}).chosen


def test_a_turn_that_stands_on_the_other_board_is_led_back_to() -> None:
    white, black = playing("d6")
    white, black = agreed(white, black.carry(1))
    assert taken_over(white, board("f4"), 0, led=0).turns == ("d6",)
    assert wished(white, board("f4"))[0] == {"do": "far", "turns": ["d6"]}


def test_the_other_players_turn_is_chosen_once() -> None:
    white, _ = playing("d6", "f4")
    choice = {"do": "choose", "turn": "f4"}
    assert choice in wished(white, board("d6"))
    assert choice not in wished(white, board("d6", chosen=True))
    assert choice not in wished(white.carry(2), board("d6", "f4"))


def test_a_board_that_lost_its_game_is_given_it_again() -> None:
    white, _ = playing("d6", "f4")
    lost = board(seats={"white": "here", "black": "here"}, status=None)
    begin, lead = wished(white, lost)
    assert begin == {"do": "new-game", "rules": "standard", **WHITE_HERE}
    assert lead == {"do": "far", "turns": ["d6"]}


def test_an_end_is_brought_to_the_board_and_from_it() -> None:
    white, black = playing("d6")
    lost = {"winner": "black", "reason": "resigned"}
    assert taken_over(white, board("d6", outcome=lost), 0, led=0).outcome is not None
    ended = told(white, black.resign())[0]
    end = {"winner": "white", "reason": "resigned"}
    assert wished(ended, board("d6"))[0] == {"do": "far", "end": end}


def test_boards_that_disagree_show_the_turn_that_differs() -> None:
    white, black = playing("d6")
    replied = black.carry(1).play("b4", 1)
    white = told(white.revise().play("f4", 1), told(replied, white.revise().play("f4", 1))[0])[0]
    assert far_status(white, is_away=False) == "disagree"
    assert wished(white, board("f4")) == [{"do": "far", "status": "disagree", "points": ["d6", "f4"]}]
    assert wished(white, board("f4", status="disagree")) == []


def test_a_board_that_has_left_a_game_that_is_over_is_left_alone() -> None:
    white, _ = playing("d6", "f4")
    white = white.carry(2).resign()
    cleared = board(seats={"white": "here", "black": "here"}, status=None)
    assert wished(white, cleared) == []
    assert taken_over(white, cleared, 5, led=0) is white
    assert {"do": "far", "end": {"reason": "resigned", "winner": "black"}} in wished(white, board("d6", "f4"))
