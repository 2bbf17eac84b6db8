"""Records of games, written and read."""

import re
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.errors import IllegalStepError, NotationError
from firmware_host.games.game import Game, Outcome, Player, Reason
from firmware_host.games.records import GameRecord, parse_records, record_text
from firmware_host.games.rulesets import rule_set
from tests.support.examples import few
from tests.support.games.morris import after, games

RESIGNED = Outcome(Reason.RESIGNED, Player.WHITE)
DECLARED = [RESIGNED, Outcome(Reason.AGREED, None), Outcome(Reason.ABANDONED, None), None]
tags = st.dictionaries(
    st.sampled_from(["Event", "White", "Black", "Annotator"]),
    st.text(st.characters(exclude_categories=["C", "Z"], include_characters=' "\\{];%')),
)

WRITTEN = """\
[Event "Autumn"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "Anna \\"the\\" mill"]
[Black "?"]
[Result "1-0"]
[Variant "the-mill"]
[PlyCount "6"]
[Rules "the-mill captures=one"]
[Termination "resigned"]

1. d5 a1 2. d6 a4 3. d7xa1 1-0
"""


def written_game() -> GameRecord:
    rules = rule_set("the-mill", ["captures=one"])
    game = Game.begin(rules, rules.start(Player.WHITE))
    for text in ("d5", "a1", "d6", "a4", "d7", "xa1"):
        game = game.play(game.position.legal_step(text))
    return GameRecord(game.declare(RESIGNED), {"Event": "Autumn", "White": 'Anna "the" mill'})


@few(20)
@given(games(), st.sampled_from(DECLARED), tags)
def test_a_record_is_read_back_as_it_was_written(game, declared, tags):
    if game.outcome is None and declared is not None:
        game = game.declare(declared)
    (read,) = parse_records(record_text(GameRecord(game, tags)))
    assert read.game == game
    assert {name: read.tags[name] for name in tags} == tags
    assert record_text(read) == record_text(GameRecord(game, tags))


@pytest.mark.ci
@few(10)
@given(st.lists(games(), max_size=3))
def test_several_games_stand_in_one_text(some):
    text = "\n".join(record_text(GameRecord(game)) for game in some)
    assert [read.game.turn_texts() for read in parse_records(text)] == [game.turn_texts() for game in some]


def test_a_record_is_written_like_this():
    assert record_text(written_game()) == WRITTEN


def test_a_record_read_is_the_game_that_was_written():
    assert parse_records(WRITTEN)[0].game == written_game().game


@few(4)
@given(games())
def test_lines_of_turns_are_no_wider_than_a_terminal(game):
    turns = record_text(GameRecord(game)).partition("\n\n")[2]
    assert all(len(line) <= 80 for line in turns.splitlines())


def test_comments_escapes_and_numbers_are_passed_over():
    text = """% not of the game
[Result "*"] ; a remark
{ [Site "of a comment"] }
1.d5 {to the
middle} 1... a1 2. d6 a4 ; 3. xx
% 3. e3
3 d7 xa1 *"""
    (read,) = parse_records(text)
    assert read.game.turn_texts() == ("d5", "a1", "d6", "a4", "d7xa1")
    assert read.tags == {}


def test_comments_belong_to_the_turn_before_them():
    (read,) = parse_records("{first} 1. d5 {to the\n middle} {again} a1 2. d6 a4 3. d7 {mill} xa1 {taken} *")
    assert read.comments == {0: "to the middle again", 4: "mill taken"}


@few(10)
@given(games(), st.text(st.characters(exclude_categories=["C"], exclude_characters="}")))
def test_comments_are_read_back_as_they_were_written(game, text):
    words = " ".join(text.split())
    comments = {} if not words else dict.fromkeys(range(0, len(game.turn_texts()), 2), words)
    (read,) = parse_records(record_text(GameRecord(game, comments=comments)))
    assert read.game == game
    assert read.comments == comments


def test_a_turn_after_a_comment_has_its_number():
    text = record_text(GameRecord(written_game().game, comments={0: "good"}))
    assert "1. d5 {good} 1... a1 2. d6" in text


def test_a_comment_with_a_closing_brace_cannot_be_written():
    with pytest.raises(NotationError, match="closing brace"):
        record_text(GameRecord(written_game().game, comments={0: "}"}))


def test_a_comment_alone_is_no_game():
    assert parse_records("{nothing}") == ()


def test_without_tags_it_is_standard_and_says_no_reason():
    won, drawn, open_game = parse_records("1. d6 1-0\n\n1. d6 1/2-1/2 1. d6 *")
    assert won.game.rules == rule_set()
    assert won.game.outcome == RESIGNED
    assert drawn.game.outcome == Outcome(Reason.AGREED, None)
    assert open_game.game.outcome is None


def test_a_reason_of_other_programs_is_tolerated():
    (read,) = parse_records('[Termination "time forfeit"]\n[PlyCount "77"]\n0-1')
    assert read.game.outcome == Outcome(Reason.RESIGNED, Player.BLACK)


def test_an_empty_text_has_no_games():
    assert parse_records(" \n; nothing\n") == ()


def test_who_starts_by_lot_is_told_by_the_start():
    rules = rule_set("the-mill")
    game = Game.begin(rules, rules.start(Player.BLACK))
    game = game.play(game.position.legal_step("d6"))
    text = record_text(GameRecord(game))
    assert '[FEN "********/********/******** b p p' in text
    assert "\n1... d6 *" in text
    assert parse_records(text)[0].game == game


def test_a_game_can_start_in_the_middle_of_a_turn():
    start = after("d5 a1 d6 a4 d7")
    start = start.rules.position(str(start))
    game = Game.begin(start.rules, start).play(start.legal_step("xa1"))
    text = record_text(GameRecord(game))
    assert "\n1. xa1 *" in text
    assert parse_records(text)[0].game == game


def test_a_tag_that_belongs_to_the_game_is_not_believed():
    game = Game.begin(rule_set(), rule_set().start(Player.WHITE))
    text = record_text(GameRecord(game, {"Result": "1-0", "Variant": "six", "Event": "two\nlines"}))
    assert '[Result "*"]' in text
    assert '[Variant "standard"]' in text
    assert '[Event "two lines"]' in text


def test_a_tag_needs_a_name():
    game = Game.begin(rule_set(), rule_set().start(Player.WHITE))
    with pytest.raises(NotationError, match="'no name' is not the name of a tag"):
        record_text(GameRecord(game, {"no name": ""}))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[Event "x\n*', 'line 1: a tag is [Name "value"]'),
        ("\n[Event x]\n*", 'line 2: a tag is [Name "value"]'),
        ('[Site "a"]\n[Site "b"]\n*', "line 2: the tag Site is already on line 1"),
        ("1. d6\n\nf9 *", "line 3: step 'f9': 'f9' is not a point"),
        ("1. d6\n2. {no end", "line 2: the comment that begins here is never closed"),
        ("1. d6 } *", "line 1: '}' belongs to no tag and no turn"),
        ("*\n\n1. d6\nf4", "line 3: the game that begins here has no result at its end"),
        ('1. d6\n[Site "b"] *', "line 2: the tag Site comes before the result of the game"),
        ('[Variant "standart"]\n*', "line 1: there is no rule set 'standart' (did you mean standard?)"),
        ('[Rules "six pices=3"]\n*', "line 1: there is no switch 'pices' (did you mean pieces?)"),
        ('[Variant "six"]\n[Rules "lasker"]\n*', "line 2: the tag Rules says lasker, but Variant 'six'"),
        ('[SetUp "1"]\n[FEN "x"]\n*', "line 2: a position has 17 fields"),
        ('[Result "1-0"]\n\n*', "line 1: the tag Result is '1-0', but the turns end with *"),
        ('[Termination "blocked"]\n\n1-0', "line 3: the tag Termination is 'blocked', but by the rules"),
        (
            '[FEN "OOO*****/********/*****@@* w m s 3 0 2 0 0 0 0 0 0 0 0 0 9"]\n0-1',
            "line 2: the result is 0-1, but by the rules it is 1-0 (few-pieces)",
        ),
    ],
)
def test_what_cannot_be_read_is_told_with_its_line(text, words):
    with pytest.raises(NotationError, match=re.escape(words)):
        parse_records(text)


def test_a_step_that_cannot_be_played_is_told_with_its_line():
    with pytest.raises(IllegalStepError, match="line 2: d6: d6 is occupied"):
        parse_records("1. d6 f4\n2. d6 *")


pieces = st.sampled_from(
    [
        '[Event "x"]',
        "[FEN ",
        '"',
        "{",
        "}",
        ";",
        "\n",
        " ",
        "%",
        "1.",
        "d6",
        "f4",
        "xa1",
        "1-0",
        "*",
        "]",
        "\\",
    ]
)


@few(50)
@given(st.text(max_size=40) | st.lists(pieces, max_size=20).map("".join))
def test_no_text_raises_anything_but_its_two_errors(text):
    with suppress(NotationError, IllegalStepError):
        parse_records(text)


@pytest.mark.parametrize(("name", "first"), [("standard", Player.WHITE), ("the-mill", Player.WHITE)])
def test_record_from_the_usual_start_has_no_fen(name, first):
    rules = rule_set(name)
    text = record_text(GameRecord(Game.begin(rules, rules.start(first))))
    assert "FEN" not in text
    assert "SetUp" not in text


def test_record_from_another_start_has_a_fen_that_is_announced():
    start = after("d5 a1 d6")
    text = record_text(GameRecord(Game.begin(start.rules, start)))
    assert f'[SetUp "1"]\n[FEN "{start}"]' in text
