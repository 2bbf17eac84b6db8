"""The judge of events: after the power was cut, at the end of a game, and beside faults."""

from __future__ import annotations

from contextlib import nullcontext

import pytest

from tests.fuzz.oracle.judging.case import JudgedCase
from tests.fuzz.oracle.judging.events import EventJudge
from tests.fuzz.oracle.plain_rules import WHITE
from tests.fuzz.oracle.score import Object
from tests.fuzz.oracle.table import Command, OracleTable
from tests.fuzz.oracle.wishes import Wishes

BREAK: Command = {"fault": {"point": "a1", "kind": "stuck-on"}}


def found(*deeds: Command) -> JudgedCase:
    """The case in which the power comes back after a1 was played and `deeds` done; then all is repaired."""
    table = OracleTable("polarity", 9)
    case = JudgedCase(table, Wishes(), colours=True)
    judge = EventJudge(case)
    for deed in (*deeds, {"wait": 1.0}):
        assert table.do(deed), deed
    case.score.begin({"rules": "standard", "first": WHITE})
    case.score.step({"event": "step", "text": "a1", "by": WHITE})
    judge.follow([{"t": 1.0, "event": "power"}, {"t": 1.0, "event": "continued", "ply": 1}])
    table.do({"wait": 0.05})
    table.do({"repair": True})
    table.do({"wait": 1.1})
    return case


def taken_back(*deeds: Command) -> JudgedCase:
    """The same case, in which a1 is taken back a second later."""
    case = found(*deeds)
    EventJudge(case).follow([{"t": 2.07, "event": "taken-back", "ply": 0}])
    return case


def test_events_broken_sensor_may_have_shown_the_last_turn() -> None:
    assert taken_back(BREAK).score.steps == []


def test_events_older_turn_taken_back_within_three_seconds_is_broken() -> None:
    with pytest.raises(AssertionError, match="only"):
        taken_back()


@pytest.mark.parametrize(("deeds", "moments"), [((BREAK,), 1), ((), 0)])
def test_events_only_a_broken_sensor_lets_a_turn_be_thought_over_after_a_cut(
    deeds: tuple[Command, ...], moments: int
) -> None:
    assert len(found(*deeds).thought_over) == moments


@pytest.mark.parametrize("stood", [0.7, 1.2])
def test_events_announced_take_back_counts_once_hands_play_on(stood: float) -> None:
    case = begun("standard", "a1", "d6", "g7")
    do(case, {"lift": "g7"}, {"wait": 0.3}, {"lift": "d6"}, {"wait": stood})
    do(case, {"put": "b4", "piece": "black"}, {"wait": 0.26})
    with nullcontext() if stood > 1 else pytest.raises(AssertionError, match="only"):
        EventJudge(case).follow([{"t": case.table.now, "event": "taken-back", "ply": 1}])


@pytest.mark.parametrize("stood", [0.7, 1.2])
def test_events_turns_put_forward_from_an_announced_take_back_stay(stood: float) -> None:
    case = begun("standard", "a1", "d6", "g7", "b4")
    do(case, {"lift": "b4"}, {"wait": 0.3}, {"lift": "g7"}, {"wait": 0.3}, {"lift": "d6"}, {"wait": stood})
    do(case, {"put": "d6", "piece": "black"}, {"wait": 1.05})
    with nullcontext() if stood > 1 else pytest.raises(AssertionError, match="only"):
        EventJudge(case).follow([{"t": case.table.now, "event": "taken-back", "ply": 2}])


def begun(rules: str, *placed: str) -> JudgedCase:
    """The case of a board with colours on which these pieces were placed, a second each."""
    case = JudgedCase(OracleTable("polarity", 9), Wishes(), colours=True)
    EventJudge(case).follow([{"t": 0.0, "event": "game", "rules": rules, "first": WHITE}])
    for point in placed:
        mover = case.score.now.to_move
        do(case, {"put": point, "piece": mover}, {"wait": 1.0})
        case.score.step({"event": "step", "text": point, "by": mover})
        case.committed = case.table.now
    case.matched()
    return case


def do(case: JudgedCase, *deeds: Command) -> None:
    for deed in deeds:
        assert case.table.do(deed), deed


def count(case: JudgedCase, *events: tuple[str, str]) -> None:
    """Judge the steps of a whole turn that count now."""
    now = case.table.now
    told = [{"t": now, "event": kind, "text": text, "by": case.score.now.to_move} for kind, text in events]
    EventJudge(case).follow(told)


@pytest.mark.parametrize("quiet", [2, 100])
def test_events_pieces_may_be_taken_off_once_the_reply_ended_the_game(quiet: int) -> None:
    case = begun(f"standard pieces=3 flying=never quiet={quiet}", "a7", "b6", "d6", "d7", "g7", "g1")
    do(case, {"lift": "d6"}, {"wait": 0.1}, {"put": "d5", "piece": WHITE}, {"wait": 0.02})
    do(case, {"lift": "d7"}, {"wait": 0.02}, {"put": "d6", "piece": "black"}, {"wait": 0.05})
    do(case, {"lift": "b6"}, {"wait": 0.17})
    with nullcontext() if quiet == 2 else pytest.raises(AssertionError, match="readings are not of"):
        count(case, ("step", "d6-d5"), ("turn", "d6-d5"))


def test_events_dead_chip_may_have_rested_before_a_turn_is_thought_over() -> None:
    case = begun("standard", "a1", "d1", "a4", "d2", "a7")
    do(case, {"lift": "d1"}, {"wait": 0.5})
    count(case, ("step", "xd1"), ("turn", "a7xd1"))
    do(case, {"wait": 1.2}, {"put": "d1", "piece": "black"}, {"wait": 0.5})
    count(case, ("step", "d1"), ("turn", "d1"))
    again: list[Object] = [{"event": "taken-back", "ply": 5}, {"event": "step", "text": "xd2", "by": WHITE}]
    again.append({"event": "turn", "text": "a7xd2", "by": WHITE})
    do(case, {"fault": {"mux": 0, "kind": "dead"}}, {"wait": 1.1})
    EventJudge(case).follow([{"t": case.table.now, **event} for event in again])
    assert case.score.last_turn == ("a7", "xd2")


def test_events_game_that_begins_by_itself_begins_every_wait() -> None:
    case = begun("standard")
    do(case, {"wait": 5.0})
    EventJudge(case).follow([{"t": 5.0, "event": "game", "rules": "standard", "first": WHITE}])
    assert case.rested(1.1) is None


@pytest.mark.parametrize(("pause", "is_beginning"), [(0.107, True), (0.05, False)])
def test_events_reply_before_a_pause_belongs_to_the_beginning(pause: float, is_beginning: bool) -> None:
    case = begun("standard", "e5", "c5")
    do(case, {"put": "d6", "piece": WHITE}, {"wait": 0.02}, {"put": "b6", "piece": "black"})
    do(case, {"wait": pause}, {"knock": {"e5": "g1"}}, {"wait": 0.23 - pause})
    with nullcontext() if is_beginning else pytest.raises(AssertionError, match="readings are not of"):
        count(case, ("step", "d6"), ("turn", "d6"))
