"""The openings that are solved, in `tests/data`: none is missing, and no certificate contradicts one."""

from __future__ import annotations

import pytest

from firmware_host.games.game import Player
from firmware_host.games.morris.position import MorrisRules
from firmware_host.games.rulesets import rule_set
from firmware_host.games.values import Result
from tests.engine.measuring.ladder import TABLES
from tests.engine.measuring.openings import SOLVED, Opening, classes, game_of, is_safe, solved


@pytest.fixture(scope="module")
def results() -> dict[Opening, Result]:
    return solved(SOLVED)


def test_solved_openings_are_all_that_two_turns_make(results: dict[Opening, Result]) -> None:
    points = [str(point) for point in rule_set().layout.points]
    assert results.keys() == {(one, other) for one in points for other in points if one != other}


def test_solved_openings_are_counted_and_checked() -> None:
    rules = rule_set()
    assert isinstance(rules, MorrisRules)
    lines = [line for line in SOLVED.read_text("ascii").splitlines() if not line.startswith("#")]
    fields = [[field.strip() for field in line.split("|")] for line in lines]
    assert [(opening, int(count)) for opening, count, _result, _checked in fields] == [
        (" ".join(one), len(members)) for one, members in classes(rules).items()
    ]
    assert {checked for *_rest, checked in fields} == {"yes"}


@pytest.mark.ci("engine")
@pytest.mark.parametrize(("own", "lost"), [(Player.WHITE, Result.LOSS), (Player.BLACK, Result.WIN)], ids=str)
def test_solved_openings_near_a_certificate_are_not_lost(
    results: dict[Opening, Result], own: Player, lost: Result
) -> None:
    near = [opening for opening in results if is_safe(game_of(opening), own, TABLES)]
    assert near
    assert lost not in {results[opening] for opening in near}
