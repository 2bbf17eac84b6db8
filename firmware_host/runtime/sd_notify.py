"""The protocols between the program and systemd: notifications, and a socket opened for the page.

The protocols (sd_notify(3), sd_listen_fds(3)) are a dozen lines on top of Python's sockets. The packages for
them are either compiled against libsystemd or one class that does no more than this.

Invariants: nothing is ever waited for, since the board's loop sends the notifications. If nobody listens,
nothing is sent and the board plays on.
"""

from __future__ import annotations

import socket
from collections.abc import Mapping

from firmware_host.settings import Microseconds

_FIRST_INHERITED_FD = 3  # SD_LISTEN_FDS_START


class Notifier:
    """Sends notifications to `address`, a path or `@` and an abstract name, if there is one."""

    def __init__(self, address: str | None = None) -> None:
        self._address = _address(address)
        self._socket: socket.socket | None = None

    @classmethod
    def of(cls, environ: Mapping[str, str]) -> Notifier:
        """Return the notifier of a program with this environment."""
        return cls(environ.get("NOTIFY_SOCKET"))

    @property
    def has_listener(self) -> bool:
        """True if there is a service manager to notify."""
        return self._address is not None

    def tell(self, **fields: object) -> bool:
        """Send the fields, such as `READY=1`, in one message; return whether it was accepted.

        A text is sent on one line, since each line of a message is a field.
        """
        if self._address is None:
            return False
        message = "\n".join(f"{name}={' '.join(str(value).split())}" for name, value in fields.items())
        try:
            if self._socket is None:
                self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)
            self._socket.sendto(message.encode(), self._address)
        except OSError:  # it has gone, or its queue is full; anything that matters is sent again
            return False
        return True

    def close(self) -> None:
        """Close the socket; may be called twice."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None


def watchdog_us(environ: Mapping[str, str], pid: int) -> Microseconds | None:
    """Return the watchdog timeout of the process `pid`, or None if there is none.

    By sd_watchdog_enabled(3), a timeout that is meant for another process does not apply.
    """
    asked, of = environ.get("WATCHDOG_USEC", ""), environ.get("WATCHDOG_PID", "")
    if not asked.isascii() or not asked.isdigit() or of not in ("", str(pid)):
        return None
    return int(asked) or None


def inherited_socket(
    environ: Mapping[str, str], pid: int, *, first: int = _FIRST_INHERITED_FD
) -> socket.socket | None:
    """Return the listening socket that systemd passed to the process `pid` as file `first`, or None."""
    if environ.get("LISTEN_PID") != str(pid) or environ.get("LISTEN_FDS") != "1":
        return None
    return socket.socket(fileno=first)


def _address(given: str | None) -> str | None:
    if given is None or len(given) < 2 or given[0] not in "/@":
        return None  # a kind of socket that is not known here, as systemd's own function has it
    return "\0" + given[1:] if given.startswith("@") else given
