"""A microcontroller that scans multiplexers and drives a strip, at the far end of a serial line.

Invariants: it speaks the protocol of `hardware/firmware`, which the tests run for real. It starts when its
port is opened, with the strip dark until the first light frame. It scans whenever the port is read, and does
not go dark in silence, since the driver of a simulated board skips time in which nothing happens.
"""

from __future__ import annotations

from hardware.serial.protocol import (
    NUMBERS,
    FrameShown,
    Hello,
    HelloRequest,
    LightFrame,
    LineMessage,
    Receiver,
    SensorFrame,
    encode,
)
from sim.electronics.mux import MuxBank
from sim.electronics.spi import SimulatedSpi


class Microcontroller:
    """One with `select` lines to the chips of `bank`, and with `strip`; a `hardware.serial.port.Port`.

    `plugged`: its cable is connected.
    """

    def __init__(self, bank: MuxBank, chips: int, select: int, strip: SimulatedSpi) -> None:
        self.plugged = True
        self._bank, self._chips, self._select, self._strip = bank, chips, select, strip
        self._colours = len(strip.order)  # compiled into its firmware, whatever LEDs follow later
        self._number = 0
        self._outgoing = b""
        self._start()

    def opened(self, path: str) -> Microcontroller:
        """Open the port; raises OSError if the cable is unplugged."""
        if not self.plugged:
            raise FileNotFoundError(f"there is no {path or 'serial port'}")
        self._start()
        return self

    def read(self, size: int) -> bytes:
        """Return the messages since the last call, and a new sensor frame."""
        self._must_be_plugged()
        self._send(SensorFrame(self._number, self._scan()))
        self._number = (self._number + 1) % NUMBERS
        outgoing, self._outgoing = self._outgoing[:size], self._outgoing[size:]
        return outgoing

    def write(self, data: bytes) -> None:
        """Handle the messages in `data`."""
        self._must_be_plugged()
        for message in self._receiver.feed(data):
            match message:
                case HelloRequest():
                    self._send(self._hello)
                case LightFrame(number, colours):
                    self._strip.receive(colours)
                    self._send(FrameShown(number))

    def reset_output_buffer(self) -> None:
        """Do nothing, since writes are handled at once."""

    def close(self) -> None:
        """Do nothing, since there is nothing to close."""

    @property
    def _hello(self) -> Hello:
        leds = len(self._strip.leds)
        return Hello("simulated", self._chips, 1 << self._select, leds, self._colours)

    def _start(self) -> None:
        self._number = 0
        self._receiver = Receiver()
        self._outgoing = encode(self._hello)
        self._strip.receive(bytes(len(self._strip.leds) * self._colours))

    def _send(self, message: LineMessage) -> None:
        self._outgoing += encode(message)

    def _must_be_plugged(self) -> None:
        if not self.plugged:
            raise OSError("the board was unplugged")

    def _scan(self) -> bytes:
        """Scan all contacts: a bit for each channel, the lowest first, chip after chip."""
        closed = 0
        for channel in range(1 << self._select):
            for bit in range(self._select):
                self._bank.choose(bit, bool(channel >> bit & 1))
            for chip in range(self._chips):
                closed |= self._bank.low(chip) << (chip << self._select | channel)
        return closed.to_bytes((self._chips << self._select) // 8, "little")
