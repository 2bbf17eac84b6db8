"""Building tables, sector by sector, so that an interruption costs one pair of sectors at most.

**Invariants:** a sector is built when all that captures lead to are there and intact; finished ones are never
built again. Nothing begins for which memory or disk would not do.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import partial
from mmap import mmap
from typing import Any, Protocol

from firmware_host.engine.solving import room
from firmware_host.engine.solving.folder import TableFolder, sector_name, with_mirror
from firmware_host.engine.solving.library import (
    MAX_CAPTURES,
    TOO_DEEP,
    Space,
    Values,
    address,
    buffer,
    checked,
    open_space,
    watching,
)
from firmware_host.engine.solving.loading import LoadedValues, captures_from, load
from firmware_host.engine.solving.team import Team, build_together, plan_of
from firmware_host.engine.table_file import (
    BLOCK_SIZE,
    Compression,
    Header,
    Kind,
    TableSummary,
    sector_bytes,
)
from firmware_host.engine.table_rules import (
    MIN_STONES,
    AnySector,
    Sector,
    are_solvable,
    are_wins_cut,
    rules_id,
    sectors,
)
from firmware_host.engine.tables import index_of
from firmware_host.errors import TableError
from firmware_host.frozen import frozen
from firmware_host.games.morris.rules import MorrisMechanics
from firmware_host.games.options import MorrisOptions

MAX_DISTANCE_STONES = 9
"""The stones of the largest sectors that are stored with distances unless more are wanted."""
_Lower = ctypes.Array[ctypes.Array[Values]]


class Listener(Protocol):
    """Whoever is informed of the progress of building."""

    def progress(self, sector: AnySector, stage: int, done: int, total: int) -> bool:
        """Note the progress in a stage: 0 and 1 read the rules, 2 + n spreads level n; True stops."""

    def finished(self, sector: AnySector, summary: TableSummary) -> None:
        """Note that a sector is on the disk."""


class Distances(Enum):
    """The sectors of more than nine stones that are stored with distances."""

    NONE = auto()
    CUT = auto()
    """Those in which the draw by quiet steps cuts wins short, and only distances tell how to keep it."""
    ALL = auto()


@frozen
class Order:
    """The tables to build."""

    folder: TableFolder
    sectors: tuple[Sector, ...]
    """The sectors in the order of building, the larger side first; each is built with its mirror image."""
    distances: Distances = Distances.NONE
    max_memory: int | None = None
    """The bytes of memory that may be used; None for as much as is free."""

    @property
    def options(self) -> MorrisOptions:
        """The rules."""
        return self.folder.options

    def kind(self, sector: Sector, depth: int = 0) -> Kind:
        """Return the least that a sector is to be stored with, whose greatest distance is `depth`."""
        small = sum(sector) <= MAX_DISTANCE_STONES
        cut = self.distances is Distances.CUT and are_wins_cut(self.options, depth)
        return Kind.DISTANCES if small or cut or self.distances is Distances.ALL else Kind.RESULTS


def order(
    folder: TableFolder,
    stones: int,
    distances: Distances = Distances.NONE,
    max_memory: int | None = None,
) -> Order:
    """Return the order for all sectors of up to `stones` stones; raise TableError if the rules have none."""
    options = folder.options
    if not are_solvable(options):
        raise TableError("there are no tables for removal=may with quiet=100; set quiet=0")
    points = index_of(MorrisMechanics(options)).nodes
    return Order(folder, tuple(sectors(stones, options.pieces, points)), distances, max_memory)


def order_for(
    folder: TableFolder,
    sector: Sector,
    distances: Distances = Distances.NONE,
    max_memory: int | None = None,
) -> Order:
    """Return the order for one sector and all that captures in it lead to; raise TableError."""
    larger, smaller = max(sector), min(sector)
    whole = order(folder, larger + smaller, distances, max_memory)
    needed = tuple(one for one in whole.sectors if one[0] <= larger and one[1] <= smaller)
    if (larger, smaller) not in needed:
        raise TableError(
            f"there is no sector {sector_name(sector)} under these rules; "
            f"each player has {MIN_STONES} to {folder.options.pieces} stones"
        )
    return replace(whole, sectors=needed)


def _both(found: Sequence[Sector]) -> Iterator[Sector]:
    for one in found:
        yield from with_mirror(one)


def missing(wanted: Order) -> list[Sector]:
    """Return the sectors of an order that are still to be built, the damaged ones among them."""
    return [one for one in wanted.sectors if not all(_is_done(wanted, each) for each in with_mirror(one))]


def _is_done(wanted: Order, sector: Sector) -> bool:
    try:
        table = wanted.folder.open(sector)
    except TableError:
        return False
    return table is not None and table.header.kind >= wanted.kind(sector, table.header.summary.depth)


def build(wanted: Order, listener: Listener, jobs: int = 1) -> None:
    """Build what is missing, in `jobs` threads; raise TableError, or StoppedError if it is stopped."""
    wanted.folder.begin()
    left = missing(wanted)
    if not left:
        return
    room.check_memory(wanted.options, left, wanted.max_memory)
    room.check_disk(wanted.options, wanted.folder.path, [(each, wanted.kind(each)) for each in _both(left)])
    team = Team(listener.progress, listener.finished)
    index = index_of(MorrisMechanics(wanted.options))
    plan = plan_of(
        left,
        lambda one: captures_from(wanted.options, one),
        lambda one: room.memory_needed(index, one),
    )
    free = room.free_memory() if wanted.max_memory is None else wanted.max_memory
    build_together(plan, lambda sector: _build_one(wanted, sector, team), team, jobs, free)


def _build_one(wanted: Order, sector: Sector, listener: Listener) -> None:
    """Build a pair of sectors; the tables of orbits are its own, since they are made while they are used."""
    with open_space(wanted.options) as space:
        for solved in solve(space, wanted.folder, sector, listener):
            kind = wanted.kind(solved.sector, solved.summary.depth)
            room.check_disk(wanted.options, wanted.folder.path, [(solved.sector, kind)])
            wanted.folder.write(solved.sector, stored(space, solved, kind))
            listener.finished(solved.sector, solved.summary)


@dataclass(eq=False)
class Solved:
    """A solved sector in memory."""

    sector: Sector
    cells: mmap
    size: int
    wide: bool
    summary: TableSummary


def stored(
    space: Space, solved: Solved, kind: Kind, compression: Compression = Compression.NONE
) -> Iterator[bytes]:
    """Yield the parts of the file of a solved sector."""
    cells, size = solved.cells, solved.size
    if kind is Kind.RESULTS:
        cells, size = space.packed(cells, size, solved.wide), -(-size // 4)
    elif solved.wide:
        kind, size = Kind.WIDE_DISTANCES, 2 * size
    mine, theirs = solved.sector
    header = Header(kind, compression, rules_id(space.options), mine, theirs, solved.summary, 0, 0, 0)
    yield from parts(space, header, cells, size)


def parts(space: Space, header: Header, values: mmap, size: int) -> Iterator[bytes]:
    """Yield the parts of a sector's file, of whose values there are `size` bytes."""
    view = memoryview(values)
    blocks = [view[at : min(at + BLOCK_SIZE, size)] for at in range(0, size, BLOCK_SIZE)]
    yield from sector_bytes(header, space.representatives(header.mine), blocks)


def solve(space: Space, folder: TableFolder, sector: Sector, listener: Listener) -> list[Solved]:
    """Return a sector and its mirror image, solved."""
    lower, kept = _lower(space, folder, sector)
    found = _solve(space, sector, lower, listener, wide=False)
    if found is None:  # rules without a limit to quiet turns may have distances that no byte holds
        found = _solve(space, sector, lower, listener, wide=True)
    del kept
    return found or []


def _solve(
    space: Space, sector: Sector, lower: _Lower, listener: Listener, *, wide: bool
) -> list[Solved] | None:
    pair = with_mirror(sector)
    sizes = [space.size(*one) for one in pair]
    cells = [buffer(size * (2 if wide else 1)) for size in sizes]
    work = [buffer(size) for size in reversed(sizes)]
    with watching(partial(listener.progress, sector)) as callback:
        result = space.library.mw_build(
            space.handle, *sector, lower, _addresses(cells), _addresses(work), wide, callback
        )
    if result == TOO_DEEP and not wide:
        return None
    checked(result)
    return [
        Solved(one, memory, size, wide, space.summary(memory, size, wide))
        for one, memory, size in zip(pair, cells, sizes, strict=True)
    ]


def _addresses(memories: Sequence[mmap]) -> Any:
    return (ctypes.c_void_p * 2)(*map(address, memories))


def _lower(space: Space, folder: TableFolder, sector: Sector) -> tuple[_Lower, list[LoadedValues]]:
    """Return the sectors that captures lead to, and what must live as long as they are used."""
    lower, kept = ((Values * MAX_CAPTURES) * 2)(), []
    for side, one in enumerate(with_mirror(sector)):
        for place, below in enumerate(captures_from(space.options, one)):
            loaded = load(folder.open, below)
            lower[side][place] = loaded.values
            kept.append(loaded)
    return lower, kept
