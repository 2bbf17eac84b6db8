"""Linear sensors on an MCP3008, behind multiplexers or on its inputs themselves.

gpiozero's MCP3008 reaches only the first SPI bus by hardware, whose data line the LEDs hang on; on the pins
of the second it moves bit after bit by itself, dozens of writes to a pin for each value, and it knows no
multiplexer. So the chip is read here, all its inputs in one call of the kernel.

Rules kept here: only addresses in use are visited, in Gray-code order, so that a step changes one select
line; at each, after the settling time, all inputs in use there are converted; levels are as the chip gives
them, from 0 (ground) to 1023 (its reference, 3.3 V), with their noise.
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
"""What the chip's data sheet (DS21295) allows at 2.7 V; at 5 V it would be 3.6 MHz."""

_NULL_BIT = 0b100
"""The chip answers with a zero before the bits of its value; where it is one, nobody answered."""


def command(given: int) -> bytes:
    """What asks for one input against ground: a start bit, then single-ended and the input's number."""
    return bytes([1, (8 | given) << 4, 0])


class AdcScanner:
    """A Scanner on the ADC at `spi`, whose `inputs` have the chips 0, 1 and so on.

    `lines` are the select lines of the multiplexers, of which there are `select`: None where there are none,
    and each input is a sensor. Both are closed with it. `sleep` waits so many seconds.
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
                self._stops.append((address, spi.exchanging([command(inputs[chip]) for chip in chips])))
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
        """Give everything back; may be called twice."""
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
    """The value in the three bytes that came in while a command went out."""
    if answer[1] & _NULL_BIT:
        raise SensorError(Message("fault.adc.silent"))
    return (answer[1] & 0b11) << 8 | answer[2]
