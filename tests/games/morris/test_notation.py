"""Steps and turns as texts."""

import re
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.errors import NotationError
from firmware_host.games.layout import MORRIS
from firmware_host.games.morris.notation import DECLINE, landing, parse_step, parse_turn, removal, turn_text
from tests.support.games.morris import games

points = st.sampled_from(MORRIS.points)
steps = (
    st.builds(landing, st.none(), st.none() | points, points)
    | st.builds(removal, st.none(), points)
    | st.just(DECLINE)
)
nearly = st.text(alphabet="abdgx-17٣ \n", max_size=12)
"""Texts that look like steps."""


@given(steps)
def test_a_step_is_read_back_as_it_was_written(step):
    assert parse_step(step.text) == step


@given(games())
def test_the_turns_of_a_game_are_read_back_as_they_were_written(game):
    steps = [step for text in game.turn_texts() for step in parse_turn(text)]
    assert [(step.text, step.origin, step.target) for step in steps] == [
        (step.text, step.origin, step.target) for step in game.steps
    ]


@given(st.text(max_size=12) | nearly)
def test_no_text_raises_anything_but_a_notation_error(text):
    for read in (parse_step, parse_turn):
        with suppress(NotationError):
            read(text)


@given(nearly)
def test_what_is_read_as_a_turn_is_written_the_same(text):
    with suppress(NotationError):
        assert turn_text(parse_turn(text)) == text


@pytest.mark.parametrize("text", ["d6", "d6-d5", "d6-d5xa1", "d7xa1xb4", "d6-d5x-", "xa1", "x-"])
def test_turns_are_written_like_this(text):
    assert turn_text(parse_turn(text)) == text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "a turn has at least one step"),
        ("d9", "step 'd9': 'd9' is not a point of this board"),
        ("d4", "step 'd4': 'd4' is not a point of this board"),
        ("D6", "'D6' is not a point"),
        ("d6 ", "'d6 ' is not a point"),
        ("d6-", "step 'd6-': '' is not a point"),
        ("d6-d5-d6", "step 'd6-d5-d6': a move has one origin and one target"),
        ("d6-d5xh1", "step 'xh1': 'h1' is not a point"),
        ("d6xa1-a4", "step 'xa1-a4': 'a1-a4' is not a point"),
        ("d6x", "step 'x': '' is not a point"),
    ],
)
def test_what_cannot_be_read_is_told_by_its_place(text, words):
    with pytest.raises(NotationError, match=re.escape(words)):
        parse_turn(text)
