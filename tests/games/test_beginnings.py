"""The shortest beginnings of turns that touch given points, against all turns."""

from __future__ import annotations

from random import Random

import pytest

from firmware_host.games.game import Player, Position, Step
from firmware_host.games.rulesets import MILL_SETS, rule_set


def positions(name: str, count: int, luck: Random) -> list[Position]:
    """Positions of random games by a rule set, in the middle of turns too."""
    rules = rule_set(name)
    found: list[Position] = []
    position: Position = rules.start(Player.WHITE)
    while len(found) < count:
        found.append(position)
        steps = position.legal_steps()
        closing = [step for step in steps if position.play(step).removal_due]
        wanted = closing if closing and luck.random() < 0.7 else steps
        position = position.play(luck.choice(wanted)) if steps else rules.start(Player.WHITE)
    return found


def touched(steps: tuple[Step, ...]) -> tuple[set[int], set[int]]:
    """The points that steps leave, and those on which they land."""
    left = {step.origin.index for step in steps if step.origin is not None}
    return left, {step.target.index for step in steps if step.target is not None}


def shortest(position: Position, vacated: set[int], filled: set[int]) -> set[tuple[Step, ...]]:
    """The beginnings of all turns, as short as they touch these points."""
    found = set()
    for steps in position.legal_runs():
        for count in range(1, len(steps) + 1):
            left, landed = touched(steps[:count])
            if vacated <= left and filled <= landed:
                found.add(steps[:count])
                break
    return found


@pytest.mark.parametrize("name", [*MILL_SETS, "mitsudomoe"])
def test_beginnings_are_the_shortest_of_all_turns(name: str) -> None:
    luck = Random(name)
    for position in positions(name, 25, luck):
        turns = list(position.legal_runs())
        for _ in range(4 if turns else 0):
            left, landed = touched(luck.choice(turns))
            vacated = set(luck.sample(sorted(left), luck.randint(0, len(left))))
            filled = set(luck.sample(sorted(landed), luck.randint(0, len(landed))))
            if vacated or filled:
                found = list(position.beginnings(vacated, filled))
                assert len(found) == len(set(found))
                assert set(found) == shortest(position, vacated, filled)


def test_no_turn_begins_so_that_it_lands_on_two_points_of_a_mill_board() -> None:
    assert list(rule_set("standard").start(Player.WHITE).beginnings((), (1, 2))) == []


def test_no_turn_begins_in_a_position_that_is_over() -> None:
    rules = rule_set("standard")
    over = rules.position("O*O***@*/********/@******* w m s 2 0 2 0 0 0 0 0 0 0 0 0 1")
    assert over.outcome is not None
    assert list(over.beginnings((0,), ())) == []
