"""The network of a house: a board at one address, and many visitors at others.

Invariants: it is made of two network namespaces and a cable between them, which needs root on Linux and the
command `ip`; nothing outside of them is reached or changed. It is gone when its context ends.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

PORT = 8765
BOARD_IPV4, BOARD_IPV6 = "10.77.0.1", "fd77::1"
_FIRST_VISITOR = 10
_CROWD = "fd77:0:0:0:1:0"
VISITORS = 60
"""The number of addresses of each kind that the visitors have."""


@dataclass(frozen=True)
class Namespaces:
    """The names of the two namespaces."""

    board: str
    visitors: str

    def command(self, namespace: str, module: str, *arguments: str, niceness: int = 0) -> list[str]:
        """Return the command that runs a module of Python in `namespace`."""
        return self.started(namespace, "-m", module, *arguments, niceness=niceness)

    def started(self, namespace: str, *arguments: str, niceness: int = 0) -> list[str]:
        """Return the command that runs Python with these arguments in `namespace`."""
        inside = ["ip", "netns", "exec", namespace, "nice", "-n", str(niceness)]
        return [*inside, sys.executable, *arguments]


def visitor(number: int, *, ipv6: bool = False) -> str:
    """Return the address of a visitor, numbered from 0; those of IPv6 are in the board's own /64."""
    return f"fd77::{_FIRST_VISITOR + number:x}" if ipv6 else f"10.77.0.{_FIRST_VISITOR + number}"


def crowd(number: int) -> str:
    """Return one of the addresses that a single visitor has besides its own, numbered from 0."""
    return f"{_CROWD}:{number >> 16:x}:{number & 0xFFFF:x}"


def missing() -> str:
    """Return the reason why no house can be made here, or an empty text."""
    if os.geteuid() != 0:
        return "only root can make network namespaces"
    return "" if shutil.which("ip") else "the command `ip` is missing (Debian: apt install iproute2)"


@contextmanager
def house() -> Iterator[Namespaces]:
    """Make the network while the context lasts; raises CalledProcessError if the system refuses it."""
    made = Namespaces(f"board-{os.getpid()}", f"visitors-{os.getpid()}")
    try:
        _ip(f"netns add {made.board}", f"netns add {made.visitors}")
        _ip(f"link add cable netns {made.board} type veth peer name cable netns {made.visitors}")
        for name in (made.board, made.visitors):
            _ip(f"-n {name} link set lo up", f"-n {name} link set cable up")
        _ip(
            f"-n {made.board} address add {BOARD_IPV4}/24 dev cable",
            f"-n {made.board} -6 address add {BOARD_IPV6}/64 dev cable nodad",
        )
        for number in range(VISITORS):
            _ip(
                f"-n {made.visitors} address add {visitor(number)}/24 dev cable",
                f"-n {made.visitors} -6 address add {visitor(number, ipv6=True)}/64 dev cable nodad",
            )
        # On the board's own network, one visitor also has 2^32 addresses of IPv6.
        _ip(
            f"netns exec {made.visitors} sysctl -qw net.ipv6.ip_nonlocal_bind=1",
            f"-n {made.visitors} -6 route add local {_CROWD}:0:0/96 dev lo",
            f"-n {made.board} -6 route add {_CROWD}:0:0/96 via {visitor(0, ipv6=True)} dev cable",
        )
        yield made
    finally:
        for name in (made.board, made.visitors):
            subprocess.run(["ip", "netns", "delete", name], check=False, stderr=subprocess.DEVNULL)  # noqa: S603, S607


def _ip(*commands: str) -> None:
    for command in commands:
        subprocess.run(["ip", *command.split()], check=True)  # noqa: S603, S607
