"""Touches: how long a piece has to be there, or away, and what else may happen at the same time."""

from __future__ import annotations

import pytest

from firmware_host.play.asking.touches import MAX_TOUCH, MIN_DOWN, MIN_UP, Touches
from firmware_host.ports import NOTHING, SOMETHING, Frame

MS = 1000
REST: Frame = (NOTHING, NOTHING, NOTHING, SOMETHING, SOMETHING, SOMETHING)
"""Points 0 to 2 are empty, and pieces stand on 3 to 5."""


def shown(*changed: int) -> Frame:
    """Return a frame in which these points are not as they were."""
    other = {NOTHING: SOMETHING, SOMETHING: NOTHING}
    return tuple(other[reading] if n in changed else reading for n, reading in enumerate(REST))


def touched(*changes: tuple[int, tuple[int, ...]], absent: tuple[int, ...] = ()) -> list[int]:
    """Return the points that are touched by frames at these milliseconds, with these points changed."""
    touches = Touches(shown(*absent), REST)
    found = [touches.touched_in(shown(*points), at * MS) for at, points in changes]
    return [index for index in found if index is not None]


@pytest.mark.parametrize("lasts", [60, 200, 1000, 3000])
def test_a_piece_set_down_and_taken_off_is_a_touch(lasts: int) -> None:
    assert touched((100, (1,)), (100 + lasts, ())) == [1]


@pytest.mark.parametrize("lasts", [400, 1000, 3000])
def test_a_piece_lifted_and_put_back_is_a_touch(lasts: int) -> None:
    assert touched((100, (4,)), (100 + lasts, ())) == [4]


@pytest.mark.parametrize(("index", "lasts"), [(1, 40), (1, 3100), (4, 250), (4, 3100)])
def test_too_short_or_too_long_is_no_touch(index: int, lasts: int) -> None:
    assert touched((100, (index,)), (100 + lasts, ())) == []


def test_the_limits_are_those_of_weak_sensors_and_of_landings() -> None:
    assert (MIN_DOWN, MIN_UP, MAX_TOUCH) == (60 * MS, 400 * MS, 3000 * MS)


@pytest.mark.parametrize(("pause", "touches"), [(60, [1]), (115, [1]), (150, [1, 1])])
def test_a_contact_that_drops_out_makes_one_touch(pause: int, touches: list[int]) -> None:
    assert touched((0, (1,)), (100, ()), (100 + pause, (1,)), (300 + pause, ())) == touches


def test_what_is_forgotten_is_no_touch_and_disturbs_none() -> None:
    touches = Touches(REST, REST)
    touches.touched_in(shown(1), 0)
    touches.forget({1})
    assert touches.touched_in(shown(0), 100 * MS) is None
    assert touches.touched_in(REST, 300 * MS) == 0


def test_a_touch_counts_when_it_ends() -> None:
    touches = Touches(REST, REST)
    assert touches.touched_in(shown(1), 0) is None
    assert touches.touched_in(shown(1), 200 * MS) is None
    assert touches.touched_in(REST, 300 * MS) == 1
    assert touches.touched_in(REST, 400 * MS) is None


def test_two_pieces_down_at_once_are_no_touch() -> None:
    assert touched((0, (0,)), (100, (0, 1)), (300, (1,)), (400, ())) == []


def test_a_point_touched_after_another_counts() -> None:
    assert touched((0, (0,)), (100, ()), (200, (1,)), (300, ())) == [0, 1]


def test_a_piece_lifted_from_the_board_can_touch() -> None:
    """The point that it came from is not touched by putting it back."""
    assert touched((0, (3,)), (500, (3, 1)), (800, (3,)), (1200, ())) == [1]


def test_a_weak_sensor_does_not_disturb_a_touch() -> None:
    assert touched((0, (1,)), (100, (1, 4)), (200, (1,)), (300, ())) == [1]


def test_pieces_in_hand_from_the_beginning_are_not_touches() -> None:
    assert touched((100, (4,)), (600, ()), absent=(3, 4)) == []
    assert touched((100, ()), (600, (4,)), (1200, ()), absent=(4,)) == [4]


def test_pieces_that_may_only_touch_are_known() -> None:
    touches = Touches(shown(3), REST)
    assert touches.touching == set()
    touches.touched_in(shown(3, 1), 0)
    assert touches.touching == {1}
    touches.touched_in(shown(3, 1, 2), 100 * MS)
    assert touches.touching == set()


def test_a_piece_that_stays_is_left() -> None:
    touches = Touches(REST, REST)
    assert touches.deadline is None
    touches.touched_in(shown(1), 0)
    due = touches.deadline
    assert due is not None
    assert due > MAX_TOUCH
    assert not touches.is_left(due - 1)
    assert touches.is_left(due)
    touches.touched_in(REST, due)
    assert touches.deadline is None


def test_a_piece_that_is_lifted_for_long_is_not_left() -> None:
    touches = Touches(REST, REST)
    touches.touched_in(shown(4), 0)
    assert touches.deadline is None
    assert not touches.is_left(60_000 * MS)
