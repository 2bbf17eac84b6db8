"""A system bus of a test's own, and a service on it that answers calls, as logind does on a machine's."""

from __future__ import annotations

import os
import shutil
import socket
import struct
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from threading import Thread

import pytest

Fields = dict[int, str | int]
"""The header fields of a message."""

_CALL, _REPLY, _ERROR = 1, 2, 3
_PATH, _INTERFACE, _MEMBER, _ERROR_NAME, _REPLY_TO, _DESTINATION, _SENDER, _SIGNATURE = 1, 2, 3, 4, 5, 6, 7, 8
_TYPES = {_PATH: "o", _REPLY_TO: "u", _SIGNATURE: "g"}
_CONFIG = """\
<busconfig>
  <type>system</type>
  <listen>unix:path={path}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow user="*"/>
    <allow own="*"/>
    <allow send_destination="*"/>
    <allow receive_sender="*"/>
  </policy>
</busconfig>
"""


@contextmanager
def system_bus(folder: Path) -> Iterator[Path]:
    """Run a bus with its files in `folder`, and yield its socket; skip the test where there is no daemon."""
    daemon = shutil.which("dbus-daemon")
    if daemon is None or shutil.which("busctl") is None:
        pytest.skip("there is no dbus-daemon, or no busctl")
    path, config = folder / "bus", folder / "bus.conf"
    config.write_text(_CONFIG.format(path=path), "utf-8")
    command = [daemon, f"--config-file={config}", "--nofork", "--nopidfile", "--print-address=1"]
    with subprocess.Popen(  # noqa: S603
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as program:
        assert program.stdout is not None
        program.stdout.readline()  # its address, once it listens
        try:
            yield path
        finally:
            program.terminate()


@dataclass(frozen=True)
class Called:
    """A call that a service received."""

    path: str
    interface: str
    member: str
    signature: str
    body: bytes


@dataclass
class Service:
    """A service with a name on the bus at `path`, which answers each call with nothing, or with an error."""

    path: Path
    name: str
    refuses: str = ""
    """The text of the error; empty if it answers."""
    calls: list[Called] = field(default_factory=list)

    @contextmanager
    def running(self) -> Iterator[Service]:
        """Answer calls in a thread until the context ends."""
        with socket.socket(socket.AF_UNIX) as link:
            link.connect(str(self.path))
            self._link, self._serials = link, count(1)
            link.sendall(b"\0AUTH EXTERNAL " + str(os.getuid()).encode().hex().encode() + b"\r\n")
            assert link.recv(4096).startswith(b"OK")
            link.sendall(b"BEGIN\r\n")
            self._ask_bus("Hello", "", b"")
            self._ask_bus("RequestName", "su", _aligned(_text(self.name)) + struct.pack("<I", 0))
            thread = Thread(target=self._answer, daemon=True)
            thread.start()
            try:
                yield self
            finally:
                link.shutdown(socket.SHUT_RDWR)
                thread.join()

    def _ask_bus(self, member: str, signature: str, body: bytes) -> None:
        bus = "org.freedesktop.DBus"
        fields: Fields = {_PATH: "/org/freedesktop/DBus", _INTERFACE: bus, _MEMBER: member, _DESTINATION: bus}
        self._send(_CALL, {**fields, _SIGNATURE: signature} if signature else fields, body)
        while (message := self._receive()) and message[0] != _REPLY:
            pass
        assert message, f"the bus refused {member}"

    def _answer(self) -> None:
        while message := self._receive():
            kind, serial, fields, body = message
            if kind != _CALL:
                continue
            path, interface, member, signature = (
                str(fields.get(key, "")) for key in (_PATH, _INTERFACE, _MEMBER, _SIGNATURE)
            )
            self.calls.append(Called(path, interface, member, signature, body))
            to: Fields = {_REPLY_TO: serial, _DESTINATION: fields[_SENDER]}
            if self.refuses:
                name = "org.freedesktop.DBus.Error.InteractiveAuthorizationRequired"
                self._send(_ERROR, {**to, _ERROR_NAME: name, _SIGNATURE: "s"}, _text(self.refuses))
            else:
                self._send(_REPLY, to, b"")

    def _send(self, kind: int, fields: Fields, body: bytes) -> None:
        packed = b""
        for key, value in fields.items():
            packed += (
                bytes(-len(packed) % 8) + struct.pack("<BB", key, 1) + _TYPES.get(key, "s").encode() + b"\0"
            )
            if isinstance(value, int):
                packed = _aligned(packed) + struct.pack("<I", value)
            elif key == _SIGNATURE:
                packed += struct.pack("<B", len(value)) + value.encode() + b"\0"
            else:
                packed = _aligned(packed) + _text(value)
        head = struct.pack("<cBBBIII", b"l", kind, 0, 1, len(body), next(self._serials), len(packed))
        self._link.sendall(head + packed + bytes(-len(packed) % 8) + body)

    def _receive(self) -> tuple[int, int, Fields, bytes] | tuple[()]:
        """Return the kind, serial number, fields and body of the next message; nothing at the end."""
        head = self._read(16)
        if not head:
            return ()
        _, kind, _, _, length, serial, size = struct.unpack("<cBBBIII", head)
        packed = self._read(size + -size % 8)[:size]
        fields: Fields = {}
        at = 0
        while at < size:
            at += -at % 8
            key, signature = packed[at], chr(packed[at + 2])
            at += 4
            if signature == "g":
                end = at + 1 + packed[at]
                fields[key], at = packed[at + 1 : end].decode(), end + 1
                continue
            at += -at % 4
            (number,) = struct.unpack_from("<I", packed, at)
            at += 4
            if signature == "u":
                fields[key] = number
            else:
                fields[key], at = packed[at : at + number].decode(), at + number + 1
        return kind, serial, fields, self._read(length)

    def _read(self, length: int) -> bytes:
        found = b""
        while len(found) < length:
            more = self._link.recv(length - len(found))
            if not more:
                return b""
            found += more
        return found


def _aligned(packed: bytes) -> bytes:
    return packed + bytes(-len(packed) % 4)


def _text(text: str) -> bytes:
    return struct.pack("<I", len(text.encode())) + text.encode() + b"\0"
