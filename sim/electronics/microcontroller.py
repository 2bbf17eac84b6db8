"""A microcontroller that scans multiplexers and lights a strip, at the other end of a serial line.

Rules kept here: it says and understands what `hardware/firmware` does, of which the tests run the real thing;
it starts when its port is opened, and is dark until it is told a light. It has scanned whenever somebody
reads, and does not grow dark when nobody speaks, since who drives a simulated board skips time in which
nothing happens.
"""

from __future__ import annotations

from hardware.serial.protocol import NUMBERS, Ask, Felt, Hello, Light, LineMessage, Receiver, Shown, line
from sim.electronics.mux import MuxBank
from sim.electronics.spi import SimulatedSpi


class Microcontroller:
    """One with `select` lines to the chips of `bank`, and with `strip`; as `hardware.serial.port.Port` is.

    `plugged`: whether its cable is in.
    """

    def __init__(self, bank: MuxBank, chips: int, select: int, strip: SimulatedSpi) -> None:
        self.plugged = True
        self._bank, self._chips, self._select, self._strip = bank, chips, select, strip
        self._number = 0
        self._said = b""
        self._start()

    def opened(self, path: str) -> Microcontroller:
        """The port, opened; raises OSError where the cable is out."""
        if not self.plugged:
            raise FileNotFoundError(f"there is no {path or 'serial port'}")
        self._start()
        return self

    def read(self, size: int) -> bytes:
        """What has been said since, and what is felt now."""
        self._must_be_plugged()
        self._say(Felt(self._number, self._felt()))
        self._number = (self._number + 1) % NUMBERS
        said, self._said = self._said[:size], self._said[size:]
        return said

    def write(self, data: bytes) -> None:
        """Hear `data`."""
        self._must_be_plugged()
        for message in self._receiver.feed(data):
            match message:
                case Ask():
                    self._say(self._hello)
                case Light(number, colours):
                    self._strip.receive(colours)
                    self._say(Shown(number))

    def reset_output_buffer(self) -> None:
        """What was written is heard already."""

    def close(self) -> None:
        """Nothing is to be given back."""

    @property
    def _hello(self) -> Hello:
        leds = len(self._strip.leds)
        return Hello("simulated", self._chips, 1 << self._select, leds, len(self._strip.order))

    def _start(self) -> None:
        self._number = 0
        self._receiver = Receiver()
        self._said = line(self._hello)
        self._strip.receive(bytes(len(self._strip.leds) * len(self._strip.order)))

    def _say(self, message: LineMessage) -> None:
        self._said += line(message)

    def _must_be_plugged(self) -> None:
        if not self.plugged:
            raise OSError("the board was unplugged")

    def _felt(self) -> bytes:
        """A bit for each channel, the lowest first, chip after chip."""
        closed = 0
        for channel in range(1 << self._select):
            for bit in range(self._select):
                self._bank.choose(bit, bool(channel >> bit & 1))
            for chip in range(self._chips):
                closed |= self._bank.low(chip) << (chip << self._select | channel)
        return closed.to_bytes((self._chips << self._select) // 8, "little")
