"""Linear sensors on an MCP3008, behind multiplexers or on its inputs directly.

gpiozero's MCP3008 reaches only the first SPI bus by hardware, to whose data line the LEDs are connected; on
the pins of the second it sends bit after bit in software, dozens of writes to a pin for each value, and it
has no multiplexer. So the chip is read here, all its inputs in one call of the kernel.

Invariants: only addresses in use are visited, in Gray-code order, so that each step changes one select line.
At each, after the settling time, all inputs in use there are converted. Levels are those of the chip, from 0
(ground) to 1023 (its reference, 3.3 V), with their noise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import TracebackType

from firmware_host.errors import SensorError, reason_of
from firmware_host.i18n import Message
from firmware_host.settings import Microseconds
from hardware.bus.gpio import Lines
from hardware.bus.spi import Spi
from hardware.scanner import Levels, Wire

ADC_HZ = 1_350_000
"""The clock that the chip's data sheet (DS21295) allows at 2.7 V; at 5 V it would be 3.6 MHz."""

_NULL_BIT = 0b100
"""The chip answers with a zero before the bits of its value; a one means that no chip answered."""


def command(given: int) -> bytes:
    """Return the request for one input against ground: start bit, single-ended, and the input's number."""
    return bytes([1, (8 | given) << 4, 0])


class AdcScanner:
    """A Scanner on the ADC at `spi`, whose `inputs` are the chips 0, 1 and so on.

    `lines` are the select lines of the multiplexers, and `select` their number; None if each input is a
    sensor. Both are closed with it. `sleep` waits for its argument in seconds.
    """

    def __init__(
        self,
        spi: Spi,
        inputs: Sequence[int],
        lines: Lines | None,
        wires: Sequence[Wire],
        *,
        settling_us: Microseconds,
        sleep: Callable[[float], None],
        select: int = 0,
    ) -> None:
        self.wires = tuple(sorted(set(wires)))
        addresses = {channel for _, channel in self.wires}
        self._stops = []
        read: list[Wire] = []
        for address in (n ^ n >> 1 for n in range(1 << select)):
            if address in addresses:
                chips = [chip for chip, channel in self.wires if channel == address]
                self._stops.append((address, spi.exchanger([command(inputs[chip]) for chip in chips])))
                read += [(chip, address) for chip in chips]
        self._order = [read.index(wire) for wire in self.wires]
        self._spi, self._lines, self._sleep = spi, lines, sleep
        self._settling = settling_us / 1_000_000
        self._levels: Levels = ()
        self._closed = False

    def scan(self) -> Levels:
        """Read every wire once."""
        if self._closed:
            raise SensorError(Message("fault.unread.closed"))
        read: list[int] = []
        try:
            for address, exchange in self._stops:
                if self._lines is not None:
                    self._lines.write(address)
                    self._sleep(self._settling)
                read += [_value(answer) for answer in exchange()]
        except Exception as error:
            raise SensorError(Message("fault.unread", {"why": reason_of(error)})) from error
        levels = tuple([read[at] for at in self._order])
        if levels != self._levels:
            self._levels = levels
        return self._levels

    def close(self) -> None:
        """Release the bus and the lines; may be called twice."""
        self._closed = True
        try:
            self._spi.close()
        finally:
            if self._lines is not None:
                self._lines.close()

    def __enter__(self) -> AdcScanner:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _value(answer: Sequence[int]) -> int:
    """Return the value in the three bytes received while a command was sent."""
    if answer[1] & _NULL_BIT:
        raise SensorError(Message("fault.adc.silent"))
    return (answer[1] & 0b11) << 8 | answer[2]
