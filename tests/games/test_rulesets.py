"""The named rule sets and the switches set over them."""

import re
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.errors import NotationError
from firmware_host.games.game import Piece, Player
from firmware_host.games.layout import MORRIS
from firmware_host.games.options import MorrisOptions
from firmware_host.games.rulesets import MILL_SETS, RULE_SETS, parse_rules, rule_set
from tests.support.games.morris import SETTINGS, any_rules, any_settings, fit

DESCRIBED = """
    standard       9   own    one       unless-all    must  white  3  100
    molendinum     9   never  one       always        must  white  0  0
    simple         9   never  one       unless-all    may   white  0  0
    arena          9   own    one       unless-all    may   white  0  0
    the-mill       9   both   per-mill  always        must  lot    0  0
    pounding       9   both   per-mill  always        must  lot    0  0
    pounding-0.3b  9   both   one       unless-three  must  lot    0  0
    lasker         10  own    one       unless-all    must  white  3  100
    twelve         12  own    one       unless-all    must  white  3  100
    six            6   never  one       unless-all    must  white  3  100
"""
COLUMNS = ["pieces", "flying", "captures", "protection", "removal", "first", "repetition", "quiet"]
BESIDES = {
    "lasker": ["move_while_placing=yes"],
    "twelve": ["diagonals=yes", "full_board=draw"],
    "six": ["points=outer"],
}


@pytest.mark.parametrize("row", DESCRIBED.strip().splitlines())
def test_each_named_rule_set_is_the_one_described(row):
    name, *values = row.split()
    settings = [f"{column}={value}" for column, value in zip(COLUMNS, values, strict=True)]
    described = MorrisOptions().changed([*settings, *BESIDES.get(name, ())])
    assert rule_set(name).options == described


def test_there_are_these_rule_sets_and_no_others():
    assert list(MILL_SETS) == [row.split()[0] for row in DESCRIBED.strip().splitlines()]
    assert [*RULE_SETS] == [*MILL_SETS, "mitsudomoe"]


def test_without_a_name_it_is_standard():
    assert rule_set() == rule_set("standard")


@pytest.mark.parametrize("setting", [one for values in SETTINGS.values() for one in values])
def test_any_switch_can_be_set_over_a_rule_set(setting):
    switch, _, value = setting.partition("=")
    rules = rule_set("the-mill", fit([setting]))
    assert str(getattr(rules.options, switch)) in {value, {"no": "False", "yes": "True"}.get(value)}


@given(any_rules())
def test_what_describes_rules_makes_them_again(rules):
    assert parse_rules(rules.describe()) == rules


@given(st.sampled_from(sorted(set(MILL_SETS) - {"six"})), any_settings())
def test_the_last_setting_of_a_switch_counts_and_order_does_not(name, settings):
    last = {setting.partition("=")[0]: setting for setting in settings}
    assert rule_set(name, settings) == rule_set(name, reversed(last.values()))


def test_only_what_differs_from_the_named_rule_set_is_described():
    assert rule_set("the-mill", ["captures=one", "flying=both"]).describe() == "the-mill captures=one"


@pytest.mark.parametrize(
    ("name", "settings", "words"),
    [
        ("standrad", [], "'standrad' (did you mean standard?); there are standard, molendinum"),
        ("", [], "there is no rule set ''"),
        (
            "standard",
            ["flyin=never"],
            "no switch 'flyin' (did you mean flying?); there are pieces, diagonals",
        ),
        (
            "standard",
            ["flying=nevr"],
            "flying cannot be 'nevr' (did you mean never?); it is one of never, own, both",
        ),
        ("standard", ["flying"], "'flying' is not a setting; write switch=value"),
        ("standard", ["pieces=2"], "pieces cannot be '2'"),
        ("standard", ["pieces=13"], "pieces cannot be '13'"),
        ("standard", ["pieces=٩"], "pieces cannot be"),
        ("standard", ["repetition=2"], "repetition cannot be '2'; it is one of 0, 3"),
        ("standard", ["quiet=50"], "quiet cannot be '50'; it is one of 0, 100"),
        ("standard", ["diagonals=true"], "diagonals cannot be 'true'; it is one of no, yes"),
        ("standard", ["points=outer"], "pieces=9 for each player do not fit the 16 points of points=outer"),
        ("six", ["pieces=9"], "at most 8"),
    ],
)
def test_what_cannot_be_played_says_why(name, settings, words):
    with pytest.raises(NotationError, match=re.escape(words)):
        rule_set(name, settings)


def test_switches_made_by_hand_are_checked_too():
    with pytest.raises(NotationError, match="pieces cannot be '40'"):
        MorrisOptions(pieces=40)


@given(st.text(max_size=30))
def test_no_name_or_setting_raises_anything_but_a_notation_error(text):
    for attempt in (lambda: rule_set(text), lambda: rule_set("six", [text]), lambda: parse_rules(text)):
        with suppress(NotationError):
            attempt()


def test_the_box_holds_what_each_player_has():
    assert rule_set("lasker").box == {Piece(Player.WHITE): 10, Piece(Player.BLACK): 10}


def test_six_is_played_on_the_same_wood():
    assert rule_set("six").layout is MORRIS


@pytest.mark.parametrize(
    ("setting", "first"), [("white", Player.WHITE), ("black", Player.BLACK), ("lot", None)]
)
def test_the_rules_say_who_starts_or_leave_it_to_the_lot(setting, first):
    assert rule_set("standard", [f"first={setting}"]).first is first


def test_the_layout_has_the_lines_that_are_played_and_the_same_points_for_all() -> None:
    plain, diagonal = rule_set("standard").layout, rule_set("twelve").layout
    assert plain.points is diagonal.points
    assert (len(plain.lines), len(diagonal.lines)) == (16, 20)
    assert {" ".join(map(str, line)) for line in set(diagonal.lines) - set(plain.lines)} == {
        "a7 b6 c5",
        "g7 f6 e5",
        "a1 b2 c3",
        "g1 f2 e3",
    }


def test_lesson_is_played_with_four_pieces_each():
    assert rule_set("lesson").box == {Piece(Player.WHITE): 4, Piece(Player.BLACK): 4}
