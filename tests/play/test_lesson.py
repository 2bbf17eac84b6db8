"""The first game without a screen: light leads hands through it, and hands are all it waits for."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from firmware_host.games.game import Game, Player
from firmware_host.games.rulesets import LESSON, PUZZLE, rule_set
from firmware_host.play.lesson import COURSE, turns_done
from firmware_host.views.instructions import instruction
from tests.support.hands_that_ask import AskingHands, named
from tests.support.web.spoken import STATIC


@pytest.fixture
def hands() -> Iterator[AskingHands]:
    hands = AskingHands("lasker")
    yield hands
    hands.close()


def key(hands: AskingHands) -> str:
    return instruction(hands.board.life.play.controller).key


def play(hands: AskingHands, turn: str) -> None:
    """Carry out a turn as the lights have it."""
    landing, _, taken = turn.partition("x")
    origin, _, target = landing.rpartition("-")
    if origin:
        hands.do(lift=origin)
        hands.wait(0.4)
        hands.do(put=target)
    else:
        hands.do(put=target, piece=hands.state["to_move"])
    hands.wait(1.5)
    if taken:
        assert key(hands) == "lesson.remove"
        hands.do(lift=taken)
        hands.wait(0.4)
        hands.do(box=True)
        hands.wait(1.5)


def begin(hands: AskingHands) -> None:
    hands.knock("c3")
    hands.touch("b6")
    assert named(hands.touch("f4"), "answer", "game") == ["answer lesson", "game"]
    hands.wait(0.5)


def test_the_course_is_that_of_the_page() -> None:
    script = (STATIC / "lesson.js").read_text("utf-8")
    course = script[script.index("const TURNS") : script.index("export const MILL")]
    assert re.findall(r'turn: "([^"]+)"', course) == [turn.turn for turn in COURSE]
    for turn in COURSE:
        assert turn.says.key == "lesson.black-places" or turn.says.key in course


def test_the_course_is_a_whole_game() -> None:
    rules = rule_set(LESSON)
    game = Game.begin(rules, rules.start(Player.WHITE))
    for done, turn in enumerate(COURSE):
        assert turns_done(game) == done
        for step in rules.parse_turn(turn.turn):
            game = game.play(game.position.legal_step(step.text))
    assert turns_done(game) == len(COURSE)
    assert game.outcome is not None
    assert game.outcome.winner is Player.WHITE


def test_light_leads_hands_through_the_whole_lesson(hands: AskingHands) -> None:
    begin(hands)
    for turn in COURSE:
        state = hands.state
        assert state["moves"] == [turn.turn]
        assert key(hands) == turn.says.key
        lit = {point for point, cues in state["cues"].items() if cues != ["last-move"]}
        assert lit == set(turn.turn.split("x")[0].split("-")), "what it takes is lit when it is due"
        play(hands, turn.turn)
    assert hands.state["status"] == "over"
    assert key(hands) == "lesson.end"


def test_after_it_the_former_rules_are_played(hands: AskingHands) -> None:
    begin(hands)
    for turn in COURSE:
        play(hands, turn.turn)
    hands.do(sweep=True)
    assert named(hands.wait(4), "ask") == []
    assert hands.state["rules"] == "lasker"
    assert key(hands).startswith("places")


def test_it_ends_when_the_board_is_cleared(hands: AskingHands) -> None:
    begin(hands)
    for turn in COURSE[:4]:
        play(hands, turn.turn)
    hands.do(sweep=True)
    assert named(hands.wait(4), "over", "ask") == ["over abandoned"]
    assert hands.state["rules"] == "lasker"


def test_only_the_turn_that_is_led_to_counts(hands: AskingHands) -> None:
    begin(hands)
    hands.do(put="a1", piece="white")
    hands.wait(2)
    assert hands.state["status"] == "mismatch"
    assert key(hands) not in {turn.says.key for turn in COURSE}
    hands.do(lift="a1")
    hands.wait(1)
    hands.do(box=True)
    assert key(hands) == "lesson.place"


def test_the_mistake_that_is_asked_for_is_explained(hands: AskingHands) -> None:
    begin(hands)
    for turn in COURSE[:8]:
        play(hands, turn.turn)
    assert key(hands) == "lesson.mistake"
    hands.do(lift="g7")
    hands.wait(0.4)
    hands.do(put="c4")
    hands.wait(2)
    assert key(hands) == "lesson.repair"
    hands.do(lift="c4")
    hands.wait(0.4)
    hands.do(put="g4")
    hands.wait(2)
    assert key(hands) == "lesson.fly"


def test_a_turn_that_is_taken_back_is_led_to_again(hands: AskingHands) -> None:
    begin(hands)
    for turn in COURSE[:3]:
        play(hands, turn.turn)
    hands.ask("take-back")
    hands.do(lift="a7")
    hands.wait(1)
    hands.do(box=True)
    hands.wait(3)
    assert key(hands) == "lesson.three"
    assert hands.state["moves"] == ["a7"]


def test_another_game_ends_it(hands: AskingHands) -> None:
    begin(hands)
    hands.ask("new-game", rules="standard")
    hands.wait(1)
    assert key(hands).startswith("places")
    assert len(hands.state["moves"]) == 24


def test_the_pages_own_lesson_is_not_led_by_the_board(hands: AskingHands) -> None:
    hands.ask("new-game", rules=LESSON)
    hands.wait(1)
    assert len(hands.state["moves"]) == 24


def test_a_puzzle_after_the_pages_own_lesson_is_followed_by_the_former_rules(hands: AskingHands) -> None:
    hands.ask("new-game", rules=LESSON)
    hands.ask("puzzle")
    hands.wait(1)
    assert hands.state["rules"] == PUZZLE
    hands.ask("new-game")
    hands.wait(1)
    assert hands.state["rules"] == "lasker"


def test_mitsudomoe_has_no_lesson() -> None:
    hands = AskingHands("mitsudomoe")
    hands.ask("ask")
    (rules,) = (point for point, does in hands.state["asking"]["options"].items() if does == "rules")
    hands.ask("answer", point=rules)
    assert "lesson" not in hands.state["asking"]["options"].values()
    assert hands.refusal("lesson")
    hands.close()
