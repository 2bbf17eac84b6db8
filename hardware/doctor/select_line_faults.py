"""Which single cause explains what many contacts did while one magnet walked over the board.

Rules kept here: a cause says what each contact should have done then, and is believed where it leaves clearly
fewer of them unexplained than no cause does; what one cause explains is not told again.

A magnet that was felt by contact c closes the wires at which c was read: one if all is well, none, or more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

from firmware_host.games.layout import Layout
from firmware_host.ports import Reading
from hardware.scanner import Wire
from hardware.wiring.contacts import Contact

Seen = Mapping[Contact, frozenset[Wire]]
"""For each contact that a piece was set down on, the wires that were closed."""

COSTS = 1.5
"""A cause must explain at least two contacts that nothing else does."""

_LEAVES = 0.25
"""And leave at most this share of what is odd where it reigns: in any disorder something fits by chance."""

_MOST_CHIPS = 6
_KEEPS = 0.6
"""At least this share of the contacts must be where another order has them."""


@dataclass(frozen=True, slots=True)
class SelectCause:
    """What is wrong with select lines: `open` and `high` with one, `swapped` and `shorted` with two.

    `chip`: the only one that it concerns; None: all.
    """

    kind: str
    bits: tuple[int, ...]
    chip: int | None = None

    def hears(self, address: int) -> int:
        """What address a chip hears where the Pi says another."""
        first, last = 1 << self.bits[0], 1 << self.bits[-1]
        match self.kind:
            case "open":
                return address & ~first
            case "high":
                return address | first
        one, other = bool(address & first), bool(address & last)
        if self.kind == "swapped":
            return address & ~(first | last) | first * other | last * one
        low_wins = one and other
        return address & ~(first | last) | (first | last) * low_wins


def select_causes(lines: int) -> Iterator[SelectCause]:
    """All that can be wrong with so many select lines, for all chips at once."""
    for bit in range(lines):
        yield SelectCause("open", (bit,))
        yield SelectCause("high", (bit,))
    for bits in combinations(range(lines), 2):
        yield SelectCause("swapped", bits)
        yield SelectCause("shorted", bits)


def best_select_cause(
    seen: Seen, contacts: Mapping[Contact, Wire], wires: Sequence[Wire], lines: int
) -> SelectCause | None:
    """What is wrong with the select lines, if that explains what was seen better than nothing does."""
    chips = sorted({contacts[contact][0] for contact in seen})
    channels = {chip: [channel for at, channel in wires if at == chip] for chip in chips}
    odd = {chip: _odd(seen, contacts, chip, lambda at: frozenset({at})) for chip in chips}
    best, saved = None, 0.0
    for cause in select_causes(lines):
        left = {chip: _odd(seen, contacts, chip, _read_at(cause, channels[chip])) for chip in chips}
        gains = {chip: odd[chip] - left[chip] - COSTS for chip in chips}
        before, after = sum(odd.values()), sum(left.values())
        everywhere = before - after - COSTS
        shared = len(chips) == 1 or sum(gain > 0 for gain in gains.values()) > 1
        if everywhere > saved and shared and after <= _LEAVES * before:
            best, saved = cause, everywhere
        for chip, gain in gains.items():
            if gain > saved and len(chips) > 1 and left[chip] <= _LEAVES * odd[chip]:
                best, saved = SelectCause(cause.kind, cause.bits, chip), gain
    return best


def explained_by(
    cause: SelectCause, seen: Seen, contacts: Mapping[Contact, Wire], wires: Sequence[Wire]
) -> frozenset[Contact]:
    """The contacts that did otherwise than they should, and just as `cause` says."""
    found = set()
    for contact, closed in seen.items():
        chip, _ = at = contacts[contact]
        if cause.chip in (None, chip) and closed != {at}:
            channels = [channel for one, channel in wires if one == chip]
            if closed == _read_at(cause, channels)(at):
                found.add(contact)
    return frozenset(found)


def _odd(
    seen: Seen, contacts: Mapping[Contact, Wire], chip: int, means: Callable[[Wire], frozenset[Wire]]
) -> int:
    """How many contacts of a chip did not close what a cause `means` for their wires."""
    own = [(closed, contacts[contact]) for contact, closed in seen.items() if contacts[contact][0] == chip]
    return sum(closed != means(at) for closed, at in own)


def _read_at(cause: SelectCause, channels: Sequence[int]) -> Callable[[Wire], frozenset[Wire]]:
    """Where a contact is read when the chip hears other addresses."""

    def means(at: Wire) -> frozenset[Wire]:
        chip, true = at
        return frozenset((chip, address) for address in channels if cause.hears(address) == true)

    return means


# ---- other orders ---------------------------------------------------------------------------------------

SYMMETRIES: Mapping[str, Callable[[int, int], tuple[int, int]]] = {
    "mirrored left to right": lambda x, y: (-x, y),
    "mirrored top to bottom": lambda x, y: (x, -y),
    "turned half round": lambda x, y: (-x, -y),
    "turned a quarter to the right": lambda x, y: (y, -x),
    "turned a quarter to the left": lambda x, y: (-y, x),
    "mirrored along the diagonal from a1": lambda x, y: (y, x),
    "mirrored along the diagonal from a7": lambda x, y: (-y, -x),
}
"""How a board can lie otherwise than it was thought to, about its middle."""


def symmetric(layout: Layout, turn: Callable[[int, int], tuple[int, int]]) -> dict[int, int]:
    """For the index of each point, that of the point which takes its place when the board is turned so."""
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


def other_order(layout: Layout, seen: Seen, contacts: Mapping[Contact, Wire]) -> str:
    """How the wires as a whole lie otherwise than they should, in words; empty where they lie in no such way.

    The words say what was seen: `mirrored left to right`, `chips 0 and 1 exchanged`.
    """
    single = {contact: next(iter(closed)) for contact, closed in seen.items() if len(closed) == 1}
    if len(single) < 3 or all(contacts[contact] == at for contact, at in single.items()):
        return ""

    def fits(place: Callable[[Contact], Wire | None]) -> bool:
        right = sum(place(contact) == at for contact, at in single.items())
        return right == len(single) and len(single) >= _KEEPS * len(seen)

    for words, turn in SYMMETRIES.items():
        moved = symmetric(layout, turn)
        if moved and fits(lambda c, moved=moved: contacts.get((moved[c[0]], c[1]))):  # type: ignore[misc]
            return f"the board is {words}"
    if fits(lambda contact: contacts.get((contact[0], Reading(3 - contact[1])))):
        return "every piece is felt as one of the other player's"
    for order in _chip_orders(contacts):
        if fits(lambda c, order=order: (order[contacts[c][0]], contacts[c][1])):  # type: ignore[misc]
            pairs = [
                f"{chip} is read where {other} should be" for chip, other in order.items() if chip != other
            ]
            return f"chip {', chip '.join(pairs)}"
    return ""


def _chip_orders(contacts: Mapping[Contact, Wire]) -> Iterator[dict[int, int]]:
    chips = sorted({chip for chip, _ in contacts.values()})
    if 1 < len(chips) <= _MOST_CHIPS:
        for order in permutations(chips):
            if order != tuple(chips):
                yield dict(zip(chips, order, strict=True))
