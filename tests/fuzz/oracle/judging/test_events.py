"""The judge of events, after the power was cut."""

from __future__ import annotations

import pytest

from tests.fuzz.oracle.judging.case import JudgedCase
from tests.fuzz.oracle.judging.events import EventJudge
from tests.fuzz.oracle.plain_rules import WHITE
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
