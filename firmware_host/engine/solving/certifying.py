"""Making certificates and checking them, on the whole tables of the moving phase.

The check walks all positions that can arise under the replies with code of its own, and shares only the
file's format with the proof.

**Invariants:** nothing begins without all tables. A certificate is written whole or not at all.
"""

from __future__ import annotations

import ctypes
import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

from firmware_host.engine.certificate import PLAYERS, Certificate
from firmware_host.engine.searching.evaluation import evaluation
from firmware_host.engine.searching.mill_bits import mill_bits
from firmware_host.engine.searching.search import Setting
from firmware_host.engine.searching.search_native import Memory, NativeSearch, search_library
from firmware_host.engine.solving import room
from firmware_host.engine.solving.folder import refuse, sector_name, unusable
from firmware_host.engine.solving.library import (
    Audit,
    NativeGoal,
    NativePlacing,
    Progress,
    Values,
    address,
    c_rules,
    checked,
    library,
    open_space,
    watching,
)
from firmware_host.engine.solving.loading import LoadedValues, Source, load
from firmware_host.engine.solving.promise import leaf_sectors
from firmware_host.engine.table_rules import MIN_STONES
from firmware_host.engine.tables import Tables, index_of
from firmware_host.errors import TableError
from firmware_host.frozen import frozen
from firmware_host.games.morris.position import MorrisRules
from firmware_host.games.morris.rules import MorrisState
from firmware_host.games.options import MorrisOptions
from firmware_host.games.values import Result

# ---- proofs ---------------------------------------------------------------------------------------------
# Proofs about positions while pieces are placed, on the whole tables of the moving phase.
#
# A proof goes depth first: a position reaches the goal if one reply does, and a reply does if every turn
# after it leads to a position that reaches the goal. The tables decide when all pieces are placed. The
# replies are tried in the order of a small search, so that most of those that come first succeed.
#
# **Invariants:** nothing begins without all tables. What is not proved is refuted: all replies were tried.
# Memory that runs out is an error, never a result.


MEMORY_ESTIMATE = 1 << 31
"""The bytes of memory that a proof of `standard` may take beside the tables, which are only mapped."""
_FAILS = 4
_SIDE = 13
_SEARCH_BITS = 18
_ENTRY_SIZE = 8


class Placing(NamedTuple):
    """A position while pieces are placed, in which the game is not over."""

    first: int
    """The nodes of the player who began."""
    second: int
    placed: int
    """The placements so far, of both players."""

    @classmethod
    def of(cls, rules: MorrisRules, state: MorrisState) -> Placing:
        """Return the position of `state`; raise ValueError if the game is over or a removal is due."""
        if state.due or rules.mechanics.ending(state) is not None:
            raise ValueError("proofs are about positions in which a turn begins")
        placed = 2 * rules.options.pieces - state.my_hand - state.their_hand
        shift = index_of(rules.mechanics).shift
        mine, theirs = state.mine >> shift, state.theirs >> shift
        return cls(theirs, mine, placed) if placed % 2 else cls(mine, theirs, placed)


START = Placing(0, 0, 0)


def seen_by(player: int, starts: Sequence[Placing]) -> Any:
    """Return an array of positions as C takes them: the player's stones before the opponent's."""
    found = [
        NativePlacing(second, first, placed) if player else NativePlacing(first, second, placed)
        for first, second, placed in starts
    ]
    return (NativePlacing * len(found))(*found)


@contextmanager
def open_leaves(options: MorrisOptions, source: Source) -> Iterator[Any]:
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


@dataclass(eq=False)
class Prover:
    """Proofs for one player, which know all that was solved before; see `open_prover`."""

    library: ctypes.CDLL
    handle: int
    pieces: int
    player: int

    def reaches(self, start: Placing, progress: Progress) -> bool:
        """Return whether the player reaches the goal from `start`; raise TableError without memory."""
        (given,) = seen_by(self.player, [start])
        with watching(progress) as callback:
            result: int = self.library.mw_proof_run(self.handle, given, callback)
        if result != _FAILS:
            checked(result)
        return result != _FAILS

    def replies(self, starts: Sequence[Placing], progress: Progress) -> list[bytes] | None:
        """Return the entries of each turn of a certificate, None if one of `starts` doesn't reach the goal.

        All starts have equally many placements; turns before them have no entries. Raises TableError without
        memory.
        """
        if not all(self.reaches(one, progress) for one in starts):
            return None
        begun = (starts[0].placed + 1 - self.player) // 2
        following = [self._collected(starts if turn == begun else []) for turn in range(begun, self.pieces)]
        return [b""] * begun + following

    def _collected(self, starts: Sequence[Placing]) -> bytes:
        entries = ctypes.POINTER(ctypes.c_uint64)()
        given = seen_by(self.player, starts) if starts else None
        count = self.library.mw_proof_collect(self.handle, given, len(starts), ctypes.byref(entries))
        if count < 0:
            raise TableError("there is too little memory")
        return ctypes.string_at(entries, _ENTRY_SIZE * count)


@contextmanager
def open_prover(
    options: MorrisOptions, source: Source, player: int, *, wins: bool = False, max_memory: int | None = None
) -> Iterator[Prover]:
    """Yield proofs that `player` cannot lose, or wins from each position if `wins`.

    Raises TableError if a table is missing or if memory would not do.
    """
    memory = _memory(max_memory)
    with open_leaves(options, source) as tables, open_space(options) as space:
        found, order = space.library, _order(options)
        handle = found.mw_proof_new(
            space.handle,
            tables,
            NativeGoal(options.pieces, player, wins),
            order.handle,
            space.index.shift,
            memory,
        )
        if not handle:
            raise TableError("there is too little memory")
        try:
            yield Prover(found, handle, options.pieces, player)
        finally:
            found.mw_proof_free(handle)


def _memory(allowed: int | None) -> int:
    """Return the bytes of memory that a proof may use; raise TableError if they are too few."""
    free = room.free_memory() if allowed is None else allowed
    if free is not None and free < MEMORY_ESTIMATE:
        raise TableError(
            f"a certificate needs about {MEMORY_ESTIMATE / 1e6:,.0f} MB of memory, and {free / 1e6:,.0f} MB "
            f"are {'free' if allowed is None else 'allowed'}"
        )
    return MEMORY_ESTIMATE if free is None else free


def _order(options: MorrisOptions) -> NativeSearch:
    """Return the search that replies are ordered by."""
    declared = search_library()
    if declared is None:
        raise TableError("a certificate needs Millwright's library in C, which this installation lacks")
    setting = Setting(quiet_limit=options.quiet)
    return NativeSearch(
        declared, evaluation(mill_bits(options)), setting, memory=Memory(_SEARCH_BITS, deeper=True)
    )


# ---- certificates ---------------------------------------------------------------------------------------


def certify(
    options: MorrisOptions, source: Source, player: int, progress: Progress, max_memory: int | None = None
) -> list[bytes]:
    """Return the entries of each turn of a certificate for `player`.

    Raises TableError if a table is missing, if memory would not do, or if the other player can win.
    """
    with open_prover(options, source, player, max_memory=max_memory) as prover:
        turns = prover.replies([START], progress)
    if turns is None:
        raise TableError(f"the {PLAYERS[player]} player cannot hold the draw under these rules")
    return turns


@frozen
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


def audit(
    options: MorrisOptions,
    source: Source,
    certificate: Certificate,
    progress: Progress,
    *,
    starts: Sequence[Placing] = (START,),
    wins: bool = False,
) -> Findings:
    """Check all that can arise under a whole certificate, in C; raise TableError if a table is missing.

    The certificate is one from these positions on; with `wins` its player has to win.
    """
    if not certificate.is_whole:
        raise TableError(f"{certificate.name} ends before all pieces are placed")
    found, audit, player = library(), Audit(), certificate.player
    try:
        turns = [bytearray(certificate.turn_entries(turn)) for turn in range(certificate.pieces)]
    except TableError as error:
        raise unusable(certificate.name, str(error)) from error
    addresses = (ctypes.c_void_p * len(turns))(*(address(memoryview(one)) if one else None for one in turns))
    counts = (ctypes.c_uint64 * len(turns))(*certificate.counts)
    with open_leaves(options, source) as tables, watching(progress) as callback:
        result = found.mw_audit_run(
            ctypes.byref(c_rules(options)), tables, NativeGoal(options.pieces, player, wins),
            seen_by(player, starts), len(starts), addresses, counts, ctypes.byref(audit), callback,
        )  # fmt: skip
    checked(result)
    first = audit.first_wrong if audit.missing + audit.illegal + audit.lost else None
    return Findings(audit.entries, audit.leaves, audit.missing, audit.illegal, audit.lost, first)


def audit_by_rules(
    rules: MorrisRules, tables: Tables, certificate: Certificate, games: int, rng: random.Random
) -> list[str]:
    """Play against random opponents by the rules that are played, and return what went wrong."""
    replies = Tables(refuse)
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
