"""The changes of points since the board last matched the game, and their times."""

from __future__ import annotations

import pytest

from firmware_host.games.game import Step
from firmware_host.games.layout import MORRIS
from firmware_host.ports import NOTHING, SOMETHING, Reading
from firmware_host.tracking.observation import Observation, ReadingChange
from tests.support.observed_script import frame_with

A1, D6, G7 = (MORRIS[name].index for name in ("a1", "d6", "g7"))
OWN = frame_with(d6=SOMETHING)


def observation() -> Observation:
    """A board that matches the game, with a piece on d6."""
    seen = Observation(len(MORRIS))
    seen.note(OWN, OWN, 5)
    return seen


def test_a_board_that_matches_from_the_first_frame_has_no_changes() -> None:
    assert observation().changes == {}


def test_the_first_frame_is_compared_with_the_game() -> None:
    seen = Observation(len(MORRIS))
    seen.note(frame_with(a1=SOMETHING), OWN, 5)
    assert seen.changes == {A1: [ReadingChange(5, SOMETHING)], D6: [ReadingChange(5, NOTHING)]}


def test_every_change_of_a_point_is_kept_with_its_time() -> None:
    seen = observation()
    seen.note(frame_with(), OWN, 10)
    seen.note(frame_with(), OWN, 20)
    seen.note(OWN, OWN, 30)
    assert seen.changes == {D6: [ReadingChange(10, NOTHING), ReadingChange(30, SOMETHING)]}
    assert seen.openings(D6) == [10]
    assert seen.landings(D6, SOMETHING) == [30]
    assert seen.latest == seen.changed[D6] == 30


def test_what_comes_and_goes_at_several_points_at_once_is_forgotten() -> None:
    seen = observation()
    seen.mark((), OWN)
    seen.note(frame_with(d6=SOMETHING, a1=SOMETHING, g7=SOMETHING), OWN, 10)
    seen.note(frame_with(a1=SOMETHING, g7=SOMETHING), OWN, 20)
    seen.note(frame_with(), OWN, 30)
    (mark,) = seen._marks
    assert seen.changes == dict(seen.since(mark).changes) == {D6: [ReadingChange(20, NOTHING)]}
    assert not seen.was_left(A1, 20, 30)


@pytest.mark.parametrize(("second", "third"), [(25, 30), (20, 35)])
def test_what_comes_or_goes_one_after_the_other_may_be_hands(second: int, third: int) -> None:
    seen = observation()
    seen.note(frame_with(d6=SOMETHING, a1=SOMETHING), OWN, 20)
    seen.note(frame_with(d6=SOMETHING, a1=SOMETHING, g7=SOMETHING), OWN, second)
    seen.note(frame_with(d6=SOMETHING, g7=SOMETHING), OWN, 30)
    seen.note(OWN, OWN, third)
    assert set(seen.changes) == {A1, G7}


def test_a_point_that_is_as_the_game_expects_is_forgotten() -> None:
    seen = observation()
    seen.note(frame_with(), OWN, 10)
    seen.note(OWN, OWN, 20)
    seen.settle(OWN)
    assert seen.changes == {}
    assert seen.opened[D6] == 10, "but when it was vacated is known"


def test_point_that_was_left_is_known_after_the_board_matches() -> None:
    seen = observation()
    seen.note(frame_with(d6=SOMETHING, a1=SOMETHING), OWN, 10)
    seen.note(OWN, OWN, 20)
    seen.settle(OWN)
    assert seen.was_left(A1, 10, 30)
    assert not seen.was_left(A1, 20, 30)


def test_of_another_point_the_last_change_is_kept_for_the_next_turn() -> None:
    seen = observation()
    for time, frame in enumerate((frame_with(), OWN, frame_with(a1=SOMETHING)), start=1):
        seen.note(frame, OWN, 10 * time)
    seen.settle(frame_with(a1=SOMETHING, d6=SOMETHING))
    assert seen.changes == {D6: [ReadingChange(30, NOTHING)]}


def test_the_pace_is_the_shortest_time_between_two_points() -> None:
    seen = observation()
    seen.note(frame_with(), OWN, 1_000)
    seen.note(frame_with(a1=SOMETHING), OWN, 301_000)
    seen.note(frame_with(a1=SOMETHING, g7=SOMETHING), OWN, 351_000)
    assert seen.pace((A1, D6, G7)) == 50_000
    assert seen.pace((A1, D6)) == 300_000
    assert seen.pace((A1,)) > 3_600_000_000


def test_a_landing_between_two_times_is_one_of_a_piece_that_still_stands() -> None:
    seen = observation()
    seen.note(frame_with(d6=SOMETHING, a1=SOMETHING), OWN, 100)
    assert seen.landed_between(G7, 50, 150)
    assert not seen.landed_between(G7, 100, 150)
    assert not seen.landed_between(A1, 50, 150), "it is another point's"
    seen.note(OWN, OWN, 120)
    assert not seen.landed_between(G7, 50, 150)


def test_the_longest_stand_of_a_piece_that_is_lifted_again_ends_with_an_opening() -> None:
    seen = observation()
    assert seen.longest_stand(G7) == 0
    for time, g7 in ((400, True), (440, False), (500, True), (555, False), (600, True), (999, True)):
        seen.note(frame_with(d6=SOMETHING, g7=SOMETHING) if g7 else OWN, OWN, time)
    assert seen.longest_stand(G7) == 55


@pytest.mark.parametrize("below", ["", "w", "wb", "wbw", "bwbw"])
@pytest.mark.parametrize("pieces", ["wW", "bW", "wB"])
def test_two_pieces_that_come_or_go_together_are_two_actions(below: str, pieces: str) -> None:
    low, middle, high = (
        Reading.of_stack(["wbWB".index(piece) + 1 for piece in stack])
        for stack in (below, below + pieces[0], below + pieces)
    )
    seen = Observation(1, stacked=True)
    seen.note((high,), (low,), 10)
    assert seen.changes == {0: [ReadingChange(10, middle), ReadingChange(10, high)]}
    seen.note((low,), (low,), 20)
    assert seen.changes[0][2:] == [ReadingChange(20, middle), ReadingChange(20, low)]


@pytest.mark.parametrize("misread", ["bbB", "ww", "wwW"])
def test_two_pieces_that_were_misread_at_first_are_two_actions(misread: str) -> None:
    wrong, ring, ball = (
        Reading.of_stack(["wbWB".index(piece) + 1 for piece in stack]) for stack in (misread, "b", "bB")
    )
    seen = Observation(1, stacked=True)
    seen.note((wrong,), (NOTHING,), 10)
    seen.note((ball,), (NOTHING,), 25)
    assert [(10, wrong), (25, ring), (25, ball)] == seen.changes[0][-3:]


def test_a_ball_that_was_misread_at_first_is_one_action() -> None:
    wrong, ring, ball = (
        Reading.of_stack(["wbWB".index(piece) + 1 for piece in stack]) for stack in ("bbB", "b", "bB")
    )
    seen = Observation(1, stacked=True)
    for time, reading in ((10, ring), (400, wrong), (415, ball)):
        seen.note((reading,), (NOTHING,), time)
    assert seen.changes[0][-2:] == [(400, wrong), (415, ball)]


@pytest.mark.parametrize(("before", "now"), [("b", "w"), ("ww", "wW"), ("bww", "bwB"), ("b", "W")])
def test_a_piece_that_took_the_place_of_another_is_two_actions_at_rest(before: str, now: str) -> None:
    was, left, reading = (
        Reading.of_stack(["wbWB".index(piece) + 1 for piece in stack]) for stack in (before, before[:-1], now)
    )
    seen = Observation(1, stacked=True)
    seen.note((reading,), (was,), 10)
    assert seen.at_rest((was,)).changes == {0: [ReadingChange(10, left), ReadingChange(10, reading)]}


def test_a_moment_is_forgotten_once_a_sensor_has_chattered_for_long() -> None:
    seen, later = observation(), (Step("d6", None, None, None),)
    seen.mark((), OWN)
    for time in range(1, 62):
        assert list(seen.marks(later))
        seen.note(frame_with(d6=SOMETHING, g7=SOMETHING) if time % 2 else OWN, OWN, time * 300_000)
    assert not list(seen.marks(later))
