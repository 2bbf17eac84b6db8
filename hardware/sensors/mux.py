"""The steps in which switches behind multiplexers, or on lines of their own, are read.

Invariants: only channels in use are visited, in Gray-code order, so that each step changes one select line.
Of chips that share a signal line only one is enabled at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hardware.scanner import Wire
from hardware.sensors.sweep import Sweep, Tap
from hardware.wiring.contacts import MuxWiring


def mux_sweep(wiring: MuxWiring, wires: Iterable[Wire] = ()) -> Sweep:
    """Return the sweep over the channels that `wiring` has a contact on, or over `wires` instead.

    Its outputs are the select and then the enable lines of `wiring`, its inputs the signal lines.
    """
    wires = tuple(sorted(set(wires) or set(wiring.contacts.values())))
    stops = list(_stops(wiring, wires))
    numbers = {stop: number for number, stop in enumerate(stops)}
    return Sweep(
        wires,
        tuple(levels_at(wiring, *stop) for stop in stops),
        tuple(
            Tap(numbers[chip, channel], 0) if wiring.enables else Tap(numbers[None, channel], chip)
            for chip, channel in wires
        ),
        wiring.settling_us,
    )


def levels_at(wiring: MuxWiring, enabled: int | None = None, address: int = 0) -> int:
    """Return the levels of all select lines, then of all enable lines, of which one is low."""
    levels = address
    for chip in range(len(wiring.enables)):
        levels |= (chip != enabled) << len(wiring.select) + chip
    return levels


def _stops(wiring: MuxWiring, wires: Iterable[Wire]) -> Iterator[tuple[int | None, int]]:
    """Yield the enabled chip (None: all always are) and the address of each step, in use alone.

    Addresses go in Gray code, up on one chip and down on the next, so that they change by one line.
    """
    gray = [n ^ n >> 1 for n in range(1 << len(wiring.select))]
    for chip in range(len(wiring.enables)) if wiring.enables else (None,):
        used = {channel for on, channel in wires if chip in (None, on)}
        run = [address for address in gray if address in used]
        yield from ((chip, address) for address in (reversed(run) if chip and chip % 2 else run))
