"""The serial port of a board: finding it, opening it, and explaining a failure.

Invariants: pyserial is imported when a port is opened. A port is chosen automatically only if it is the only
one. Neither reading nor writing waits. A write of which the system's buffer takes a part only is an error:
the lines are so short that the buffer fills up only when nothing leaves it.
"""

from __future__ import annotations

import errno
import os
import termios
from contextlib import suppress
from typing import Any, Protocol

from firmware_host.errors import SensorError, reason_of
from firmware_host.i18n import Message
from hardware.serial.protocol import BAUD

FAILURES = (OSError, termios.error)
"""The exceptions of an open port that fails; pyserial's own errors are OSErrors."""


class Port(Protocol):
    """An open port; each method raises one of FAILURES if the port is gone."""

    def read(self, size: int) -> bytes:
        """Return the bytes that have arrived, at most `size`, perhaps none; never waits."""

    def write(self, data: bytes) -> Any:
        """Send `data`, all of it; never waits."""

    def reset_output_buffer(self) -> None:
        """Discard unsent bytes, which closing would wait for."""

    def close(self) -> None:
        """Close the port; may be called twice."""


class SerialPort:
    """The port at `path`, opened by pyserial.

    Writes go past pyserial: its own look at the clock after the last byte has left, so that a busy machine,
    which lets the program pause there, would break a line on which nothing was lost.
    """

    def __init__(self, path: str) -> None:
        import serial  # type: ignore[import-untyped]

        self._serial = serial.Serial(path, BAUD, timeout=0, exclusive=True)
        # Some adapters hold back what comes for 16 ms unless asked not to; others, and macOS, can't be asked.
        with suppress(ValueError, OSError, NotImplementedError):
            self._serial.set_low_latency_mode(True)

    def read(self, size: int) -> bytes:
        """Return the bytes that have arrived, at most `size`, perhaps none."""
        data: bytes = self._serial.read(size)
        return data

    def write(self, data: bytes) -> None:
        """Send `data`; raises OSError unless the system takes all of it at once."""
        try:
            sent = os.write(self._serial.fileno(), data)
        except BlockingIOError:
            sent = 0
        if sent < len(data):
            raise OSError(f"it took {sent} of {len(data)} bytes")

    def reset_output_buffer(self) -> None:
        """Discard unsent bytes."""
        self._serial.reset_output_buffer()

    def close(self) -> None:
        """Close the port; may be called twice."""
        self._serial.close()


def open_port(path: str) -> Port:
    """Open the port at `path`, or the only one if that is empty; raises OSError.

    SensorError, an OSError, is raised if there is none or several.
    """
    return SerialPort(path or only_port())


def usb_ports() -> list[str]:
    """Return the USB serial ports of this machine."""
    return [str(port.device) for port in _found_ports()]


def only_port() -> str:
    """Return the only USB serial port of this machine; raises SensorError if there is none or several."""
    found = _found_ports()
    if not found:
        raise SensorError(Message("fault.port.none"))
    if len(found) > 1:
        names = ", ".join(f"{port.device} ({port.description})" for port in found)
        raise SensorError(Message("fault.port.several", {"devices": names}))
    return str(found[0].device)


def _found_ports() -> list[Any]:
    from serial.tools import list_ports  # type: ignore[import-untyped]

    return sorted((port for port in list_ports.comports() if port.vid is not None), key=lambda p: p.device)


def why_not_open(path: str, error: BaseException) -> Message | str:
    """Return why the port at `path` could not be opened, and how to fix that if known."""
    number = getattr(error, "errno", None)
    device = path or "ttyUSB, ttyACM"
    match number:
        case errno.ENOENT:
            return Message("fault.port.gone", {"device": device})
        case errno.EACCES:
            return Message("fault.device.barred", {"device": device, "group": "dialout"})
        case errno.EAGAIN | errno.EBUSY:
            return Message("fault.port.taken", {"device": device})
    return reason_of(error)
