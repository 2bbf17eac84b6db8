"""The single cause that explains the readings of many contacts while one magnet walked over the board.

Invariants: a cause predicts the wires that each contact closes. It is accepted if it leaves clearly fewer
contacts unexplained than no cause does; contacts that it explains are not reported again. The magnet on
contact c closes the wires at which c is read: one if all is well, otherwise none or several.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import permutations
from typing import NamedTuple

from firmware_host.games.layout import Layout
from firmware_host.i18n import Message
from firmware_host.ports import Contact, Reading
from hardware.doctor.part_names import Name, PartNames, several
from hardware.scanner import Wire
from hardware.wiring.select_lines import SelectCause, select_causes

ClosedWires = Mapping[Contact, frozenset[Wire]]
"""For each contact that a piece was set down on, the wires that closed."""

CAUSE_COST = 1.5
"""The price of a cause: it must explain at least two contacts that nothing else explains."""

_MAX_LEFT = 0.25
"""Maximum share of oddities that a cause may leave, since some cause fits any disorder by chance."""

_MAX_CHIPS = 6
_MIN_MATCH = 0.6
"""Minimum share of the contacts that must be where another order has them."""


class _Candidate(NamedTuple):
    """A cause, and the number of contacts that it explains beyond its cost."""

    gain: float
    cause: SelectCause


def best_select_cause(
    seen: ClosedWires, contacts: Mapping[Contact, Wire], wires: Sequence[Wire], lines: int
) -> SelectCause | None:
    """Return the fault of the select lines that explains most, or None if none explains enough."""
    candidates = (candidate for candidate in _candidates(seen, contacts, wires, lines) if candidate.gain > 0)
    best = max(candidates, key=lambda candidate: candidate.gain, default=None)
    return best.cause if best else None


def _candidates(
    seen: ClosedWires, contacts: Mapping[Contact, Wire], wires: Sequence[Wire], lines: int
) -> Iterator[_Candidate]:
    chips = sorted({contacts[contact][0] for contact in seen})
    channels = {chip: [channel for at, channel in wires if at == chip] for chip in chips}
    odd = {chip: _unexplained(seen, contacts, chip, lambda at: frozenset({at})) for chip in chips}
    for cause in select_causes(lines):
        left = {chip: _unexplained(seen, contacts, chip, _read_at(cause, channels[chip])) for chip in chips}
        yield from _plausible(cause, odd, left)


def _plausible(cause: SelectCause, odd: Mapping[int, int], left: Mapping[int, int]) -> Iterator[_Candidate]:
    """Yield the cause at all chips, then at each chip alone, as far as it explains nearly everything there.

    `odd` and `left` count the unexplained contacts of each chip without and with the cause.
    """
    gains = {chip: odd[chip] - left[chip] - CAUSE_COST for chip in odd}
    before, after = sum(odd.values()), sum(left.values())
    shared = len(odd) == 1 or sum(gain > 0 for gain in gains.values()) > 1
    if shared and after <= _MAX_LEFT * before:
        yield _Candidate(before - after - CAUSE_COST, cause)
    if len(odd) > 1:
        for chip, gain in gains.items():
            if left[chip] <= _MAX_LEFT * odd[chip]:
                yield _Candidate(gain, replace(cause, chip=chip))


def explained_by(
    cause: SelectCause, seen: ClosedWires, contacts: Mapping[Contact, Wire], wires: Sequence[Wire]
) -> frozenset[Contact]:
    """Return the contacts that read otherwise than they should, and exactly as `cause` predicts."""
    found = set()
    for contact, closed in seen.items():
        chip, _ = at = contacts[contact]
        if cause.chip in (None, chip) and closed != {at}:
            channels = [channel for one, channel in wires if one == chip]
            if closed == _read_at(cause, channels)(at):
                found.add(contact)
    return frozenset(found)


def _unexplained(
    seen: ClosedWires, contacts: Mapping[Contact, Wire], chip: int, means: Callable[[Wire], frozenset[Wire]]
) -> int:
    """Return how many contacts of a chip did not close the wires that `means` predicts for them."""
    own = [(closed, contacts[contact]) for contact, closed in seen.items() if contacts[contact][0] == chip]
    return sum(closed != means(at) for closed, at in own)


def _read_at(cause: SelectCause, channels: Sequence[int]) -> Callable[[Wire], frozenset[Wire]]:
    """Return a function from the wire of a contact to the wires at which the faulty chip reads it."""

    def means(at: Wire) -> frozenset[Wire]:
        chip, true = at
        return frozenset((chip, address) for address in channels if cause.received(address) == true)

    return means


def select_words(cause: SelectCause, names: PartNames) -> tuple[Message, Message]:
    """Return the finding and the fix for a cause."""
    where = Message("doctor.select.chips") if cause.chip is None else names.chip(cause.chip)
    line, *others = (names.select(bit) for bit in cause.bits)
    pin, *other_pins = (names.select_pin(bit) for bit in cause.bits)
    match cause.kind:
        case "open":
            return (
                Message("doctor.select.open", {"line": line, "where": where}),
                Message("doctor.select.open.fix", {"line": line, "pin": pin, "where": where}),
            )
        case "high":
            return (
                Message("doctor.select.high", {"line": line, "where": where}),
                Message("doctor.select.high.fix", {"line": line, "pin": pin, "where": where}),
            )
    lines, pins = several([line, *others]), several([pin, *other_pins])
    if cause.kind != "swapped":
        return (
            Message("doctor.select.touch", {"lines": lines, "where": where}),
            Message("doctor.lines.touch.fix", {"lines": lines}),
        )
    found = Message("doctor.select.swapped", {"lines": lines, "where": where})
    fix = Message("doctor.select.swapped.fix", {"lines": lines, "pins": pins, "where": where})
    if cause.chip is None:
        order = list(names.sensors.select)
        one, other = cause.bits
        order[one], order[other] = order[other], order[one]
        fix = Message("doctor.select.swapped.all", {"fix": fix, "order": str(order)})
    return found, fix


# ---- other orders ---------------------------------------------------------------------------------------

SYMMETRIES: Mapping[str, Callable[[int, int], tuple[int, int]]] = {
    "mirrored": lambda x, y: (-x, y),
    "upside-down": lambda x, y: (x, -y),
    "half-turned": lambda x, y: (-x, -y),
    "turned-right": lambda x, y: (y, -x),
    "turned-left": lambda x, y: (-y, x),
    "diagonal": lambda x, y: (y, x),
    "other-diagonal": lambda x, y: (-y, -x),
}
"""The ways in which a board can lie wrongly, by their keys: maps of a point about its middle."""


def symmetric(layout: Layout, turn: Callable[[int, int], tuple[int, int]]) -> dict[int, int]:
    """Return, for each point's index, that of the point which takes its place when the board is turned."""
    at = {(point.x, point.y): point.index for point in layout.points}
    across, along = (min(axis) + max(axis) for axis in zip(*at, strict=True))
    moved = {}
    for point in layout.points:
        x, y = turn(2 * point.x - across, 2 * point.y - along)
        place = divmod(x + across, 2), divmod(y + along, 2)
        if place[0][1] or place[1][1] or (place[0][0], place[1][0]) not in at:
            return {}
        moved[point.index] = at[place[0][0], place[1][0]]
    return moved


def other_order(
    layout: Layout, seen: ClosedWires, contacts: Mapping[Contact, Wire], *, is_matrix: bool = False
) -> Name:
    """Return in which order all wires lie instead of the configured one, or "" if there is none.

    For example `the board is mirrored left to right`, `chip 0 is read where 1 should be, chip 1 ...`. In a
    matrix rows and columns may be exchanged like chips.
    """
    single = {contact: next(iter(closed)) for contact, closed in seen.items() if len(closed) == 1}
    if len(single) < max(3, _MIN_MATCH * len(seen)):
        return ""
    if all(contacts[contact] == at for contact, at in single.items()):
        return ""
    for words, place in _other_orders(layout, contacts, is_matrix=is_matrix):
        if all(place(contact) == at for contact, at in single.items()):
            return words
    return ""


def _other_orders(
    layout: Layout, contacts: Mapping[Contact, Wire], *, is_matrix: bool
) -> Iterator[tuple[Name, Callable[[Contact], Wire | None]]]:
    """Yield each order in words, with the function that returns a contact's wire in it."""
    for symmetry, turn in SYMMETRIES.items():
        if moved := symmetric(layout, turn):
            yield Message(f"doctor.order.{symmetry}"), _moved_wires(contacts, moved)
    yield (
        Message("doctor.order.colours"),
        lambda contact: contacts.get((contact[0], Reading(3 - contact[1]))),
    )
    for axis, unit in enumerate(("row", "column") if is_matrix else ("chip",)):
        for order in _part_orders(contacts, axis):
            pairs = [
                Message(f"doctor.order.of.{unit}", {"number": one, "other": other})
                for one, other in order.items()
                if one != other
            ]
            yield several(pairs), _exchanged_wires(contacts, order, axis)


def _moved_wires(
    contacts: Mapping[Contact, Wire], moved: Mapping[int, int]
) -> Callable[[Contact], Wire | None]:
    return lambda contact: contacts.get((moved[contact[0]], contact[1]))


def _exchanged_wires(
    contacts: Mapping[Contact, Wire], order: Mapping[int, int], axis: int
) -> Callable[[Contact], Wire | None]:
    def place(contact: Contact) -> Wire:
        chip, channel = contacts[contact]
        return (chip, order[channel]) if axis else (order[chip], channel)

    return place


def _part_orders(contacts: Mapping[Contact, Wire], axis: int) -> Iterator[dict[int, int]]:
    """Yield the other orders of the chips, or of the rows or columns of a matrix."""
    parts = sorted({wire[axis] for wire in contacts.values()})
    if 1 < len(parts) <= _MAX_CHIPS:
        for order in permutations(parts):
            if order != tuple(parts):
                yield dict(zip(parts, order, strict=True))
