"""Switches behind multiplexers, or on lines of their own.

Invariants: only channels in use are visited, in Gray-code order, so that each step changes one select line.
All signal lines are read at each step, after the settling time. Any failure on the way is a SensorError, and
the next scan starts afresh.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from types import TracebackType

from firmware_host.errors import SensorError, reason_of
from firmware_host.i18n import Message
from hardware.bus.busy_wait import pause
from hardware.bus.gpio import Lines
from hardware.scanner import Levels, Wire
from hardware.wiring.contacts import MuxWiring


class MuxScanner:
    """A Scanner on `lines`: the select and then the enable lines of `wiring`, and its signal lines.

    It reads the channels that `wiring` has a contact on, or `wires` instead. `sleep` waits for its argument
    in seconds.
    """

    def __init__(
        self,
        wiring: MuxWiring,
        lines: Lines,
        *,
        wires: Iterable[Wire] = (),
        sleep: Callable[[float], None] = pause,
    ) -> None:
        self.wires = tuple(sorted(set(wires) or set(wiring.contacts.values())))
        stops = list(_stops(wiring, self.wires))
        numbers = {stop: number for number, stop in enumerate(stops)}
        self._stops = [levels_at(wiring, *stop) for stop in stops]
        self._taps = [
            (numbers[(chip, channel) if wiring.enables else (None, channel)], 0 if wiring.enables else chip)
            for chip, channel in self.wires
        ]
        self._lines = lines
        self._settle = partial(sleep, wiring.settling_us / 1_000_000) if wiring.settling_us else None
        self._seen: list[int] = []
        self._levels: Levels = ()
        self._closed = False

    def scan(self) -> Levels:
        """Read every wire once: 1 if its contact is closed, which pulls the line down."""
        if self._closed:
            raise SensorError(Message("fault.unread.closed"))
        try:
            seen = self._lines.sweep(self._stops, self._settle)
        except Exception as error:
            raise SensorError(Message("fault.unread", {"why": reason_of(error)})) from error
        if seen != self._seen:
            self._seen = seen
            self._levels = tuple(1 - (seen[stop] >> line & 1) for stop, line in self._taps)
        return self._levels

    def close(self) -> None:
        """Release the lines; may be called twice."""
        self._closed = True
        self._lines.close()

    def __enter__(self) -> MuxScanner:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


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
