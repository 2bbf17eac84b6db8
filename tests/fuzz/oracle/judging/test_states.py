"""The judge of states, on boards that were touched after a few placements."""

from __future__ import annotations

import pytest

from tests.fuzz.oracle import plain_rules as plain
from tests.fuzz.oracle.handiwork import turn_text
from tests.fuzz.oracle.judging.case import JudgedCase
from tests.fuzz.oracle.judging.states import StateJudge
from tests.fuzz.oracle.plain_rules import BLACK, WHITE
from tests.fuzz.oracle.table import Command, OracleTable
from tests.fuzz.oracle.wishes import Wishes

PLACED = ("a1", "e4", "a4", "e3", "d7", "d6", "g1", "f2")
"""Four pieces each; White, to move, may go from d7 to a7, which closes a mill."""


def after(*steps: str) -> JudgedCase:
    """The case of a board on which these placements and then `steps` were played, a second each."""
    case = JudgedCase(OracleTable("polarity", 10), Wishes(), colours=True)
    case.score.begin({"rules": "standard pieces=4 flying=never", "first": WHITE})
    for step in (*PLACED, *steps):
        mover = case.score.now.to_move
        case.score.step({"text": step, "by": mover})
        origin, _, target = step.removeprefix("x").rpartition("-")
        lifted = target if step[0] == "x" else origin
        deeds: list[Command] = [{"lift": lifted}] if lifted else []
        deeds += [{"put": target, "piece": mover}] if step[0] != "x" else [{"box": True}]
        do(case, *deeds, {"wait": 1.0})
    case.matched()
    return case


def do(case: JudgedCase, *deeds: Command) -> None:
    for deed in deeds:
        assert case.table.do(deed), deed


def take_back_announced(case: JudgedCase) -> None:
    """Judge that the last two turns are announced to be taken back, four seconds after their pieces left."""
    do(case, {"lift": "f2"}, {"wait": 0.5}, {"lift": "g1"}, {"wait": 4.0})
    turns = plain.whole_turns(case.score.now)
    StateJudge(case).check(
        {
            "status": "taking-back",
            "position": plain.position_text(case.score.now),
            "to_move": WHITE,
            "held": [BLACK, WHITE],
            "outcome": None,
            "missing": [],
            "extra": [],
            "wrong": [],
            "moves": sorted(map(turn_text, turns)),
            "cues": {"f2": ["take-back"], "g1": ["take-back"]},
        }
    )


def test_states_take_back_that_is_not_taken_is_broken() -> None:
    with pytest.raises(AssertionError, match="announced for"):
        take_back_announced(after())


def test_states_broken_sensor_may_put_a_take_back_off() -> None:
    case = after()
    do(case, {"fault": {"point": "a1", "kind": "weak"}})
    take_back_announced(case)


def test_states_pause_puts_a_take_back_off() -> None:
    case = after()
    do(case, {"lift": "f2"}, {"wait": 0.5}, {"lift": "g1"}, {"wait": 4.0})
    case.counting_since = case.table.now - 1.0
    StateJudge(case)._check_announced({("f2", "take-back"), ("g1", "take-back")})


def test_states_light_of_a_turn_that_nobody_began_is_broken() -> None:
    case = after("g1-d1")
    do(case, {"lift": "e4"}, {"wait": 0.3})
    with pytest.raises(AssertionError, match="b2"):
        StateJudge(case)._check_cues("lifted", {("e4", "lifted"), ("b2", "destination")})


def test_states_light_of_a_long_run_is_counted_and_not_judged() -> None:
    case = after("g1-d1")
    do(case, *({"lift": point} for point in case.score.now.board), {"wait": 0.3})
    StateJudge(case)._check_cues("lifted", {("e4", "lifted"), ("b2", "destination")})
    assert case.counts == {"not judged: lights of a long run": 1}


def test_states_captured_piece_may_be_its_owners_reply() -> None:
    case = after("d7-a7", "xe4")
    do(case, {"knock": {"a7": "g7"}}, {"wait": 0.4})  # White may have thought over where to go from d7
    assert ("f4", "destination") in StateJudge(case)._on_runs(case.table.now)


@pytest.mark.parametrize("waited", [0.05, 0.1])
def test_states_difference_may_be_told_until_a_redo_counts(waited: float) -> None:
    case = after()
    case.score.take_back(len(PLACED) - 3)  # f2, g1 and d6 were taken back
    do(case, {"lift": "d6"}, {"put": "d6", "piece": BLACK}, {"wait": waited})
    told = {"missing": ["a1"], "extra": ["d6", "f2", "g1"], "wrong": []}
    state = {
        "status": "mismatch",
        "cues": {p: [kind] for kind, points in told.items() for p in points},
        "why": "Put back what stood there.",
        **told,
    }
    if waited < 0.1:
        StateJudge(case)._check_differences(state)
        with pytest.raises(AssertionError, match="no sentence"):
            StateJudge(case)._check_differences({**state, "why": None})
        return
    with pytest.raises(AssertionError, match="a1 is told missing"):
        StateJudge(case)._check_differences(state)


@pytest.mark.parametrize("lit", [True, False])
def test_states_board_with_an_error_tells_others_once_at_rest(lit: bool) -> None:
    case = after()
    case.lit = {"c5": "extra"} if lit else {}
    do(case, {"put": "c5", "piece": WHITE}, {"wait": 5.0}, {"put": "c4", "piece": WHITE}, {"wait": 0.9})
    do(case, {"lift": "e3"}, {"wait": 1.0})
    assert StateJudge(case)._may_be_a_brush("c4") == lit
