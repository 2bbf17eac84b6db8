"""The text of a position, field by field."""

import re
from contextlib import suppress

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from firmware_host.errors import NotationError
from firmware_host.games.game import Outcome, Player, Reason
from firmware_host.games.rulesets import rule_set
from tests.support.examples import few
from tests.support.games.morris import after, any_rules, at, positions

START = "********/********/******** w p p 0 9 0 9 0 0 0 0 0 0 0 0 1"
MILL = "O*******/O*******/O****@@* w p r 3 6 2 7 1 0 0 0 0 0 0 0 3"
BLACKS_MILL = "@*******/@*******/@****OO* b p r 2 7 3 6 0 1 0 0 0 0 0 0 3"
MOVING = "*@*@****/O*O*****/****OO*@ b m s 4 0 3 0 0 0 0 0 0 0 0 12 30"


def changed(text: str, field: int, value: str) -> str:
    """The text with another value in a field, counted from 1."""
    fields = text.split()
    fields[field - 1] = value
    return " ".join(fields)


@few(25)
@given(positions())
def test_a_position_is_read_back_as_it_was_written(position):
    read = position.rules.position(str(position))
    assert str(read) == str(position)
    assert read.state == position.state._replace(past=(), closed=0)
    assert read.standing == position.standing
    if position.outcome is None:
        assert read.legal_steps() == position.legal_steps()


@pytest.mark.parametrize("text", [START, MILL, MOVING])
def test_what_was_read_is_written_the_same(text):
    assert str(rule_set().position(text)) == text


@pytest.mark.parametrize(
    ("moves", "text"),
    [
        ("", START),
        ("d5", "O*******/********/******** b p p 1 8 0 9 0 0 0 0 0 0 0 0 1"),
        ("d5 a1", "O*******/********/*****@** w p p 1 8 1 8 0 0 0 0 0 0 0 0 2"),
        ("d5 a1 d6 a4 d7", MILL),
        ("d5 a1 d6 a4 d7 xa1", "O*******/O*******/O*****@* b p p 3 6 1 7 0 0 0 0 0 0 0 0 3"),
    ],
)
def test_positions_are_written_like_this(moves, text):
    assert str(after(moves)) == text


def test_the_phase_stays_placing_until_the_removal_of_the_last_placement_is_done():
    last = at("d5 d6 g1", "a1 a4 b2 b4", hands=(1, 0), moves="d7")
    assert str(last).split()[2:4] == ["p", "r"]
    assert str(last.play(last.legal_step("xa1"))).split()[2:4] == ["m", "s"]
    moved = at("d5 f6 d7 a1", "g4 f4 b4 b2", moves="f6-d6")
    assert str(moved).split()[2:4] == ["m", "r"]


def test_a_finished_position_is_over_and_reads_back_with_the_same_end():
    over = at("d5 d6 a7 g1", "b2 b4 f2", hands=(1, 0), moves="d7 xb2")
    assert str(over).split()[2] == "o"
    read = over.rules.position(str(over))
    assert read.outcome == over.outcome == Outcome(Reason.FEW_PIECES, Player.WHITE)


def test_a_position_said_to_be_over_has_no_steps():
    over = rule_set().position(changed(MOVING, 3, "o"))
    assert over.legal_steps() == ()
    assert over.outcome == Outcome(Reason.ABANDONED, None)
    assert str(over) == changed(MOVING, 3, "o")
    assert rule_set().position(changed(changed(MOVING, 3, "o"), 4, "?")) == over


def test_a_player_who_may_place_or_move_may_be_said_to_do_either():
    text = "O*******/********/*****@** w p p 1 9 1 9 0 0 0 0 0 0 0 0 2"
    lasker = rule_set("lasker")
    assert lasker.position(changed(text, 4, "s")) == lasker.position(text)
    with pytest.raises(NotationError, match="expected p, since"):
        rule_set().position(changed(START, 4, "s"))


def test_a_player_cannot_have_more_than_all_pieces():
    with pytest.raises(
        NotationError, match=re.escape("field 5 (White's pieces on the board) is '4', expected at most 3")
    ):
        rule_set("standard", ["pieces=3"]).position(
            "OOOO****/********/@@@***** w m s 4 0 3 0 0 0 0 0 0 0 0 0 9"
        )


def test_a_game_that_is_ready_is_read_as_placing():
    assert rule_set().position(changed(START, 3, "r")) == rule_set().position(START)


OF_SANMILL = "O*O@O*O@/@*@***@O/O@O@O@O*"


@pytest.mark.parametrize(
    ("text", "form_of_now"),
    [
        (f"{OF_SANMILL} b m s 9 0 8 0 0 8 23", f"{OF_SANMILL} b m s 9 0 8 0 0 0 0 0 0 0 0 8 23"),
        (f"{OF_SANMILL} b m s 9 0 8 0 0 0 8 23", f"{OF_SANMILL} b m s 9 0 8 0 0 0 0 0 0 0 0 8 23"),
        (f"{OF_SANMILL} b m s 9 0 8 0 0 0 0 26 17 0 8 23", f"{OF_SANMILL} b m s 9 0 8 0 0 0 0 0 0 0 0 8 23"),
        ("O*******/O*******/O****@@* w p r 3 6 2 7 1 0 3", MILL),
        ("@*******/@*******/@****OO* b p r 2 7 3 6 1 0 3", BLACKS_MILL),
        (f"{MILL} ids:nodes", MILL),
        (changed(changed(MILL, 11, "-1"), 12, "-1") + " ids:nodes", MILL),
    ],
    ids=["11 fields", "12", "16", "11 with White's removal", "11 with Black's", "17 with ids", "ids of none"],
)
def test_fen_of_each_version_of_sanmill_is_read(text, form_of_now):
    assert str(rule_set().position(text)) == form_of_now


@pytest.mark.parametrize("extra", ["c:w-0-|b-1-3", "ids:nodes s:1", "p:5 ids:nodes"])
def test_fen_of_rules_that_are_not_played_here_is_refused(extra):
    with pytest.raises(NotationError, match="is of rules that aren't played here"):
        rule_set().position(f"{MILL} {extra}")


@pytest.mark.parametrize("field", range(11, 16))
def test_fields_11_to_15_are_ignored(field):
    assert rule_set().position(changed(MOVING, field, "12345678901234")) == rule_set().position(MOVING)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "a position has 17 fields with spaces between (or 11, 12 or 16 in older"),
        (START + " 1", "this has 18"),
        (changed(START, 1, "********/********/*******"), "field 1 (the board)"),
        (changed(START, 1, "********/********/*******X"), "expected three rings of eight with / between"),
        (changed(START, 2, "W"), "field 2 (the side to move) is 'W', expected one of w b"),
        (changed(START, 3, "x"), "field 3 (the phase) is 'x', expected one of r p m o"),
        (changed(START, 3, "m"), "field 3 (the phase) is 'm', expected p while there are pieces in hand"),
        (changed(MOVING, 3, "p"), "expected m when there are no pieces in hand"),
        (changed(START, 4, "?"), "field 4 (the action) is '?', expected one of p s r"),
        (changed(START, 4, "s"), "expected p, since the player to move has pieces in hand"),
        (changed(MOVING, 4, "p"), "expected s, since the player to move has none in hand"),
        (changed(MILL, 4, "p"), "expected r, since a removal is due"),
        (
            changed(START, 5, "1"),
            "field 5 (White's pieces on the board) is '1', expected 0, as the",
        ),
        (
            changed(MILL, 6, "7"),
            "field 6 (White's pieces in hand) is '7', expected at most 6, since 3 of 9 are",
        ),
        (changed(MILL, 7, "3"), "field 7 (Black's pieces on the board) is '3', expected 2"),
        (changed(START, 8, "-1"), "field 8 (Black's pieces in hand) is '-1', expected a whole number from 0"),
        (changed(START, 8, "٩"), "expected a whole number from 0"),
        (
            changed(START, 9, "1"),
            "field 9 (White's removals due) is '1', expected at most 0",
        ),
        (changed(MILL, 9, "2"), "field 9 (White's removals due) is '2', expected at most 1"),
        (
            changed(MILL, 10, "1"),
            "field 10 (Black's removals due) is '1', expected 0, since only",
        ),
        (changed(START, 16, "x"), "field 16 (the quiet steps) is 'x'"),
        (changed(START, 17, "0"), "field 17 (the turn's number) is '0', expected a whole number from 1"),
    ],
)
def test_what_is_wrong_is_told_with_its_field_and_what_is_expected(text, words):
    with pytest.raises(NotationError, match=re.escape(words)):
        rule_set().position(text)


def test_a_removal_that_cannot_be_made_is_not_read():
    text = "O@@@****/O*******/O******* w p r 3 6 3 6 1 0 0 0 0 0 0 0 3"
    assert rule_set().position(text).removal_due
    with pytest.raises(NotationError, match="expected 0, since no piece can be removed"):
        rule_set("molendinum").position(text)


def test_nothing_stands_where_the_rule_set_has_no_points():
    text = "O*******/********/******** b p p 1 5 0 6 0 0 0 0 0 0 0 0 1"
    with pytest.raises(NotationError, match="nothing on d5, which points=outer does not use"):
        rule_set("six").position(text)


field = st.sampled_from([*"wbrpmos?", "0", "1", "2", "9", "999999999", "١", "O*******/********/********"])


@few(50)
@given(
    any_rules(),
    st.text(max_size=40)
    | st.lists(field, min_size=17, max_size=17).map(" ".join)
    | st.builds(changed, st.sampled_from([START, MILL, MOVING]), st.integers(1, 17), field),
)
@example(rule_set(), "9" * 5000 + " " + " ".join(START.split()[1:]))
def test_no_text_raises_anything_but_a_notation_error(rules, text):
    with suppress(NotationError):
        position = rules.position(text)
        assert rules.position(str(position)) == position
