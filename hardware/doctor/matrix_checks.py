"""Conclusions from a diode matrix: loose and touching wires, and diodes that are broken or turned round.

A matrix is also scanned backwards, with its columns driven and its rows read. A good diode blocks that way,
so the ones that conduct are turned round or shorted, unless wires touch.

Invariants: only the evidence decides. A contact that one finding explains is left to no other.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import combinations
from typing import NamedTuple

from firmware_host.frozen import frozen
from firmware_host.ports import Contact
from hardware.doctor.findings import Finding, fault, passed
from hardware.doctor.part_names import PartNames, count, several
from hardware.doctor.select_line_faults import ClosedWires
from hardware.scanner import Wire

_MIN_ON_LINE = 2
"""Contacts of a line from which on the line is at fault, rather than its contacts."""

_ROW, _COLUMN = 0, 1
_CHECKS = ("rows", "columns")


class Explained(NamedTuple):
    """A finding, and the contacts that it explains."""

    finding: Finding
    contacts: frozenset[Contact] = frozenset()


class Spoilt(NamedTuple):
    """A finding on the untouched board, and the wires that later checks must exclude."""

    finding: Finding
    wires: frozenset[Wire]


def check_idle_matrix(
    closed: Collection[Wire], backwards: Collection[Wire], names: PartNames
) -> Iterator[Spoilt]:
    """Check the rows of an untouched board, and rows and columns that touch.

    `closed` are the crossings that are known to conduct without a piece, `backwards` those that conduct from
    row to column.
    """
    wires = frozenset((row, column) for row in range(names.rows) for column in range(names.columns))
    grounded = [row for row in range(names.rows) if all((row, n) in backwards for n in range(names.columns))]
    for row in grounded:
        yield Spoilt(
            fault(
                "rows",
                f"{names.row(row)} is low although nothing drives it",
                f"find where the wire of {names.row(row)} touches GND",
            ),
            frozenset(wire for wire in wires if wire[_ROW] == row),
        )
    for row, column in sorted(set(backwards) & set(closed)):
        if row not in grounded:
            yield Spoilt(
                fault(
                    "rows",
                    f"{names.row(row)} and {names.column(column)} conduct both ways without any piece",
                    f"find where these wires touch, past the reed and diode of {names.owner((row, column))}",
                ),
                frozenset({(row, column)}),
            )


@frozen
class MatrixWalk:
    """The wires that a piece closed at each contact, and those that it closed backwards."""

    names: PartNames
    seen: ClosedWires
    backwards: ClosedWires

    def check(self) -> Iterator[Explained]:
        """Check diodes and lines; yield the causes that explain most first."""
        if self.seen and not any(self.seen.values()):
            yield self._nothing()
            return
        left = dict(self.seen)
        for step in (self._turned_round, self._shorted, self._silent_lines, self._touching):
            for explained in step(left):
                for contact in explained.contacts:
                    left.pop(contact, None)
                yield explained
        if left == self.seen:
            names = self.names
            yield Explained(
                passed(
                    "rows", f"{count(names.rows, 'row')} and {count(names.columns, 'column')}: none is loose"
                )
            )
            yield Explained(passed("diodes", f"each of {len(left)} blocks the way back"))

    def _wire(self, contact: Contact) -> Wire:
        return self.names.contacts[contact]

    def _conducts_backwards(self, contact: Contact) -> bool:
        return self._wire(contact) in self.backwards.get(contact, ())

    def _nothing(self) -> Explained:
        """Return the finding if no contact closed at all."""
        every, names = frozenset(self.seen), self.names
        # The configured crossings may not be the real ones, if rows and columns are exchanged.
        if sum(bool(self.backwards.get(contact)) for contact in every) >= len(every) / 2:
            rows, columns = (list(lines) for lines in (names.sensors.rows, names.sensors.columns))
            return Explained(
                fault(
                    "diodes",
                    f"all {count(len(every), 'contact')} conduct the wrong way only",
                    f"rows = {columns} and columns = {rows} in the section [sensors], then "
                    "`millwright setup`; or turn all diodes round",
                ),
                every,
            )
        return Explained(
            fault(
                "rows",
                f"none of {count(len(every), 'contact')} detected the piece",
                "the wires of all rows and columns; a piece whose magnet is strong enough",
            ),
            every,
        )

    def _turned_round(self, left: ClosedWires) -> Iterator[Explained]:
        turned = [c for c, closed in left.items() if not closed and self._conducts_backwards(c)]
        if turned:
            bands = [
                f"that of {self.names.contact(c)} to {self.names.row(self._wire(c)[_ROW])}" for c in turned
            ]
            yield Explained(
                fault(
                    "diodes",
                    f"conducts the wrong way only: {several(self._named(turned))}",
                    f"turn the diode round; its band goes to the row: {several(bands, 3)}",
                ),
                frozenset(turned),
            )

    def _shorted(self, left: ClosedWires) -> Iterator[Explained]:
        shorted = [c for c, closed in left.items() if self._wire(c) in closed and self._conducts_backwards(c)]
        if shorted:
            yield Explained(
                fault(
                    "diodes",
                    f"conducts both ways: {several(self._named(shorted))}; so pieces on three corners of a "
                    "rectangle of the matrix show one on the fourth",
                    "change that diode, or find the solder bridge past it",
                ),
                frozenset(c for c in shorted if left[c] == {self._wire(c)}),
            )

    def _silent_lines(self, left: ClosedWires) -> Iterator[Explained]:
        gone: set[Contact] = set()
        for axis in (_ROW, _COLUMN):
            for number, contacts in self._by_line(left, axis).items():
                own = [contact for contact in contacts if contact not in gone]
                if len(own) < _MIN_ON_LINE or any(left[contact] for contact in own):
                    continue
                gone.update(own)
                line = self._line(axis, number)
                found = (
                    f"{line} is silent: none of its {count(len(own), 'contact')} detected the piece "
                    f"({self.names.contacts_list(own)})"
                )
                fix = f"the wire of {line}, from the header to its first solder joint"
                yield Explained(fault(_CHECKS[axis], found, fix), frozenset(own))

    def _touching(self, left: ClosedWires) -> Iterator[Explained]:
        for axis in (_ROW, _COLUMN):
            lines = self._by_line(left, axis)
            for one, other in combinations(sorted(lines), 2):
                own = [*lines[one], *lines[other]]
                if all(self._closes_both(left, contact, axis, (one, other)) for contact in own):
                    names = f"{self._line(axis, one)} and {self._line(axis, other)}"
                    found = f"{names} touch: {count(len(own), 'contact')} closed on both"
                    fix = f"find where the wires of {names} touch"
                    yield Explained(fault(_CHECKS[axis], found, fix), frozenset(own))

    def _closes_both(self, left: ClosedWires, contact: Contact, axis: int, lines: Iterable[int]) -> bool:
        """Return True if a contact closed its crossings on both lines, and nothing else."""
        row, column = self._wire(contact)
        both = frozenset((line, column) if axis == _ROW else (row, line) for line in lines)
        return left.get(contact) == both

    def _by_line(self, contacts: Iterable[Contact], axis: int) -> Mapping[int, list[Contact]]:
        lines: dict[int, list[Contact]] = {}
        for contact in contacts:
            lines.setdefault(self._wire(contact)[axis], []).append(contact)
        return lines

    def _line(self, axis: int, number: int) -> str:
        return self.names.row(number) if axis == _ROW else self.names.column(number)

    def _named(self, contacts: Iterable[Contact]) -> list[str]:
        return [self.names.wire(self._wire(contact)) for contact in contacts]
