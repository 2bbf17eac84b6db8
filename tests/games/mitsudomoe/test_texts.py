"""Steps, turns, positions and records of Mitsudomoe as texts: each reader has its writer."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.errors import IllegalStepError, NotationError
from firmware_host.games.game import Game, Outcome, Player, Reason, Step
from firmware_host.games.record_reader import parse_records
from firmware_host.games.records import GameRecord, record_text
from tests.support.examples import few
from tests.support.games.mitsudomoe import at, following, games, rules

RULES = rules()
START = "-,-,-,bB,bB/-,-,-,-,bB/-,-,-,-,-/wW,-,-,-,-/wW,wW,-,-,- w ring 1"
nearly = st.text(alphabet="abe125+>^-/ \n", max_size=12)
"""Texts that look like steps."""


def same(read: Iterable[Step], written: Iterable[Step]) -> bool:
    return [(s.text, s.origin, s.target) for s in read] == [(s.text, s.origin, s.target) for s in written]


# ---- steps and turns -------------------------------------------------------------------------------------


@few(14)
@given(games())
def test_the_turns_of_a_game_are_read_back_as_they_were_written(game):
    assert same([step for text in game.turn_texts() for step in RULES.parse_turn(text)], game.steps)


@given(st.text(max_size=12) | nearly)
def test_no_text_raises_anything_but_a_notation_error(text):
    for read in (RULES.parse_step, RULES.parse_turn):
        with suppress(NotationError):
            read(text)


@given(nearly)
def test_what_is_read_as_a_step_is_written_the_same(text):
    with suppress(NotationError):
        assert RULES.parse_step(text).text == text


def test_a_turn_joins_its_steps():
    position = at("c1:wW c2:bB c3:w a1:b")
    turn = "+b2 c1^c3/c2-a1"
    assert [step.text for step in RULES.parse_turn(turn)] == ["+b2", "c1^c3", "/c2-a1"]
    assert RULES.turn_text(RULES.parse_turn(turn)) == turn
    assert following(position, turn).to_move is Player.BLACK


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("c3", "step 'c3' is none; a ring is laid as +c3"),
        ("+c3>c4", "is none"),
        ("+", "'' is not a square"),
        ("+f1", "'f1' is not a square of this board; name a file from a to e and a rank from 1 to 5"),
        ("a1-c1", "a1 and c1 are no neighbours, so that it is written a1^c1"),
        ("a1^b1", "a1 and b1 are neighbours, so that it is written a1-b1"),
        ("/a1^c1", "is none"),
    ],
)
def test_what_is_wrong_with_a_step_is_said(text, words):
    with pytest.raises(NotationError, match=re.escape(words)):
        RULES.parse_step(text)


def test_a_turn_has_a_step():
    with pytest.raises(NotationError, match="at least one step"):
        RULES.parse_turn(" ")


@few(10)
@given(games())
def test_every_legal_step_is_found_by_its_text_with_its_piece(game):
    for step in game.position.legal_steps():
        assert game.position.legal_step(step.text) == step
        assert game.position.play(step) == game.position.play(RULES.parse_step(step.text))


@few(20)
@given(games(), games())
def test_a_step_of_another_moment_is_played_or_refused_with_a_reason(game, other):
    legal = {step.text for step in game.position.legal_steps()}
    for step in other.position.legal_steps()[:20]:
        if step.text in legal and step in game.position.legal_steps():
            game.position.play(step)
        else:
            with pytest.raises(IllegalStepError, match=f"^{re.escape(step.text)}: ."):
                game.position.play(step)


# ---- positions -------------------------------------------------------------------------------------------


def test_the_start_as_text():
    assert str(RULES.start(Player.WHITE)) == START
    assert RULES.position(START) == RULES.start(Player.WHITE)


@few(20)
@given(games())
def test_a_position_is_read_back_as_it_was_written(game):
    for position in game.positions:
        read = RULES.position(str(position))
        assert str(read) == str(position)
        assert (read.stacks, read.to_move, read.legal_steps()) == (
            position.stacks,
            position.to_move,
            position.legal_steps(),
        )
        if position.outcome is None or position.outcome.reason is not Reason.REPETITION:
            assert read.outcome == position.outcome


def test_a_vaulted_ball_that_has_to_be_moved_is_told():
    position = following(at("c1:wW c2:bB c3:w a1:b", due="ball"), "c1^c3")
    assert str(position).split()[2] == "/c2"
    assert RULES.position(str(position)).legal_steps() == position.legal_steps()


def test_what_the_rules_do_not_know_to_be_over_was_abandoned():
    position = RULES.position(START.replace("ring", "over"))
    assert position.outcome is not None
    assert at("a1:wW c1:w", due="over").outcome == Outcome(Reason.ABANDONED, None)


@given(st.text(alphabet="-,/wWbB ", max_size=80) | st.text(max_size=20))
def test_no_text_of_a_position_raises_anything_but_a_notation_error(text):
    with suppress(NotationError):
        RULES.position(f"{text} w ring 1")
    with suppress(NotationError):
        RULES.position(text)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (" ring 1", " ring", "has 4 fields with spaces between, this has 3; the start is -,-,-,bB"),
        (" w ", " x ", "field 2 (the side to move) is 'x', expected w or b"),
        (" 1", " 0", "field 4 (the turn's number) is '0'"),
        ("-,-,-,bB,bB/", "", "five ranks with / between"),
        ("wW,-,-,-,-", "wB,-,-,-,-", "expected on a2 - or rings w and b, and a ball on its owner's ring"),
        ("wW,-,-,-,-", "wWw,-,-,-,-", "expected on a2"),
        ("wW,-,-,-,-", "w,-,-,-,-", "expected 3 balls of White"),
        ("wW,-,-,-,-", "wwwwwwwW,-,-,-,-", "expected at most 8 rings of White"),
        ("ring", "ball", "expected ring, since no ball can be moved"),
        ("ring", "/e5", "expected balls of Black that do not stand in their goal|no ring of Black lies open"),
        ("ring", "/z9", "expected ring, ball, over, or the balls that were vaulted"),
    ],
)
def test_what_is_wrong_with_a_position_is_said(old, new, words):
    with pytest.raises(NotationError) as raised:
        RULES.position(START.replace(old, new, 1))
    assert any(word in str(raised.value) for word in words.split("|"))


def test_a_won_position_does_not_go_on():
    with pytest.raises(NotationError, match="over, since all balls of White stand in their goal"):
        at("e5:wW e4:wW d5:wW", "b")


# ---- records ---------------------------------------------------------------------------------------------


@few(14)
@given(games(), st.sampled_from([None, Outcome(Reason.RESIGNED, Player.WHITE)]))
def test_a_record_is_read_back_as_it_was_written(game, declared):
    if game.outcome is None and declared is not None:
        game = game.declare(declared)
    (read,) = parse_records(record_text(GameRecord(game)))
    assert read.game == game
    assert record_text(read) == record_text(GameRecord(game))


def test_a_record_begins_with_the_rule_set_and_ends_with_the_reason():
    start = RULES.start(Player.WHITE)
    game = Game.begin(RULES, start)
    for step in RULES.parse_turn("+b2 a2-b2 +c5 d5-c5 +e3 b2-a2"):
        game = game.play(game.position.legal_step(step.text))
    text = record_text(GameRecord(game))
    assert '[Variant "mitsudomoe"]' in text
    assert '[Termination "start-covered"]' in text
    assert text.endswith("1. +b2 a2-b2 +c5 d5-c5 2. +e3 b2-a2 0-1\n")


def test_switches_and_a_set_up_position_are_written():
    chosen = rules("repetition=0", "first=black")
    position = chosen.position(str(at("c1:wW c2:bB c3:w a1:b")))
    text = record_text(GameRecord(Game.begin(chosen, position)))
    assert '[Rules "mitsudomoe first=black repetition=0"]' in text
    assert f'[FEN "{position}"]' in text
    (read,) = parse_records(text)
    assert read.game.position == position


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("frist=white", "there is no switch 'frist' (did you mean first?); there are first, repetition"),
        ("flying=never", "there is no switch 'flying'"),
        ("repetition=2", "repetition cannot be '2'; it is one of 0, 3"),
    ],
)
def test_switches_of_other_games_are_refused(setting, words):
    with pytest.raises(NotationError, match=re.escape(words)):
        rules(setting)
