"""A service manager that listens where systemd would."""

from __future__ import annotations

import socket


class Manager:
    """The other end: a socket that systemd would listen at."""

    def __init__(self, address: str) -> None:
        self.environ = {"NOTIFY_SOCKET": address}
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind("\0" + address[1:] if address.startswith("@") else address)
        self.socket.setblocking(False)  # noqa: FBT003

    def heard(self) -> list[str]:
        """The messages that have come."""
        messages = []
        while True:
            try:
                messages.append(self.socket.recv(4096).decode())
            except BlockingIOError:
                return messages
