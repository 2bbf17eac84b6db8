"""Remarks on turns: the board as it is, faults where something better is known, and no guess as a fact."""

from __future__ import annotations

import pytest

from firmware_host.engine.remarks import outcome_remark, remarks
from firmware_host.engine.review import BetterTurn, LikelyTurn, ReviewedTurn
from firmware_host.engine.reviewing import reviewed
from firmware_host.engine.tables import Tables
from firmware_host.games.game import Game, Outcome, Player, Position, Reason
from firmware_host.games.rulesets import rule_set
from firmware_host.games.values import UNKNOWN, Result, Value
from firmware_host.i18n import Message, to_english
from tests.support.games.morris import at

DRAW, LOSS = Value(Result.DRAW, None, exact=True), Value(Result.LOSS, 3, exact=True)
PLACING = (6, 6)


def game_of(position: Position, *turns: str) -> Game:
    game = Game.begin(position.rules, position)
    for turn in turns:
        for step in position.rules.parse_turn(turn):
            game = game.play(game.position.legal_step(step.text))
    return game


def said(position: Position, turn: str, likely: str | None = None, *, is_only: bool = False) -> list[str]:
    """Return the English remarks on a turn of White's, whose better turn is likely."""
    instead = None if likely is None else LikelyTurn(likely, 60)
    after = DRAW if is_only else UNKNOWN
    one = ReviewedTurn(0, Player.WHITE, turn, after, after, 0, None, instead, is_only)
    (found,) = remarks(game_of(position, turn), (one,))
    return [to_english(remark) for remark in found]


def test_remark_on_a_missed_mill_names_the_turn() -> None:
    position = at("a1 d1 b6", "f4 b4 e5", hands=PLACING)
    assert said(position, "c3", "g1xf4") == ["g1xf4 would have closed a mill.", "Probably better: g1xf4."]


def test_remark_on_a_mill_not_closed_needs_a_better_turn() -> None:
    position = at("a1 d1 b6", "f4 b4 e5", hands=PLACING)
    assert said(position, "c3") == []
    assert said(position, "c3", "d6") == ["Probably better: d6."]


def test_remark_on_a_mill_not_stopped_names_its_point() -> None:
    position = at("f4 b4 e5", "a1 d1 b6", hands=PLACING)
    assert said(position, "c3", "g1")[0] == ("The opponent can close a mill at g1. g1 would have stopped it.")
    assert said(position, "g1") == ["Stops a mill at g1."]


def test_remark_on_a_move_that_makes_way_differs() -> None:
    position = at("b4 g1 g7 d7", "a4 c4 b2 e3")
    assert said(position, "b4-b6", "g1-g4")[0] == "Makes way for the opponent to close a mill at b4."


def test_remark_on_an_opened_mill_needs_a_piece_to_step_in() -> None:
    opened = "Opens the mill at b4, and the opponent can move in there."
    assert said(at("a4 b4 c4 g7", "b2 f4 d6 e5"), "b4-b6", "g7-g4")[0] == opened
    assert opened not in said(at("a4 b4 c4 g7", "f2 f4 d6 e5"), "b4-b6", "g7-g4")


def test_remark_on_a_fork_names_both_points() -> None:
    position = at("a1 d1", "f4 b4", hands=(7, 7))
    assert said(position, "a4") == ["Threatens mills at a7 and g1. The opponent can't stop them all."]


def test_remark_on_a_double_mill_comes_once() -> None:
    position = at("a4 d1 g1 b4 c3", "f4 d6 e5 d3 f6")
    text = "Sets up a double mill: each move between a1 and a4 closes a mill."
    assert said(position, "c3-c4xf4")[0] == text
    swinging = at("a4 d1 g1 b4 c4", "f4 d6 e5 d3 f6")
    assert text not in said(swinging, "a4-a1xf4")


def test_remark_on_pieces_shut_in_counts_their_moves() -> None:
    position = at("d1 g4 d6 b2", "a1 a7 g1 g7")
    assert said(position, "d6-d7") == ["Shuts the opponent in (moves left: 2)."]


def test_remark_on_the_only_turn_is_no_guess() -> None:
    assert said(at("f4 b4 e5", "a1 d1 b6", hands=PLACING), "g1", is_only=True) == [
        "Stops a mill at g1.",
        "The only turn that holds the draw.",
    ]


def test_remarks_on_stacks_are_about_values_only() -> None:
    rules = rule_set("mitsudomoe")
    game = game_of(rules.start(Player.WHITE), "+c2 b1-c2")
    one = ReviewedTurn(0, Player.WHITE, "+c2 b1-c2", UNKNOWN, UNKNOWN, 0, None, LikelyTurn("+b2 b1-b2", 60))
    assert remarks(game, (one,)) == ((Message("study.remark.likely", {"turn": "+b2 b1-b2"}),),)


# ---- the turn that lost ----------------------------------------------------------------------------------


def lost_game(*values: ReviewedTurn) -> Message | None:
    """Return the words about a game of White's d6 and f2 and Black's f4 and d2, which White gave up."""
    game = game_of(rule_set().start(Player.WHITE), "d6", "f4", "f2", "d2")
    game = game.declare(Outcome(Reason.RESIGNED, Player.BLACK))
    return outcome_remark(game, values, lambda index: f"{index + 1}. {values[index].turn}")


def turns(first: LikelyTurn | None, third: LikelyTurn | BetterTurn | None) -> tuple[ReviewedTurn, ...]:
    proved = isinstance(third, BetterTurn)
    return (
        ReviewedTurn(0, Player.WHITE, "d6", UNKNOWN, UNKNOWN, 0, None, first),
        ReviewedTurn(1, Player.BLACK, "f4", UNKNOWN, UNKNOWN, -90, None, LikelyTurn("d5", 90)),
        ReviewedTurn(
            *(2, Player.WHITE, "f2", UNKNOWN, LOSS if proved else UNKNOWN, -60),
            third if isinstance(third, BetterTurn) else None,
            third if isinstance(third, LikelyTurn) else None,
        ),
        ReviewedTurn(3, Player.BLACK, "d2", UNKNOWN, UNKNOWN, 100, None),
    )


def test_lost_game_names_the_proved_mistake_first() -> None:
    found = lost_game(*turns(LikelyTurn("b4", 300), BetterTurn("b2", DRAW)))
    assert found == Message("study.remark.lost", {"turn": "3. f2"})


@pytest.mark.parametrize(("first", "third", "turn"), [(60, 40, "3. f2"), (300, 40, "1. d6")])
def test_lost_game_names_the_loser_s_costliest_turn(first: int, third: int, turn: str) -> None:
    found = lost_game(*turns(LikelyTurn("b4", first), LikelyTurn("b2", third)))
    assert found is not None
    assert (found.key, found.args["turn"]) == ("study.remark.likely-lost", turn)


def test_lost_game_without_a_costly_turn_says_so() -> None:
    assert lost_game(*turns(None, None)) == Message("study.remark.lost-anyhow")


def test_game_that_nobody_lost_has_no_losing_turn() -> None:
    game = game_of(rule_set().start(Player.WHITE), "d6")
    one = ReviewedTurn(0, Player.WHITE, "d6", UNKNOWN, UNKNOWN, 0, None, LikelyTurn("b4", 90))
    assert outcome_remark(game, (one,), str) is None


def test_review_of_a_mill_let_through_finds_words() -> None:
    """From a game as people play it: Black overlooks two in a row, on the board's own search."""
    game = game_of(rule_set().start(Player.WHITE), "d6", "f4", "f6", "a1")
    found = tuple(reversed(tuple(reviewed(game, tables=Tables()))))
    last = [to_english(remark) for remark in remarks(game, found)[-1]]
    assert last[0] == "The opponent can close a mill at b6. b6 would have stopped it."
    assert last[-1] == "Probably better: b6."
