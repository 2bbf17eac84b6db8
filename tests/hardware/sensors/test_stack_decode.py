"""The level of every stack is its own, whatever noise adds, and a reading is one object."""

from __future__ import annotations

import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.ports import BLACK_PIECE, NOTHING, READABLE_PIECES, WHITE_PIECE, Reading
from hardware.sensors.decode import DEFAULT_STACK_LEVELS
from hardware.sensors.stack_decode import StackScale, known_stacks, stack_field

NOISE = 2
REST, *ALONE = DEFAULT_STACK_LEVELS
FIELDS = [0, *(level - REST for level in ALONE)]
STACKS = sorted(known_stacks())
anything = st.sampled_from([Reading.of_stack(stack) for stack in STACKS])


def level(stack: tuple[int, ...]) -> int:
    return round(REST + stack_field(stack, FIELDS))


@pytest.mark.parametrize("turned", [False, True], ids=["white above", "white below"])
@given(stack=st.sampled_from(STACKS), noise=st.integers(-NOISE, NOISE), before=anything)
def test_a_stack_that_is_told_whole_is_told_apart_through_noise(turned, stack, noise, before):
    if len(stack) > READABLE_PIECES:
        return
    levels = [2 * REST - level for level in DEFAULT_STACK_LEVELS] if turned else DEFAULT_STACK_LEVELS
    away = (level(stack) - REST) * (-1 if turned else 1)
    assert StackScale(levels).reading(REST + away + noise, before) == Reading.of_stack(stack)


@given(stack=st.sampled_from(STACKS))
def test_of_a_higher_stack_the_uppermost_pieces_are_told(stack):
    assert StackScale(DEFAULT_STACK_LEVELS).reading(level(stack), NOTHING) == Reading.of_stack(
        stack[-READABLE_PIECES:]
    )


@given(before=anything, level=st.integers(0, 1023), noise=st.integers(-1, 1))
def test_what_was_read_is_kept_while_little_changes(before, level, noise):
    scale = StackScale(DEFAULT_STACK_LEVELS)
    reading = scale.reading(level, before)
    assert scale.reading(level, reading) == reading


@pytest.mark.parametrize("gain", [0.9, 1.0, 1.1])
@given(middle=st.integers(0, 1023), before=anything)
def test_noise_changes_the_reading_of_a_stack_once_at_most(gain, middle, before):
    scale = StackScale([REST, *(REST + round(field * gain) for field in FIELDS[1:])])
    for turned in (NOISE, -NOISE):
        first = scale.reading(middle + turned, before)
        second = scale.reading(middle - turned, first)
        assert scale.reading(middle + turned, second) == second


@given(level=st.integers(0, 1023))
def test_any_level_is_read_as_some_stack(level):
    assert StackScale(DEFAULT_STACK_LEVELS).reading(level, NOTHING) in {Reading.of_stack(s) for s in STACKS}


# ---- readings --------------------------------------------------------------------------------------------


def test_single_pieces_with_the_weaker_magnet_read_as_in_polarity():
    assert (Reading.of_stack([1]), Reading.of_stack([2])) == (WHITE_PIECE, BLACK_PIECE)


@given(st.lists(st.integers(1, 4), max_size=5), st.integers(1, 4))
def test_a_piece_more_or_less_is_known_from_the_readings(kinds, kind):
    lower, higher = Reading.of_stack(kinds), Reading.of_stack([*kinds, kind])
    if lower != higher:
        assert higher.added_top(lower)
        assert lower.lost_top(higher)


pieces = st.lists(st.integers(1, 4), min_size=1, max_size=2)


@given(pieces, pieces)
def test_other_pieces_are_not_more(kinds, others):
    more = len(others) == len(kinds) + 1 and others[: len(kinds)] == kinds
    assert Reading.of_stack(others).added_top(Reading.of_stack(kinds)) == more


@pytest.mark.parametrize(("before", "after"), [(1, 2), (2, 1), (1, 1), (0, 0)])
def test_reading_of_another_piece_has_no_more_and_no_less(before, after):
    assert not Reading(after).added_top(Reading(before))
    assert not Reading(after).lost_top(Reading(before))


def test_readings_of_one_number_are_one_object():
    assert all(Reading(number) is Reading(number) for number in range(125))
    assert copy.deepcopy(Reading(124)) is Reading(124)


@pytest.mark.parametrize("number", [-1, 125])
def test_reading_of_an_impossible_number_is_refused(number):
    with pytest.raises(ValueError, match="from 0 to 124"):
        Reading(number)


def test_reading_is_written_as_its_number():
    assert json.dumps([NOTHING, BLACK_PIECE]) == "[0, 2]"
    assert f"{Reading.of_stack([1, 2])}" == "7"


@given(st.lists(st.integers(1, 4), min_size=1, max_size=3))
def test_top_and_below_of_a_reading_are_those_of_its_stack(kinds):
    reading = Reading.of_stack(kinds)
    assert reading.top == Reading.of_stack(kinds[-1:])
    assert reading.below == Reading.of_stack(kinds[:-1])
    assert reading.is_complete == (len(kinds) < READABLE_PIECES)
