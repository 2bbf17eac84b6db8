"""The memory and the disk that building takes, known before it begins."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from contextlib import suppress
from math import comb
from pathlib import Path

from firmware_host.engine.index import SectorIndex
from firmware_host.engine.solving.folder import sector_name, with_mirror
from firmware_host.engine.table_file import BLOCK_SIZE, Kind
from firmware_host.engine.table_rules import AnySector, PlacingSector, Sector
from firmware_host.engine.tables import index_of
from firmware_host.errors import TableError
from firmware_host.games.morris.rules import MorrisMechanics
from firmware_host.games.options import MorrisOptions

_SPARE_MEMORY = 64 << 20
"""Bytes for the orbits of sets, the interpreter and the mapped sectors that captures lead to."""


def orbit_count(index: SectorIndex, stones: int) -> int:
    """Return the number of orbits of sets of `stones` nodes, without making them (Burnside's lemma)."""
    return sum(_fixed_sets(image, stones) for image in index.symmetries) // len(index.symmetries)


def _fixed_sets(image: tuple[int, ...], stones: int) -> int:
    """Return the number of sets that a symmetry keeps: those made of whole cycles."""
    ways, seen = [1] + [0] * stones, set()
    for start in range(len(image)):
        cycle, node = 0, start
        while node not in seen:
            seen.add(node)
            cycle, node = cycle + 1, image[node]
        if cycle:
            ways = [one + (ways[i - cycle] if i >= cycle else 0) for i, one in enumerate(ways)]
    return ways[stones]


def positions(index: SectorIndex, sector: AnySector) -> int:
    """Return the number of positions in a sector."""
    mine, theirs = sector[:2]
    return orbit_count(index, mine) * comb(index.nodes - mine, theirs)


def file_size(index: SectorIndex, sector: AnySector, kind: Kind) -> int:
    """Return about how many bytes a sector takes on the disk."""
    size = positions(index, sector)
    stored = size // 4 if kind is Kind.RESULTS else size if kind is Kind.DISTANCES else 2 * size
    return stored + 32 * (stored // BLOCK_SIZE + 1) + 4 * orbit_count(index, sector[0]) + 160


def memory_needed(index: SectorIndex, sector: Sector) -> int:
    """Return about how many bytes of memory it takes to build a pair of sectors."""
    return 2 * sum(positions(index, one) for one in with_mirror(sector)) + _SPARE_MEMORY


def free_memory() -> int | None:
    """Return the bytes of memory that can be used without swapping, or None if nobody knows."""
    with suppress(OSError, ValueError):
        for line in Path("/proc/meminfo").read_text("ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) << 10
    with suppress(OSError, ValueError):
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return None


def check_memory(options: MorrisOptions, sectors: Sequence[Sector], allowed: int | None) -> None:
    """Raise TableError with the figures if the sectors take more memory than is `allowed`, or free."""
    index = index_of(MorrisMechanics(options))
    largest = max(sectors, key=lambda one: memory_needed(index, one))
    _check_memory(largest, memory_needed(index, largest), allowed, "build fewer stones with --stones")


def check_disk(options: MorrisOptions, path: Path, files: Sequence[tuple[Sector, Kind]]) -> None:
    """Raise TableError with the figures if the files take more than is free at `path`."""
    index = index_of(MorrisMechanics(options))
    need = sum(file_size(index, sector, kind) for sector, kind in files)
    _check_disk(path, need, "name another disk with --dir, or build fewer stones with --stones")


def check_placing(
    options: MorrisOptions, path: Path, sectors: Sequence[PlacingSector], allowed: int | None
) -> None:
    """Raise TableError with the figures if sectors with pieces in hand take too much memory or disk."""
    index = index_of(MorrisMechanics(options))
    largest = max(sectors, key=lambda one: positions(index, one))
    _check_memory(largest, positions(index, largest) // 4 + _SPARE_MEMORY, allowed, "close other programs")
    need = sum(file_size(index, one, Kind.RESULTS) for one in sectors)
    _check_disk(path, need, "name another disk with --dir")


def _check_memory(sector: AnySector, need: int, allowed: int | None, advice: str) -> None:
    have = free_memory() if allowed is None else allowed
    if have is not None and need > have:
        raise TableError(
            f"sector {sector_name(sector)} needs {need / 1e6:,.0f} MB of memory, and {have / 1e6:,.0f} MB "
            f"are {'free' if allowed is None else 'allowed'}; {advice}"
        )


def _check_disk(path: Path, need: int, advice: str) -> None:
    free = shutil.disk_usage(path).free
    if need > free:
        raise TableError(
            f"{path}: the tables need {need / 1e6:,.0f} MB, and {free / 1e6:,.0f} MB are free; {advice}"
        )
