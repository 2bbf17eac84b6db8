"""Building sectors side by side: the order, the memory, and what happens when one fails."""

from __future__ import annotations

from threading import Event, Lock

import pytest

from firmware_host.engine.solving.builder import Plan, Team, build_together, plan_of
from firmware_host.engine.table_rules import Sector

PATIENCE_S = 30.0
NEEDS: dict[Sector, frozenset[Sector]] = {
    (3, 3): frozenset(),
    (4, 3): frozenset({(3, 3)}),
    (4, 4): frozenset({(4, 3)}),
    (5, 3): frozenset({(4, 3)}),
}
PLAN = Plan(list(NEEDS), NEEDS, dict.fromkeys(NEEDS, 100))


def silent() -> Team:
    return Team(lambda *_: False, lambda *_: None)


def test_plan_waits_for_what_captures_lead_to() -> None:
    below = {(3, 3): [], (4, 3): [(3, 3)], (3, 4): [(3, 3)], (4, 4): [(3, 4)]}
    plan = plan_of([(3, 3), (4, 3), (4, 4)], lambda one: below[one], sum)
    assert plan.needs == {
        (3, 3): frozenset(),
        (4, 3): frozenset({(3, 3)}),
        (4, 4): frozenset({(4, 3)}),
    }
    assert plan.memory[4, 3] == 7
    later = plan_of([(4, 4)], lambda one: below[one], sum)
    assert later.needs == {(4, 4): frozenset()}  # the others are on the disk


def test_sectors_begin_when_all_before_them_are_done() -> None:
    assert PLAN.startable(list(NEEDS), [], None) == [(3, 3)]
    assert PLAN.startable([(4, 3), (4, 4), (5, 3)], [], None) == [(4, 3)]
    assert PLAN.startable([(4, 4), (5, 3)], [(4, 3)], None) == []
    assert PLAN.startable([(4, 4), (5, 3)], [], None) == [(4, 4), (5, 3)]


def test_sectors_begin_only_while_there_is_memory() -> None:
    assert PLAN.startable([(4, 4), (5, 3)], [], 199) == [(4, 4)]
    assert PLAN.startable([(4, 4), (5, 3)], [], 200) == [(4, 4), (5, 3)]
    assert PLAN.startable([(5, 3)], [(4, 4)], 199) == []
    assert PLAN.startable([(4, 4)], [], 1) == [(4, 4)]  # it was refused before, or never will be


def test_two_sectors_are_built_at_a_time() -> None:
    begun, both, lock = [], Event(), Lock()

    def build_one(sector: Sector) -> None:
        with lock:
            begun.append(sector)
            if {(4, 4), (5, 3)} <= set(begun):
                both.set()
        if sector in ((4, 4), (5, 3)):
            assert both.wait(PATIENCE_S)

    build_together(PLAN, build_one, silent(), 2, None)
    assert begun[:2] == [(3, 3), (4, 3)]
    assert set(begun) == set(NEEDS)


def test_an_error_of_one_ends_the_others() -> None:
    team, waits = silent(), Event()

    def build_one(sector: Sector) -> None:
        if sector == (4, 4):
            assert waits.wait(PATIENCE_S)
            raise ZeroDivisionError
        if sector == (5, 3):
            waits.set()
            while not team.progress(sector, 0, 0, 0):
                pass

    with pytest.raises(ZeroDivisionError):
        build_together(PLAN, build_one, team, 2, None)
    assert team.progress((3, 3), 0, 0, 0)


def test_a_team_that_was_stopped_stays_so() -> None:
    answers = [False, True, False]
    team = Team(lambda *_: answers.pop(0), lambda *_: None)
    assert [team.progress((3, 3), 0, 0, 0) for _ in range(3)] == [False, True, True]
    assert answers == [False]
