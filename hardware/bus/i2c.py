"""The Pi's I2C bus, through the kernel alone: the registers of chips, read and written.

The package smbus2 would do, and reads by the same call of the kernel; but it makes each read anew of ctypes
structures, and the sensors are read 200 times a second: here a read is prepared once. Adafruit's drivers
would bring Blinka, and a second of finding out what board this is.

Rules kept here: a read is one combined transfer, the register's number written and its bytes read without a
stop between, so that nobody comes in between; it is for one chip, since the kernel's driver for the Pis
before the 5 takes one read in a transfer, as its last message (drivers/i2c/busses/i2c-bcm2835.c); what cannot
be opened is a SensorError that says how to mend it.
"""

from __future__ import annotations

import fcntl
import os
import struct
from array import array
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

from firmware_host.errors import SensorError
from firmware_host.i18n import Message

# linux/i2c-dev.h and linux/i2c.h: I2C_RDWR, I2C_M_RD, struct i2c_msg and struct i2c_rdwr_ioctl_data.
_TRANSFER = 0x0707
_READ = 0x0001
_MESSAGE = struct.Struct("@HHHP0P")
_MESSAGES = struct.Struct("@PI0P")


class I2c(Protocol):
    """A bus with chips on it; what its methods do raises OSError where a chip does not answer."""

    def reading(self, address: int, register: int, count: int) -> Callable[[], Sequence[int]]:
        """What reads so many bytes of the chip at `address`, from `register` on, each time it is called."""

    def write(self, address: int, register: int, values: bytes) -> None:
        """Write bytes to the chip at `address`, from `register` on."""

    def close(self) -> None:
        """Give the bus back; may be called twice."""


class I2cBus:
    """The bus that is the kernel's file `device`; `ioctl` stands in for that of the kernel."""

    def __init__(self, device: str | Path, *, ioctl: Callable[..., Any] = fcntl.ioctl) -> None:
        """Open it; raises SensorError."""
        try:
            self._file = os.open(device, os.O_RDWR | os.O_CLOEXEC)
        except FileNotFoundError as error:
            raise SensorError(Message("fault.i2c.none", {"device": str(device)})) from error
        except PermissionError as error:
            barred = Message("fault.device.barred", {"device": str(device), "group": "i2c"})
            raise SensorError(barred) from error
        except OSError as error:
            slots = {"device": str(device), "why": str(error.strerror)}
            raise SensorError(Message("fault.device.unopened", slots)) from error
        self._ioctl = ioctl

    def reading(self, address: int, register: int, count: int) -> Callable[[], bytes]:
        """What reads so many bytes, as `I2c` says."""
        number, answer = array("B", [register]), array("B", bytes(count))
        prepared = _Messages((address, 0, number), (address, _READ, answer))

        def read() -> bytes:
            self._ioctl(self._file, _TRANSFER, prepared.packed)
            return answer.tobytes()

        return read

    def write(self, address: int, register: int, values: bytes) -> None:
        """Write bytes, as `I2c` says."""
        prepared = _Messages((address, 0, array("B", [register, *values])))
        self._ioctl(self._file, _TRANSFER, prepared.packed)

    def close(self) -> None:
        """Give the bus back; may be called twice."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


class _Messages:
    """Messages as the kernel takes them; they point to memory, which lives as long as this does."""

    def __init__(self, *messages: tuple[int, int, array[int]]) -> None:
        packed = b"".join(
            _MESSAGE.pack(address, flags, len(data), data.buffer_info()[0])
            for address, flags, data in messages
        )
        self._pointed_to = (array("B", packed), *(data for _, _, data in messages))
        self.packed = _MESSAGES.pack(self._pointed_to[0].buffer_info()[0], len(messages))
