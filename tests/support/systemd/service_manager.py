"""A service manager that listens where systemd would."""

from __future__ import annotations

import socket

from firmware_host.runtime.watchdog import Notifier


class Manager:
    """The other end: a socket that systemd would listen at."""

    def __init__(self, address: str) -> None:
        self.environ = {"NOTIFY_SOCKET": address}
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind("\0" + address[1:] if address.startswith("@") else address)
        self.socket.setblocking(False)  # noqa: FBT003
        self._notifiers: list[Notifier] = []

    def notifier(self) -> Notifier:
        """A way to this manager, which is closed with it: a board closes it only when it stops."""
        self._notifiers.append(Notifier.of(self.environ))
        return self._notifiers[-1]

    def close(self) -> None:
        """End, and part with all that had a way here."""
        for notifier in self._notifiers:
            notifier.close()
        self.socket.close()

    def heard(self) -> list[str]:
        """The messages that have come."""
        messages = []
        while True:
            try:
                messages.append(self.socket.recv(4096).decode())
            except BlockingIOError:
                return messages
