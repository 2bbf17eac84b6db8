"""What passes between the program and its service manager, systemd: notifications, and the socket that
it may have opened for the page.

The protocols (sd_notify(3), sd_listen_fds(3)) are a dozen lines over sockets that Python has of its own. Of
the packages for them some are compiled against libsystemd, and the others are a class for no more than this.

Rules kept here: nothing is ever waited for, since the board's loop tells it; where nobody listens, nothing is
told, and the board plays on.
"""

from __future__ import annotations

import socket
from collections.abc import Mapping

from firmware_host.settings import Microseconds

_FIRST_GIVEN = 3  # SD_LISTEN_FDS_START


class Notifier:
    """Tells the manager that listens at `address`, a path or `@` and an abstract name, if any does."""

    def __init__(self, address: str | None = None) -> None:
        self._address = _address(address)
        self._socket: socket.socket | None = None

    @classmethod
    def of(cls, environ: Mapping[str, str]) -> Notifier:
        """The one for a program that was started with these variables."""
        return cls(environ.get("NOTIFY_SOCKET"))

    @property
    def is_heard(self) -> bool:
        """Whether there is anybody to tell."""
        return self._address is not None

    def tell(self, **fields: object) -> bool:
        """Send the fields, such as `READY=1`, in one message; whether it was taken.

        A text is told on one line, since each line of a message is a field.
        """
        if self._address is None:
            return False
        message = "\n".join(f"{name}={' '.join(str(value).split())}" for name, value in fields.items())
        try:
            if self._socket is None:
                self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)
            self._socket.sendto(message.encode(), self._address)
        except OSError:  # it has gone, or its queue is full: what counts is told again
            return False
        return True

    def close(self) -> None:
        """Give the socket back; may be called twice."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None


def watchdog_us(environ: Mapping[str, str], pid: int) -> Microseconds | None:
    """How long the manager waits for a sign of life of the process `pid`; None: it wants none.

    By sd_watchdog_enabled(3): a number that is meant for another process is none for this one.
    """
    asked, of = environ.get("WATCHDOG_USEC", ""), environ.get("WATCHDOG_PID", "")
    if not asked.isascii() or not asked.isdigit() or of not in ("", str(pid)):
        return None
    return int(asked) or None


def given_socket(environ: Mapping[str, str], pid: int, *, first: int = _FIRST_GIVEN) -> socket.socket | None:
    """The listening socket that the manager gave the process `pid` as file `first`; None: it gave none."""
    if environ.get("LISTEN_PID") != str(pid) or environ.get("LISTEN_FDS") != "1":
        return None
    return socket.socket(fileno=first)


def _address(given: str | None) -> str | None:
    if given is None or len(given) < 2 or given[0] not in "/@":
        return None  # a kind of socket that is not known here, as systemd's own function has it
    return "\0" + given[1:] if given.startswith("@") else given
