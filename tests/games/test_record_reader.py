"""Records read: those that are written here or elsewhere, and errors with their places in all others."""

from __future__ import annotations

import re
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.errors import IllegalStepError, NotationError
from firmware_host.games.game import Game, Outcome, Player, Reason
from firmware_host.games.record_reader import parse_records, read_records
from firmware_host.games.records import GameRecord, by_numbers, record_text
from firmware_host.games.rulesets import rule_set
from tests.support.examples import few
from tests.support.games.morris import games, mill_rules
from tests.support.games.random_games import played

RESIGNED = Outcome(Reason.RESIGNED, Player.WHITE)


def turns(text: str) -> list[tuple[str, ...]]:
    return [read.game.turn_texts() for read in parse_records(text)]


def notes(text: str) -> list[str]:
    return [str(note) for read in parse_records(text) for note in read.notes]


def test_read_comments_escapes_and_numbers_are_no_turns():
    text = """% not of the game
[Result "*"] ; a remark
{ [Site "of a comment"] }
1.d5 {to the
middle} 1... a1 2. d6 a4 ; 3. {xx}
% 3. e3
3 d7 xa1 *"""
    (read,) = parse_records(text)
    assert read.game.turn_texts() == ("d5", "a1", "d6", "a4", "d7xa1")
    assert read.tags == {}
    assert read.comments == {-1: 'a remark [Site "of a comment"]', 0: "to the middle", 3: "3. (xx)"}
    assert read.notes == ()


def test_read_comments_belong_to_the_turn_before_them():
    (read,) = parse_records("{first} 1. d5 {to the\n middle} {again} a1 2. d6 a4 3. d7 {mill} xa1 {taken} *")
    assert read.comments == {-1: "first", 0: "to the middle again", 4: "mill taken"}


@pytest.mark.parametrize("text", ["{nothing}", " \n; nothing\n", "", "\ufeff\x1a"])
def test_read_text_without_games_has_none(text):
    assert parse_records(text) == ()


def test_read_without_tags_it_is_standard_without_a_reason():
    won, drawn, open_game = parse_records("1. d6 1-0\n\n1. d6 1/2-1/2 1. d6 *")
    assert won.game.rules == rule_set()
    assert won.game.outcome == RESIGNED
    assert drawn.game.outcome == Outcome(Reason.AGREED, None)
    assert open_game.game.outcome is None


def test_read_a_reason_of_other_programs_is_tolerated():
    (read,) = parse_records('[Termination "time forfeit"]\n[PlyCount "77"]\n0-1')
    assert read.game.outcome == Outcome(Reason.RESIGNED, Player.BLACK)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[Event "x\n*', 'line 1, column 1: a tag is [Name "value"]'),
        ("\n[Event x]\n*", 'line 2, column 1: a tag is [Name "value"]'),
        ('[Site "a"]\n[Site "b"]\n*', "line 2, column 1: the tag Site is already on line 1"),
        ("1. d6\n\nf9 *", "line 3, column 1: step 'f9': 'f9' is not a point"),
        ("1. d6\n2. {no end", "line 2, column 4: the comment that begins here is never closed"),
        ("1. d6 } *", "line 1, column 7: '}' is not a tag"),
        ('1. d6 [Site "b"] *', "line 1, column 7: the tag Site comes before the result of the game"),
        ('[Variant "standart"]\n*', "line 1, column 1: there is no rule set 'standart' (did you mean standa"),
        ('[Rules "six pices=3"]\n*', "line 1, column 1: there is no switch 'pices' (did you mean pieces?)"),
        (
            '[Variant "six"]\n[Rules "lasker"]\n*',
            "line 2, column 1: the tag Rules says lasker, but Variant 's",
        ),
        ('[SetUp "1"]\n[FEN "x"]\n*', "line 2, column 1: a position has 17 fields"),
        ('[Result "1-0"]\n\n*', "line 1, column 1: the tag Result is '1-0', but the turns end with *"),
        (
            '[Termination "blocked"]\n\n1-0',
            "line 3, column 1: the tag Termination is 'blocked', but by the r",
        ),
        (
            '[FEN "OOO*****/********/*****@@* w m s 3 0 2 0 0 0 0 0 0 0 0 0 9"]\n0-1',
            "line 2, column 1: the result is 0-1, but by the rules it is 1-0 (few-pieces)",
        ),
        ("1. d6 (1... d7 *", "line 1, column 7: the variation that begins here is never closed"),
        ("1. d6 ) *", "line 1, column 7: this ) closes no variation"),
        ("1. d6 f4!!! *", "line 1, column 9: '!!!' is not a tag"),
        ("*", "line 1, column 1: there is no game here"),
        ("{only a comment}\n1-0", "line 2, column 1: there is no game here"),
        ("1. 1-0", "line 1, column 4: there is no game here"),
    ],
)
def test_read_error_has_its_place_and_reason(text, words):
    with pytest.raises(NotationError, match=re.escape(words)):
        parse_records(text)


def test_read_step_that_cannot_be_played_has_its_place():
    with pytest.raises(IllegalStepError, match="line 2, column 4: d6: d6 is occupied"):
        parse_records("1. d6 f4\n2. d6 *")


@pytest.mark.parametrize("reason", ["repetition", "quiet"])
def test_read_turn_after_a_draw_by_rule_names_the_way_out(reason):
    moves = {"repetition": " ".join(["d5-d6 a4-b4 d6-d5 b4-a4"] * 3), "quiet": "d5-d6 a4-b4"}[reason]
    quiet = 0 if reason == "repetition" else 99
    fen = f"O*O*O***/********/**@*@*@* w m s 3 0 3 0 0 0 0 0 0 0 0 {quiet} 9"
    text = f'[FEN "{fen}"]\n\n{moves} *'
    with pytest.raises(IllegalStepError, match=rf'\[Rules "standard {reason}=0"\]'):
        parse_records(text)
    (read,) = parse_records(f'[Rules "standard {reason}=0"]\n{text}')
    assert read.game.outcome is None


# ---- numbers of turns --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "1. d6 f4 2. d7 a1 *",
        "1.d6 f4 2.d7 a1 *",
        "1 d6 f4 2 d7 a1 *",
        "1. d6 1... f4 2. d7 2... a1 *",
        "1. d6 {c} 1. ... f4 2. d7 2 ... a1 *",
        "1. d6 1\u2026 f4 2 . d7 2. . . a1 *",
        "1.\nd6 f4 2.\nd7 a1 3. *",
        "d6 f4 d7 a1 *",
        "1. D6 F4 2. D7 A1 *",
    ],
)
def test_read_numbers_of_turns_in_each_way_to_write_them(text):
    assert turns(text) == [("d6", "f4", "d7", "a1")]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1. d6 f4 3. d7 *", "column 10: 3. is not the number of the turn that is due, 2."),
        ("1. d6 2. f4 *", "column 7: 2. is not the number of the turn that is due, 1..."),
        ("1. d6 1. f4 *", "column 7: 1. is not the number of the turn that is due, 1..."),
        ("1... d6 f4 *", "column 1: 1... is not the number of the turn that is due, 1."),
        ("1. d6 7 f4 *", "column 7: 7 is not the number of the turn that is due, 1..."),
        ("1. d6 1 f4 *", "column 7: 1 is not the number of the turn that is due, 1..."),
        ("1. d6 f4 2. 5 a1 *", "column 13: 5 follows the number of the turn that is due, 2.; write a turn"),
        (
            "1. d6 f4 2. d7 a1 3. d5 3... g1 *",
            "3... begins another turn, but 3. is not over: a piece must be",
        ),
        ("0. d6 *", "column 1: 0. is not the number"),
        ("01. d6 *", "column 1: 01. is not the number"),
        ("23. d6 *", "column 1: 23. is not the number"),
    ],
)
def test_read_number_that_is_not_this_turns_is_an_error(text, words):
    with pytest.raises(NotationError, match=re.escape(words)):
        parse_records(text)


SET_UP = '[SetUp "1"]\n[FEN "O*O@O*O@/@*@***@O/O@O@O@O* b m s 9 0 8 0 0 8 23"]\n\n'


@pytest.mark.parametrize("first", [1, 23])
def test_read_list_from_a_position_counts_from_1_or_its_number(first):
    text = f"{SET_UP}{first}... f4-f6 {first + 1}. b6-b2 {first + 1}... "
    with pytest.raises(IllegalStepError, match="b6 and b2 are not neighbours"):
        parse_records(f"{text} *")
    assert turns(f"{SET_UP}{first}... f4-f6 {first + 1}. d5-e5 *") == [("f4-f6", "d5-e5")]
    with pytest.raises(NotationError, match="is not the number"):
        parse_records(f"{SET_UP}{first}... f4-f6 {25 - first}. d5-e5 *")


def test_read_list_of_pairs_that_begin_with_black_is_as_sanmill_had_it():
    text = f"{SET_UP} 1.    f4-f6    d5-e5\n 2.    d6-d5    b6-b2 *"
    with pytest.raises(IllegalStepError, match="line 5, column 17: b6-b2: b6 and b2 are not neighbours"):
        parse_records(text)
    assert turns(f"{SET_UP} 1.    f4-f6    d5-e5\n 2.    d6-d5") == [("f4-f6", "d5-e5", "d6-d5")]
    with pytest.raises(NotationError, match=re.escape("2... is not the number of the turn that is due, 2.")):
        parse_records(f"{SET_UP}1. f4-f6 d5-e5 2... d6-d5")
    by_numbers = "1.    14-6    8-9\n 2.    5-8"
    (read,) = parse_records(f"{SET_UP}{by_numbers}")
    assert read.game.turn_texts() == ("f4-f6", "d5-e5", "d6-d5")


# ---- lists with numbers for points -------------------------------------------------------------------------

OF_PLAYOK = """[Event "?"]
[Site "PlayOK"]
[Date "2023.1.2"]
[Result "1-0"]
[Time "19:16:16"]
[GameType "70,0"]

1. 5 14 2. 2 22 3.
8x22 24 4. 1 3 5.
4 6 6. 9 7 1-0
"""


def test_read_list_of_playok_numbers_points_by_rows():
    (read,) = parse_records(OF_PLAYOK)
    assert read.game.turn_texts() == (
        *("d6", "f4", "d7", "a1", "d5xa1", "g1", "a7", "g7"),
        *("b6", "f6", "e5", "c5"),
    )
    assert read.game.outcome == RESIGNED
    assert read.tags["Date"] == "2023.01.02"
    assert [str(note) for note in read.notes] == ["line 8, column 1: points are numbered by rows"]


def test_read_list_with_captures_in_each_form():
    split = OF_PLAYOK.replace("8x22", "8 {mill} x22").replace("[Site", "[Annotator")
    assert turns(split) == turns(OF_PLAYOK)
    assert turns(OF_PLAYOK.replace("8x22", "8X22")) == turns(OF_PLAYOK)


BY_RINGS = "1. 3 10 2. 4 12 3. 5x10 *"


def test_read_list_is_by_rings_where_only_that_is_legal():
    (read,) = parse_records(BY_RINGS)
    assert read.game.turn_texts() == ("g7", "d6", "g4", "f4", "g1xd6")
    assert notes(BY_RINGS) == ["line 1, column 1: points are numbered by rings"]


AMBIGUOUS = "1. 5 14 2. 2 22 3. 11 24 4. 13 10 1-0"


def test_read_list_that_both_numberings_allow_says_so():
    assert turns(AMBIGUOUS) == [("d6", "f4", "d7", "a1", "b4", "g1", "e4", "a4")]
    (note,) = notes(AMBIGUOUS)
    assert note.startswith(
        "line 1, column 1: points are numbered by rows, as PlayOK does; by rings it would be"
    )
    (by_rings,) = read_records(AMBIGUOUS, "rings")
    assert by_rings.game.turn_texts()[:2] == ("g1", "d2")


def test_read_list_of_playok_is_never_read_by_rings():
    with pytest.raises(IllegalStepError, match=r"\(points numbered by rows\)"):
        parse_records(f'[Site "PlayOK"]\n\n{BY_RINGS}')


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1. 5 14 2. 25 1 *", "column 12: '25': 25 is not a point; they are numbered from 1 to 24"),
        ("1. 5 14 2 3 22 1-0", "column 9: the number of the turn is missing before 2: write 2. before it"),
        ("5 14 3 *", "column 1: the number of the turn is missing before 5"),
        ("1. 5 d6 *", "column 4: 5 follows the number of the turn that is due, 1."),
        ("1. d6 f4 2. 5-14 *", "column 13: step '5-14'"),
        ('[Variant "mitsudomoe"]\n1. 5 6 *', "the points of mitsudomoe have names"),
    ],
)
def test_read_list_of_numbers_that_is_none_is_an_error(text, words):
    with pytest.raises(NotationError, match=re.escape(words)):
        parse_records(text)


@few(10)
@given(games(), st.sampled_from(["rows", "rings"]))
def test_read_list_by_numbers_is_the_game_it_was_made_of(game, numbering):
    names = mill_rules().numberings[numbering]
    text = record_text(GameRecord(game))
    head, _, body = text.rpartition("\n\n")
    numbered = f"{head}\n\n{by_numbers(body, names)}"
    (read,) = read_records(numbered, numbering)
    assert read.game == game
    (found,) = read_records(numbered)
    assert found.game == game or "another game" in found.notes[0].text


@few(20)
@given(games(), st.sampled_from(["PlayOK", "PlayOK.com", "?"]))
def test_written_game_of_playok_has_numbers_and_is_read_back(game, site):
    text = record_text(GameRecord(game, {"Site": site}))
    body = text.rpartition("\n\n")[2]
    assert bool(re.search("[a-g][1-7]", body)) is (site != "PlayOK" and game.ply > 0)
    (read,) = parse_records(text)
    assert read.game == game
    assert record_text(read) == text


# ---- lists of other programs -------------------------------------------------------------------------------

OF_SANMILL = """[Event "Sanmill-Game"]
[Site "Sanmill"]
[Date "2024.5.7"]
[Round "3"]
[White "Human"]
[Black "AI"]
[Result "*"]
[Variant "Nine Men's Morris"]
[PlyCount "6"]

 1.    d6    f4
 2.    d7    a1
 3.    d5xa1    g1
"""


def test_read_list_of_sanmill_with_its_tags():
    (read,) = parse_records(OF_SANMILL)
    assert read.game.turn_texts() == ("d6", "f4", "d7", "a1", "d5xa1", "g1")
    assert read.game.rules == rule_set()
    assert read.tags["Date"] == "2024.05.07"
    assert not parse_records(f"{OF_SANMILL} *")[0].notes


@pytest.mark.parametrize(
    ("variant", "rules"),
    [
        ("Nine Men's Morris", "standard"),
        ("Lasker Morris", "lasker"),
        ("Twelve Men's Morris", "twelve full_board=first-loses"),
    ],
)
def test_read_variants_of_sanmill_are_rules_here(variant, rules):
    (read,) = parse_records(f'[Variant "{variant}"]\n\n1. d6 *')
    assert read.game.rules.describe() == rules


def test_read_unknown_variant_needs_the_tag_rules():
    with pytest.raises(NotationError, match="there is no rule set 'Custom'"):
        parse_records('[Variant "Custom"]\n\n1. d6 *')
    (read,) = parse_records('[Variant "Custom"]\n[Rules "lasker"]\n\n1. d6 *')
    assert read.game.rules == rule_set("lasker")


def test_read_game_without_result_is_not_over_and_noted():
    assert turns("1. d6 f4\n2. d7") == [("d6", "f4", "d7")]
    without = "line 2, column 1: the game that begins here has no result at its end; taken as"
    assert notes("\n1. d6 f4") == [f"{without} *"]
    (read,) = parse_records('\n[Result "0-1"]\n\n1. d6 f4')
    assert read.game.outcome == Outcome(Reason.RESIGNED, Player.BLACK)
    assert notes('\n[Result "0-1"]\n\n1. d6 f4') == [f"{without} 0-1"]


def test_read_games_without_results_end_where_tags_begin():
    assert turns(f"{OF_SANMILL}\n{OF_SANMILL}") == turns(OF_SANMILL) * 2
    assert turns('1. d6\n[Site "b"]\n1. d7') == [("d6",), ("d7",)]


def test_read_annotations_are_kept_as_comments_and_noted():
    (read,) = parse_records("1. d6! {good} f4 $2 2. d7 a1?! 3. d5xa1 $1 $14 g1?? *")
    assert read.game.turn_texts() == ("d6", "f4", "d7", "a1", "d5xa1", "g1")
    assert read.comments == {0: "! good", 1: "$2", 3: "?!", 4: "$1 $14", 5: "??"}
    assert [str(note) for note in read.notes] == [
        "line 1, column 6: annotations and variations are kept as comments"
    ]


def test_read_variations_are_kept_as_comments_and_noted():
    text = "1. d6 (1. d5 {[%clk 0:05:00.0] why} a1! (1... a4)) 1... f4 {c} ( 1... 99 ) 2. d7 *"
    (read,) = parse_records(text)
    assert read.game.turn_texts() == ("d6", "f4", "d7")
    assert read.comments == {0: "(1. d5 (why) a1 ! (1... a4))", 1: "c (1... 99)"}
    assert len(read.notes) == 1


def test_read_marks_between_joined_files_are_blanks():
    game = '[Event "x"]\n\n1. d6 f4 *\n'
    assert turns(f"\ufeff{game}\x1a\ufeff{game}\n\x1a") == [("d6", "f4")] * 2
    assert turns(f"{game}\ufeff1. d6 *\x1a") == [("d6", "f4"), ("d6",)]


def test_read_backslash_before_other_characters_is_kept():
    (read,) = parse_records(r'[Site "C:\games\x"] [Event "a \"b\" \\ c"] *')
    assert read.tags == {"Site": r"C:\games\x", "Event": r'a "b" \ c'}


# ---- damaged texts -----------------------------------------------------------------------------------------


def outcomes(text: str) -> list[str]:
    """The turns of each game, or the place of its error."""
    return [
        " ".join(one.game.turn_texts()) if isinstance(one, GameRecord) else str(one).partition(":")[0]
        for one in read_records(text)
    ]


def test_read_goes_on_behind_a_bad_game():
    bad = {
        "1. d6 d6 *": "line 3, column 7",
        "1. d6 @@ f4 *": "line 3, column 7",
        "1. d6 (f4 *": "line 3, column 7",
        "1. d6 f4 3. d7 *": "line 3, column 10",
        "1. d6": None,
    }
    for body, place in bad.items():
        text = f'[Event "a"]\n\n{body}\n\n[Event "b"]\n\n1. d7 f4 *\n\n1. a7 *\n'
        assert outcomes(text) == [place or "d6", "d7 f4", "a7"]


def test_read_comment_without_end_takes_nothing_of_the_next_game():
    text = '1. d6 {no end 1-0 d7 *\n\n1. a1 *\n\n[Event "b"]\n\n1. d7 {c} f4 *\n'
    assert outcomes(text) == ["line 1, column 7", "d7 f4"]
    text = '[Event "a"]\n\n{no end 1. d6 *\n\n[Event "b"]\n\n1. d7 {c} f4 *\n'
    assert outcomes(text) == ["line 3, column 1", "d7 f4"]


def test_read_error_of_a_tag_spoils_its_game_and_no_other():
    text = '[Event "a"]\n[Site oops]\n[White "x"]\n\n1. d6 *\n\n[Event "b"]\n\n1. d7 *\n'
    assert outcomes(text) == ["line 2, column 1", "d7"]
    text = '1. d6\n[Event oops]\n[White "x"]\n\n1. d5 *\n\n[Event "b"]\n\n1. d7 *\n'
    assert outcomes(text) == ["d6", "line 2, column 1", "d7"]


pieces = st.sampled_from(
    [
        *(
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
            "1...",
            "2",
            "d6",
            "f4",
            "5",
            "14",
        ),
        *("xa1", "x5", "1-0", "*", "]", "\\", "(", ")", "!", "$3", "\ufeff", "\x1a", "..", "\u2026", "a1-a4"),
    ]
)


@few(50)
@given(st.text(max_size=40) | st.lists(pieces, max_size=20).map("".join))
def test_read_any_text_raises_nothing_but_its_two_errors(text):
    with suppress(NotationError, IllegalStepError):
        parse_records(text)


@few(50)
@given(st.lists(pieces, max_size=20))
def test_read_turns_are_only_those_that_are_written(words):
    """Nothing is invented: the turns of all games are words of the text, each once and in their order."""
    text = " ".join(words)
    found = [turn for one in read_records(text) if isinstance(one, GameRecord) for turn in _steps(one.game)]
    rest = iter(_written(text))
    assert all(turn in rest for turn in found)


def _steps(game: Game) -> list[str]:
    return [step.text for step in game.steps]


def _written(text: str) -> list[str]:
    """The steps in a text, in names of points: those written so, and those by numbers in both ways."""
    numberings = rule_set().numberings.values()
    found = []
    for word in text.split():
        digits = re.fullmatch("(x?)([0-9]+)", word)
        if digits:
            found += [digits[1] + names[digits[2]] for names in numberings if digits[2] in names]
        else:
            found.append(word)
    return found


@few(30)
@given(st.randoms(use_true_random=False), st.integers(2, 30), st.booleans(), st.data())
def test_read_list_that_lost_or_doubled_a_word_is_an_error(luck, plies, doubled, data):
    """The error is at its line or behind it; only a number, or a turn behind the last one, may be missing."""
    turns = played(luck, plies, "standard").turn_texts()
    words = [
        word for i, turn in enumerate(turns) for word in ([f"{1 + i // 2}."] if i % 2 == 0 else []) + [turn]
    ]
    at = data.draw(st.integers(0, len(words) - 1))
    changed = [*words[: at + 1], *words[at:]] if doubled else [*words[:at], *words[at + 1 :]]
    (one,) = read_records("\n".join((*changed, "*")))
    if isinstance(one, GameRecord):
        assert not doubled
        assert words[at].endswith(".") or not any(word.endswith(".") for word in words[at:])
    else:
        place = re.match("line ([0-9]+)", str(one))
        assert place is not None
        assert int(place[1]) > at


@pytest.mark.parametrize(
    "text",
    [
        "1" * 9000 + ". d6",
        "1. " + "1" * 9000,
        f'1. d6 [{"A" * 9000} "x"]',
        "1" + "." * 9000,
        "1. " + "x" * 9000,
    ],
)
def test_read_error_is_short_whatever_it_quotes(text):
    (error,) = read_records(text)
    assert str(error).startswith("line 1, column ")
    assert len(str(error)) < 500
