"""Sectors in memory, as C takes them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from firmware_host.engine.solving.folder import sector_name, unusable
from firmware_host.engine.solving.library import MAX_CAPTURES, Values, address
from firmware_host.engine.table_file import SectorTable
from firmware_host.engine.table_rules import MIN_STONES, AnySector, Sector
from firmware_host.errors import TableError
from firmware_host.games.options import MorrisOptions

Source = Callable[[Sector], SectorTable | None]
"""A source of sectors; None for one that isn't there."""
S = TypeVar("S", bound=AnySector)


@dataclass(eq=False)
class LoadedValues:
    """The values of a sector in one piece of memory, which lives as long as this; raises TableError."""

    table: SectorTable
    values: Values = field(init=False)
    _memory: memoryview = field(init=False)

    def __post_init__(self) -> None:
        """Check all blocks, and unpack them if they are compressed."""
        table, at = self.table, 0
        try:
            if isinstance(table.data, memoryview) and table.is_in_memory:
                table.check()
                self._memory, at = table.data, table.values_at
            else:
                self._memory = memoryview(_unpacked(table))
        except TableError as error:
            raise unusable(table.name, str(error)) from error
        self.values = Values(address(self._memory, at), table.header.kind)


def _unpacked(table: SectorTable) -> bytearray:
    """Return all values of a table, in memory that C may be given; raise TableError."""
    values = bytearray()
    for number in range(table.header.blocks):
        values += table.block(number)
    return values


def load(source: Callable[[S], SectorTable | None], sector: S) -> LoadedValues:
    """Return a sector in memory; raise TableError if it is missing or damaged."""
    table = source(sector)
    if table is None:
        raise TableError(f"sector {sector_name(sector)} is missing; build it first")
    return LoadedValues(table)


def captures_from(options: MorrisOptions, sector: Sector) -> list[Sector]:
    """Return the sectors that one, two or three captures in a sector lead to, if the game goes on."""
    mine, theirs = sector
    most = MAX_CAPTURES if options.captures == "per-mill" else 1
    return [(theirs - taken, mine) for taken in range(1, most + 1) if theirs - taken >= MIN_STONES]
