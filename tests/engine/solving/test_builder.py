"""Building tables: known results, and interruptions."""

import hashlib

import pytest

from firmware_host.engine.solving.builder import Distances, build, missing, order, order_for
from firmware_host.engine.solving.folder import PARTIAL, TableFolder, with_mirror
from firmware_host.engine.solving.library import BuildStoppedError
from firmware_host.engine.table_file import Kind
from firmware_host.errors import TableError
from firmware_host.games.rulesets import rule_set
from tests.engine.conftest import Silent, Stopping

pytestmark = pytest.mark.ci("engine")

KNOWN = {
    (3, 3): (174_485, 35_303, 352, 26),
    (4, 3): (84_303, 3_660, 775_017, 10),
    (3, 4): (126_377, 0, 819_253, 11),
}


def digests(folder):
    return {path.name: hashlib.sha256(path.read_bytes()).digest() for path in sorted(folder.path.iterdir())}


def summary(folder, sector):
    total = folder.open(sector).header.summary
    return total.wins, total.losses, total.draws, total.depth


def test_sectors_have_their_known_numbers(solved):
    _, folder = solved(7)
    assert {sector: summary(folder, sector) for sector in KNOWN} == KNOWN


@pytest.mark.long
def test_sectors_of_ten_stones_have_their_known_numbers(solved):
    _, folder = solved(10)
    assert summary(folder, (5, 5))[:2] == (31_821, 4_628)
    assert folder.open((5, 5)).header.kind is Kind.RESULTS
    assert folder.open((5, 4)).header.kind is Kind.DISTANCES


@pytest.mark.long
def test_wins_without_a_limit_are_deeper_than_a_byte_holds(solved):
    _, folder = solved(10, settings=["quiet=0"], distances=Distances.ALL)
    assert summary(folder, (6, 4)) == (6_255_737, 4, 20_592_699, 153)
    assert folder.open((6, 4)).header.kind is Kind.WIDE_DISTANCES


def test_rules_that_differ_only_before_share_their_tables(solved):
    assert solved(6, "lasker")[1].path == solved(6)[1].path
    assert solved(6, "arena")[1].path != solved(6)[1].path


def test_build_that_is_done_builds_nothing_again(solved):
    _, folder = solved(7)
    assert missing(order(folder, 7)) == []
    build(order(folder, 7), Stopping(0))
    assert missing(order(folder, 8)) == [(5, 3), (4, 4)]
    assert missing(order_for(folder, (3, 5))) == [(5, 3)]


def test_build_side_by_side_writes_the_same_files(library, tmp_path):
    options = rule_set("six").options
    alone, together = (TableFolder.of(options, tmp_path / name) for name in ("alone", "together"))
    build(order(alone, 8), Silent())
    build(order(together, 8), Silent(), 3)
    assert digests(alone) == digests(together)


def test_build_side_by_side_is_stopped(library, tmp_path):
    folder = TableFolder.of(rule_set("six").options, tmp_path)
    with pytest.raises(BuildStoppedError):
        build(order(folder, 8), Stopping(30), 2)
    build(order(folder, 8), Silent(), 2)
    assert missing(order(folder, 8)) == []


@pytest.mark.parametrize("number", [0, 1, 5, 20, 60])
def test_build_goes_on_after_an_interruption(library, tmp_path, number):
    options = rule_set("six").options
    whole, cut = (TableFolder.of(options, tmp_path / name) for name in ("whole", "cut"))
    build(order(whole, 7), Silent())
    with pytest.raises(BuildStoppedError):
        build(order(cut, 7), Stopping(number))
    assert not list(cut.path.glob(PARTIAL))
    (cut.path / ".4-3.mwt.new").write_bytes(b"half")
    build(order(cut, 7), Silent())
    assert digests(cut) == digests(whole)


def test_sector_that_is_damaged_is_built_again(solved):
    _, folder = solved(6)
    path = folder.file((3, 3))
    good = path.read_bytes()
    path.write_bytes(good[:-1])
    build(order(folder, 6), Silent())
    assert path.read_bytes() == good


def test_sector_is_not_built_on_damaged_values(solved):
    _, folder = solved(6)
    path = folder.file((3, 3))
    data = bytearray(path.read_bytes())
    data[100_000] ^= 1
    path.write_bytes(data)
    with pytest.raises(TableError, match="damaged; delete it and make it again"):
        build(order(folder, 7), Silent())
    assert not folder.file((4, 3)).exists()


def test_build_refuses_with_figures_what_memory_cannot_hold(library, tmp_path):
    folder = TableFolder.of(rule_set("standard").options, tmp_path)
    with pytest.raises(TableError, match=r"sector 8-7 needs 2,2\d\d MB of memory, and 1,000 MB are allowed"):
        build(order(folder, 18, max_memory=10**9), Silent())
    assert [path.name for path in folder.path.iterdir()] == ["rules.txt"]


def test_build_refuses_with_figures_what_the_disk_cannot_hold(library, tmp_path, monkeypatch):
    monkeypatch.setattr("shutil.disk_usage", lambda path: type("Usage", (), {"free": 10**6}))
    folder = TableFolder.of(rule_set("standard").options, tmp_path)
    with pytest.raises(TableError, match="the tables need 2 MB, and 1 MB are free"):
        build(order(folder, 7), Silent())


def test_rules_without_tables_are_refused(tmp_path):
    options = rule_set("arena", ["quiet=100"]).options
    with pytest.raises(TableError, match="set quiet=0"):
        order(TableFolder.of(options, tmp_path), 9)


def test_sector_that_cannot_exist_is_refused(tmp_path):
    folder = TableFolder.of(rule_set("standard").options, tmp_path)
    with pytest.raises(TableError, match="each player has 3 to 9 stones"):
        order_for(folder, (10, 3))
    assert with_mirror((3, 3)) == [(3, 3)]
