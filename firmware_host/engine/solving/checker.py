"""Checks of tables by code that shares nothing with their builder: in C, and by the rules that are played.

A position's value must follow from those of the positions one turn later. Where distances are stored and
agree everywhere, that proves every value, since the distance of a win falls with each turn. Where only
results are stored, it finds single wrong values, but not a set of them that support one another.

**Invariants:** nothing is checked against a sector whose blocks are damaged: that is a TableError.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Iterator

from firmware_host.engine.solving.folder import sector_name, unusable
from firmware_host.engine.solving.library import (
    MAX_CAPTURES,
    Progress,
    Values,
    c_rules,
    library,
    watching,
)
from firmware_host.engine.solving.loading import Source, captures_from, load
from firmware_host.engine.table_file import SectorTable
from firmware_host.engine.table_rules import AnySector, Sector
from firmware_host.engine.tables import Tables, best_value, index_of, turn_value
from firmware_host.errors import TableError
from firmware_host.frozen import frozen
from firmware_host.games.morris.position import MorrisRules
from firmware_host.games.morris.rules import MorrisState
from firmware_host.games.options import MorrisOptions
from firmware_host.games.values import Value


@frozen
class CheckResult:
    """The result of a check in C: the number of wrong values, and the index of the first of them."""

    wrong: int
    first: int | None


@frozen
class WrongValue:
    """A value that does not follow from the turns of its position."""

    sector: AnySector
    index: int
    state: MorrisState
    stored: Value
    right: Value


def check_in_c(
    options: MorrisOptions, source: Source, sector: Sector, first: int, step: int, progress: Progress
) -> CheckResult:
    """Check the positions `first`, `first` + `step` ... of a sector; raise TableError if one is missing."""
    found = library()
    lead_to = (sector[1], sector[0]), *captures_from(options, sector)
    tables = [load(source, one) for one in (sector, *lead_to)]
    same, other, *lower = (one.values for one in tables)
    captures = (Values * MAX_CAPTURES)(*lower)
    limit, where = options.quiet, ctypes.c_uint64()
    cut = limit and max(one.table.header.summary.depth for one in tables[:2]) >= limit - 1
    with watching(progress) as callback:
        wrong = found.mw_check(
            ctypes.byref(c_rules(options)), *sector, same, other, captures, int(cut), first, step,
            ctypes.byref(where), callback,
        )  # fmt: skip
    if wrong < 0:
        raise TableError(f"there is too little memory to check sector {sector_name(sector)}")
    return CheckResult(wrong, where.value if wrong else None)


def check_by_rules(
    rules: MorrisRules, tables: Tables, table: SectorTable, indices: Iterable[int]
) -> Iterator[WrongValue]:
    """Yield the wrong ones of some values of a sector, by the rules that are played; raise TableError."""
    index = index_of(rules.mechanics)
    header, sector = table.header, table.header.sector
    hands = header.my_hand, header.their_hand
    for at in indices:
        mine, theirs = index.position(at, header.mine, header.theirs, table.representatives)
        state = MorrisState(mine << index.shift, theirs << index.shift, *hands, 0, 0)
        try:
            result, distance = table.value(at)
        except TableError as error:
            raise unusable(table.name, str(error)) from error
        stored = Value(result, distance, exact=True)
        right = _follows(rules, tables, state)
        if right is None:
            raise TableError(f"a sector that {sector_name(sector)} leads to is missing; build it first")
        same_distance = distance is None or right.distance == distance
        if right.exact and not (right.result is result and same_distance):
            yield WrongValue(sector, at, state, stored, right)


def _follows(rules: MorrisRules, tables: Tables, state: MorrisState) -> Value | None:
    """Return the value that follows from the turns of a position, None if one of them is not known."""
    values = [
        turn_value(state, after, known) if (known := tables.probe(rules, after)) else None
        for after in rules.mechanics.after_turns(state)
    ]
    return None if None in values else best_value(value for value in values if value is not None)
