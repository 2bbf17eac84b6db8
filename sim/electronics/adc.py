"""An MCP3008 on an SPI bus, and the multiplexers between linear sensors and its inputs.

Invariants: the ADC answers bit by bit as in its data sheet (DS21295). An input follows the selected sensor
with a delay, so a scan that does not wait reads part of the channel before. A channel without a sensor is at
ground, and an undriven line keeps its last voltage. Noise follows from the seed and the time.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from zlib import crc32

from firmware_host.config.wiring_map import ADC_MAX
from firmware_host.settings import Microseconds
from hardware.scanner import Wire
from sim.clock import Clock
from sim.electronics.mux import MuxBank
from sim.scheduler import Scheduler

NOISE = 2
"""Maximum error of a conversion, up or down."""

_NOISE_LEVELS = 2 * NOISE + 1

Output = Callable[[Microseconds], float]
"""The output of a sensor at a time, in steps of the ADC."""

_LONG_AGO: Microseconds = -1_000_000
_BITS = 10
_FOLLOW_CONSTANTS = 5.0
"""Time constants within `follow_us`: the line is then within 1 % of its sensor."""

_MAX_CONSTANTS = 12.0
"""Time constants after which the difference is below the ADC's resolution."""


class AnalogBank(MuxBank):
    """Multiplexers with common select lines, each with a line that follows the selected sensor.

    `outputs` has the sensor at each place. Without select lines there are no chips, and each line has one
    sensor. A line takes `follow_us` to follow.
    """

    def __init__(
        self,
        clock: Clock,
        agenda: Scheduler,
        chips: int,
        follow_us: Microseconds,
        outputs: Mapping[Wire, Output],
        seed: int,
    ) -> None:
        self._outputs = outputs
        self._seed = seed
        self._left = [(0.0, _LONG_AGO)] * chips
        """The voltage of each line when it was last left, and the time of that."""
        self._known = [(_LONG_AGO, 0, 0.0)] * chips
        self._noise_seeds: dict[Wire, int] = {}
        """The hash state of each place's noise, before the time is added."""
        super().__init__(clock, agenda, chips, follow_us)

    def fail(self, chip: int, dead: bool) -> None:
        """Let a chip die, which leaves its line undriven, or work again."""
        self._leave()
        super().fail(chip, dead)

    def map_addresses(self, address_map: Callable[[int], int], chip: int | None = None) -> None:
        """Map the addresses that a chip receives, or those of all chips."""
        self._leave()
        super().map_addresses(address_map, chip)

    def loosen(self, line: int) -> None:
        """Disconnect a line from its chip."""
        self._leave()
        super().loosen(line)

    def rewire(self, moved: Mapping[Wire, Wire]) -> None:
        """Solder sensors to other places; the set of places stays the same."""
        self._known = [(_LONG_AGO, 0, 0.0)] * len(self._known)
        super().rewire(moved)
        self._solder()

    def choose(self, bit: int, level: bool) -> None:
        """Change a select line."""
        self._leave()
        super().choose(bit, level)

    def converted(self, chip: int) -> int:
        """Return the conversion of a chip's line now."""
        now, at = self._now(), (chip, self._address)
        seed = self._noise_seeds.get(at)
        if seed is None:
            seed = self._noise_seeds[at] = crc32(f"{self._seed} {chip} {self._address} ".encode())
        value = round(self._line(chip, now)) + crc32(b"%d" % now, seed) % _NOISE_LEVELS - NOISE
        return 0 if value < 0 else min(value, ADC_MAX)

    def _solder(self) -> None:
        self._soldered = {self._moved.get(at, at): output for at, output in self._outputs.items()}

    def _leave(self) -> None:
        now = self._now()
        self._left = [(self._line(chip, now), now) for chip in range(len(self._left))]

    def _line(self, chip: int, now: Microseconds) -> float:
        """Return the voltage of a line; often requested twice, for a conversion and when the line is left."""
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
        output = self._soldered.get((chip, self._address_maps[chip][self._address]))
        level = 0.0 if output is None else output(now)
        constants = _FOLLOW_CONSTANTS * (now - since) / (self._rise_times[chip] or 1)
        return level if constants > _MAX_CONSTANTS else level + (had - level) * math.exp(-constants)


class SimulatedAdc:
    """A bus with an MCP3008: the `inputs` lead to the lines 0, 1 and so on; other inputs are at ground."""

    def __init__(self, bank: AnalogBank, inputs: Sequence[int]) -> None:
        self.plugged = True
        """False if the chip is missing, which leaves its data line high."""
        self._bank = bank
        self._lines = {given: line for line, given in enumerate(inputs)}

    def exchanger(self, commands: Sequence[bytes]) -> Callable[[], Sequence[Sequence[int]]]:
        """Return a function that sends each command and returns the answers."""
        return lambda: [self._exchanged(command) for command in commands]

    def close(self) -> None:
        """Do nothing, since there is nothing to close."""

    def _exchanged(self, command: bytes) -> bytes:
        if not self.plugged:
            return b"\xff" * len(command)
        asked = _asked(command)
        if asked is None:
            return bytes(len(command))
        return _answer(command, self._value(asked & 0b111, single=bool(asked & 0b1000)))

    def _value(self, given: int, *, single: bool) -> int:
        """Return one input against ground, or against the other of its pair."""
        return self._read(given) if single else max(0, self._read(given) - self._read(given ^ 1))

    def _read(self, given: int) -> int:
        line = self._lines.get(given)
        return 0 if line is None else self._bank.converted(line)


@cache
def _asked(command: bytes) -> int | None:
    """Return the four bits of a command that select the conversion; None if it ends before them."""
    after = _after(command)
    return None if after < 0 else int.from_bytes(command, "big") >> after + 2 & 0b1111


@lru_cache(maxsize=16 * (ADC_MAX + 1))  # some inputs by their one command each, over and over
def _answer(command: bytes, value: int) -> bytes:
    """Return the bytes sent during a command: the value, and then its bits in reverse order."""
    size = 8 * len(command)
    backwards = int(f"{value:0{_BITS}b}"[-2::-1], 2)
    answer = (value << _BITS - 1 | backwards) << size >> 2 * _BITS - 1
    return (answer >> size - _after(command) & (1 << size) - 1).to_bytes(len(command), "big")


def _after(command: bytes) -> int:
    """Return the number of bits after the start bit, the four selecting bits, a sampling clock and a zero."""
    return int.from_bytes(command, "big").bit_length() - 7
