"""A plan of the stripboard: where chips stand, where strips are cut, and which links join them.

Invariants: strips run from left to right, and holes are counted from the upper left corner of the side with
the parts. A hole takes one wire. The nets of a plan are read back from its strips, cuts and links, and must
be those of the circuit; the current of LEDs and Pi never flows through a strip.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from firmware_host.errors import ConfigError
from firmware_host.frozen import frozen
from hardware.wiring.netlist import DATA, FREE, GROUND, LOGIC, SUPPLY, Chip, Circuit, Net, NetKind

ROWS, COLUMNS = 39, 62
"""The strips of a board of 100 x 160 mm, and the holes of each."""

_FIRST_ROW, _FIRST_COLUMN, _SPACING, _ACROSS = 8, 6, 15, 3
_LEFT, _RIGHT, _MORE = 4, 6, 2
"""The free holes to the left and to the right of a chip, and more to the left of the level shifter."""

Spot = tuple[int, int]
"""A hole: its row and its column."""


@frozen(slots=False)
class ChipSeat:
    """A chip on the board: the hole of its pin 1, and the free holes to the left of its pins.

    Its other row of pins is three holes to the right.
    """

    chip: Chip
    row: int
    column: int
    left: int

    def pin(self, number: int) -> Spot:
        """Return the hole of a pin."""
        half = len(self.chip.nets) // 2
        if number <= half:
            return self.row + number - 1, self.column
        return self.row + 2 * half - number, self.column + _ACROSS


@frozen(slots=False)
class StripLink:
    """A wire, or a resistor if `part` names one, between two holes."""

    net: Net
    begin: Spot
    end: Spot
    part: str = ""


@frozen(slots=False)
class StripboardPlan:
    """Everything on a stripboard; `buses` has the row of each net that chips share."""

    seats: tuple[ChipSeat, ...]
    buses: Mapping[Net, int]
    cuts: frozenset[Spot]
    links: tuple[StripLink, ...]
    leads: Mapping[Spot, Net]
    """The holes for wires that leave the board."""

    def segment(self, spot: Spot) -> Spot:
        """Return the leftmost hole of the piece of strip that a hole is on."""
        row, column = spot
        while column and (row, column - 1) not in self.cuts:
            column -= 1
        return row, column


def stripboard_plan(circuit: Circuit) -> StripboardPlan:
    """Return the plan of a circuit with small multiplexers.

    Raises:
        ConfigError: if the circuit has other chips, or more than fit.
    """
    chips = [*circuit.chips, *([circuit.shifter] if circuit.shifter else [])]
    if any(len(chip.nets) > 16 for chip in chips) or circuit.front or len(chips) > COLUMNS // _SPACING:
        raise ConfigError("the plan of the stripboard is for up to three 74HC4051 and a level shifter")
    seats = tuple(
        ChipSeat(chip, _FIRST_ROW, _FIRST_COLUMN + _SPACING * n + more, _LEFT + more)
        for n, chip in enumerate(chips)
        for more in (_MORE if chip is circuit.shifter else 0,)
    )
    shared = [net for chip in chips for net in chip.nets if net in _POWER or net.kind is NetKind.SELECT]
    buses = {net: row for row, net in enumerate(sorted(dict.fromkeys(shared), key=_bus_order), start=1)}
    cuts = frozenset(cut for seat in seats for cut in _cuts(seat))
    links = tuple(link for seat in seats for link in _links(seat, buses))
    leads = {spot: net for seat in seats for spot, net in _leads(seat)}
    leads |= {(row, 0): net for net, row in buses.items()}
    return StripboardPlan(seats, buses, cuts, links, leads)


_POWER = (SUPPLY, LOGIC, GROUND)


def _bus_order(net: Net) -> tuple[int, str]:
    return (_POWER.index(net), "") if net in _POWER else (len(_POWER), net.which)


def _cuts(seat: ChipSeat) -> Iterator[Spot]:
    """Yield the cuts between a chip's two rows of pins, and to the right of its free holes."""
    for row in range(seat.row, seat.row + 8):
        yield row, seat.column + 1
        if seat.column + _ACROSS + _RIGHT + 1 < COLUMNS:
            yield row, seat.column + _ACROSS + _RIGHT + 1


def _links(seat: ChipSeat, buses: Mapping[Net, int]) -> Iterator[StripLink]:
    """Yield the links of a chip to the buses, each in a column of its own, and its capacitor."""
    half = len(seat.chip.nets) // 2
    free = {True: seat.column - 1, False: seat.column + _ACROSS + 1}
    for number, net in enumerate(seat.chip.nets, start=1):
        left = number <= half
        row, _ = seat.pin(number)
        if net in buses:
            yield StripLink(net, (buses[net], free[left]), (row, free[left]))
        if net == DATA:
            yield StripLink(net, (buses[GROUND], free[left]), (row, free[left]), "10 kOhm")
        if net in buses or net == DATA:
            free[left] += -1 if left else 1
    power = seat.chip.net_of("VCC")
    yield StripLink(power, (buses[power], seat.column), (buses[GROUND], seat.column), "100 nF")


def _leads(seat: ChipSeat) -> Iterator[tuple[Spot, Net]]:
    """Yield the outermost free hole of each pin that is not on a bus."""
    half = len(seat.chip.nets) // 2
    for number, net in enumerate(seat.chip.nets, start=1):
        if net != FREE and net not in _POWER and net.kind is not NetKind.SELECT:
            row, column = seat.pin(number)
            yield (row, column - seat.left if number <= half else column + _RIGHT), net


def plan_faults(plan: StripboardPlan, circuit: Circuit) -> Iterator[str]:
    """Yield each difference between a plan's nets, read back from its copper, and those of the circuit."""
    joined: dict[Spot, Spot] = {}

    def root(spot: Spot) -> Spot:
        at = plan.segment(spot)
        while joined.get(at, at) != at:
            at = joined[at]
        return at

    for link in plan.links:
        if not link.part:
            joined[root(link.begin)] = root(link.end)
    pins = [
        (seat.chip, n, net, seat.pin(n))
        for seat in plan.seats
        for n, net in enumerate(seat.chip.nets, start=1)
    ]
    wired = {pin: net for _, _, net, pin in pins if net != FREE}
    wired |= {(row, 0): net for net, row in plan.buses.items()}
    of_root: dict[Spot, set[Net]] = {}
    for spot, net in wired.items():
        of_root.setdefault(root(spot), set()).add(net)
    for nets in of_root.values():
        if len(nets) > 1:
            yield f"joined: {', '.join(sorted(map(str, nets)))}"
    for net in dict.fromkeys(wired.values()):
        if net in plan.buses and len({root(spot) for spot, own in wired.items() if own == net}) > 1:
            yield f"split: {net}"
    holes = [spot for link in plan.links for spot in (link.begin, link.end)] + [*plan.leads]
    holes += [pin for *_, pin in pins]
    yield from (f"two wires in hole {spot}" for spot in sorted({s for s in holes if holes.count(s) > 1}))
    yield from (f"a wire in cut {spot}" for spot in sorted({*holes} & plan.cuts))
    named = {chip.name for chip, *_ in pins}
    yield from (f"no seat for {chip.name}" for chip in circuit.every_chip if chip.name not in named)
