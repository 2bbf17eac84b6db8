"""The search in C by ctypes: the values of `search`, a hundred times as fast.

**Invariants:** to a fixed depth both give the same values. Without the library there is no `NativeSearch`;
nothing else changes. An error raised by `probe` or `stop` ends the search and is raised again.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable
from functools import cache

from firmware_host.engine import native
from firmware_host.engine.searching.evaluation import Evaluation
from firmware_host.engine.searching.mill_bits import Node
from firmware_host.engine.searching.search import NodeTables, SearchStoppedError, Setting
from firmware_host.engine.table_rules import Sector
from firmware_host.frozen import frozen

ABI = 3
"""The version of `search.h` that this module calls."""
_STOPPED, _NO_VALUE = 30_000, 30_001
_FLYING = ("never", "own", "both")
_PROTECTION = ("unless-all", "always", "unless-three", "none")
_int32, _uint32 = ctypes.c_int32, ctypes.c_uint32
_Sectors = _uint32 * 25


class _Rules(ctypes.Structure):
    _fields_ = (
        ("usable", _uint32),
        ("spokes", _uint32),
        ("crossing", _uint32 * 2),
        ("flying", _int32),
        ("protection", _int32),
        ("per_mill", _int32),
        ("may", _int32),
        ("move_while_placing", _int32),
        ("quiet_limit", _int32),
        ("full_board", _int32 * 2),
        ("material", _int32),
        ("mobility", _int32),
        ("twos", _int32),
        ("mills", _int32),
        ("degree", _int32),
        ("shut_in", _int32),
        ("flying_worth", _int32),
        ("settling", _int32),
        ("deeper", _int32),
    )


class _Node(ctypes.Structure):
    _fields_ = (("mine", _uint32), ("theirs", _uint32), ("my_hand", _int32), ("their_hand", _int32))


_Stop = ctypes.CFUNCTYPE(_int32)
_Probe = ctypes.CFUNCTYPE(_int32, _uint32, _uint32, _int32, _int32)


@cache
def search_library() -> ctypes.CDLL | None:
    """Return the library with its functions declared, or None if there is none of this version."""
    library = native.load()
    return None if library is None else declared(library)


def declared(library: ctypes.CDLL) -> ctypes.CDLL | None:
    """Return `library` with the functions of `search.h` declared, or None if it has another version."""
    try:
        library.mw_search_abi.restype = _int32
        if library.mw_search_abi() != ABI:
            return None
    except AttributeError:
        return None
    pointer = ctypes.c_void_p
    library.mw_search_new.argtypes = (ctypes.POINTER(_Rules), _int32, _Probe, _Sectors)
    library.mw_search_new.restype = pointer
    library.mw_search_free.argtypes = (pointer,)
    library.mw_search_free.restype = None
    library.mw_search_draw.argtypes = (pointer, _Node, _int32)
    library.mw_search_draw.restype = _int32
    library.mw_search_heed.argtypes = (pointer, _Stop, ctypes.c_uint64)
    library.mw_search_heed.restype = None
    library.mw_search_nodes.argtypes = (pointer,)
    library.mw_search_nodes.restype = ctypes.c_uint64
    library.mw_search_value.argtypes = (pointer, _Node, *(_int32,) * 5)
    library.mw_search_value.restype = _int32
    library.mw_search_reply.argtypes = (pointer, _Node, _int32, _int32, ctypes.POINTER(_Node))
    library.mw_search_reply.restype = _int32
    library.mw_search_evaluate.argtypes = (pointer, _Node)
    library.mw_search_evaluate.restype = _int32
    library.mw_search_perft.argtypes = (pointer, _Node, _int32, _int32)
    library.mw_search_perft.restype = ctypes.c_uint64
    return library


@frozen
class Memory:
    """The memory of a search in C."""

    bits: int = 16
    """The number of entries as a power of two; an entry has 24 bytes."""
    deeper: bool = False
    """Use values of greater depths too, and search late turns less deep.

    Better play, but not the values of the search in Python.
    """


class NativeSearch:
    """A search in C with its memory, which is kept from depth to depth."""

    def __init__(
        self,
        library: ctypes.CDLL,
        evaluate: Evaluation,
        setting: Setting,
        tables: NodeTables | None = None,
        memory: Memory = Memory(),
    ) -> None:
        """Raise MemoryError if there is no room."""
        self._library = library
        self._error: BaseException | None = None
        self._probe = _Probe() if tables is None else self._probing(tables)
        sectors = _sectors(() if tables is None else tables.sectors)
        self._stop = _Stop()
        rules = c_search_rules(evaluate, setting, memory.deeper)
        self._search = library.mw_search_new(ctypes.byref(rules), memory.bits, self._probe, sectors)
        if not self._search:
            raise MemoryError("no memory for a search")
        for side, node in setting.drawn:
            if not library.mw_search_draw(self._search, _Node(*node), side):
                raise MemoryError("no memory for a search")

    def __del__(self) -> None:
        if search := getattr(self, "_search", None):
            self._library.mw_search_free(search)

    @property
    def handle(self) -> int:
        """The search as the library knows it, for its other functions; valid as long as this lives."""
        return int(self._search)

    @property
    def nodes(self) -> int:
        """The nodes that were searched so far."""
        return int(self._library.mw_search_nodes(self._search))

    def heed(self, stop: Callable[[], bool], nodes: int = 0) -> None:
        """Stop as soon as `stop` returns True, or after `nodes` nodes, if it isn't 0."""

        def stopping() -> int:
            try:
                return stop()
            except BaseException as error:  # noqa: BLE001 - raised again in `value`
                self._error = error
                return 1

        self._stop = _Stop(stopping)
        self._library.mw_search_heed(self._search, self._stop, nodes)

    def value(self, node: Node, side: int, quiet: int, depth: int, window: tuple[int, int]) -> int:
        """Return the value of `node` for its player to move; see `Search.value`."""
        value = int(self._library.mw_search_value(self._search, _Node(*node), side, quiet, depth, *window))
        if self._error is not None:
            error, self._error = self._error, None
            raise error
        if value == _STOPPED:
            raise SearchStoppedError
        return value

    def reply(self, node: Node, side: int, quiet: int) -> Node | None:
        """Return the node after the best turn that is remembered of `node`; see `Search.reply`."""
        after = _Node()
        if not self._library.mw_search_reply(self._search, _Node(*node), side, quiet, ctypes.byref(after)):
            return None
        return after.mine, after.theirs, after.my_hand, after.their_hand

    def worth(self, node: Node) -> int:
        """Return the evaluation of `node`."""
        return int(self._library.mw_search_evaluate(self._search, _Node(*node)))

    def perft(self, node: Node, side: int, depth: int) -> int:
        """Return the number of ways to play `depth` turns, repetition and quiet steps left out."""
        return int(self._library.mw_search_perft(self._search, _Node(*node), side, depth))

    def _probing(self, tables: NodeTables) -> Callable[[int, int, int, int], int]:
        def probing(mine: int, theirs: int, quiet: int, depth: int) -> int:
            try:
                value = tables.probe((mine, theirs, 0, 0), quiet, depth)
            except BaseException as error:  # noqa: BLE001 - raised again in `value`
                self._error = self._error or error
                value = None
            return _NO_VALUE if value is None else value

        return _Probe(probing)


def _sectors(known: Iterable[Sector]) -> ctypes.Array[ctypes.c_uint32]:
    """Return a set of sectors as C has it: bit `theirs` of number `mine` is set."""
    masks = _Sectors()
    for mine, theirs in known:
        masks[mine] |= 1 << theirs
    return masks


def c_search_rules(evaluate: Evaluation, setting: Setting, deeper: bool) -> ctypes.Structure:
    """Return the rules, the evaluation and the circumstances of a search as C has them."""
    rules, weights = evaluate.rules, evaluate.weights
    options = rules.options
    return _Rules(
        usable=rules.usable,
        spokes=rules.graph.spokes,
        crossing=evaluate.crossing,
        flying=_FLYING.index(options.flying),
        protection=_PROTECTION.index(options.protection),
        per_mill=options.captures == "per-mill",
        may=options.removal == "may",
        move_while_placing=options.move_while_placing,
        quiet_limit=setting.quiet_limit,
        full_board=setting.full_board,
        material=weights.material,
        mobility=weights.mobility,
        twos=weights.twos,
        mills=weights.mills,
        degree=weights.degree,
        shut_in=weights.shut_in,
        flying_worth=weights.flying,
        settling=setting.settling,
        deeper=deeper,
    )
