"""An MCP3008 on an SPI bus, and the multiplexers that lead linear sensors to its inputs.

Rules kept here: the ADC answers bit by bit as its data sheet (DS21295) says; what an input reads follows what
is chosen with a delay, so that a scan which does not wait reads some of the channel before; a channel without
a sensor is at ground, and a line that nothing drives keeps what it last had; noise follows from the seed and
the time.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from zlib import crc32

from firmware_host.config.wiring_map import ADC_MOST
from firmware_host.settings import Microseconds
from hardware.scanner import Wire
from sim.clock import Clock
from sim.electronics.mux import MuxBank
from sim.scheduler import Agenda

NOISE = 2
"""How far a conversion may be beside what it should be, up or down."""

_LOTS = 2 * NOISE + 1

Output = Callable[[Microseconds], float]
"""What comes out of a sensor at a time, in steps of the ADC."""

_LONG_AGO: Microseconds = -1_000_000
_BITS = 10
_SETTLED = 5.0
"""So many time constants are called the time that a line takes to follow: it is then within 1 %."""

_OVER = 12.0
"""So many, and it is nearer than the ADC can tell."""


class AnalogBank(MuxBank):
    """Multiplexers with common select lines and a line each, on which a level follows the chosen sensor.

    `outputs` has the sensor at each place. Without select lines there are no chips, and each line has one
    sensor. A line takes `follow_us` to follow.
    """

    def __init__(
        self,
        clock: Clock,
        agenda: Agenda,
        chips: int,
        follow_us: Microseconds,
        outputs: Mapping[Wire, Output],
        seed: int,
    ) -> None:
        self._outputs = outputs
        self._seed = seed
        self._left = [(0.0, _LONG_AGO)] * chips
        """What each line had when it was last left, and when that was."""
        self._known = [(_LONG_AGO, 0, 0.0)] * chips
        self._lots: dict[Wire, int] = {}
        """What the noise of each place follows from, besides the time."""
        super().__init__(clock, agenda, chips, follow_us)

    def fail(self, chip: int, dead: bool) -> None:
        """A chip dies, which leaves its line to itself, or lives again."""
        self._leave()
        super().fail(chip, dead)

    def mishear(self, hears: Callable[[int], int], chip: int | None = None) -> None:
        """A chip, or all of them, hear other addresses than the Pi says."""
        self._leave()
        super().mishear(hears, chip)

    def loosen(self, line: int) -> None:
        """A line comes off its chip."""
        self._leave()
        super().loosen(line)

    def rewire(self, moved: Mapping[Wire, Wire]) -> None:
        """Solder sensors to other places; the places stay the same as a whole."""
        self._known = [(_LONG_AGO, 0, 0.0)] * len(self._known)
        super().rewire(moved)
        self._solder()

    def choose(self, bit: int, level: bool) -> None:
        """A select line changes."""
        self._leave()
        super().choose(bit, level)

    def converted(self, chip: int) -> int:
        """What the ADC makes of the line of a chip now."""
        now, at = self._now(), (chip, self._address)
        lot = self._lots.get(at)
        if lot is None:
            lot = self._lots[at] = crc32(f"{self._seed} {chip} {self._address} ".encode())
        value = round(self._line(chip, now)) + crc32(b"%d" % now, lot) % _LOTS - NOISE
        return 0 if value < 0 else min(value, ADC_MOST)

    def _solder(self) -> None:
        self._soldered = {self._moved.get(at, at): output for at, output in self._outputs.items()}

    def _leave(self) -> None:
        now = self._now()
        self._left = [(self._line(chip, now), now) for chip in range(len(self._left))]

    def _line(self, chip: int, now: Microseconds) -> float:
        """What a line has; it is asked for when it is converted, and mostly at once again when it is left."""
        at, address, level = self._known[chip]
        if at != now or address != self._address:
            level = self._follow(chip, now)
            self._known[chip] = now, self._address, level
        return level

    def _follow(self, chip: int, now: Microseconds) -> float:
        if now >= self._agenda.next:
            self._agenda.run(now)
        had, since = self._left[chip]
        if self._dead[chip] or chip in self._loose:
            return had
        output = self._soldered.get((chip, self._hears[chip][self._address]))
        level = 0.0 if output is None else output(now)
        constants = _SETTLED * (now - since) / (self._slow[chip] or 1)
        return level if constants > _OVER else level + (had - level) * math.exp(-constants)


class SimulatedAdc:
    """A bus with an MCP3008, whose `inputs` have the lines 0, 1 and so on; other inputs are at ground."""

    def __init__(self, bank: AnalogBank, inputs: Sequence[int]) -> None:
        self.plugged = True
        """Whether the chip is there; where it is not, its line is high."""
        self._bank = bank
        self._lines = {given: line for line, given in enumerate(inputs)}

    def exchanging(self, commands: Sequence[bytes]) -> Callable[[], Sequence[Sequence[int]]]:
        """What sends each command, and answers what came in meanwhile."""
        return lambda: [self._exchanged(command) for command in commands]

    def close(self) -> None:
        """Nothing is to be given back."""

    def _exchanged(self, command: bytes) -> bytes:
        if not self.plugged:
            return b"\xff" * len(command)
        asked = _asked(command)
        if asked is None:
            return bytes(len(command))
        return _answer(command, self._value(asked & 0b111, single=bool(asked & 0b1000)))

    def _value(self, given: int, *, single: bool) -> int:
        """One input against ground, or against the other of its pair."""
        return self._read(given) if single else max(0, self._read(given) - self._read(given ^ 1))

    def _read(self, given: int) -> int:
        line = self._lines.get(given)
        return 0 if line is None else self._bank.converted(line)


@cache
def _asked(command: bytes) -> int | None:
    """The four bits of a command that say what is to be converted; None where it ends before."""
    after = _after(command)
    return None if after < 0 else int.from_bytes(command, "big") >> after + 2 & 0b1111


@lru_cache(maxsize=16 * (ADC_MOST + 1))  # some inputs by their one command each, over and over
def _answer(command: bytes, value: int) -> bytes:
    """What goes out while a command comes in: the value, and then its bits backwards."""
    size = 8 * len(command)
    backwards = int(f"{value:0{_BITS}b}"[-2::-1], 2)
    answer = (value << _BITS - 1 | backwards) << size >> 2 * _BITS - 1
    return (answer >> size - _after(command) & (1 << size) - 1).to_bytes(len(command), "big")


def _after(command: bytes) -> int:
    """How many bits come after the start bit, four that ask, a clock to sample in and a zero."""
    return int.from_bytes(command, "big").bit_length() - 7
