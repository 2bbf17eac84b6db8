"""The Pi's SPI bus as the strip's driver takes it: /dev/spidev0.0, written through the kernel alone.

Blinka's `board.SPI()` would do, after a second of finding out what board this is, and so would the package
spidev, which has to be compiled; but a strip needs two settings and `write`, which Python has of its own.

Rules kept here: what cannot be opened is a StripError that says how to mend it; the kernel would let two
programs write to one strip, so the device is locked; one write is one message.
"""

from __future__ import annotations

import fcntl
import os
import struct
from pathlib import Path
from typing import Any

from firmware_host.errors import StripError

DEVICE = Path("/dev/spidev0.0")

# linux/spi/spidev.h: _IOW('k', 1, __u8) and _IOW('k', 4, __u32).
_WRITE_MODE = 0x40016B01
_WRITE_HZ = 0x40046B04


class SpiBus:
    """A bus as `adafruit_bus_device` uses one."""

    def __init__(self, device: Path = DEVICE) -> None:
        """Open `device`; raises StripError."""
        try:
            self._file = os.open(device, os.O_RDWR | os.O_CLOEXEC)
        except FileNotFoundError as error:
            raise StripError(
                f"there is no {device}: "
                "switch SPI on with `sudo raspi-config nonint do_spi 0` and restart the Pi"
            ) from error
        except PermissionError as error:
            raise StripError(
                f"{device} may not be opened: `sudo usermod -aG spi $USER`, then log in again"
            ) from error
        except OSError as error:
            raise StripError(f"{device} cannot be opened: {error.strerror}") from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(self._file)
            raise StripError(f"{device} is in use by another Millwright: end that one") from error
        self._locked = False
        self._settings: tuple[int, int] | None = None

    def try_lock(self) -> bool:
        """Take the bus, if nobody has it."""
        taken, self._locked = self._locked, True
        return not taken

    def unlock(self) -> None:
        """Let others have the bus."""
        self._locked = False

    def configure(self, *, baudrate: int = 100_000, polarity: int = 0, phase: int = 0, **_: Any) -> None:
        """Set how fast, in Hz, and in which mode bits are sent; raises OSError where that cannot be."""
        settings = baudrate, polarity << 1 | phase
        if settings != self._settings:
            fcntl.ioctl(self._file, _WRITE_MODE, struct.pack("B", settings[1]))
            fcntl.ioctl(self._file, _WRITE_HZ, struct.pack("I", baudrate))
            self._settings = settings

    def write(self, buffer: bytes | bytearray) -> None:
        """Send bytes in one message, at most 4096 unless spidev is told more; raises OSError."""
        sent = os.write(self._file, buffer)
        if sent != len(buffer):
            raise OSError(f"only {sent} of {len(buffer)} bytes were sent")

    def close(self) -> None:
        """Give the bus back; may be called twice."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
