"""What one magnet tells that walked over all points of a board.

Rules kept here: the cause that explains most is told first, and what it explains is told no more; nothing but
the evidence decides.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import hypot

from firmware_host.ports import SOMETHING, Reading
from hardware.doctor.findings import Finding, fault, passed, unseen, warning
from hardware.doctor.part_names import Names, count, several
from hardware.doctor.select_line_faults import Seen, SelectCause, best_select_cause, explained_by, other_order
from hardware.scanner import Wire
from hardware.wiring.contacts import Contact

NEAR = 2.0
"""How far a neighbour can be, where the smallest distance between rows of points is 1."""

RESTLESS = 10
"""A resting piece whose contact changes so often is no accident."""

_MOST = 0.6
"""What so large a share of the contacts does is not their own fault."""


@dataclass(frozen=True, slots=True)
class Visit:
    """A piece was set down on a point, over `contact`.

    `closed`: the wires that felt it and had not before. `changes`: how often those changed while it rested,
    for `frames` frames. `turned`: whether it stood on its head.
    """

    contact: Contact
    closed: frozenset[Wire]
    changes: int = 0
    frames: int = 100
    turned: bool = False


@dataclass(frozen=True, slots=True)
class Walk:
    """All visits, and what is known of the wires already: those that are `spoilt` are told elsewhere."""

    wires: tuple[Wire, ...]
    visits: tuple[Visit, ...]
    spoilt: frozenset[Wire] = frozenset()


@dataclass
class _Case:
    """What is left to be explained."""

    names: Names
    walk: Walk
    seen: dict[Contact, frozenset[Wire]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        contacts, spoilt = self.names.contacts, self.walk.spoilt
        for visit in self.walk.visits:
            if not visit.turned and contacts[visit.contact] not in spoilt:
                self.seen[visit.contact] = visit.closed - spoilt

    def silent(self) -> list[Contact]:
        return [contact for contact, closed in self.seen.items() if not closed]

    def leave_out(self, contacts: Sequence[Contact]) -> None:
        for contact in contacts:
            self.seen.pop(contact, None)


def unexplained_silence(walk: Walk, names: Names) -> tuple[Contact, ...]:
    """The contacts that felt nothing, and that no chip or line explains: those to be tried with the piece
    turned over. Where nothing was felt at all, it is the first two. Contacts that come in pairs need none.
    """
    case = _Case(names, walk)
    if len(case.silent()) == len(case.seen):
        return tuple(case.seen)[:2]
    if any(reading != SOMETHING for _, reading in case.seen):
        return ()
    for step in _chips, _select:
        deque(step(case), maxlen=0)
    return tuple(case.silent())


def look_at_walk(walk: Walk, names: Names) -> tuple[Finding, ...]:
    """What is wrong with chips, lines, wires, contacts and magnets."""
    case = _Case(names, walk)
    if not case.seen:
        return (unseen("walk", "no contact is left that could feel the piece"),)
    steps = (_poles, _chips, _select, _order, _neighbours, _silence, _restless)
    return tuple(finding for step in steps for finding in step(case))


def _poles(case: _Case) -> Iterator[Finding]:
    """Hall switches that feel the other side of a piece alone."""
    names, silent = case.names, set(case.silent())
    turned = {visit.contact for visit in case.walk.visits if visit.turned and visit.closed} & silent
    for contact in silent:
        other = contact[0], Reading(3 - contact[1])
        if names.contacts[contact] in case.seen.get(other, ()):
            turned.add(contact)
            case.seen[other] -= {names.contacts[contact]}
    if not turned:
        return
    if len(silent) == len(case.seen):
        case.seen.clear()
        yield fault(
            "poles",
            f"nothing felt the piece until it was turned over ({several(_named(case, turned))})",
            "turn the magnets in the pieces round, or all hall switches",
        )
        return
    case.leave_out(tuple(turned))
    yield fault(
        "poles",
        f"silent until the piece was turned over: {several(_named(case, turned))}",
        f"turn the hall switch round at {several([names.contact(contact) for contact in sorted(turned)])}: "
        "its other face to the piece",
    )


def _chips(case: _Case) -> Iterator[Finding]:
    """Chips of which no contact felt anything."""
    names = case.names
    chips: dict[int, list[Contact]] = {}
    for contact in case.seen:
        chips.setdefault(names.contacts[contact][0], []).append(contact)
    dead = {
        chip: own
        for chip, own in chips.items()
        if len(own) > 1 and not any(case.seen[contact] for contact in own)
    }
    silent = len(case.silent())
    if case.seen and silent == len(case.seen) and (len(chips) > 1 or names.sensors.kind == "direct"):
        case.seen.clear()
        yield fault(
            "chips",
            f"none of {count(silent, 'contact')} felt the piece",
            f"{_power(names)}the wire of GND that all contacts share; a piece whose magnet is strong enough",
        )
        return
    for chip, own in dead.items():
        case.leave_out(own)
        yield fault(
            "chips",
            f"{names.chip(chip)} is silent: none of its {count(len(own), 'contact')} felt the piece "
            f"({names.contacts_list(own)})",
            _feed(names, chip),
        )
    if not dead and chips and max(map(len, chips.values())) > 1:
        yield passed("chips", f"{count(len(chips), 'chip')}: at least one contact of each felt the piece")


def _power(names: Names) -> str:
    if names.sensors.kind in ("mux", "mcp3008") and names.sensors.select:
        return "3.3 V (header pin 1) at VCC of the chips, GND at their GND, E and VEE; "
    return "3.3 V and GND of the chips; " if names.sensors.kind != "direct" else ""


def _feed(names: Names, chip: int) -> str:
    match names.sensors.kind:
        case "mux" | "mcp3008":
            grounds = names.pins("GND", "VEE") if names.sensors.enable else names.pins("GND", "E", "VEE")
            return (
                f"{names.pins('VCC')} of {names.chip(chip)} to 3.3 V; {grounds} to GND; {names.line_of(chip)}"
            )
        case "mcp23017":
            return f"the wires of GND that the contacts of {names.chip(chip)} share"
    return f"power and ground of {names.chip(chip)}, and its wire to the microcontroller"


def _select(case: _Case) -> Iterator[Finding]:
    """Select lines that are open, exchanged or joined."""
    names = case.names
    lines = names.select_lines
    if not lines or not case.seen:
        return
    cause = None
    if not other_order(names.layout, case.seen, names.contacts):
        cause = best_select_cause(case.seen, names.contacts, case.walk.wires, lines)
    if cause is None:
        yield passed("select lines", f"{count(lines, 'line')}: no two channels stand for each other")
        return
    explained = explained_by(cause, case.seen, names.contacts, case.walk.wires)
    said, mend = _select_words(cause, names)
    yield fault("select lines", f"{said}: {_example(case.seen, explained, names)}", mend)
    case.leave_out(tuple(explained))


def _select_words(cause: SelectCause, names: Names) -> tuple[str, str]:
    where = "the chips" if cause.chip is None else names.chip(cause.chip)
    lines = [names.select(bit) for bit in cause.bits]
    pins = [names.select_pin(bit) for bit in cause.bits]
    match cause.kind:
        case "open":
            return (
                f"{lines[0]} does not reach {where}",
                f"the wire from {lines[0]} to {pins[0]} of {where}, or a short of it to GND",
            )
        case "high":
            return (
                f"{lines[0]} stays high at {where}",
                f"the wire from {lines[0]} to {pins[0]} of {where}, or a short of it to 3.3 V",
            )
        case "swapped":
            mend = (
                f"exchange the wires of {lines[0]} and {lines[1]} at pins {pins[0]} and {pins[1]} of {where}"
            )
            if cause.chip is None:
                order = list(names.sensors.select)
                one, other = cause.bits
                order[one], order[other] = order[other], order[one]
                mend += f", or write select = {order} into the section [sensors]"
            return f"{lines[0]} and {lines[1]} are exchanged at {where}", mend
    return (
        f"{lines[0]} and {lines[1]} touch at {where}",
        f"find where the wires of {lines[0]} and {lines[1]} touch",
    )


def _example(seen: Seen, contacts: frozenset[Contact], names: Names) -> str:
    """The evidence: how many contacts, and one of them."""
    told = sorted(contacts)
    first = max(told, key=lambda contact: (len(seen[contact]), -contact[0]))
    felt = [names.wire(wire) for wire in sorted(seen[first])] or ["nothing"]
    silent = sum(not seen[contact] for contact in told)
    quiet = f"; {silent} felt nothing" if silent else ""
    return (
        f"{count(len(told), 'contact')} of {len(seen)} did so, as a piece on {names.contact(first)} "
        f"closed {several(felt)}{quiet}"
    )


def _order(case: _Case) -> Iterator[Finding]:
    """Wires that hang elsewhere than the settings say."""
    names = case.names
    if not any(case.seen.values()):
        return
    moved = [
        contact
        for contact, closed in case.seen.items()
        if len(closed) == 1 and closed != {names.contacts[contact]}
    ]
    if not moved:
        right = sum(names.contacts[contact] in closed for contact, closed in case.seen.items())
        yield passed("order", f"{count(right, 'contact')} where the settings have them")
        return
    words = other_order(names.layout, case.seen, names.contacts)
    if words:
        moved = [contact for contact, closed in case.seen.items() if len(closed) == 1]
    said = [f"{names.contact(c)} hangs on {names.place(next(iter(case.seen[c])))}" for c in sorted(moved)]
    found = f"wires hang in another order: {several(said, 4)}"
    if words:
        found = f"{words}: so it is with {count(len(moved), 'contact')}; {said[0]}"
    yield fault("order", found, "`millwright setup` finds the order and writes it into the configuration")
    case.leave_out(moved)


def _neighbours(case: _Case) -> Iterator[Finding]:
    """Contacts that feel a piece on another point."""
    names = case.names
    if not any(case.seen.values()):
        return
    yield from _echoes(case)
    many = {contact: closed for contact, closed in case.seen.items() if len(closed) > 1}
    if not many:
        yield passed("neighbours", f"one magnet closed one contact, at each of {len(case.seen)}")
        return
    far = {
        contact: closed
        for contact, closed in many.items()
        if names.sensors.kind != "mcp3008"  # which feels a magnet from afar
        and any(_distance(names, contact, wire) > NEAR for wire in closed)
    }
    for contacts, finding in ((far, _joined), ({c: w for c, w in many.items() if c not in far}, _reach)):
        if contacts:
            yield finding(case, contacts)
    case.leave_out(tuple(many))


def _echoes(case: _Case) -> Iterator[Finding]:
    """Open channels of linear sensors, whose line keeps what the channel before them had."""
    names = case.names
    if names.sensors.kind != "mcp3008":
        return
    heard: dict[Contact, frozenset[Wire]] = {}
    for contact, closed in case.seen.items():
        own = names.contacts[contact]
        chip = {wire for wire in closed if wire not in names.owners and wire[0] == own[0]}
        if own in closed and chip:
            heard[contact] = frozenset(chip)
            case.seen[contact] = closed - chip
    if heard:
        open_wires = sorted(frozenset[Wire]().union(*heard.values()))
        yield fault(
            "open channels",
            f"{several([names.place(wire) for wire in open_wires], 3)} read what {names.contact(min(heard))} "
            "felt just before, and no sensor hangs there",
            "a wire from each channel that is left over to GND",
        )


def _joined(case: _Case, many: Seen) -> Finding:
    names = case.names
    pairs = sorted({frozenset(names.wire(wire) for wire in closed) for closed in many.values()}, key=sorted)
    said = [" and ".join(sorted(pair)) for pair in pairs]
    return fault(
        "neighbours",
        f"closed together, though they are no neighbours: {several(said, 3)}",
        "find where these wires touch",
    )


def _reach(case: _Case, many: Seen) -> Finding:
    names = case.names
    first = min(many)
    others = [wire for wire in sorted(many[first]) if wire != names.contacts[first]]
    return fault(
        "neighbours",
        f"{count(len(many), 'contact')} of {len(case.seen)} are not alone in feeling a piece: on "
        f"{names.contact(first)} it is felt by {several([names.wire(wire) for wire in others])} too",
        "a weaker magnet, or sensors further below the piece: a magnet must not reach the next point",
    )


def _distance(names: Names, contact: Contact, wire: Wire) -> float:
    """How far the contact at `wire` lies from another; without a contact there, endlessly far."""
    owner = names.owners.get(wire)
    if owner is None:
        return float("inf")
    one, other = names.layout.points[contact[0]], names.layout.points[owner[0]]
    return hypot(one.x - other.x, one.y - other.y)


def _silence(case: _Case) -> Iterator[Finding]:
    """Contacts that never felt the piece."""
    names, silent = case.names, case.silent()
    felt = len(case.seen) - len(silent)
    if not silent:
        if felt:
            yield passed("silent contacts", f"each of {count(felt, 'contact')} felt the piece")
        return
    reed = "that reed" if len(silent) == 1 else "those reeds"
    yield fault(
        "silent contacts",
        f"never felt the piece: {several([names.wire(names.contacts[c]) for c in silent])}, as {felt} did",
        f"{reed}, the wire to its channel and its wire to GND; a reed that lies centred is to be shifted",
    )
    case.leave_out(silent)


def _restless(case: _Case) -> Iterator[Finding]:
    """Contacts that come and go while a piece rests on them."""
    names = case.names
    visits = [v for v in case.walk.visits if not v.turned and v.contact in case.seen and v.closed]
    if not visits:
        return
    restless = [visit for visit in visits if visit.changes]
    if not restless:
        frames = min(visit.frames for visit in visits)
        yield passed("resting pieces", f"no change in {frames} frames at each of {len(visits)}")
        return
    worst = max(restless, key=lambda visit: visit.changes)
    said = [f"{names.contact(visit.contact)} {visit.changes} times" for visit in restless]
    found = f"the contact changed while the piece rested: at {several(said)}, in {worst.frames} frames"
    tell = fault if worst.changes >= RESTLESS else warning
    if len(restless) > _MOST * len(visits) and len(visits) > 1:
        yield tell(
            "resting pieces", found, "a stronger magnet or one nearer to the sensors, not lying on its side"
        )
    else:
        yield tell(
            "resting pieces",
            found,
            "the sensor nearer to the piece; a lying reed with one end under the centre; its solder joints",
        )


def _named(case: _Case, contacts: set[Contact]) -> list[str]:
    return [case.names.wire(case.names.contacts[contact]) for contact in sorted(contacts)]
