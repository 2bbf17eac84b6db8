"""A real mosquitto on this machine, for the tests of everything that speaks to a broker."""

from __future__ import annotations

import shutil
import socket
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from queue import Queue
from time import monotonic, sleep
from typing import Any, TypeVar

from firmware_host.link.permissions import FILE

PROGRAM = shutil.which("mosquitto", path="/usr/sbin:/usr/bin:/usr/local/sbin")
_START_TIMEOUT_S = 20.0

_Event = TypeVar("_Event")

# Root is named so that mosquitto can read the files of a test that root runs; for others it means nothing.
_CONFIG = """\
user root
listener {port} 127.0.0.1
persistence false
log_type none
"""
_OWN_LIMITS = ("set_tcp_nodelay", "max_", "message_size_limit")


def shipped_limits(name: str = "club.conf") -> str:
    """Return the lines of a shipped configuration that limit what clients may do, as every test has them."""
    lines = (FILE.parent / name).read_text("utf-8").splitlines()
    return "".join(f"{line}\n" for line in lines if line.startswith(_OWN_LIMITS))


PASSWORDS = shutil.which("mosquitto_passwd")
"""The program that hashes the passwords of a broker's users."""


def with_users(folder: Path, users: Mapping[str, str], permissions: str) -> str:
    """Return the lines of a broker's configuration with these users and passwords, and an ACL."""
    passwords, acl = folder / "passwords", folder / "acl"
    passwords.write_text("".join(f"{user}:{password}\n" for user, password in users.items()))
    passwords.chmod(0o600)
    subprocess.run([PASSWORDS or "", "-U", str(passwords)], check=True)  # noqa: S603 - a constant command
    acl.write_text(permissions)
    return f"allow_anonymous false\npassword_file {passwords}\nacl_file {acl}\n"


def free_port() -> int:
    """Return a port that nothing uses now."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


class Mosquitto:
    """A broker on loopback that can be killed and started again, at the same port."""

    def __init__(
        self,
        folder: Path,
        more: str = "allow_anonymous true\n",
        port: int | None = None,
        limits: str | None = None,
    ) -> None:
        assert PROGRAM is not None
        self.port = free_port() if port is None else port
        self._config = folder / "mosquitto.conf"
        limits = shipped_limits() if limits is None else limits
        self._config.write_text(_CONFIG.format(port=self.port) + limits + more)
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, and wait until it answers."""
        assert PROGRAM is not None
        self._process = subprocess.Popen([PROGRAM, "-c", str(self._config)])  # noqa: S603 - a constant command
        until = monotonic() + _START_TIMEOUT_S
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
            except ConnectionRefusedError:
                assert self._process.poll() is None, "mosquitto has ended"
                assert monotonic() < until, "mosquitto doesn't answer"
                sleep(0.02)
            else:
                return

    @property
    def process_id(self) -> int:
        """The id of its process; it must be running."""
        assert self._process is not None
        return self._process.pid

    def kill(self) -> None:
        """Kill it, as a power cut would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


@contextmanager
def mosquitto(
    folder: Path,
    more: str = "allow_anonymous true\n",
    port: int | None = None,
    limits: str | None = None,
) -> Iterator[Mosquitto]:
    """Run a broker with the shipped limits, or others, and the lines `more`, at any port or at this one."""
    broker = Mosquitto(folder, more, port, limits)
    broker.start()
    try:
        yield broker
    finally:
        broker.kill()


def next_of(inbox: Queue[Any], kind: type[_Event], within_s: float = 60.0) -> _Event:
    """Return the next event of that kind, leaving out others."""
    until = monotonic() + within_s
    while True:
        event = inbox.get(timeout=max(until - monotonic(), 0.001))
        if isinstance(event, kind):
            return event
