"""Steadiness: a sensor that changes without end reads as the game has it, and hands never do that."""

from __future__ import annotations

from firmware_host.play.asking.touches import MAX_CHANGES, UNSTEADY_WITHIN, Steadiness
from firmware_host.ports import NOTHING, SOMETHING, Frame

MS = 1000
OWN: Frame = (NOTHING, SOMETHING, NOTHING)


def frame(*filled: int) -> Frame:
    return tuple(SOMETHING if index in filled else NOTHING for index in range(3))


def chattering(steady: Steadiness, changes: int, apart: int) -> list[Frame]:
    """Return what is seen of point 0 while it changes that many times."""
    steady.steadied(frame(1), lambda: OWN, 0)
    frames = (frame(1) if number % 2 else frame(0, 1) for number in range(changes))
    return [steady.steadied(seen, lambda: OWN, number * apart * MS) for number, seen in enumerate(frames, 1)]


def test_a_point_that_changes_without_end_reads_as_the_game_has_it() -> None:
    steady = Steadiness()
    seen = chattering(steady, 20, 40)
    assert seen[:MAX_CHANGES] == [frame(0, 1), frame(1)] * 3
    assert set(seen[MAX_CHANGES:]) == {OWN}
    assert steady.unsteady == {0}


def test_hands_that_touch_a_point_three_times_in_a_second_are_seen() -> None:
    steady = Steadiness()
    assert chattering(steady, 6, 100)[-2:] == [frame(0, 1), frame(1)]
    assert chattering(Steadiness(), 40, 170)[-2:] == [frame(0, 1), frame(1)]
    assert not steady.unsteady
    assert steady.deadline is None


def test_other_points_are_seen_meanwhile() -> None:
    steady = Steadiness()
    chattering(steady, 20, 40)
    assert steady.steadied(frame(0, 2), lambda: OWN, 810 * MS) == frame(2)


def test_a_point_that_is_quiet_for_a_second_is_seen_again() -> None:
    steady = Steadiness()
    chattering(steady, 19, 40)
    due = steady.deadline
    assert due == 19 * 40 * MS + UNSTEADY_WITHIN
    still = frame(0, 1)
    assert steady.steadied(still, lambda: OWN, due - 1) == OWN
    assert steady.steadied(still, lambda: OWN, due) == still
    assert steady.deadline is None
