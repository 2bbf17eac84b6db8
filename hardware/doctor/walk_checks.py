"""Conclusions from the walk of one magnet over all points of a board.

Invariants: the cause that explains most is reported first, and the contacts that it explains are not reported
again. Only the evidence decides.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import hypot

from firmware_host.frozen import frozen
from firmware_host.i18n import Message, to_english
from firmware_host.ports import SOMETHING, Contact, Reading
from hardware.doctor.findings import Finding, fault, passed, skipped, warning
from hardware.doctor.matrix_checks import MatrixWalk
from hardware.doctor.part_names import Name, PartNames, count, several
from hardware.doctor.select_line_faults import (
    ClosedWires,
    best_select_cause,
    explained_by,
    other_order,
    select_words,
)
from hardware.scanner import Wire

MAX_NEIGHBOUR_DISTANCE = 2.0
"""Maximum distance of neighbours, in units of the smallest distance between rows of points."""

MIN_RESTLESS_CHANGES = 10
"""Changes of a resting piece's contact that cannot be chance."""

_COMMON_SHARE = 0.6
"""Share of the contacts above which a fault is not their own."""


@frozen
class Visit:
    """A piece that was set down on a point, over `contact`.

    `closed` are the wires that closed then, `changes` how often they changed while it rested for `frames`
    frames. `turned`: it was upside down. `backwards` are the wires of a matrix that then conducted from row
    to column.
    """

    contact: Contact
    closed: frozenset[Wire]
    changes: int = 0
    frames: int = 100
    turned: bool = False
    backwards: frozenset[Wire] = frozenset()


@frozen
class Walk:
    """All visits, and the wires in `excluded`, which have findings of their own."""

    wires: tuple[Wire, ...]
    visits: tuple[Visit, ...]
    excluded: frozenset[Wire] = frozenset()


@dataclass
class _Evidence:
    """The readings still to be explained."""

    names: PartNames
    walk: Walk
    seen: dict[Contact, frozenset[Wire]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        contacts, spoilt = self.names.contacts, self.walk.excluded
        for visit in self.walk.visits:
            if not visit.turned and contacts[visit.contact] not in spoilt:
                self.seen[visit.contact] = visit.closed - spoilt

    def silent(self) -> list[Contact]:
        return [contact for contact, closed in self.seen.items() if not closed]

    def leave_out(self, contacts: Sequence[Contact]) -> None:
        for contact in contacts:
            self.seen.pop(contact, None)


def unexplained_silence(walk: Walk, names: PartNames) -> tuple[Contact, ...]:
    """Return the silent contacts that no chip or line explains, to be tried with the piece turned over.

    If no contact closed at all, these are the first two. Contacts in pairs need none, nor do the reeds of a
    matrix.
    """
    if names.rows:
        return ()
    evidence = _Evidence(names, walk)
    if len(evidence.silent()) == len(evidence.seen):
        return tuple(evidence.seen)[:2]
    if any(reading != SOMETHING for _, reading in evidence.seen):
        return ()
    for step in _chips, _select:
        deque(step(evidence), maxlen=0)
    return tuple(evidence.silent())


def check_walk(walk: Walk, names: PartNames) -> tuple[Finding, ...]:
    """Check chips, lines, wires, contacts and magnets."""
    evidence = _Evidence(names, walk)
    if not evidence.seen:
        return (skipped("walk", Message("doctor.walk.none-left")),)
    chips = (_matrix,) if names.rows else (_chips, _select)
    steps = (_poles, *chips, _order, _neighbours, _silence, _restless)
    return tuple(finding for step in steps for finding in step(evidence))


def _poles(evidence: _Evidence) -> Iterator[Finding]:
    """Find hall switches that only detect the other side of a piece."""
    names, silent = evidence.names, set(evidence.silent())
    turned = {visit.contact for visit in evidence.walk.visits if visit.turned and visit.closed} & silent
    for contact in silent:
        other = contact[0], Reading(3 - contact[1])
        if names.contacts[contact] in evidence.seen.get(other, ()):
            turned.add(contact)
            evidence.seen[other] -= {names.contacts[contact]}
    if not turned:
        return
    if len(silent) == len(evidence.seen):
        evidence.seen.clear()
        yield fault(
            "poles",
            Message("doctor.poles.all", {"wires": several(_named(evidence, turned))}),
            Message("doctor.poles.all.fix"),
        )
        return
    evidence.leave_out(tuple(turned))
    yield fault(
        "poles",
        Message("doctor.poles", {"wires": several(_named(evidence, turned))}),
        Message("doctor.poles.fix", {"points": names.contacts_list(sorted(turned))}),
    )


def _matrix(evidence: _Evidence) -> Iterator[Finding]:
    """Find lines of a matrix that are loose or touch, and diodes that are broken or turned round."""
    backwards = {visit.contact: visit.backwards for visit in evidence.walk.visits}
    for explained in MatrixWalk(evidence.names, dict(evidence.seen), backwards).check():
        evidence.leave_out(tuple(explained.contacts))
        yield explained.finding


def _chips(evidence: _Evidence) -> Iterator[Finding]:
    """Find chips without a contact that closed."""
    names = evidence.names
    chips: dict[int, list[Contact]] = {}
    for contact in evidence.seen:
        chips.setdefault(names.contacts[contact][0], []).append(contact)
    dead = {
        chip: own
        for chip, own in chips.items()
        if len(own) > 1 and not any(evidence.seen[contact] for contact in own)
    }
    silent = len(evidence.silent())
    if evidence.seen and silent == len(evidence.seen) and (len(chips) > 1 or names.sensors.kind == "direct"):
        evidence.seen.clear()
        yield fault(
            "chips",
            Message("doctor.matrix.none", {"contacts": count(silent, "contact")}),
            Message("doctor.chips.none.fix.power", {"power": names.power})
            if names.power
            else Message("doctor.chips.none.fix"),
        )
        return
    for chip, own in dead.items():
        evidence.leave_out(own)
        yield fault(
            "chips",
            Message(
                "doctor.part.silent",
                {
                    "part": names.chip(chip),
                    "contacts": count(len(own), "contact"),
                    "points": names.contacts_list(own),
                },
            ),
            names.feed(chip),
        )
    if not dead and chips and max(map(len, chips.values())) > 1:
        yield passed("chips", Message("doctor.chips.good", {"chips": count(len(chips), "chip")}))


def _select(evidence: _Evidence) -> Iterator[Finding]:
    """Find select lines that are open, swapped or shorted."""
    names = evidence.names
    lines = names.select_lines
    if not lines or not evidence.seen:
        return
    cause = None
    if not other_order(names.layout, evidence.seen, names.contacts):
        cause = best_select_cause(evidence.seen, names.contacts, evidence.walk.wires, lines)
    if cause is None:
        yield passed("select-lines", Message("doctor.select.good", {"lines": count(lines, "line")}))
        return
    explained = explained_by(cause, evidence.seen, names.contacts, evidence.walk.wires)
    words, fix = select_words(cause, names)
    example = _example(evidence.seen, explained, names)
    yield fault("select-lines", Message("doctor.select.seen", {"what": words, "example": example}), fix)
    evidence.leave_out(tuple(explained))


def _example(seen: ClosedWires, contacts: frozenset[Contact], names: PartNames) -> Message:
    """Return the evidence: the number of contacts, and one of them."""
    ordered = sorted(contacts)
    first = max(ordered, key=lambda contact: (len(seen[contact]), -contact[0]))
    closed = several([names.wire(wire) for wire in sorted(seen[first])]) or Message("doctor.nothing")
    silent = sum(not seen[contact] for contact in ordered)
    shown, point = count(len(ordered), "contact"), names.contact(first)
    if not silent:
        return Message(
            "doctor.select.example", {"contacts": shown, "of": len(seen), "point": point, "wires": closed}
        )
    return Message(
        "doctor.select.example.silent",
        {"contacts": shown, "of": len(seen), "point": point, "wires": closed, "count": silent},
    )


def _order(evidence: _Evidence) -> Iterator[Finding]:
    """Find wires that are elsewhere than in the settings."""
    names = evidence.names
    if not any(evidence.seen.values()):
        return
    moved = [
        contact
        for contact, closed in evidence.seen.items()
        if len(closed) == 1 and closed != {names.contacts[contact]}
    ]
    if not moved:
        right = sum(names.contacts[contact] in closed for contact, closed in evidence.seen.items())
        yield passed("order", Message("doctor.order.good", {"contacts": count(right, "contact")}))
        return
    words = other_order(names.layout, evidence.seen, names.contacts, is_matrix=bool(names.rows))
    if words:
        moved = [contact for contact, closed in evidence.seen.items() if len(closed) == 1]
    hang = [
        Message(
            "doctor.order.hangs",
            {"contact": names.contact(c), "place": names.place(next(iter(evidence.seen[c])))},
        )
        for c in sorted(moved)
    ]
    found = Message("doctor.order.other", {"wires": several(hang, 4)})
    if words:
        contacts = count(len(moved), "contact")
        found = Message("doctor.order.whole", {"what": words, "contacts": contacts, "example": hang[0]})
    yield fault("order", found, Message("doctor.order.fix"))
    evidence.leave_out(moved)


def _neighbours(evidence: _Evidence) -> Iterator[Finding]:
    """Find contacts that detect a piece on another point."""
    names = evidence.names
    if not any(evidence.seen.values()):
        return
    yield from _echoes(evidence)
    many = {contact: closed for contact, closed in evidence.seen.items() if len(closed) > 1}
    if not many:
        yield passed("neighbours", Message("doctor.neighbours.good", {"count": len(evidence.seen)}))
        return
    far = {
        contact: closed
        for contact, closed in many.items()
        if not names.sensors.is_linear  # whose sensors detect a magnet from afar
        and any(_distance(names, contact, wire) > MAX_NEIGHBOUR_DISTANCE for wire in closed)
    }
    for contacts, finding in ((far, _joined), ({c: w for c, w in many.items() if c not in far}, _reach)):
        if contacts:
            yield finding(evidence, contacts)
    evidence.leave_out(tuple(many))


def _echoes(evidence: _Evidence) -> Iterator[Finding]:
    """Find open channels of linear sensors, which keep the voltage of the channel before them."""
    names = evidence.names
    if not names.sensors.is_linear:
        return
    kept: dict[Contact, frozenset[Wire]] = {}
    for contact, closed in evidence.seen.items():
        own = names.contacts[contact]
        chip = {wire for wire in closed if wire not in names.owners and wire[0] == own[0]}
        if own in closed and chip:
            kept[contact] = frozenset(chip)
            evidence.seen[contact] = closed - chip
    if kept:
        open_wires = sorted(frozenset[Wire]().union(*kept.values()))
        yield fault(
            "open-channels",
            Message(
                "doctor.open-channels",
                {
                    "places": several([names.place(wire) for wire in open_wires], 3),
                    "contact": names.contact(min(kept)),
                },
            ),
            Message("doctor.open-channels.fix"),
        )


def _joined(evidence: _Evidence, many: ClosedWires) -> Finding:
    names = evidence.names
    pairs = [sorted(map(names.wire, closed), key=to_english) for closed in set(many.values())]
    named = sorted(map(several, pairs), key=to_english)
    return fault(
        "neighbours",
        Message("doctor.neighbours.joined", {"wires": several(named, 3)}),
        Message("doctor.neighbours.joined.fix"),
    )


def _reach(evidence: _Evidence, many: ClosedWires) -> Finding:
    names = evidence.names
    first = min(many)
    others = [wire for wire in sorted(many[first]) if wire != names.contacts[first]]
    return fault(
        "neighbours",
        Message(
            "doctor.neighbours.reach",
            {
                "contacts": count(len(many), "contact"),
                "of": len(evidence.seen),
                "point": names.contact(first),
                "wires": several([names.wire(wire) for wire in others]),
            },
        ),
        Message("doctor.neighbours.reach.fix"),
    )


def _distance(names: PartNames, contact: Contact, wire: Wire) -> float:
    """Return the distance between a contact and that on `wire`, infinite if there is none."""
    owner = names.owners.get(wire)
    if owner is None:
        return float("inf")
    one, other = names.layout.points[contact[0]], names.layout.points[owner[0]]
    return hypot(one.x - other.x, one.y - other.y)


def _silence(evidence: _Evidence) -> Iterator[Finding]:
    """Find contacts that never closed."""
    names, silent = evidence.names, evidence.silent()
    detected = len(evidence.seen) - len(silent)
    if not silent:
        if detected:
            yield passed("silent-contacts", Message("doctor.silent.good", {"count": detected}))
        return
    wires = [names.contacts[contact] for contact in silent]
    never, feeds = several([names.wire(wire) for wire in wires]), names.feeds(wires)
    yield fault(
        "silent-contacts",
        Message("doctor.silent", {"wires": never, "count": detected}),
        Message("doctor.silent.fix.one", {"feeds": feeds})
        if len(silent) == 1
        else Message("doctor.silent.fix.many", {"feeds": feeds}),
    )
    evidence.leave_out(silent)


def _restless(evidence: _Evidence) -> Iterator[Finding]:
    """Find contacts that come and go while a piece rests on them."""
    names = evidence.names
    visits = [v for v in evidence.walk.visits if not v.turned and v.contact in evidence.seen and v.closed]
    if not visits:
        return
    restless = [visit for visit in visits if visit.changes]
    if not restless:
        frames = min(visit.frames for visit in visits)
        found = Message("doctor.resting.good", {"count": frames, "of": len(visits)})
        yield passed("resting-pieces", found)
        return
    worst = max(restless, key=lambda visit: visit.changes)
    named = [
        Message("doctor.resting.times", {"contact": names.contact(visit.contact), "count": visit.changes})
        for visit in restless
    ]
    found = Message("doctor.resting", {"contacts": several(named), "count": worst.frames})
    report = fault if worst.changes >= MIN_RESTLESS_CHANGES else warning
    is_common = len(restless) > _COMMON_SHARE * len(visits) and len(visits) > 1
    fix = Message("doctor.resting.fix.many") if is_common else Message("doctor.resting.fix")
    yield report("resting-pieces", found, fix)


def _named(evidence: _Evidence, contacts: set[Contact]) -> list[Name]:
    return [evidence.names.wire(evidence.names.contacts[contact]) for contact in sorted(contacts)]
