"""The values of positions that tables know."""

from itertools import product
from pathlib import Path
from weakref import WeakSet

import pytest

from firmware_host.engine.certificate import certificate_id
from firmware_host.engine.solving import folder as folder_module
from firmware_host.engine.solving.folder import BuiltTable, open_tables, tables_path
from firmware_host.engine.table_file import FileData, Kind, SectorTable
from firmware_host.engine.table_rules import PlacingSector, rules_id, sectors
from firmware_host.engine.tables import Tables, best_value
from firmware_host.games.morris.rules import MorrisState
from firmware_host.games.rulesets import rule_set
from firmware_host.games.values import Result, Value
from tests.support.engine.tables import STANDARD, damaged, filled
from tests.support.games.morris import mill_rules

MINE, THEIRS = 0b1_0000_0011, 0b1110_0000_0000_0000


def tables_of(*files, report=None):
    tables = Tables(report or (lambda table, reason: None))
    tables.add(SectorTable(memoryview(one), f"file {number}") for number, one in enumerate(files))
    return tables


def state(quiet=0, **others):
    return MorrisState(MINE, THEIRS, 0, 0, 0, 0, quiet)._replace(**others)


@pytest.mark.parametrize(
    ("cell", "quiet", "expected"),
    [
        (0, 0, Value(Result.DRAW, None, exact=True)),
        (7, 0, Value(Result.WIN, 7, exact=True)),
        (7, 93, Value(Result.WIN, 7, exact=True)),
        (7, 94, Value(Result.DRAW, None, exact=True)),
        (128 + 6, 94, Value(Result.LOSS, 6, exact=True)),
        (128 + 6, 95, Value(Result.DRAW, None, exact=True)),
    ],
)
def test_win_that_the_limit_takes_is_a_draw(cell, quiet, expected):
    assert tables_of(filled(cell)).probe(STANDARD, state(quiet)) == expected


@pytest.mark.parametrize(
    ("quiet", "expected"),
    [
        (0, Value(Result.WIN, None, exact=True)),
        (50, Value(Result.WIN, None, exact=True)),
        (51, Value(Result.WIN, None, exact=False)),
        (99, Value(Result.WIN, None, exact=False)),
    ],
)
def test_win_without_a_distance_is_sure_while_time_is_left(quiet, expected):
    assert tables_of(filled(0b01010101, Kind.RESULTS, depth=50)).probe(STANDARD, state(quiet)) == expected


def test_table_with_distances_is_preferred():
    both = [filled(0b01010101, Kind.RESULTS), filled(9)]
    for files in (both, both[::-1]):
        assert tables_of(*files).probe(STANDARD, state()).distance == 9


def test_removal_that_is_due_takes_the_best_stone():
    four = THEIRS | 1 << 20
    tables = tables_of(filled(128 + 4))
    assert tables.probe(STANDARD, state(theirs=four, due=1)) == Value(Result.WIN, 1, exact=True)
    assert tables_of(filled(5)).probe(STANDARD, state(theirs=four, due=1)) == Value(
        Result.LOSS, 1, exact=True
    )


def test_removal_of_the_third_stone_wins():
    assert Tables().probe(STANDARD, state(due=1)) == Value(Result.WIN, 1, exact=True)


def test_positions_that_no_table_holds_have_no_value():
    tables = tables_of(filled(7))
    assert tables.probe(STANDARD, state(my_hand=1)) is None
    assert tables.probe(STANDARD, state(theirs=THEIRS | 1 << 20)) is None
    assert tables.probe(rule_set("arena"), state()) is None
    assert tables.probe(rule_set("standard", ["quiet=0"]), state()) is None
    assert tables.probe(rule_set("standard", ["removal=may"]), state()) is None


def test_known_sectors_are_those_with_a_table():
    tables = tables_of(filled(7), filled(7, sector=(3, 4)))
    assert tables.known(STANDARD) == tables.known(rule_set("lasker")) == {(3, 3), (3, 4)}
    assert tables.known(rule_set("arena")) == frozenset()
    unsolvable = mill_rules("standard", ["removal=may"])
    assert tables_of(filled(7, rules=unsolvable)).known(unsolvable) == frozenset()


def test_rest_is_known_once_all_later_placements_have_tables():
    tables, start = open_tables(), STANDARD.mechanics.start(black=False)
    unopened = BuiltTable(Path("unopened.mwt"))
    assert not tables.know_rest(STANDARD, start)
    assert tables.know_rest(STANDARD, state())
    for placed in range(9, 18):
        mine, hand = placed // 2, 9 - placed // 2
        later = PlacingSector(mine, placed - mine, hand, 9 - (placed - mine))
        assert not tables.know_rest(STANDARD, start)
        tables.add_source(certificate_id(STANDARD.options), later, unopened)
    assert not tables.know_rest(STANDARD, start)
    tables.add_source(rules_id(STANDARD.options), (9, 9), unopened)
    assert tables.know_rest(STANDARD, start)


def test_rules_that_differ_only_in_placing_share_values():
    assert tables_of(filled(7)).probe(rule_set("lasker"), state()).distance == 7


def test_damaged_table_is_dropped_and_reported_once():
    reports = []
    tables = tables_of(damaged(), report=lambda table, reason: reports.append((table.name, reason)))
    assert [tables.probe(STANDARD, state()) for _ in range(3)] == [None] * 3
    assert reports == [("file 0", "a part of the table is damaged")]
    assert tables.sectors(STANDARD) == []


def test_files_that_cannot_be_used_are_reported_and_left_out(tmp_path):
    reports = []
    folder = tmp_path / rules_id(STANDARD.options).hex()
    folder.mkdir()
    (folder / "3-3.mwt").write_bytes(filled(7))
    (folder / "4-3.mwt").write_bytes(filled(7)[:1000])
    (folder / "5-3.mwt").touch()
    tables = open_tables(tmp_path, reports.append, shipped=tmp_path / "missing.mwt")
    assert tables.probe(STANDARD, state()).distance == 7
    assert len(reports) == 1
    assert [table.name for table in tables.sectors(STANDARD)] == [str(folder / "3-3.mwt")]
    assert len(reports) == 3
    assert all(text.endswith("it is not used") for text in reports)


def test_built_files_are_opened_when_needed_and_a_few_at_a_time(tmp_path, monkeypatch):
    opened = WeakSet()

    class Counted(FileData):
        def __init__(self, path):
            super().__init__(path)
            opened.add(self)

    monkeypatch.setattr(folder_module, "FileData", Counted)
    folder = tmp_path / rules_id(STANDARD.options).hex()
    folder.mkdir()
    for sector in product(range(3, 8), range(3, 7)):
        (folder / f"{sector[0]}-{sector[1]}.mwt").write_bytes(filled(7, sector=sector))
    tables = open_tables(tmp_path, shipped=tmp_path / "missing.mwt")
    assert len(tables.known(STANDARD)) == 20
    assert len(opened) == 0
    assert tables.probe(STANDARD, state()).distance == 7
    assert len(opened) == 1
    assert len(tables.sectors(STANDARD)) == 20
    assert len(opened) == 16
    assert tables.probe(STANDARD, state()).distance == 7


def test_built_file_under_a_wrong_name_is_reported_and_left_out(tmp_path):
    reports = []
    folder = tmp_path / rules_id(STANDARD.options).hex()
    folder.mkdir()
    (folder / "4-3.mwt").write_bytes(filled(7))
    (folder / "notes.mwt").write_bytes(filled(7))
    tables = open_tables(tmp_path, reports.append)
    assert not any(table.name.startswith(str(folder)) for table in tables.sectors(STANDARD))
    assert reports == [
        f"{folder / 'notes.mwt'}: its name isn't that of a sector; it is not used",
        f"{folder / '4-3.mwt'}: the table is not the one that its name says; it is not used",
    ]


@pytest.mark.parametrize(
    ("environ", "path"),
    [
        ({"MILLWRIGHT_TABLES": "/mine", "CACHE_DIRECTORY": "/var/cache/millwright"}, "/mine"),
        ({"CACHE_DIRECTORY": "/var/cache/millwright", "HOME": "/h"}, "/var/cache/millwright/tables"),
        ({"CACHE_DIRECTORY": "/a:/b"}, "/a/tables"),
        ({"XDG_CACHE_HOME": "/c", "HOME": "/h"}, "/c/millwright/tables"),
        ({"XDG_CACHE_HOME": "relative", "HOME": "/h"}, "/h/.cache/millwright/tables"),
    ],
)
def test_tables_path_is_the_first_that_is_named(environ, path):
    assert str(tables_path(environ)) == path


def test_best_value_is_that_of_the_fastest_win_or_slowest_loss():
    def of(result, distance, exact=True):
        return Value(result, distance, exact)

    win, loss, draw = Result.WIN, Result.LOSS, of(Result.DRAW, None)
    assert best_value([]) == of(loss, 0)
    assert best_value([of(win, 5), draw, of(win, 3)]) == of(win, 3)
    assert best_value([of(loss, 4), of(loss, 8)]) == of(loss, 8)
    assert best_value([of(loss, 4, exact=False), draw]) == draw
    assert best_value([of(loss, 4), of(loss, None, exact=False)]) == of(loss, None, exact=False)
    assert best_value([of(win, None, exact=False), of(win, None)]) == of(win, None)


def test_sectors_come_after_those_that_captures_lead_to():
    found = sectors(18, 9, 24)
    assert len({each for one in found for each in (one, one[::-1])}) == 49
    for at, (larger, smaller) in enumerate(found):
        below = [(larger, smaller - 1), (larger - 1, smaller)]
        assert all(min(one) < 3 or (max(one), min(one)) in found[:at] for one in below)
