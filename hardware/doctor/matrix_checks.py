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
from firmware_host.i18n import Message
from firmware_host.ports import Contact
from hardware.doctor.findings import Check, Finding, fault, passed
from hardware.doctor.part_names import Name, PartNames, count, several
from hardware.doctor.select_line_faults import ClosedWires
from hardware.scanner import Wire

_MIN_ON_LINE = 2
"""Contacts of a line from which on the line is at fault, rather than its contacts."""

_ROW, _COLUMN = 0, 1
_CHECKS: tuple[Check, Check] = ("rows", "columns")


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
                Message("doctor.matrix.low", {"line": names.row(row)}),
                Message("doctor.touches-ground", {"line": names.row(row)}),
            ),
            frozenset(wire for wire in wires if wire[_ROW] == row),
        )
    for row, column in sorted(set(backwards) & set(closed)):
        if row not in grounded:
            yield Spoilt(
                fault(
                    "rows",
                    Message(
                        "doctor.matrix.conducts", {"row": names.row(row), "column": names.column(column)}
                    ),
                    Message("doctor.matrix.conducts.fix", {"contact": names.owner((row, column))}),
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
            rows, columns = count(names.rows, "row"), count(names.columns, "column")
            yield Explained(passed("rows", Message("doctor.matrix.good", {"rows": rows, "columns": columns})))
            yield Explained(passed("diodes", Message("doctor.diodes.good", {"count": len(left)})))

    def _wire(self, contact: Contact) -> Wire:
        return self.names.contacts[contact]

    def _conducts_backwards(self, contact: Contact) -> bool:
        return self._wire(contact) in self.backwards.get(contact, ())

    def _nothing(self) -> Explained:
        """Return the finding if no contact closed at all."""
        every, names, contacts = frozenset(self.seen), self.names, count(len(self.seen), "contact")
        # The configured crossings may not be the real ones, if rows and columns are exchanged.
        if sum(bool(self.backwards.get(contact)) for contact in every) >= len(every) / 2:
            rows, columns = (str(list(lines)) for lines in (names.sensors.rows, names.sensors.columns))
            return Explained(
                fault(
                    "diodes",
                    Message("doctor.diodes.all", {"contacts": contacts}),
                    Message("doctor.diodes.all.fix", {"rows": columns, "columns": rows}),
                ),
                every,
            )
        found = Message("doctor.matrix.none", {"contacts": contacts})
        return Explained(fault("rows", found, Message("doctor.matrix.none.fix")), every)

    def _turned_round(self, left: ClosedWires) -> Iterator[Explained]:
        turned = [c for c, closed in left.items() if not closed and self._conducts_backwards(c)]
        if turned:
            bands = [
                Message(
                    "doctor.diodes.band",
                    {"contact": self.names.contact(c), "row": self.names.row(self._wire(c)[_ROW])},
                )
                for c in turned
            ]
            yield Explained(
                fault(
                    "diodes",
                    Message("doctor.diodes.turned", {"wires": self._named(turned)}),
                    Message("doctor.diodes.turned.fix", {"bands": several(bands, 3)}),
                ),
                frozenset(turned),
            )

    def _shorted(self, left: ClosedWires) -> Iterator[Explained]:
        shorted = [c for c, closed in left.items() if self._wire(c) in closed and self._conducts_backwards(c)]
        if shorted:
            yield Explained(
                fault(
                    "diodes",
                    Message("doctor.diodes.shorted", {"wires": self._named(shorted)}),
                    Message("doctor.diodes.shorted.fix"),
                ),
                frozenset(c for c in shorted if left[c] == {self._wire(c)}),
            )

    def _silent_lines(self, left: ClosedWires) -> Iterator[Explained]:
        gone: set[Contact] = set()
        for axis in (_ROW, _COLUMN):
            for number, on_line in self._by_line(left, axis).items():
                own = [contact for contact in on_line if contact not in gone]
                if len(own) < _MIN_ON_LINE or any(left[contact] for contact in own):
                    continue
                gone.update(own)
                line = self._line(axis, number)
                contacts, points = count(len(own), "contact"), self.names.contacts_list(own)
                found = Message("doctor.part.silent", {"part": line, "contacts": contacts, "points": points})
                fix = Message("doctor.line.silent.fix", {"line": line})
                yield Explained(fault(_CHECKS[axis], found, fix), frozenset(own))

    def _touching(self, left: ClosedWires) -> Iterator[Explained]:
        for axis in (_ROW, _COLUMN):
            lines = self._by_line(left, axis)
            for one, other in combinations(sorted(lines), 2):
                own = [*lines[one], *lines[other]]
                if all(self._closes_both(left, contact, axis, (one, other)) for contact in own):
                    pair = several([self._line(axis, one), self._line(axis, other)])
                    contacts = count(len(own), "contact")
                    found = Message("doctor.lines.touch", {"lines": pair, "contacts": contacts})
                    fix = Message("doctor.lines.touch.fix", {"lines": pair})
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

    def _line(self, axis: int, number: int) -> Message:
        return self.names.row(number) if axis == _ROW else self.names.column(number)

    def _named(self, contacts: Iterable[Contact]) -> Name:
        return several([self.names.wire(self._wire(contact)) for contact in contacts])
