"""Puzzles without a screen: set up by light, solved by hand, and one more."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from firmware_host.games.rulesets import PUZZLE, rule_set
from firmware_host.i18n import Message
from firmware_host.play.puzzle import Puzzle, puzzles
from firmware_host.play.stored_settings import PUZZLE_KEY
from firmware_host.views.instructions import game_advice, instruction
from tests.support.hands_that_ask import AskingHands, named

RULES = rule_set(PUZZLE)


@pytest.fixture
def hands() -> Iterator[AskingHands]:
    hands = AskingHands("lasker")
    yield hands
    hands.close()


def said(hands: AskingHands) -> Message:
    return instruction(hands.board.life.play.controller)


def set_up(hands: AskingHands, puzzle: Puzzle) -> None:
    """Lay the position out, as the light has it."""
    stacks = RULES.position(puzzle.position).stacks
    wanted = {
        point.name: str(stack[-1]) for point, stack in zip(RULES.layout.points, stacks, strict=True) if stack
    }
    state = hands.state
    for point in (*state["extra"], *state["wrong"]):
        hands.do(lift=point)
        hands.do(box=True)
        hands.wait(0.3)
    for point in (*state["missing"], *state["wrong"]):
        hands.do(put=point, piece=wanted[point])
        hands.wait(0.3)
    hands.wait(1.5)


def play(hands: AskingHands, turn: str) -> None:
    """Carry out a turn."""
    landing, _, taken = turn.partition("x")
    origin, _, target = landing.partition("-")
    hands.do(lift=origin)
    hands.wait(0.4)
    hands.do(put=target)
    hands.wait(1.5)
    if taken:
        hands.do(lift=taken)
        hands.wait(0.4)
        hands.do(box=True)
        hands.wait(1.5)


def go_back(hands: AskingHands, turn: str, taken: str = "black") -> None:
    """Put the pieces of a turn where they were."""
    landing, _, capture = turn.partition("x")
    origin, _, target = landing.partition("-")
    hands.do(lift=target)
    hands.wait(0.3)
    hands.do(put=origin)
    hands.wait(0.3)
    if capture:
        hands.do(put=capture, piece=taken)
    hands.wait(1.5)


def wrong_turns(puzzle: Puzzle) -> list[str]:
    turns = RULES.position(puzzle.position).turns()
    return [text for turn in turns if (text := RULES.turn_text(turn.steps)) != puzzle.turn]


def begin(hands: AskingHands) -> Puzzle:
    """Choose a puzzle in the menu of light, and set the first one up."""
    hands.knock("c3")
    hands.touch("b6")
    assert named(hands.touch("f2"), "answer", "game") == ["answer puzzle", "game"]
    hands.wait(5)
    assert said(hands).key == "lay-out"
    set_up(hands, puzzles()[0])
    return puzzles()[0]


def test_the_right_turn_counts_and_play_may_go_on(hands: AskingHands) -> None:
    puzzle = begin(hands)
    assert said(hands) == Message(f"puzzle.{puzzle.result}", {"count": 1, "of": len(puzzles())})
    play(hands, puzzle.turn)
    assert said(hands).key == f"puzzle.right.{puzzle.motif}"
    assert hands.state["to_move"] == "black"


def test_a_wrong_turn_is_led_back_and_the_task_stays(hands: AskingHands) -> None:
    puzzle = begin(hands)
    turn = wrong_turns(puzzle)[0]
    play(hands, turn)
    assert said(hands).key == f"puzzle.wrong.{puzzle.result}"
    assert hands.refusal("redo"), "a wrong turn is not played again"
    assert said(hands).args["turn"] == turn
    assert hands.state["status"] == "mismatch"
    go_back(hands, turn)
    assert said(hands).key == f"puzzle.{puzzle.result}"
    assert hands.state["to_move"] == "white"


def test_a_wrong_turn_goes_back_where_take_backs_are_off(hands: AskingHands) -> None:
    hands.ask("set", take_back=False)
    puzzle = begin(hands)
    play(hands, wrong_turns(puzzle)[0])
    assert said(hands).key == f"puzzle.wrong.{puzzle.result}"


def test_after_three_wrong_turns_light_leads_to_the_right(hands: AskingHands) -> None:
    puzzle = begin(hands)
    for turn in wrong_turns(puzzle)[:3]:
        play(hands, turn)
        go_back(hands, turn)
    assert said(hands) == Message("puzzle.shown", {"turn": puzzle.turn})
    assert hands.state["moves"] == [puzzle.turn]
    play(hands, puzzle.turn)
    assert said(hands).key == f"puzzle.right.{puzzle.motif}"


def test_the_next_puzzle_is_set_up_and_no_error(hands: AskingHands) -> None:
    puzzle = begin(hands)
    play(hands, puzzle.turn)
    hands.ask("puzzle")
    assert said(hands).key == "wrong.set"
    hands.wait(3)
    assert said(hands).key == "wrong.set"
    assert (game_advice(hands.board.life.play.controller) or said(hands)).key == "wrong.set-then"
    set_up(hands, puzzles()[1])
    assert said(hands).key == f"puzzle.{puzzles()[1].result}"
    hands.do(lift=hands.state["moves"][0][:2])
    hands.do(box=True)
    hands.wait(3)
    assert said(hands).key not in {"wrong.set", "puzzle.win"}


def test_a_puzzle_is_played_here_after_a_game_against_the_board(hands: AskingHands) -> None:
    hands.ask("seats", black="engine:1")
    before = hands.state["seats"]
    hands.ask("puzzle")
    assert "seats" not in hands.state
    hands.ask("new-game")
    assert hands.state["seats"] == before


def test_of_a_turn_that_is_shown_speech_names_its_capture(hands: AskingHands) -> None:
    hands.ask("set", speech="all")
    puzzle = begin(hands)
    for turn in wrong_turns(puzzle)[:3]:
        play(hands, turn)
        go_back(hands, turn)
    move, _, taken = puzzle.turn.partition("x")
    hands.do(lift=move[:2])
    hands.wait(0.4)
    lines = hands.do(put=move[3:]) + hands.wait(1.5)
    spoken = [line["text"] for line in lines if line["event"] == "said"]
    assert any(f"take the black piece from {taken}." in text for text in spoken), spoken


def test_one_more_is_the_next_and_also_passes_one_over(hands: AskingHands) -> None:
    puzzle = begin(hands)
    play(hands, puzzle.turn)
    hands.ask("puzzle")
    hands.wait(1.5)
    set_up(hands, puzzles()[1])
    assert said(hands).args["count"] == 2
    hands.ask("puzzle")
    hands.wait(1.5)
    set_up(hands, puzzles()[2])
    assert said(hands).args["count"] == 3


def test_after_the_last_puzzle_comes_the_first(hands: AskingHands) -> None:
    series = hands.board.life.play.controller.puzzles
    series.restore({PUZZLE_KEY: len(puzzles())})
    begin(hands)
    assert said(hands).args["count"] == 1


@pytest.mark.parametrize("kept", [None, -1, "3", 2.5])
def test_a_damaged_number_begins_with_the_first(hands: AskingHands, kept: object) -> None:
    series = hands.board.life.play.controller.puzzles
    series.restore({PUZZLE_KEY: kept})
    assert series.to_store() == {PUZZLE_KEY: None}


def test_a_cleared_board_ends_it_with_the_rules_before(hands: AskingHands) -> None:
    begin(hands)
    hands.do(sweep=True)
    hands.wait(4)
    assert hands.state["rules"] == "lasker"
    assert not said(hands).key.startswith("puzzle")


def test_a_puzzle_that_was_given_up_is_over(hands: AskingHands) -> None:
    begin(hands)
    hands.ask("resign")
    hands.wait(1)
    assert not said(hands).key.startswith("puzzle")


@pytest.mark.parametrize("name", ["puzzle", "lesson"])
def test_next_game_has_the_rules_before_puzzle_and_lesson(hands: AskingHands, name: str) -> None:
    hands.ask(name)
    hands.wait(1)
    hands.ask("new-game")
    hands.wait(1)
    assert hands.state["rules"] == "lasker"


def test_a_board_of_other_points_has_no_puzzles() -> None:
    hands = AskingHands("mitsudomoe")
    assert hands.refusal("puzzle")
    hands.close()
