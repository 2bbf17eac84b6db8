"""The course of a game: positions that counted for a while, and turns that count late."""

from __future__ import annotations

from tests.fuzz.oracle import plain_rules as plain
from tests.fuzz.oracle.judging.course import GameCourse, MillCourseScore
from tests.fuzz.oracle.plain_rules import RULE_SETS, WHITE, position_text

START = plain.start(RULE_SETS["standard"], WHITE)
D6 = plain.play(START, "d6")


def step(at: float, text: str, by: str) -> dict[str, object]:
    return {"t": at, "event": "step", "text": text, "by": by}


def course() -> GameCourse:
    made = GameCourse(MillCourseScore(START))
    made.restart(1.0)
    return made


def test_position_that_nobody_meant_is_found_with_its_time() -> None:
    made = course()
    made.take_in(step(2.0, "f4", "white"))
    made.take_in({"t": 2.5, "event": "taken-back", "ply": 0})
    made.take_in(step(2.5, "d6", "white"))
    allowed = {position_text(START), position_text(D6)}
    assert made.outside(allowed, 4.0) == [(2.0, 0.5, position_text(plain.play(START, "f4")))]
    assert made.stays_from({position_text(D6)}) == 2.5


def test_positions_of_one_moment_count_as_the_last_of_them() -> None:
    made = course()
    made.take_in(step(2.0, "f4", "white"))
    made.take_in({"t": 2.0, "event": "taken-back", "ply": 0})
    made.take_in(step(2.0, "d6", "white"))
    assert made.outside({position_text(START), position_text(D6)}, 4.0) == []


def test_lateness_is_the_time_after_a_turn_was_due() -> None:
    made = course()
    made.take_in(step(3.5, "d6", "white"))
    assert made.lateness([(2.0, {position_text(D6)})]) == 1.5
    assert made.lateness([(3.6, {position_text(D6)})]) == 0.0
    assert made.lateness([(2.0, {"nowhere"})]) == 0.0
