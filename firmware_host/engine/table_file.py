"""The file of one or more solved sectors, as bytes: its parts, their checks, and the values in it.

A sector is 160 bytes of header, the representatives of the mover's stones (4 bytes each), the values in
blocks of up to 64 KiB, and for each block its place and digest. Sectors follow one another without gaps.
Numbers are little endian. A value takes two bits (0 draw, 1 win, 2 loss), or a byte (0 draw, d from 1 to 127
a win in d turns, 128 + d a loss in d turns), or two bytes (with 32768 in place of 128). The distance is the
number of turns of both players until the next capture or the end of the game, which the winner forces.

**Invariants:** no value comes out of a block whose digest, or that of a part it depends on, is wrong: that is
a TableError. A block is checked when it is read, so that opening a file of gigabytes takes no time. Of a file
that is read from the disk only the frame is in memory; all tables share a cache of some blocks.
"""

from __future__ import annotations

import os
import struct
import sys
import zlib
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from hashlib import sha256
from pathlib import Path
from weakref import finalize

from firmware_host.engine.table_rules import AnySector, PlacingSector
from firmware_host.errors import TableError
from firmware_host.frozen import frozen
from firmware_host.games.values import Result

MAGIC = b"MWT1"
VERSION = 1
BLOCK_SIZE = 1 << 16
"""The bytes of a block before compression."""
_HEADER = struct.Struct("<4sHBB16s4BI4QIIQQI4x")
_SUMS_AT, _SIGNED = 96, 128
_SIZE = 160
_ENTRY = struct.Struct("<QI4x16s")
_DIGEST_SIZE = 16
_SCHEME = 1
_RESULTS = (Result.DRAW, Result.WIN, Result.LOSS)


class Kind(IntEnum):
    """The form of a value."""

    RESULTS = 1
    """Two bits: a result without a distance."""
    DISTANCES = 2
    WIDE_DISTANCES = 5
    """Two bytes, for distances of more than 127."""


class Compression(IntEnum):
    """The compression of each block."""

    NONE = 0
    ZLIB = 1


_PER_BLOCK = {Kind.RESULTS: 4 * BLOCK_SIZE, Kind.DISTANCES: BLOCK_SIZE, Kind.WIDE_DISTANCES: BLOCK_SIZE // 2}


@frozen
class TableSummary:
    """The numbers of positions of each result, and the greatest distance in turns."""

    wins: int
    losses: int
    draws: int
    depth: int

    @property
    def positions(self) -> int:
        """All positions."""
        return self.wins + self.losses + self.draws


@frozen
class Header:
    """The description of a sector of which the player to move has `mine` stones, the other `theirs`."""

    kind: Kind
    compression: Compression
    rules: bytes
    mine: int
    theirs: int
    summary: TableSummary
    length: int
    """The bytes of the whole sector, this header included."""
    index_at: int
    orbits: int
    my_hand: int = 0
    their_hand: int = 0

    @property
    def sector(self) -> AnySector:
        """The sector, without hands if both are empty."""
        stones = self.mine, self.theirs
        hands = self.my_hand, self.their_hand
        return PlacingSector(*stones, *hands) if any(hands) else stones

    @property
    def block_positions(self) -> int:
        """The positions in each block but the last."""
        return _PER_BLOCK[self.kind]

    @property
    def blocks(self) -> int:
        """The number of blocks."""
        return -(-self.summary.positions // self.block_positions)

    def pack(self, sums: bytes) -> bytes:
        """Return the header's bytes; `sums` is the digest of the representatives and the block index."""
        total = self.summary
        numbers = (total.positions, total.wins, total.losses, total.draws, total.depth)
        start = _HEADER.pack(
            MAGIC, VERSION, self.kind, self.compression, self.rules,
            self.mine, self.theirs, self.my_hand, self.their_hand, self.block_positions, *numbers,
            _SCHEME, self.length, self.index_at, self.orbits,
        )  # fmt: skip
        signed = start.ljust(_SUMS_AT, b"\0") + sums
        return signed + sha256(signed).digest()

    @classmethod
    def parse(cls, data: bytes | memoryview) -> Header:
        """Return the header that `data` starts with; raise TableError if it isn't a whole one."""
        if len(data) < _SIZE or bytes(data[:4]) != MAGIC:
            raise TableError("this is not a table of solved positions")
        if sha256(data[:_SIGNED]).digest() != bytes(data[_SIGNED:_SIZE]):
            raise TableError("the table's header is damaged")
        fields = _HEADER.unpack_from(data)
        _, version, kind, compression, rules, mine, theirs, *hands, per_block = fields[:10]
        positions, wins, losses, draws, depth, scheme, length, index_at, orbits = fields[10:]
        if version != VERSION or scheme != _SCHEME:
            raise TableError(f"the table has version {version}; this program reads version {VERSION}")
        try:
            summary = TableSummary(wins, losses, draws, depth)
            header = cls(Kind(kind), Compression(compression), rules, mine, theirs,
                         summary, length, index_at, orbits, *hands)  # fmt: skip
        except ValueError:
            raise TableError(
                f"the table is of an unknown kind, {kind} with compression {compression}"
            ) from None
        if header.block_positions != per_block or header.summary.positions != positions:
            raise TableError("the table's header contradicts itself")
        return header


def sector_bytes(
    header: Header, representatives: Sequence[int], blocks: Iterable[bytes | memoryview]
) -> Iterator[bytes]:
    """Yield the parts of a sector's file: `header` lacks only its sizes, `blocks` are not compressed.

    The header comes last, since it has the digests of the rest; it belongs at the start of the file, where
    its bytes are left free.
    """
    leaders = struct.pack(f"<{len(representatives)}I", *representatives)
    at, index = _SIZE + len(leaders), bytearray()
    sums = sha256(leaders)
    yield bytes(_SIZE) + leaders
    for block in blocks:
        stored = zlib.compress(block, 9) if header.compression is Compression.ZLIB else bytes(block)
        index += _ENTRY.pack(at, len(stored), sha256(block).digest()[:_DIGEST_SIZE])
        at += len(stored)
        yield stored
    sums.update(index)
    yield bytes(index)
    whole = replace(header, length=at + len(index), index_at=at, orbits=len(representatives))
    yield whole.pack(sums.digest())


class FileData:
    """The bytes of a file, read as they are asked for; raises TableError if that is impossible."""

    def __init__(self, path: Path) -> None:
        """Open the file, until nobody needs this any more."""
        try:
            self._file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
            self._size = os.fstat(self._file).st_size
        except OSError as error:
            raise _unreadable(error) from error
        finalize(self, os.close, self._file)

    def __len__(self) -> int:
        """Return the bytes of the file."""
        return self._size

    def __getitem__(self, part: slice) -> memoryview:
        """Return a part of the file."""
        start, stop, _ = part.indices(self._size)
        try:
            return memoryview(os.pread(self._file, stop - start, start))
        except OSError as error:
            raise _unreadable(error) from error


def _unreadable(error: OSError) -> TableError:
    return TableError(f"it cannot be read: {error.strerror}")


class BlockCache:
    """The blocks of all tables that were read last, `size` at most; for any number of threads."""

    def __init__(self, size: int) -> None:
        """Begin with none."""
        self._size = size
        self._blocks: OrderedDict[tuple[object, int], bytes] = OrderedDict()

    def get(self, table: object, number: int) -> bytes | None:
        """Return a block of a table, if it is kept."""
        block = self._blocks.pop((table, number), None)
        if block is not None:
            self._blocks[table, number] = block
        return block

    def keep(self, table: object, number: int, block: bytes) -> None:
        """Keep a block instead of the one that wasn't asked for for the longest time."""
        self._blocks[table, number] = block
        if len(self._blocks) > self._size:
            self._blocks.popitem(last=False)


_BLOCKS = BlockCache(256)
"""16 MB at most."""


@dataclass(eq=False)
class SectorTable:
    """The values of one sector, read from the start of `data`; raises TableError if its frame is damaged."""

    data: memoryview | FileData
    name: str = "table"
    """The name of the file, for errors."""
    header: Header = field(init=False)
    representatives: Sequence[int] = field(init=False)
    """Of the orbits of the mover's stones, for `SectorIndex.index`."""
    _index: memoryview = field(init=False)
    _own: object = field(default_factory=object, init=False)
    """Stands for this table in the cache, which doesn't keep its file open."""
    _checked: set[int] = field(default_factory=set, init=False)
    """The blocks in memory that were checked."""

    def __post_init__(self) -> None:
        """Check all but the blocks."""
        self.header = header = Header.parse(self.data[:_SIZE])
        leaders = _SIZE + 4 * header.orbits
        end = header.index_at + _ENTRY.size * header.blocks
        if not leaders <= header.index_at or end != header.length or len(self.data) < end:
            raise TableError("the table is cut short")
        self.representatives = _numbers(self.data[_SIZE:leaders])
        self._index = self.data[header.index_at : end]
        sums = sha256(self.data[_SIZE:leaders])
        sums.update(self._index)
        if sums.digest() != bytes(self.data[_SUMS_AT:_SIGNED]):
            raise TableError("the table's index is damaged")

    @property
    def identity(self) -> bytes:
        """The digest that stands for the whole sector, compressed or not."""
        sums = sha256(self.data[_SIZE : self.values_at])
        for number in range(self.header.blocks):
            sums.update(self._entry(number)[2])
        plain = replace(self.header, compression=Compression.NONE, length=0, index_at=0)
        return sha256(plain.pack(sums.digest())).digest()

    @property
    def values_at(self) -> int:
        """The place of the values, which are in one piece if they are not compressed."""
        return _SIZE + 4 * self.header.orbits

    def value(self, index: int) -> tuple[Result, int | None]:
        """Return the result of a position for its mover, and the distance if the table has it.

        Raises TableError if the part of the file with this position is damaged.
        """
        number, at = divmod(index, self.header.block_positions)
        block = self.block(number)
        if self.header.kind is Kind.RESULTS:
            return _RESULTS[block[at >> 2] >> 2 * (at & 3) & 3], None
        if self.header.kind is Kind.DISTANCES:
            return _distance(block[at], 128)
        return _distance(block[2 * at] | block[2 * at + 1] << 8, 32768)

    def block(self, number: int) -> bytes | memoryview:
        """Return the values of one block; raise TableError if it is damaged."""
        if not self.is_in_memory:
            return _BLOCKS.get(self._own, number) or self._read(number)
        at, length, _ = self._entry(number)
        block = self.data[at : at + length]
        if number not in self._checked:
            self._check(number, block)
            self._checked.add(number)
        return block

    @property
    def is_in_memory(self) -> bool:
        """True if all values are in one piece of memory, at `values_at`."""
        return isinstance(self.data, memoryview) and self.header.compression is Compression.NONE

    def _read(self, number: int) -> bytes:
        at, length, _ = self._entry(number)
        stored = self.data[at : at + length]
        try:
            is_packed = self.header.compression is Compression.ZLIB
            block = zlib.decompress(stored) if is_packed else bytes(stored)
        except zlib.error:
            raise TableError("a part of the table is damaged") from None
        self._check(number, block)
        _BLOCKS.keep(self._own, number, block)
        return block

    def _entry(self, number: int) -> tuple[int, int, bytes]:
        """Return the place, the length and the digest of a block."""
        at, length, digest = _ENTRY.unpack_from(self._index, number * _ENTRY.size)
        return at, length, digest

    def _check(self, number: int, block: bytes | memoryview) -> None:
        if sha256(block).digest()[:_DIGEST_SIZE] != self._entry(number)[2]:
            raise TableError("a part of the table is damaged")

    def check(self) -> None:
        """Read every block; raise TableError if one is damaged."""
        for number in range(self.header.blocks):
            self.block(number)


def _numbers(data: memoryview) -> Sequence[int]:
    if sys.byteorder == "little":
        return data.cast("I")
    return struct.unpack(f"<{len(data) // 4}I", data)


def _distance(cell: int, losses: int) -> tuple[Result, int | None]:
    if not cell:
        return Result.DRAW, None
    return (Result.WIN, cell) if cell < losses else (Result.LOSS, cell - losses)


def read_sectors(data: memoryview, name: str) -> list[SectorTable]:
    """Return the sectors of a file; raise TableError if its frame is damaged."""
    found, at = [], 0
    while at < len(data):
        table = SectorTable(data[at:], name)
        found.append(table)
        at += table.header.length
    return found
