"""The Pi's SPI buses, through the kernel alone: /dev/spidev0.0 for the strip, /dev/spidev1.0 for the ADC.

Blinka's `board.SPI()` and the package spidev would also do, but the former needs gpiod and the latter a
compiler. A strip needs two settings and `write`, and an ADC one call more, all of which Python offers itself.

Invariants: a bus that cannot be opened raises a StripError or SensorError that says how to fix it. A device
is locked, because the kernel would let two programs write to one strip. One write is one message.
"""

from __future__ import annotations

import fcntl
import os
import struct
from array import array
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

from firmware_host.errors import SensorError, StripError
from firmware_host.i18n import Message

DEVICE = Path("/dev/spidev0.0")

# linux/spi/spidev.h: _IOW('k', 1, __u8) and _IOW('k', 4, __u32); the size of a message stands in its number.
_WRITE_MODE = 0x40016B01
_WRITE_HZ = 0x40046B04
_MESSAGE = 0x40006B00
_TRANSFER = struct.Struct("=QQIIHBB4x")
"""struct spi_ioc_transfer: data to send, buffer for the answer, length, Hz, pause, bits a word, cs_change."""


class SpiBus:
    """The strip's bus, in mode 0."""

    def __init__(self, device: Path = DEVICE) -> None:
        """Open `device`; raises StripError."""
        self._file = _opened(device, StripError, Message("fault.spi.none", {"device": str(device)}))

    def configure(self, hz: int) -> None:
        """Send at `hz` from now on; raises OSError if the bus cannot."""
        fcntl.ioctl(self._file, _WRITE_MODE, struct.pack("B", 0))
        fcntl.ioctl(self._file, _WRITE_HZ, struct.pack("I", hz))

    def write(self, data: bytes) -> None:
        """Send `data` in one message, at most 4096 bytes unless spidev allows more; raises OSError."""
        sent = os.write(self._file, data)
        if sent != len(data):
            raise StripError(Message("fault.spi.short", {"sent": sent, "count": len(data)}))

    def close(self) -> None:
        """Close the bus; may be called twice."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


class SpiOutput(Protocol):
    """A bus with a strip on it, of which only the data line is used."""

    def configure(self, hz: int) -> None:
        """Send at `hz` from now on; raises OSError if the bus cannot."""

    def write(self, data: bytes) -> None:
        """Send `data` in one message; raises OSError if it cannot be sent."""

    def close(self) -> None:
        """Close the bus; may be called twice."""


class Spi(Protocol):
    """A bus with an ADC on it."""

    def exchanger(self, commands: Sequence[bytes]) -> Callable[[], Sequence[Sequence[int]]]:
        """Return a function that sends each command and returns the bytes received during each.

        The chip is deselected between two commands. The function raises OSError.
        """

    def close(self) -> None:
        """Close the bus; may be called twice."""


class SpiExchange:
    """The second bus, at the device file `device`, in mode 0 at `hz`.

    All commands of an exchange leave in one kernel call, with a pause of 10 us between two of them
    (drivers/spi/spi.c). Tests pass their own `ioctl`.
    """

    def __init__(self, device: str | Path, hz: int, *, ioctl: Callable[..., Any] = fcntl.ioctl) -> None:
        """Open the bus; raises SensorError."""
        path = Path(device)
        selects = int(path.name[-1:]) + 1 if path.name[-1:].isdigit() else 1
        missing = Message("fault.spi.none.second", {"device": str(path), "count": selects})
        self._file = _opened(path, SensorError, missing)
        self._hz, self._ioctl = hz, ioctl
        try:
            ioctl(self._file, _WRITE_MODE, struct.pack("B", 0))
        except OSError as error:
            self.close()
            slots = {"device": str(device), "why": str(error.strerror)}
            raise SensorError(Message("fault.device.unusable", slots)) from error

    def exchanger(self, commands: Sequence[bytes]) -> Callable[[], list[array[int]]]:
        """Return a function that exchanges commands, as in `Spi`; each call overwrites the last answers."""
        sent = [array("B", command) for command in commands]
        answers = [array("B", bytes(len(command))) for command in commands]
        last = len(commands) - 1
        packed = b"".join(
            _TRANSFER.pack(
                out.buffer_info()[0], answer.buffer_info()[0], len(out), self._hz, 0, 8, number != last
            )
            for number, (out, answer) in enumerate(zip(sent, answers, strict=True))
        )

        def exchange(_alive: list[array[int]] = sent) -> list[array[int]]:
            self._ioctl(self._file, _MESSAGE | len(packed) << 16, packed)
            return answers

        return exchange

    def close(self) -> None:
        """Close the bus; may be called twice."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def _opened(device: Path, refusal: type[SensorError | StripError], missing: Message) -> int:
    """Open a bus for this program alone; raises `refusal`, with `missing` if there is no such device."""
    name = str(device)
    try:
        file = os.open(device, os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError as error:
        raise refusal(missing) from error
    except PermissionError as error:
        raise refusal(Message("fault.device.barred", {"device": name, "group": "spi"})) from error
    except OSError as error:
        slots = {"device": name, "why": str(error.strerror)}
        raise refusal(Message("fault.device.unopened", slots)) from error
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(file)
        raise refusal(Message("fault.device.taken", {"device": name})) from error
    return file
