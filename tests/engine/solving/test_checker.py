"""The check of tables by code that shares nothing with their builder."""

import random

import pytest

from firmware_host.engine.solving.builder import order
from firmware_host.engine.solving.checker import check_by_rules, check_in_c
from firmware_host.engine.solving.folder import open_tables, with_mirror
from firmware_host.engine.tables import Tables
from firmware_host.games.rulesets import MILL_SETS
from tests.support.engine.tables import with_wrong_value
from tests.support.matrix import sampled

TABLED = [name for name in MILL_SETS if name != "pounding"]


def go_on(stage, done, total):
    return False


def sectors(folder, stones):
    return [each for one in order(folder, stones).sectors for each in with_mirror(one)]


@pytest.mark.ci("engine")
@pytest.mark.parametrize("name", sampled(["six", *(name for name in TABLED if name != "six")], 1))
def test_each_value_of_a_rule_set_follows_from_its_turns(solved, tmp_path, name):
    stones = 8 if name == "six" else 7
    rules, folder = solved(stones, name)
    tables = open_tables(tmp_path / "tables")
    rng = random.Random(3)
    for sector in sectors(folder, stones):
        assert check_in_c(rules.options, folder.open, sector, 0, 1, go_on).wrong == 0
        table = folder.open(sector)
        some = [rng.randrange(table.header.summary.positions) for _ in range(40)]
        assert list(check_by_rules(rules, tables, table, some)) == []


def test_each_planted_value_is_found(solved):
    rules, folder = solved(7, "six")
    tables = {one: folder.open(one) for one in sectors(folder, 7)}
    rng = random.Random(4)
    missed = []
    for _ in range(100):
        sector = rng.choice([(4, 3), (3, 4), (3, 3)])
        at = rng.randrange(tables[sector].header.summary.positions)
        planted = tables | {sector: with_wrong_value(tables[sector], at, rng)}
        found = check_in_c(rules.options, planted.get, sector, at, 10**9, go_on)
        by_rules = Tables()
        by_rules.add(planted.values())
        proved = [wrong.index for wrong in check_by_rules(rules, by_rules, planted[sector], [at])]
        if (found.wrong, found.first, proved) != (1, at, [at]):
            missed.append((sector, at, found, proved))
    assert missed == []
