"""Building tables, sector by sector, so that an interruption costs one pair of sectors at most.

**Invariants:** a sector is built when all that captures lead to are there and intact; finished ones are never
built again. Nothing begins for which memory or disk would not do.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from functools import partial
from mmap import mmap
from pathlib import Path
from threading import Event, Lock
from typing import Any, BinaryIO, Protocol

from firmware_host.engine.certificate import PLAYERS, certificate_bytes
from firmware_host.engine.solving import room
from firmware_host.engine.solving.folder import (
    TableFolder,
    replace_file,
    sector_name,
    unusable,
    with_mirror,
    write_parts,
)
from firmware_host.engine.solving.library import (
    MAX_CAPTURES,
    TOO_DEEP,
    BuildStoppedError,
    Space,
    Values,
    address,
    buffer,
    checked,
    open_space,
    watching,
)
from firmware_host.engine.solving.loading import LoadedValues, captures_from, load
from firmware_host.engine.table_file import (
    BLOCK_SIZE,
    Compression,
    Header,
    Kind,
    SectorTable,
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

# ---- several pairs at a time ----------------------------------------------------------------------------
# Building several pairs of sectors at a time, each in a thread: the library in C needs no interpreter.
#
# **Invariants:** a sector begins once all that captures lead to are on the disk, and while there is memory
# for it beside those that are being built; if nothing is being built, the next one always begins. The first
# error ends the others at their next safe moment, and is raised once they have ended.


Progress = Callable[[AnySector, int, int, int], bool]


@dataclass
class Team:
    """The listener of all builders: one of them speaks at a time, and once it is stopped, all end."""

    tell_progress: Progress
    tell_finished: Callable[[AnySector, TableSummary], None]
    _stopped: Event = field(default_factory=Event)
    _lock: Lock = field(default_factory=Lock)

    def stop(self) -> None:
        """Have all builders end."""
        self._stopped.set()

    def progress(self, sector: AnySector, stage: int, done: int, total: int) -> bool:
        """Note the progress of one builder; True stops it."""
        with self._lock:
            if not self._stopped.is_set() and self.tell_progress(sector, stage, done, total):
                self.stop()
            return self._stopped.is_set()

    def finished(self, sector: AnySector, summary: TableSummary) -> None:
        """Note that a sector is on the disk."""
        with self._lock:
            self.tell_finished(sector, summary)


@frozen
class Plan:
    """The pairs of sectors to build, named by their larger sides, in an order in which they can be built."""

    sectors: Sequence[Sector]
    needs: Mapping[Sector, frozenset[Sector]]
    """The pairs among them that captures in each lead to."""
    memory: Mapping[Sector, int]
    """The bytes that each takes while it is built."""

    def startable(
        self, waiting: Sequence[Sector], running: Sequence[Sector], free: int | None
    ) -> list[Sector]:
        """Return those of `waiting` that can begin beside `running`, with `free` bytes for all of them."""
        begun = list(running)
        for sector in waiting:
            is_ready = self.needs[sector].isdisjoint((*waiting, *running))
            used = sum(self.memory[one] for one in begun)
            if is_ready and (not begun or free is None or used + self.memory[sector] <= free):
                begun.append(sector)
        return begun[len(running) :]


def plan_of(
    sectors: Sequence[Sector],
    captures_from: Callable[[Sector], Sequence[Sector]],
    memory_of: Callable[[Sector], int],
) -> Plan:
    """Return the plan for `sectors`; `captures_from` returns the sectors that captures in one lead to."""
    known = set(sectors)
    needs = {}
    for sector in sectors:
        below = (each for one in with_mirror(sector) for each in captures_from(one))
        needs[sector] = frozenset((max(one), min(one)) for one in below) & known - {sector}
    return Plan(sectors, needs, {sector: memory_of(sector) for sector in sectors})


def build_together(
    plan: Plan, build_one: Callable[[Sector], None], team: Team, jobs: int, free: int | None
) -> None:
    """Build all sectors of a plan, at most `jobs` at a time; raise what a builder raises."""
    waiting = list(plan.sectors)
    running: dict[Future[None], Sector] = {}
    error: BaseException | None = None
    with ThreadPoolExecutor(jobs, "table") as pool:
        while waiting or running:
            for sector in plan.startable(waiting, list(running.values()), free)[: jobs - len(running)]:
                waiting.remove(sector)
                running[pool.submit(build_one, sector)] = sector
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                del running[future]
                error = error or future.exception()
            if error is not None:
                team.stop()
                waiting.clear()
    if error is not None:
        raise error


# ---- compressed, or several in one file -----------------------------------------------------------------
# Compressing tables, and putting some, or the first turns of certificates, into one file, such as those that
# Millwright ships.


def pack(folder: TableFolder, sectors: Sequence[AnySector], path: Path) -> int:
    """Write the sectors to one file, each block compressed on its own; return its size in bytes.

    The same tables give the same bytes. Raises TableError if one is missing or damaged.
    """
    tables = []
    for each in sectors:
        table = folder.open(each)
        if table is None:
            raise TableError(f"sector {sector_name(each)} is missing; build it first")
        tables.append(table)

    def fill(file: BinaryIO) -> None:
        for table in tables:
            header = replace(table.header, compression=Compression.ZLIB)
            blocks = [table.block(number) for number in range(header.blocks)]
            write_parts(file, sector_bytes(header, table.representatives, blocks))

    return _written(path, fill)


def compress(folder: TableFolder, notify: Progress) -> Iterator[tuple[AnySector, int, int]]:
    """Compress the tables of a folder block by block; yield each sector with its bytes before and after.

    A table is replaced whole or not at all; those that are compressed stay. Raises TableError if one is
    damaged, and BuildStoppedError if `notify` returns True.
    """
    for table in folder.built():
        header = table.header
        if header.compression is Compression.NONE:
            packed = replace(header, compression=Compression.ZLIB)
            folder.write(header.sector, sector_bytes(packed, table.representatives, _read(table, notify)))
            yield header.sector, header.length, folder.file(header.sector).stat().st_size


def _read(table: SectorTable, notify: Progress) -> Iterator[bytes | memoryview]:
    for number in range(table.header.blocks):
        if notify(table.header.sector, 0, number, table.header.blocks):
            raise BuildStoppedError
        try:
            yield table.block(number)
        except TableError as error:
            raise unusable(table.name, str(error)) from error


def pack_opening(folder: TableFolder, turns: int, path: Path) -> int:
    """Write the first turns of both players' certificates to one file; return its size in bytes.

    Raises TableError if a certificate is missing or damaged.
    """
    certificates = folder.certificates()
    if len(certificates) < len(PLAYERS):
        raise TableError(
            "there is no certificate for both players; run `millwright tables certificate` first"
        )

    def fill(file: BinaryIO) -> None:
        for one in certificates:
            entries = [one.turn_entries(turn) for turn in range(min(turns, len(one.counts)))]
            file.writelines(certificate_bytes(folder.options, one.player, entries))

    return _written(path, fill)


def _written(path: Path, fill: Callable[[BinaryIO], None]) -> int:
    """Write a file whole or not at all; return its size in bytes."""
    replace_file(path, fill)
    return path.stat().st_size


# ---- building -------------------------------------------------------------------------------------------


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
