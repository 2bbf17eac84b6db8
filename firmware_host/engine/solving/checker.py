"""Checks of tables by code that shares nothing with their builder: in C, and by the rules that are played.

A position's value must follow from those of the positions one turn later. Where distances are stored and
agree everywhere, that proves every value, since the distance of a win falls with each turn. Where only
results are stored, it finds single wrong values, but not a set of them that support one another.

**Invariants:** nothing is checked against a sector whose blocks are damaged: that is a TableError.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from firmware_host import __version__
from firmware_host.engine.solving.folder import TableFolder, replace_file, sector_name, unusable
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
from firmware_host.state_files import read_state

# ---- the journal ----------------------------------------------------------------------------------------
# The journal of a check of all tables, by which an interrupted one goes on.
#
# **Invariants:** what was noted counts only for the same values, checked in the same way by the same
# version. The journal appears whole or not at all, and ends with the check that it is of. One that is
# damaged is set aside. A check needs no journal: where none can be written, it only has to start again.


_SUFFIX = ".checks"
_MAX_BYTES = 1 << 24


@frozen
class CheckedSector:
    """The positions of a sector that were checked, and how many of their values are wrong."""

    checked: int
    wrong: int


@dataclass
class CheckJournal:
    """The sectors that the check called `way` has done; `way` says how many positions, and which."""

    folder: TableFolder
    tables: Mapping[Sector, SectorTable]
    way: str
    _lines: dict[Sector, str] = field(default_factory=dict)

    @property
    def path(self) -> Path:
        """The journal's file, beside the folder of the tables."""
        return self.folder.path.with_name(self.folder.path.name + _SUFFIX)

    def read(self) -> dict[Sector, CheckedSector]:
        """Return the sectors that need no second check."""
        try:
            lines = read_state(self.path, _lines_of, max_bytes=_MAX_BYTES) or {}
        except OSError:
            return {}
        known = {self._subject(sector): sector for sector in self.tables}
        self._lines |= {known[subject]: line for subject, (line, _) in lines.items() if subject in known}
        return {known[subject]: found for subject, (_, found) in lines.items() if subject in known}

    def note(self, sector: Sector, found: CheckedSector) -> None:
        """Note that a sector was checked; raises TableError if that can't be written."""
        self._lines[sector] = f"{self._subject(sector)} {found.checked} {found.wrong}"
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise TableError(f"{self.path.parent}: {error.strerror}") from error
        text = "".join(f"{line}\n" for line in self._lines.values())
        replace_file(self.path, lambda file: file.write(text.encode("ascii")))

    def end(self) -> None:
        """Remove the journal, so that the next check is one of all tables; raises TableError."""
        try:
            self.path.unlink(missing_ok=True)
        except OSError as error:
            raise TableError(f"{self.path}: {error.strerror}") from error

    def _subject(self, sector: Sector) -> str:
        """Return the digest of everything that the result for a sector depends on."""
        parts = [__version__, self.way, sector_name(sector)]
        sums = sha256(" ".join(parts).encode())
        for one in _read_with(self.folder.options, sector):
            if one in self.tables:
                sums.update(self.tables[one].identity)
        return sums.hexdigest()


def _lines_of(data: bytes) -> dict[str, tuple[str, CheckedSector]]:
    """Return the lines of a journal, and what they say, by their subjects; raise ValueError."""
    found = {}
    for line in data.decode("ascii").splitlines():
        subject, checked, wrong = line.split(" ")
        bytes.fromhex(subject)
        found[subject] = line, CheckedSector(_count(checked), _count(wrong))
    return found


def _count(digits: str) -> int:
    if not digits.isdecimal():
        raise ValueError(f"{digits!r} is not a number")
    return int(digits)


def _read_with(options: MorrisOptions, sector: Sector) -> list[Sector]:
    """Return a sector, and those that its turns lead to."""
    return [sector, (sector[1], sector[0]), *captures_from(options, sector)]


# ---- checks ---------------------------------------------------------------------------------------------


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
