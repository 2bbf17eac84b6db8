"""Records of games, written and read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.errors import NotationError
from firmware_host.games.game import Game, Outcome, Player, Reason
from firmware_host.games.record_reader import parse_records
from firmware_host.games.records import (
    GameRecord,
    clock_comments,
    clock_times_of_comments,
    clock_times_text,
    record_text,
)
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


@pytest.mark.ci("examples")
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


def test_who_starts_by_lot_is_told_by_the_start():
    rules = rule_set("the-mill")
    game = Game.begin(rules, rules.start(Player.BLACK))
    game = game.play(game.position.legal_step("d6"))
    text = record_text(GameRecord(game))
    assert '[FEN "********/********/******** b p p' in text
    assert "\n1... d6 *" in text
    assert parse_records(text)[0].game == game


@pytest.mark.parametrize("odds", ["white:-2", "black:-2"])
@pytest.mark.parametrize("first", Player)
def test_record_by_lot_with_odds_is_read_with_its_first_player(odds, first):
    rules = rule_set("the-mill", ["pieces=6", f"odds={odds}"])
    game = Game.begin(rules, rules.start(first))
    (read,) = parse_records(record_text(GameRecord(game)))
    assert read.game == game


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


# ---- the times of clocks ---------------------------------------------------------------------------------

TIMES = st.lists(st.none() | st.integers(0, 359_999_999), max_size=9)


def test_a_time_has_hours_minutes_and_tenths_of_seconds() -> None:
    assert clock_times_text([303_000, None, 3_600_250, -1]) == "0:05:03.0 - 1:00:00.2 0:00:00.0"


@given(TIMES)
def test_times_read_back_from_comments(times: list[int | None]) -> None:
    text = clock_times_text(times)
    kept = text.split()
    while kept and kept[-1] == "-":
        kept.pop()
    assert clock_times_of_comments(clock_comments(text), len(times)) == " ".join(kept)


def test_times_stand_beside_other_comments() -> None:
    comments = {1: "Well played! [%clk 0:04:57] [%emt 3]", 2: "no time"}
    assert clock_times_of_comments(comments, 4) == "- 0:04:57"
    assert clock_times_of_comments({}, 4) == ""


def test_other_words_are_no_times() -> None:
    assert clock_comments("soon } 5:3 0:05:03.0") == {3: "[%clk 0:05:03.0]"}
