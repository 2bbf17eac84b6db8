"""The judge of boards at rest, on what hands did after a few placements."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.fuzz.oracle.handiwork import Way
from tests.fuzz.oracle.judging.case import REST, JudgedCase
from tests.fuzz.oracle.judging.rest import RestJudge
from tests.fuzz.oracle.plain_rules import BLACK, WHITE
from tests.fuzz.oracle.table import POINTS, Command, OracleTable
from tests.fuzz.oracle.wishes import Wishes

PLACED = ("d6", "f4", "d7", "a1", "a7", "g1", "g4", "c4")
"""Four pieces each; White, to move, may go from d6 to d5."""
PUT = {"put": "d5", "piece": BLACK}
"""A sensor of presence cannot tell that this is not the piece from d6."""
LIFT = {"lift": "d6"}


def left_alone(
    *deeds: Command, rules: str = "standard pieces=4 flying=never", placed: Sequence[str] = PLACED
) -> RestJudge:
    """The judge of a board that was touched so, and then rested."""
    table = OracleTable("presence", 10)
    case = JudgedCase(table, Wishes(), colours=False)
    case.score.begin({"rules": rules, "first": WHITE})
    for number, point in enumerate(placed):
        colour = (WHITE, BLACK)[number % 2]
        table.do({"put": point, "piece": colour})
        table.do({"wait": 1.0})
        case.score.step({"event": "step", "text": point, "by": colour})
    case.matched()
    table.do({"wait": 1.0})
    for deed in (*deeds, {"wait": REST + 0.1}):
        assert table.do(deed), deed
    return RestJudge(case)


@pytest.mark.parametrize("late", [0.0, 0.02])
def test_rest_piece_down_as_another_leaves_may_be_wrong(late: float) -> None:
    left_alone(PUT, {"wait": late}, LIFT).check("mismatch", set())
    left_alone(LIFT, {"wait": late}, PUT).check("mismatch", set())


@pytest.mark.parametrize(
    "deeds", [(LIFT, {"wait": 0.05}, PUT), ({"slide": ["d6", "d5"], "seconds": 0.05},)], ids=["lift", "slide"]
)
def test_rest_mismatch_after_a_move_in_order_is_broken(deeds: tuple[Command, ...]) -> None:
    with pytest.raises(AssertionError, match="mismatch with"):
        left_alone(*deeds).check("mismatch", set())


def asked(landed: str, black: str) -> None:
    """Judge a question after White's piece left g7 and one landed; Black also stands on c5."""
    lift, put = {"lift": "g7"}, {"put": landed, "piece": WHITE}
    placed = ("g7", "c5", "a1", black)
    judge = left_alone(lift, {"wait": 0.2}, put, rules="lasker", placed=placed)
    judge.check("undecided", {("g7", "lifted"), (landed, "unclear")})


def test_rest_piece_taken_early_may_be_one_that_moves() -> None:
    asked("f4", black="e5")  # Black takes g7 by a mill on d5, or has replied while White moves that piece


@pytest.mark.parametrize("landed", ["d7", "f4"])
def test_rest_question_with_one_answer_is_broken(landed: str) -> None:
    with pytest.raises(AssertionError, match="there is only"):
        asked(landed, black="e4")


def test_rest_reply_may_land_early_as_a_turn_is_thought_over() -> None:
    deeds: list[Command] = [{"lift": "a1"}, {"wait": 0.3}, {"lift": "c5"}, {"wait": 0.1}, {"lift": "c3"}]
    deeds += [{"wait": 0.1}, {"put": "c4", "piece": BLACK}]
    judge = left_alone(*deeds, rules="lasker", placed=("g7", "c5", "c3", "a1"))
    judge.check("undecided", {("a1", "lifted"), ("c3", "lifted"), ("c5", "lifted"), ("c4", "unclear")})


@pytest.mark.parametrize(("carried", "counts"), [(1.9, True), (2.1, False)])
def test_rest_captured_piece_moves_on_within_two_seconds(carried: float, counts: bool) -> None:
    judge = left_alone({"lift": "c4"}, {"wait": carried}, {"put": "b4", "piece": BLACK})
    judge.case.score.steps += ["d6-d5", "xc4"]
    judge.case.score.starts.append(len(PLACED))
    moved = Way(("x-", "c4-b4"), (0, 2), frame=())
    assert judge._lifted_first([moved]) == [moved] * counts


@pytest.mark.parametrize("leaves", [False, True])
def test_rest_turn_whose_piece_stands_where_it_landed_is_not_thought_over(leaves: bool) -> None:
    judge = left_alone(LIFT, {"wait": 0.3}, {"put": "d5", "piece": WHITE}, {"wait": 1.0})
    judge.case.score.step({"event": "step", "text": "d6-d5", "by": WHITE})
    judge.case.committed = judge.case.table.now
    lift: list[Command] = [{"lift": "d5"}, {"wait": 0.3}]
    for deed in ({"wait": 0.1}, *lift * leaves, {"put": "d6", "piece": WHITE}):
        assert judge.case.table.do(deed), deed
    placed = Way(("d6",), (1,), frame=())
    assert judge._lifted_first([placed]) == [placed] * leaves


def asked_about_the_last_turn(*deeds: Command) -> None:
    """Judge a question after White's piece came back from g4 to g7, where Black could place as well."""
    moved: list[Command] = [{"lift": "g7"}, {"put": "g4", "piece": WHITE}, {"wait": 1.0}]
    placed = ("g7", "a7", "g1", "d7")
    judge = left_alone(*moved, rules="lasker pieces=4 flying=never", placed=placed)
    judge.case.score.step({"event": "step", "text": "g7-g4", "by": WHITE})
    judge.case.matched()
    for deed in (*deeds, {"wait": REST + 0.1}):
        assert judge.case.table.do(deed), deed
    judge.check("undecided", {("g4", "lifted"), ("g7", "unclear")})


def test_rest_last_turn_undone_is_a_reading() -> None:
    asked_about_the_last_turn({"lift": "g4"}, {"put": "g7", "piece": WHITE})


def test_rest_piece_back_before_it_left_undoes_nothing() -> None:
    with pytest.raises(AssertionError, match="there is only"):
        asked_about_the_last_turn({"put": "g7", "piece": WHITE}, {"wait": 0.1}, {"lift": "g4"})


def test_rest_question_is_answered_by_going_back() -> None:
    judge = left_alone(placed=("d7", "b4", "a1", "c5", "e3", "e4", "a4", "c3"))
    score, table = judge.case.score, judge.case.table
    thought_over: tuple[Command, ...] = (
        *({"lift": "b4"}, {"wait": 0.2}, {"put": "b2", "piece": BLACK}, {"wait": 0.05}, {"lift": "b2"}),
        *({"wait": 0.05}, {"lift": "g7"}, {"wait": 0.05}, {"put": "d7", "piece": WHITE}, {"wait": 5.0}),
    )
    played: tuple[Command, ...] = (
        {"lift": "d7"},
        {"wait": 0.3},
        {"put": "g7", "piece": WHITE},
        {"wait": 1.0},
    )
    for deed in played:
        assert table.do(deed), deed
    score.step({"event": "step", "text": "d7-g7", "by": WHITE})
    judge.case.matched()
    for deed in thought_over:
        assert table.do(deed), deed
    judge.check("undecided", {("b4", "lifted"), ("g7", "lifted"), ("d7", "unclear")})
    assert table.do({"put": "b4", "piece": BLACK})
    assert table.do({"wait": 3.5})
    judge.check("mismatch", {("g7", "missing"), ("d7", "extra")})
    judge.case.questioned = None
    with pytest.raises(AssertionError, match="begun"):
        judge.check("mismatch", {("g7", "missing"), ("d7", "extra")})


def test_rest_turn_of_points_touched_after_the_last_one_counts() -> None:
    judge = left_alone()
    frame = judge.case.rested(REST)
    assert frame is not None
    placed = [Way(("f4",), (1,), frame)]
    with pytest.raises(AssertionError, match="was not accepted"):
        judge._check_begun(set(), frame, placed, [])
    judge.case.questioned = tuple(
        "piece" if point == "b2" else r for point, r in zip(POINTS, frame, strict=True)
    )
    judge._check_begun(set(), frame, placed, [])  # b2 was asked about, and is back
    judge.case.questioned = None
    judge.case.committed = judge.case.table.now  # so that all touches belong to turns that count
    judge._check_begun(set(), frame, placed, [])


@pytest.mark.parametrize(("late", "counts"), [(-0.3, True), (0.0, True), (0.02, True), (0.06, False)])
def test_rest_turn_whose_piece_left_after_another_landed_is_not_due(late: float, counts: bool) -> None:
    first, then = (LIFT, PUT) if late < 0 else (PUT, LIFT)
    judge = left_alone(first, {"wait": abs(late)}, then)
    assert judge._was_filled_first(Way(("d6-d5",), (2,), frame=())) is not counts
