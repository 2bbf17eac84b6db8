"""Making certificates and checking them, on the whole tables of the moving phase.

The proof goes depth first: a position holds the draw if one reply does, and a reply does if every turn after
it leads to a position that holds. The tables decide when all pieces are placed. The replies are tried in the
order of a small search, so that most of those that come first hold. The check walks all positions that can
arise under the replies with code of its own, and shares only the file's format with the proof.

**Invariants:** nothing begins without all tables. A certificate is written whole or not at all.
"""

from __future__ import annotations

import ctypes
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from firmware_host.engine.certificate import PLAYERS, Certificate
from firmware_host.engine.searching.evaluation import evaluation
from firmware_host.engine.searching.mill_bits import mill_bits
from firmware_host.engine.searching.search import Setting
from firmware_host.engine.searching.search_native import Memory, NativeSearch, search_library
from firmware_host.engine.solving import room
from firmware_host.engine.solving.folder import sector_name
from firmware_host.engine.solving.library import (
    Audit,
    Progress,
    Values,
    address,
    c_rules,
    callback,
    checked,
    library,
    open_space,
)
from firmware_host.engine.solving.loading import LoadedValues, load
from firmware_host.engine.solving.promise import leaf_sectors
from firmware_host.engine.table_file import SectorTable
from firmware_host.engine.table_rules import MIN_STONES, Sector
from firmware_host.engine.tables import Tables
from firmware_host.engine.values import Result
from firmware_host.errors import TableError
from firmware_host.games.morris.position import MorrisRules
from firmware_host.games.morris.rules import MorrisState
from firmware_host.games.options import MorrisOptions

MEMORY_ESTIMATE = 1 << 31
"""The bytes of memory that a proof of `standard` may take beside the tables, which are only mapped."""
_LOST = 4
_SIDE = 13
_SEARCH_BITS = 18
_ENTRY_SIZE = 8
Source = Callable[[Sector], SectorTable | None]


@contextmanager
def _leaves(options: MorrisOptions, source: Source) -> Iterator[Any]:
    """Yield the tables of all leaves as C takes them; raise TableError with the names of missing ones."""
    wanted = leaf_sectors(options)
    missing = [sector_name(one) for one in wanted if source(one) is None]
    if missing:
        raise TableError(
            f"sectors {', '.join(missing)} are missing; run `millwright tables build --all` first"
        )
    loaded: list[LoadedValues] = []
    found = (Values * (_SIDE * _SIDE))()
    for mine, theirs in wanted:
        loaded.append(load(source, (mine, theirs)))
        found[mine * _SIDE + theirs] = loaded[-1].values
    yield found
    del loaded


def _memory(allowed: int | None) -> int:
    """Return the bytes of memory that a proof may use; raise TableError if they are too few."""
    free = room.free_memory() if allowed is None else allowed
    if free is not None and free < MEMORY_ESTIMATE:
        raise TableError(
            f"a certificate needs about {MEMORY_ESTIMATE / 1e6:,.0f} MB of memory, and {free / 1e6:,.0f} MB "
            f"are {'free' if allowed is None else 'allowed'}"
        )
    return MEMORY_ESTIMATE if free is None else free


def certify(
    options: MorrisOptions, source: Source, player: int, progress: Progress, max_memory: int | None = None
) -> list[bytes]:
    """Return the entries of each turn of a certificate for `player`.

    Raises TableError if a table is missing, if memory would not do, or if the other player can win.
    """
    memory = _memory(max_memory)
    with _leaves(options, source) as tables, open_space(options) as space:
        found, order = space.library, _order(options)
        proof = found.mw_proof_new(
            space.handle, tables, options.pieces, player, order.handle, space.index.shift, memory
        )
        if not proof:
            raise TableError("there is too little memory")
        try:
            result = found.mw_proof_run(proof, callback(progress))
            if result == _LOST:
                raise TableError(f"the {PLAYERS[player]} player cannot hold the draw under these rules")
            checked(result)
            return [_collected(found, proof) for _ in range(options.pieces)]
        finally:
            found.mw_proof_free(proof)


def _order(options: MorrisOptions) -> NativeSearch:
    """Return the search that replies are ordered by."""
    declared = search_library()
    if declared is None:
        raise TableError("a certificate needs Millwright's library in C, which this installation lacks")
    setting = Setting(quiet_limit=options.quiet)
    return NativeSearch(
        declared, evaluation(mill_bits(options)), setting, memory=Memory(_SEARCH_BITS, deeper=True)
    )


def _collected(found: ctypes.CDLL, proof: int) -> bytes:
    entries = ctypes.POINTER(ctypes.c_uint64)()
    count = found.mw_proof_collect(proof, ctypes.byref(entries))
    if count < 0:
        raise TableError("there is too little memory")
    return ctypes.string_at(entries, _ENTRY_SIZE * count)


@dataclass(frozen=True, slots=True)
class Findings:
    """The findings of a certificate's check."""

    entries: int
    """The positions that were reached with the player to move."""
    leaves: int
    """The positions reached, more than once perhaps, with all pieces placed."""
    missing: int
    illegal: int
    lost: int
    first_wrong: int | None

    @property
    def wrong(self) -> int:
        """All faults."""
        return self.missing + self.illegal + self.lost


def audit(options: MorrisOptions, source: Source, certificate: Certificate, progress: Progress) -> Findings:
    """Check all that can arise under a whole certificate, in C; raise TableError if a table is missing."""
    if not certificate.is_whole:
        raise TableError(f"{certificate.name} ends before all pieces are placed")
    found, audit = library(), Audit()
    turns = [bytearray(certificate.turn_entries(turn)) for turn in range(certificate.pieces)]
    addresses = (ctypes.c_void_p * len(turns))(*(address(memoryview(one)) if one else None for one in turns))
    counts = (ctypes.c_uint64 * len(turns))(*certificate.counts)
    with _leaves(options, source) as tables:
        checked(
            found.mw_audit_run(
                ctypes.byref(c_rules(options)), tables, options.pieces, certificate.player,
                addresses, counts, ctypes.byref(audit), callback(progress),
            )
        )  # fmt: skip
    first = audit.first_wrong if audit.missing + audit.illegal + audit.lost else None
    return Findings(audit.entries, audit.leaves, audit.missing, audit.illegal, audit.lost, first)


def audit_by_rules(
    rules: MorrisRules, tables: Tables, certificate: Certificate, games: int, rng: random.Random
) -> list[str]:
    """Play against random opponents by the rules that are played, and return what went wrong."""
    replies = Tables()
    replies.add_certificates([certificate])
    return [
        fault for _ in range(games) if (fault := _played(rules, tables, replies, certificate.player, rng))
    ]


def _played(
    rules: MorrisRules, tables: Tables, replies: Tables, player: int, rng: random.Random
) -> str | None:
    mechanics = rules.mechanics
    state = mechanics.start(black=False)
    for ply in range(2 * rules.options.pieces):
        turns = list(mechanics.after_turns(state))
        if ply % 2 == player:
            wanted = replies.reply(rules, state)
            turns = [one for one in turns if wanted == (one.theirs, one.mine)]
            if not turns:
                return f"ply {ply}: no legal reply"
        state = rng.choice(turns)
        if mechanics.ending(state) is not None:
            break
    return "the last position is lost" if _is_lost(rules, tables, state, player) else None


def _is_lost(rules: MorrisRules, tables: Tables, state: MorrisState, player: int) -> bool:
    own_turn = bool(state.black) == bool(player)
    own = state.mine if own_turn else state.theirs
    if own.bit_count() + (state.my_hand if own_turn else state.their_hand) < MIN_STONES:
        return True
    if state.my_hand or state.their_hand or state.due:
        return False  # the opponent has too few pieces left
    known = tables.probe(rules, state)
    if known is None:
        raise TableError("a sector is missing; run `millwright tables build --all` first")
    return known.result is (Result.LOSS if own_turn else Result.WIN)
