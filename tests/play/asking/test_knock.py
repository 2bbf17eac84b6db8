"""The knock: three quick visits of one empty point, and the many things that are none."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.games.layout import MORRIS
from firmware_host.play.asking.gestures import QUIET, KnockDetector
from firmware_host.ports import BLACK_PIECE, NOTHING, SOMETHING, WHITE_PIECE, Frame, Reading
from firmware_host.tracking.debounce import Debouncer

MS = 1000
EMPTY: Frame = (NOTHING,) * 24


def frame(**readings: Reading) -> Frame:
    return tuple(readings.get(point.name, NOTHING) for point in MORRIS.points)


D6, F6 = frame(d6=SOMETHING), frame(f6=SOMETHING)


def knocked(changes: list[tuple[int, Frame]], *, own: Frame = EMPTY, may_begin: bool = True) -> list[str]:
    """Return the points that are knocked on by frames that last these milliseconds, and then rest."""
    detector, found, now = KnockDetector(), [], 0
    for lasts, shown in [*changes, (1000, changes[-1][1])]:
        for _ in range(lasts // 5):
            point = detector.update(shown, own, now, may_begin=may_begin)
            found += [] if point is None else [MORRIS.points[point].name]
            now += 5 * MS
    return found


def visits(*rhythm: int, to: Frame = D6, home: Frame = EMPTY) -> list[tuple[int, Frame]]:
    """Return frames in which a piece stands and is gone by turns, for these milliseconds."""
    return [(1000, home), *((lasts, home if n % 2 else to) for n, lasts in enumerate(rhythm)), (5, home)]


LENGTHS = (50, 100, 240, 400, 600)


@pytest.mark.parametrize(("down", "up"), list(product(LENGTHS, LENGTHS)))
def test_three_visits_in_any_even_rhythm_are_a_knock(down: int, up: int) -> None:
    assert knocked(visits(down, up, down, up, down)) == ["d6"]


@pytest.mark.parametrize("rhythm", list(product((50, 600), repeat=5)))
def test_three_visits_of_uneven_lengths_are_a_knock(rhythm: tuple[int, ...]) -> None:
    assert knocked(visits(*rhythm)) == ["d6"]


@pytest.mark.parametrize("number", [1, 2, 4, 5, 6, 7, 40])
def test_any_other_number_of_visits_is_none(number: int) -> None:
    assert knocked(visits(*[150] * (2 * number - 1))) == []


@pytest.mark.parametrize(
    "rhythm", [(30, 150, 150, 150, 150), (150, 150, 650, 150, 150), (150, 20, 150, 99, 150)]
)
def test_visits_that_are_too_short_or_too_long_are_none(rhythm: tuple[int, ...]) -> None:
    assert knocked(visits(*rhythm)) == []


def test_a_gap_that_is_too_long_is_no_knock() -> None:
    assert knocked(visits(150, 650, 150, 150, 150)) == []


def test_a_piece_that_stays_after_two_visits_is_none() -> None:
    assert knocked(visits(150, 150, 150, 150, 2000)) == []


def test_knocks_on_two_points_are_none() -> None:
    one = [(1000, EMPTY), (150, D6), (150, EMPTY), (150, F6), (150, EMPTY), (150, D6), (5, EMPTY)]
    assert knocked(one) == []


def test_another_change_during_the_knock_ends_it() -> None:
    both = frame(d6=SOMETHING, f6=SOMETHING)
    assert knocked([(1000, EMPTY), (100, D6), (50, both), (100, D6), *visits(150, 150, 150)[1:]]) == []


def test_a_change_before_it_is_quiet_is_no_knock() -> None:
    assert knocked([*visits(150, 150, 150, 150, 150), (QUIET // MS - 100, EMPTY), (200, F6)]) == []


def test_a_knock_is_complete_when_the_point_was_quiet() -> None:
    detector, now = KnockDetector(), 0
    for lasts, shown in visits(100, 100, 100, 100, 100):
        assert detector.update(shown, EMPTY, now, may_begin=True) is None
        now += lasts * MS
    last = now - 5 * MS
    assert detector.deadline == last + QUIET
    assert detector.update(EMPTY, EMPTY, last + QUIET - 1, may_begin=True) is None
    assert detector.update(EMPTY, EMPTY, last + QUIET, may_begin=True) == MORRIS["d6"].index
    assert detector.deadline is None


def test_a_board_with_the_games_pieces_can_be_knocked_on() -> None:
    own = frame(a1=SOMETHING, g7=SOMETHING)
    there = frame(a1=SOMETHING, g7=SOMETHING, d6=SOMETHING)
    rhythm = visits(300, 300, 300, 300, 300, to=there, home=own)
    assert knocked(rhythm, own=own) == ["d6"]
    assert knocked(rhythm, own=own, may_begin=False) == []


def test_a_board_that_does_not_match_the_game_is_not_knocked_on() -> None:
    home = frame(a1=SOMETHING)
    there = frame(a1=SOMETHING, d6=SOMETHING)
    assert knocked(visits(150, 150, 150, 150, 150, to=there, home=home), own=frame(g7=SOMETHING)) == []


def test_a_standing_piece_is_not_knocked_on() -> None:
    own = frame(d6=SOMETHING)
    assert knocked(visits(150, 150, 150, 150, 150, to=EMPTY, home=own), own=own) == []


def test_an_empty_board_is_knocked_on_where_the_game_has_no_piece() -> None:
    own = frame(a1=WHITE_PIECE, g7=BLACK_PIECE)
    assert knocked(visits(150, 150, 150, 150, 150, to=frame(d6=WHITE_PIECE)), own=own) == ["d6"]
    assert knocked(visits(150, 150, 150, 150, 150, to=frame(a1=WHITE_PIECE)), own=own) == []


def test_a_chattering_sensor_does_not_knock_and_is_forgotten() -> None:
    detector, now = KnockDetector(), 0
    for n in range(10_000):
        assert detector.update(D6 if n % 2 else EMPTY, EMPTY, now, may_begin=True) is None
        now += 60 * MS
    assert len(detector._changes) < 12


# ---- any hands, read as a board reads them -----------------------------------------------------------------

LASTS = st.integers(50 * MS, 600 * MS)
BOUNCE = 2 * MS


def read_knocks(rhythm: list[int], phase: int, bounces: int) -> int:
    """Return how many knocks are found in visits and gaps of these microseconds, by turns.

    Frames come every 5 ms from `phase` on, and are debounced; a contact opens once more, `bounces` after it
    closed.
    """
    edges, at = [], 0
    for number, lasts in enumerate(rhythm):
        edges.append((at, D6 if number % 2 == 0 else EMPTY))
        if number % 2 == 0:
            edges += [(at + bounces // 2, EMPTY), (at + bounces, D6)]
        at += lasts
    edges.append((at, EMPTY))
    detector, debouncer, found = KnockDetector(), Debouncer(10 * MS), 0
    for now in range(-20 * 5 * MS + phase, at + QUIET + 100 * MS, 5 * MS):
        raw = next((shown for since, shown in reversed(edges) if since <= now), EMPTY)
        found += detector.update(debouncer.update(raw, now), EMPTY, now, may_begin=True) is not None
    return found


@given(st.lists(LASTS, min_size=5, max_size=5), st.integers(0, 5 * MS - 1), st.integers(0, BOUNCE))
def test_any_three_visits_are_read_as_a_knock(rhythm: list[int], phase: int, bounces: int) -> None:
    assert read_knocks(rhythm, phase, bounces) == 1


@given(st.sampled_from([1, 2, 4, 5, 6, 7]), st.data(), st.integers(0, 5 * MS - 1))
def test_no_other_number_of_visits_is_read_as_a_knock(visits: int, data: st.DataObject, phase: int) -> None:
    length = 2 * visits - 1
    rhythm = data.draw(st.lists(LASTS, min_size=length, max_size=length))
    assert read_knocks(rhythm, phase, 0) == 0
