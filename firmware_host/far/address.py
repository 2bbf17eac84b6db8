"""The address of a broker.

Invariants: a broker on this machine is reached without encryption, and any other never is.
"""

from __future__ import annotations

import re
from ipaddress import ip_address

from firmware_host.errors import FarError
from firmware_host.frozen import frozen

TLS_PORT, PLAIN_PORT = 8883, 1883
HOST_FORM = r"(?:[A-Za-z0-9.-]{1,253}|\[[0-9a-fA-F:.]{2,45}\])"
_HOST = re.compile(HOST_FORM)
_PORT = re.compile("[0-9]{1,5}")


@frozen
class BrokerAddress:
    """A broker's address; beyond this machine, connections are encrypted."""

    host: str
    port: int
    ca: str = ""
    """The file of the authority that signed the broker's certificate; empty for those of the system."""

    @classmethod
    def parse(cls, text: str, ca: str = "") -> BrokerAddress:
        """Return the address of `host` or `host:port`; raise FarError if it isn't one."""
        host, colon, port = text.rpartition(":") if not text.endswith("]") else (text, "", "")
        if not colon:
            host, port = text, str(PLAIN_PORT if is_loopback(text) else TLS_PORT)
        if not _HOST.fullmatch(host) or not _PORT.fullmatch(port) or not 0 < int(port) < 65_536:
            raise FarError(f"{text!r} is not the address of a broker; write it as broker.example:{TLS_PORT}")
        return cls(host, int(port), ca)

    @property
    def is_encrypted(self) -> bool:
        """True if the broker is not on this machine."""
        return not is_loopback(self.host)

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


def is_loopback(host: str) -> bool:
    """Return whether a host is this machine by its name or address."""
    try:
        return host == "localhost" or ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
