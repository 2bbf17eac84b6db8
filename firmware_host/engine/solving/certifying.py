"""Making certificates and checking them, on the whole tables of the moving phase.

The check walks all positions that can arise under the replies with code of its own, and shares only the
file's format with the proof.

**Invariants:** nothing begins without all tables. A certificate is written whole or not at all.
"""

from __future__ import annotations

import ctypes
import random
from collections.abc import Sequence

from firmware_host.engine.certificate import PLAYERS, Certificate
from firmware_host.engine.solving.folder import refuse, unusable
from firmware_host.engine.solving.library import (
    Audit,
    NativeGoal,
    Progress,
    address,
    c_rules,
    checked,
    library,
    watching,
)
from firmware_host.engine.solving.loading import Source
from firmware_host.engine.solving.proving import START, Placing, open_leaves, open_prover, seen_by
from firmware_host.engine.table_rules import MIN_STONES
from firmware_host.engine.tables import Tables
from firmware_host.errors import TableError
from firmware_host.frozen import frozen
from firmware_host.games.morris.position import MorrisRules
from firmware_host.games.morris.rules import MorrisState
from firmware_host.games.options import MorrisOptions
from firmware_host.games.values import Result


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
