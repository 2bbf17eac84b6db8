"""The file of solved sectors: what it holds, and that damage never gives a value."""

import io
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.engine import table_file
from firmware_host.engine.solving.folder import write_parts
from firmware_host.engine.table_file import (
    BLOCK_SIZE,
    BlockCache,
    Compression,
    FileData,
    Header,
    Kind,
    SectorTable,
    TableSummary,
    read_sectors,
    sector_bytes,
)
from firmware_host.engine.table_rules import rules_id
from firmware_host.errors import TableError
from firmware_host.games.rulesets import MILL_SETS
from firmware_host.games.values import Result
from tests.support.examples import few

pytestmark = pytest.mark.ci("engine")

IDS = rules_id(MILL_SETS["standard"])
FORMS = [(kind, compression) for kind in Kind for compression in Compression]
REPRESENTATIVES = [7, 11, 19]


def values(kind, positions):
    size = {Kind.RESULTS: -(-positions // 4), Kind.DISTANCES: positions, Kind.WIDE_DISTANCES: 2 * positions}[
        kind
    ]
    rng = random.Random(size)
    return bytes(rng.choice([0, 1, 2, 0x18, 0x42]) for _ in range(size))


def sector_file(kind=Kind.DISTANCES, compression=Compression.NONE, positions=3000, sector=(3, 3)):
    data = values(kind, positions)
    blocks = [data[at : at + BLOCK_SIZE] for at in range(0, len(data), BLOCK_SIZE)]
    header = Header(kind, compression, IDS, *sector, TableSummary(positions, 0, 0, 5), 0, 0, 0)
    file = io.BytesIO()
    write_parts(file, sector_bytes(header, REPRESENTATIVES, blocks))
    return file.getvalue()


@pytest.mark.parametrize(("kind", "compression"), FORMS)
def test_file_gives_the_values_it_was_made_of(kind, compression):
    positions = 5 * BLOCK_SIZE + 3
    table = SectorTable(memoryview(sector_file(kind, compression, positions)))
    data = values(kind, positions)
    assert list(table.representatives) == REPRESENTATIVES
    assert table.header.summary.positions == positions
    for at in (0, 1, 2, 3, BLOCK_SIZE, 4 * BLOCK_SIZE + 1, positions - 1):
        result, distance = table.value(at)
        if kind is Kind.RESULTS:
            code = data[at // 4] >> at % 4 * 2 & 3
            assert (result, distance) == (list(Result)[[1, 0, 2][code]], None)
        elif kind is Kind.DISTANCES:
            assert (result, distance) == ((Result.WIN, data[at]) if data[at] else (Result.DRAW, None))


def test_distances_of_a_loss_are_told_from_those_of_a_win():
    blocks = [bytes([0, 1, 127, 128, 255])]
    file = io.BytesIO()
    header = Header(Kind.DISTANCES, Compression.ZLIB, IDS, 3, 3, TableSummary(2, 2, 1, 127), 0, 0, 0)
    write_parts(file, sector_bytes(header, REPRESENTATIVES, blocks))
    table = SectorTable(memoryview(file.getvalue()))
    wins, losses = [(Result.WIN, 1), (Result.WIN, 127)], [(Result.LOSS, 0), (Result.LOSS, 127)]
    assert [table.value(at) for at in range(5)] == [(Result.DRAW, None), *wins, *losses]


def read_all(data):
    table = SectorTable(memoryview(data))
    return [table.value(at) for at in range(table.header.summary.positions)]


@pytest.mark.parametrize(("kind", "compression"), FORMS)
@few(60)
@given(data=st.data())
def test_flipped_bit_never_gives_a_value(kind, compression, data):
    whole = sector_file(kind, compression)
    at = data.draw(st.integers(0, 8 * len(whole) - 1))
    damaged = bytearray(whole)
    damaged[at // 8] ^= 1 << at % 8
    with pytest.raises(TableError):
        read_all(damaged)


@pytest.mark.parametrize(("kind", "compression"), FORMS)
@few(30)
@given(data=st.data())
def test_cut_file_never_gives_a_value(kind, compression, data):
    whole = sector_file(kind, compression)
    with pytest.raises(TableError):
        read_all(whole[: data.draw(st.integers(0, len(whole) - 1))])


@pytest.mark.parametrize(("kind", "compression"), FORMS)
def test_file_on_the_disk_is_read_block_by_block(kind, compression, tmp_path):
    whole, path = sector_file(kind, compression, 3 * BLOCK_SIZE), tmp_path / "3-3.mwt"
    path.write_bytes(whole)
    read: list[int] = []

    class Watched(FileData):
        def __getitem__(self, part):
            found = super().__getitem__(part)
            read.append(len(found))
            return found

    table = SectorTable(Watched(path))
    for at in (0, 1, 3 * BLOCK_SIZE - 1, 0):
        read.clear()
        assert table.value(at) == SectorTable(memoryview(whole)).value(at)
        assert sum(read) <= BLOCK_SIZE
    assert not read


def test_blocks_of_all_tables_share_one_cache(tmp_path, monkeypatch):
    monkeypatch.setattr(table_file, "_BLOCKS", BlockCache(2))
    path = tmp_path / "3-3.mwt"
    path.write_bytes(sector_file(positions=3 * BLOCK_SIZE))
    one, other = (SectorTable(FileData(path)) for _ in range(2))
    kept = [one.block(0), other.block(0)]
    assert [one.block(0) is kept[0], other.block(0) is kept[1]] == [True, True]
    other.block(1)
    assert other.block(0) is kept[1]
    assert one.block(0) is not kept[0]


def test_damage_in_one_block_leaves_the_others_readable():
    whole = bytearray(sector_file(positions=2 * BLOCK_SIZE))
    whole[-100 - BLOCK_SIZE] ^= 1
    table = SectorTable(memoryview(whole))
    table.value(2 * BLOCK_SIZE - 1)
    with pytest.raises(TableError, match="a part of the table is damaged"):
        table.value(BLOCK_SIZE - 1)


def test_several_sectors_in_a_file_are_read_in_order():
    both = sector_file(sector=(3, 3)) + sector_file(Kind.RESULTS, Compression.ZLIB, sector=(4, 3))
    tables = read_sectors(memoryview(both), "both.mwt")
    assert [(one.header.mine, one.header.kind, one.name) for one in tables] == [
        (3, Kind.DISTANCES, "both.mwt"),
        (4, Kind.RESULTS, "both.mwt"),
    ]
    with pytest.raises(TableError):
        read_sectors(memoryview(both + b"x"), "both.mwt")


def test_file_of_another_program_is_refused():
    with pytest.raises(TableError, match="not a table"):
        SectorTable(memoryview(b"SQLite format 3\0" * 20))
