"""Tables of values that are made up, damaged or wrong."""

from __future__ import annotations

import io
from pathlib import Path
from random import Random

from firmware_host.engine.index import SectorIndex
from firmware_host.engine.solving.folder import write_parts
from firmware_host.engine.table_file import (
    BLOCK_SIZE,
    Compression,
    Header,
    Kind,
    SectorTable,
    TableSummary,
    sector_bytes,
)
from firmware_host.engine.table_rules import rules_id
from firmware_host.engine.tables import sector_index
from firmware_host.games.morris.position import MorrisRules
from tests.support.games.morris import mill_rules

STANDARD = mill_rules("standard")
SECTOR = (3, 3)
POSITIONS = 158 * 1330


def filled(
    cell: int,
    kind: Kind = Kind.DISTANCES,
    depth: int = 30,
    rules: MorrisRules = STANDARD,
    sector: tuple[int, int] = SECTOR,
) -> bytearray:
    """Return a table in which every position has the same value."""
    index: SectorIndex = sector_index(diagonals=False, outer=False)
    size = POSITIONS if kind is Kind.DISTANCES else -(-POSITIONS // 4)
    data = bytes([cell]) * size
    blocks = [data[at : at + BLOCK_SIZE] for at in range(0, size, BLOCK_SIZE)]
    header = Header(
        kind,
        Compression.NONE,
        rules_id(rules.options),
        *sector,
        TableSummary(POSITIONS, 0, 0, depth),
        0,
        0,
        0,
    )
    file = io.BytesIO()
    write_parts(file, sector_bytes(header, index.representatives(3), blocks))
    return bytearray(file.getvalue())


def damaged(rules: MorrisRules = STANDARD) -> bytearray:
    """Return a table whose header is right and whose values have changed since it was written."""
    whole = filled(7, rules=rules)
    whole[160 + 4 * 158 : 160 + 4 * 158 + POSITIONS] = bytes(POSITIONS)
    return whole


def write_damaged(base: Path, rules: MorrisRules) -> Path:
    """Write a damaged table of 3-3 where `rules` have theirs in the folder of all tables; return its path."""
    file = base / rules_id(rules.options).hex() / "3-3.mwt"
    file.parent.mkdir()
    file.write_bytes(damaged(rules))
    return file


def with_wrong_value(table: SectorTable, at: int, rng: Random) -> SectorTable:
    """Return the table with another value at one index, and digests that fit."""
    blocks = [bytearray(table.block(number)) for number in range(table.header.blocks)]
    number, place = divmod(at, table.header.block_positions)
    if table.header.kind is Kind.RESULTS:
        place, shift = place // 4, 2 * (place % 4)
        right = blocks[number][place] >> shift & 3
        blocks[number][place] ^= (right ^ rng.choice([cell for cell in (0, 1, 2) if cell != right])) << shift
    else:
        right = blocks[number][place]
        blocks[number][place] = rng.choice([cell for cell in (0, 1, 2, 3, 128, 129, 130) if cell != right])
    file = io.BytesIO()
    write_parts(file, sector_bytes(table.header, table.representatives, [*map(bytes, blocks)]))
    return SectorTable(memoryview(bytearray(file.getvalue())), "planted")
