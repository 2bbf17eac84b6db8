"""The values of positions of the mill family that tables know.

**Invariants:** a value is exact under the rules that are played, the draw after 100 quiet steps included, or
it says that it isn't. Earlier positions that could be repeated are not considered. A table that turns out
to be damaged is dropped and reported once; it never gives a value.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from typing import Protocol

from firmware_host.engine.certificate import (
    Certificate,
    ProvedReply,
    can_be_certified,
    canonical,
    certificate_id,
)
from firmware_host.engine.index import SectorIndex
from firmware_host.engine.table_file import SectorTable
from firmware_host.engine.table_rules import (
    MIN_STONES,
    AnySector,
    PlacingSector,
    Sector,
    are_solvable,
    rules_id,
)
from firmware_host.errors import TableError
from firmware_host.games.morris.bitboard import board_graph
from firmware_host.games.morris.position import MorrisRules
from firmware_host.games.morris.rules import MorrisMechanics, MorrisState
from firmware_host.games.values import Result, Value

_ORDER = {Result.LOSS: 0, Result.DRAW: 1, Result.WIN: 2}
_Key = tuple[bytes, AnySector]
_MAX_OPEN = 16
"""The files that are open at most: a position leads to fewer sectors."""


class Named(Protocol):
    """A file that may turn out to be damaged."""

    @property
    def name(self) -> str:
        """The name of the file, for errors."""


class TableSource(Named, Protocol):
    """A table that is opened when it is first needed; those that were built are opened by `solving`."""

    def open(self) -> SectorTable:
        """Return the table; raise TableError if it is damaged."""


def ignore(table: Named, reason: str) -> None:
    """Do not report a damaged table."""


@cache
def sector_index(diagonals: bool, outer: bool) -> SectorIndex:
    """Return the index of positions on a board; see `board_graph`."""
    return SectorIndex(board_graph(diagonals, outer))


def index_of(mechanics: MorrisMechanics) -> SectorIndex:
    """Return the index of positions under these rules."""
    return sector_index(mechanics.options.diagonals, mechanics.options.points == "outer")


@dataclass(eq=False)
class Tables:
    """The tables at hand, of any rules; `report` gets each damaged one with the reason, once."""

    report: Callable[[Named, str], None] = ignore
    _known: dict[_Key, list[SectorTable]] = field(default_factory=dict)
    _sources: dict[_Key, TableSource] = field(default_factory=dict)
    _opened: OrderedDict[_Key, SectorTable] = field(default_factory=OrderedDict)
    """The tables of sources that were used last."""
    _certificates: dict[tuple[bytes, int], list[Certificate]] = field(default_factory=dict)

    def add(self, found: Iterable[SectorTable]) -> None:
        """Use these tables as well; of several for a sector one with distances comes first."""
        for table in found:
            header = table.header
            known = self._known.setdefault((header.rules, header.sector), [])
            known.append(table)
            known.sort(key=lambda one: -one.header.kind)

    def add_source(self, rules: bytes, sector: AnySector, source: TableSource) -> None:
        """Use one more table, which is opened when a position of its sector is first asked for."""
        self._sources[rules, sector] = source

    def add_certificates(self, found: Iterable[Certificate]) -> None:
        """Use these certificates as well; of several for a player the longest comes first."""
        for one in found:
            known = self._certificates.setdefault((one.rules, one.player), [])
            known.append(one)
            known.sort(key=lambda each: -each.entries)

    def reply(self, rules: MorrisRules, state: MorrisState, *, whole: bool = False) -> tuple[int, int] | None:
        """Return the proved reply of the player to move, as the player's and the opponent's pieces after it.

        None if no certificate, or with `whole` no whole one, has the position.
        """
        options = rules.options
        if state.due or not state.my_hand or not can_be_certified(options):
            return None
        turn, player = divmod(2 * options.pieces - state.my_hand - state.their_hand, 2)
        index = index_of(rules.mechanics)
        position, symmetry = canonical(index, state.mine >> index.shift, state.theirs >> index.shift)
        found = self._found((certificate_id(options), player), turn, position, whole=whole)
        if found is None:
            return None
        node = index.symmetries[symmetry].index
        taken = 0 if found.taken is None else 1 << node(found.taken) + index.shift
        return state.mine | 1 << node(found.to) + index.shift, state.theirs & ~taken

    def _found(self, key: tuple[bytes, int], turn: int, position: int, *, whole: bool) -> ProvedReply | None:
        known = self._certificates.get(key)
        while known and (known[0].is_whole or not whole):
            try:
                return known[0].reply(turn, position)
            except TableError as error:
                self.report(known.pop(0), str(error))
        return None

    def sectors(self, rules: MorrisRules) -> list[SectorTable]:
        """Return the table that is used for each known sector under `rules`, in the order of stones."""
        found = (self._table((rules_id(rules.options), sector)) for sector in self._named(rules))
        mine = (table for table in found if table is not None)
        return sorted(mine, key=lambda t: (t.header.mine + t.header.theirs, t.header.mine))

    def _named(self, rules: MorrisRules) -> frozenset[Sector]:
        keys = (*(key for key, known in self._known.items() if known), *self._sources)
        return frozenset((sector[0], sector[1]) for own, sector in keys if own == rules_id(rules.options))

    def _table(self, key: _Key) -> SectorTable | None:
        """Return the table that is used for a sector, if there is one; it is opened if need be."""
        known = self._known.get(key, ())
        found = [*known, built] if (built := self._built(key)) is not None else known
        return max(found, key=lambda one: one.header.kind, default=None)

    def _built(self, key: _Key) -> SectorTable | None:
        source = self._sources.get(key)
        if source is None:
            return None
        if key not in self._opened:
            try:
                self._opened[key] = source.open()
            except TableError as error:
                self._drop(key, source, str(error))
                return None
            if len(self._opened) > _MAX_OPEN:
                self._opened.popitem(last=False)
        self._opened.move_to_end(key)
        return self._opened[key]

    def _drop(self, key: _Key, table: Named, reason: str) -> None:
        """Use a table no longer, and report it."""
        known = self._known.get(key, [])
        if table in known:
            known.remove(table)
        else:
            del self._sources[key]
            self._opened.pop(key, None)
        self.report(table, reason)

    def known(self, rules: MorrisRules) -> frozenset[Sector]:
        """Return the sectors with nothing in hand whose positions `probe` may know under `rules`."""
        if not are_solvable(rules.options):
            return frozenset()
        return self._named(rules)

    def know_rest(self, rules: MorrisRules, state: MorrisState) -> bool:
        """Return whether there is a table for each sector that placements without captures lead to."""
        sector = PlacingSector(
            state.mine.bit_count(), state.theirs.bit_count(), state.my_hand, state.their_hand
        )
        while sector.my_hand:
            sector = sector.quiet
            key = _sector_key(rules, sector)
            if not self._known.get(key) and key not in self._sources:
                return False
        return True

    def probe(self, rules: MorrisRules, state: MorrisState) -> Value | None:
        """Return the value of `state` for its player to move, or None if no table knows it."""
        placing = state.my_hand or state.their_hand
        if not (can_be_certified(rules.options) if placing else are_solvable(rules.options)):
            return None
        if state.mine.bit_count() + state.my_hand < MIN_STONES:
            return Value(Result.LOSS, 0, exact=True)
        if state.theirs.bit_count() + state.their_hand < MIN_STONES:
            return Value(Result.WIN, 0, exact=True)
        if state.due:
            return self._best_removal(rules, state)
        return self._stored(rules, state)

    def _best_removal(self, rules: MorrisRules, state: MorrisState) -> Value | None:
        found = []
        for after in rules.mechanics.after_steps(state):
            known = self.probe(rules, after)
            if known is None:
                return None
            found.append(known if after.black == state.black else turn_value(state, after, known))
        return best_value(found)

    def _stored(self, rules: MorrisRules, state: MorrisState) -> Value | None:
        key, index = _key(rules, state), index_of(rules.mechanics)
        while (table := self._table(key)) is not None:
            at = index.index(state.mine >> index.shift, state.theirs >> index.shift, table.representatives)
            try:
                result, distance = table.value(at)
            except TableError as error:
                self._drop(key, table, str(error))
                continue
            left = rules.options.quiet - state.quiet if rules.options.quiet else None
            return _in_time(result, distance, left, table.header.summary.depth)
        return None


def _key(rules: MorrisRules, state: MorrisState) -> _Key:
    stones = state.mine.bit_count(), state.theirs.bit_count()
    return _sector_key(rules, PlacingSector(*stones, state.my_hand, state.their_hand))


def _sector_key(rules: MorrisRules, sector: PlacingSector) -> _Key:
    if not (sector.my_hand or sector.their_hand):
        return rules_id(rules.options), sector[:2]
    return certificate_id(rules.options), sector


def _in_time(result: Result, distance: int | None, left: int | None, depth: int) -> Value:
    """Return the value if a game without captures is a draw in `left` steps; `depth` is the sector's."""
    if result is Result.DRAW:
        return Value(result, None, exact=True)
    if left is None or (distance if distance is not None else depth) <= left:
        return Value(result, distance, exact=True)
    if distance is not None:
        return Value(Result.DRAW, None, exact=True)
    return Value(result, None, exact=False)  # or a draw, but never the opposite


def turn_value(before: MorrisState, after: MorrisState, known: Value) -> Value:
    """Return the value of the turn, or rest of one, from `before` to `after` for the player who makes it.

    `known` is the value of `after` for the opponent, who is to move.
    """
    distance = None if known.distance is None else known.distance + 1
    if (
        after.theirs.bit_count() + after.mine.bit_count()
        < before.mine.bit_count() + before.theirs.bit_count()
    ):
        distance = 1
    return Value(known.result.reversed, None if known.result is Result.DRAW else distance, known.exact)


def best_value(values: Iterable[Value]) -> Value:
    """Return the value of a position whose turns have these: fast wins first, then draws, then slow losses.

    A value that is not exact may be a draw: it matters only where all turns lose, or if it is the best.
    """
    found = list(values)
    if not found:
        return Value(Result.LOSS, 0, exact=True)
    best = max(found, key=_rank)
    proved = all(one.exact for one in found) if best.result is Result.LOSS else best.exact
    lost_slowly = best.result is Result.LOSS and any(one.distance is None for one in found)
    return Value(best.result, None if lost_slowly else best.distance, proved)


def _rank(value: Value) -> tuple[int, float, bool]:
    distance = math.inf if value.distance is None else value.distance
    return _ORDER[value.result], -distance if value.result is Result.WIN else distance, value.exact
