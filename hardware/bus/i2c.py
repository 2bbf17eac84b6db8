"""The Pi's I2C bus, through the kernel alone: reads and writes of chip registers.

The package smbus2 makes the same kernel call, but it builds each read from ctypes structures, and the sensors
are read 200 times a second; here a read is prepared once. Adafruit's drivers would bring in Blinka, which
takes a second to find out what board it runs on.

Invariants: a read is one combined transfer (the register number written, its bytes read, no stop in between),
so no other program can interfere. A transfer reads one chip, since the kernel's driver for the Pis before the
5 accepts one read per transfer, as its last message (drivers/i2c/busses/i2c-bcm2835.c). A bus that cannot be
opened raises a SensorError that says how to fix it.
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
    """A bus with chips on it; its reads and writes raise OSError if a chip does not answer."""

    def reading(self, address: int, register: int, count: int) -> Callable[[], Sequence[int]]:
        """Return a function that reads `count` bytes of the chip at `address`, from `register` on."""

    def write(self, address: int, register: int, values: bytes) -> None:
        """Write `values` to the chip at `address`, from `register` on."""

    def close(self) -> None:
        """Close the bus; may be called twice."""


class I2cBus:
    """The bus at the device file `device`; tests pass their own `ioctl`."""

    def __init__(self, device: str | Path, *, ioctl: Callable[..., Any] = fcntl.ioctl) -> None:
        """Open the bus; raises SensorError."""
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
        """Return a function that reads `count` bytes, as in `I2c`."""
        number, answer = array("B", [register]), array("B", bytes(count))
        prepared = _Messages((address, 0, number), (address, _READ, answer))

        def read() -> bytes:
            self._ioctl(self._file, _TRANSFER, prepared.packed)
            return answer.tobytes()

        return read

    def write(self, address: int, register: int, values: bytes) -> None:
        """Write `values`, as in `I2c`."""
        prepared = _Messages((address, 0, array("B", [register, *values])))
        self._ioctl(self._file, _TRANSFER, prepared.packed)

    def close(self) -> None:
        """Close the bus; may be called twice."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


class _Messages:
    """Messages in the kernel's format, with the buffers that they point to kept alive."""

    def __init__(self, *messages: tuple[int, int, array[int]]) -> None:
        packed = b"".join(
            _MESSAGE.pack(address, flags, len(data), data.buffer_info()[0])
            for address, flags, data in messages
        )
        self._pointed_to = (array("B", packed), *(data for _, _, data in messages))
        self.packed = _MESSAGES.pack(self._pointed_to[0].buffer_info()[0], len(messages))
