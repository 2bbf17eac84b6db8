"""The functions of the library in C that make and check tables, with Python's types.

**Invariants:** names and order of the fields are those of `native/mw.h`; `native.ABI` changes with them.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from math import comb
from mmap import mmap
from typing import Any

from firmware_host.engine import native
from firmware_host.engine.index import SectorIndex
from firmware_host.engine.table_file import TableSummary
from firmware_host.engine.tables import index_of
from firmware_host.errors import TableError
from firmware_host.games.morris.rules import MorrisMechanics
from firmware_host.games.options import MorrisOptions

_FLYING = ("never", "own", "both")
_PROTECTION = ("unless-all", "always", "unless-three", "none")
MAX_CAPTURES = 3
"""The mills that one step can close."""
_OK, _STOPPED, _NO_MEMORY, TOO_DEEP = range(4)

Progress = Callable[[int, int, int], bool]
"""Called with a stage, the part of it that is done, and all of it; True stops the work."""


class BuildStoppedError(Exception):
    """The work was stopped by its progress function; never leaves `solving`."""


class NativeRules(ctypes.Structure):
    """The rules as C takes them."""

    _fields_ = (
        *((name, ctypes.c_int32) for name in ("nodes", "lines", "symmetries")),
        *((name, ctypes.c_int32) for name in ("flying", "protection", "per_mill", "may", "limit")),
        ("adjacency", ctypes.c_uint32 * 24),
        ("line", ctypes.c_uint32 * 20),
        ("symmetry", (ctypes.c_uint8 * 24) * 16),
    )


class Values(ctypes.Structure):
    """The values of a sector; all zero for one that isn't there."""

    _fields_ = (("values", ctypes.c_void_p), ("kind", ctypes.c_int32))


class NativeGoal(ctypes.Structure):
    """The goal of a player who has `pieces`: a win if `wins` is 1, otherwise a draw at least."""

    _fields_ = (("pieces", ctypes.c_int32), ("side", ctypes.c_int32), ("wins", ctypes.c_int32))


class NativePlacing(ctypes.Structure):
    """A position while pieces are placed, as the player of a goal and the opponent have it."""

    _fields_ = (("own", ctypes.c_uint32), ("other", ctypes.c_uint32), ("placed", ctypes.c_int32))


class Audit(ctypes.Structure):
    """The findings of a certificate's check."""

    _fields_ = tuple(
        (name, ctypes.c_uint64) for name in ("entries", "leaves", "missing", "illegal", "lost", "first_wrong")
    )


class _Summary(ctypes.Structure):
    _fields_ = (
        ("wins", ctypes.c_uint64),
        ("losses", ctypes.c_uint64),
        ("draws", ctypes.c_uint64),
        ("depth", ctypes.c_uint32),
    )


_PROGRESS = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int32, ctypes.c_uint64, ctypes.c_uint64)
_U32, _U64, _I32, _POINTER = ctypes.c_uint32, ctypes.c_uint64, ctypes.c_int32, ctypes.c_void_p
_SIGNATURES: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "mw_space_new": (_POINTER, (_POINTER,)),
    "mw_space_free": (None, (_POINTER,)),
    "mw_orbits": (ctypes.c_int64, (_POINTER, _I32)),
    "mw_representatives": (ctypes.POINTER(_U32), (_POINTER, _I32)),
    "mw_size": (_U64, (_POINTER, _I32, _I32)),
    "mw_index": (_U64, (_POINTER, _U32, _U32)),
    "mw_build": (_I32, (_POINTER, _I32, _I32, _POINTER, _POINTER, _POINTER, _I32, _PROGRESS)),
    "mw_build_placing": (_I32, (_POINTER, _I32, _I32, Values, Values, _I32, _POINTER, _PROGRESS)),
    "mw_count_results": (_Summary, (_POINTER, _U64)),
    "mw_count": (_Summary, (_POINTER, _U64, _I32)),
    "mw_pack": (None, (_POINTER, _U64, _I32, _POINTER)),
    "mw_check": (
        ctypes.c_int64,
        (_POINTER, _I32, _I32, Values, Values, _POINTER, _I32, _U64, _U64, ctypes.POINTER(_U64), _PROGRESS),
    ),
    "mw_proof_new": (_POINTER, (_POINTER, _POINTER, NativeGoal, _POINTER, _I32, _U64)),
    "mw_proof_free": (None, (_POINTER,)),
    "mw_proof_run": (_I32, (_POINTER, NativePlacing, _PROGRESS)),
    "mw_proof_collect": (ctypes.c_int64, (_POINTER, _POINTER, _I32, _POINTER)),
    "mw_audit_run": (
        _I32,
        (_POINTER, _POINTER, NativeGoal, _POINTER, _I32, _POINTER, _POINTER, _POINTER, _PROGRESS),
    ),
}  # fmt: skip


def buffer(size: int) -> mmap:
    """Return zeroed memory, in large pages where the system has them; raise TableError."""
    try:
        memory = mmap(-1, max(size, 1))
    except (OSError, ValueError, MemoryError):
        raise TableError(f"there are no {size / 1e6:,.0f} MB of memory left; close other programs") from None
    if sys.platform == "linux":
        from mmap import MADV_HUGEPAGE  # only Linux has it

        with suppress(OSError):  # a kernel without large pages is only slower
            memory.madvise(MADV_HUGEPAGE)
    return memory


def address(memory: mmap | memoryview, at: int = 0) -> int:
    """Return the address of writable memory, which must live as long as it is used."""
    return ctypes.addressof(ctypes.c_char.from_buffer(memory, at))


@contextmanager
def watching(progress: Progress) -> Iterator[Any]:
    """Yield a progress function for C; an error in `progress` stops the work and is raised afterwards."""
    errors: list[BaseException] = []

    def noting(stage: int, done: int, total: int) -> int:
        try:
            return int(progress(stage, done, total))
        except BaseException as error:  # noqa: BLE001 - ctypes would only print it
            errors.append(error)
            return 1

    yield _PROGRESS(noting)
    if errors:
        raise errors[0]


def c_rules(options: MorrisOptions) -> NativeRules:
    """Return the rules for C."""
    mechanics = MorrisMechanics(options)
    index, graph = index_of(mechanics), mechanics.graph
    rules = NativeRules(
        nodes=index.nodes,
        lines=len(graph.mill_lines),
        symmetries=len(index.symmetries),
        flying=_FLYING.index(options.flying),
        protection=_PROTECTION.index(options.protection),
        per_mill=options.captures == "per-mill",
        may=options.removal == "may",
        limit=options.quiet,
    )
    for one, neighbours in graph.neighbours.items():
        rules.adjacency[one.bit_length() - 1 - index.shift] = neighbours >> index.shift
    for i, line in enumerate(graph.mill_lines):
        rules.line[i] = line >> index.shift
    for i, images in enumerate(index.symmetries):
        for node, image in enumerate(images):
            rules.symmetry[i][node] = image
    return rules


def library() -> ctypes.CDLL:
    """Return the library with its signatures; raise TableError if this installation has none."""
    found = native.load()
    if found is None:
        raise TableError(
            "building tables needs Millwright's library in C, which this installation lacks; "
            "install a C compiler (Debian: apt install gcc) and then Millwright again"
        )
    for name, (result, arguments) in _SIGNATURES.items():
        function = getattr(found, name)
        function.restype, function.argtypes = result, arguments
    return found


@dataclass(eq=False)
class Space:
    """The sets of nodes of one board, as C keeps them; see `open_space`."""

    options: MorrisOptions
    library: ctypes.CDLL
    handle: int

    @cached_property
    def index(self) -> SectorIndex:
        """The index of positions."""
        return index_of(MorrisMechanics(self.options))

    def prepare(self, stones: int) -> int:
        """Make the orbits of sets of `stones` nodes, and return their number; raise TableError."""
        orbits: int = self.library.mw_orbits(self.handle, stones)
        if orbits < 0:
            raise TableError(f"there is too little memory for the orbits of {stones} stones")
        return orbits

    def representatives(self, stones: int) -> Sequence[int]:
        """Return the representatives of the orbits of sets of `stones` nodes."""
        count = self.prepare(stones)
        return list(self.library.mw_representatives(self.handle, stones)[:count])

    def size(self, mine: int, theirs: int) -> int:
        """Return the number of positions in a sector."""
        return self.prepare(mine) * comb(self.index.nodes - mine, theirs)

    def place(self, mine: int, theirs: int) -> int:
        """Return the index of a position of nodes in its sector."""
        self.prepare(mine.bit_count())
        found: int = self.library.mw_index(self.handle, mine, theirs)
        return found

    def summary(self, cells: mmap, size: int, wide: bool) -> TableSummary:
        """Count the values of a sector."""
        found = self.library.mw_count(address(cells), size, wide)
        return TableSummary(found.wins, found.losses, found.draws, found.depth)

    def summary_of_results(self, packed: mmap, size: int) -> TableSummary:
        """Count the results of a sector."""
        found = self.library.mw_count_results(address(packed), size)
        return TableSummary(found.wins, found.losses, found.draws, 0)

    def packed(self, cells: mmap, size: int, wide: bool) -> mmap:
        """Return the results of a sector, four to a byte."""
        found = buffer(-(-size // 4))
        self.library.mw_pack(address(cells), size, wide, address(found))
        return found


@contextmanager
def open_space(options: MorrisOptions) -> Iterator[Space]:
    """Yield the space of some rules; raise TableError without the library or memory."""
    found = library()
    handle = found.mw_space_new(ctypes.byref(c_rules(options)))
    if not handle:
        raise TableError("there is too little memory")
    try:
        yield Space(options, found, handle)
    finally:
        found.mw_space_free(handle)


def checked(result: int) -> None:
    """Raise an error if a function of the library has failed."""
    if result == _STOPPED:
        raise BuildStoppedError
    if result == _NO_MEMORY:
        raise TableError("there is too little memory; close other programs")
    if result == TOO_DEEP:
        raise TableError("these rules have wins that are too long for the table's format")
