"""The serial port of a board: which it is, opening it, and what it means where that fails.

Rules kept here: pyserial is imported where a port is opened; a port is chosen only where there is no other;
reading takes what is there and never waits; a write that cannot be taken within 50 ms is an error, since the
lines are so short that the system's buffer is full only where nothing leaves it.
"""

from __future__ import annotations

import errno
import termios
from contextlib import suppress
from typing import Any, Protocol

from firmware_host.errors import SensorError, reason_of
from firmware_host.i18n import Message
from hardware.serial.protocol import BAUD

FAILURES = (OSError, termios.error)
"""What an open port raises when it fails; pyserial's own errors are OSErrors."""

_WRITE_S = 0.05


class Port(Protocol):
    """An open port; each method raises one of FAILURES where the port is gone."""

    def read(self, size: int) -> bytes:
        """What has come, `size` bytes at most, perhaps none; never waits."""

    def write(self, data: bytes) -> Any:
        """Send."""

    def reset_output_buffer(self) -> None:
        """Throw away what was not sent, which closing would wait for."""

    def close(self) -> None:
        """Give the port back; may be called twice."""


def open_port(path: str) -> Port:
    """The port at `path`, or where that is empty the only one there is; raises OSError, as SensorError is."""
    import serial  # type: ignore[import-untyped]

    port = serial.Serial(path or only_port(), BAUD, timeout=0, write_timeout=_WRITE_S, exclusive=True)
    # Some adapters hold back what comes for 16 ms unless asked not to; others cannot be asked.
    with suppress(ValueError, OSError):
        port.set_low_latency_mode(True)
    return port  # type: ignore[no-any-return]


def only_port() -> str:
    """The only USB serial port of this machine; raises SensorError where there is none or a choice."""
    from serial.tools import list_ports  # type: ignore[import-untyped]

    found = sorted((port for port in list_ports.comports() if port.vid is not None), key=lambda p: p.device)
    if not found:
        raise SensorError(Message("fault.port.none"))
    if len(found) > 1:
        names = ", ".join(f"{port.device} ({port.description})" for port in found)
        raise SensorError(Message("fault.port.several", {"devices": names}))
    return str(found[0].device)


def why_not_open(path: str, error: BaseException) -> Message | str:
    """Why the port at `path` could not be opened, and what to do where that is known."""
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
