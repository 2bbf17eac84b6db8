"""The paired devices: a value, and the file in which a board keeps it.

Invariants: the file holds the hash of each device's token, never the token, so that nobody can play with a
copy of it. The number of devices is bounded; the one that was away for longest makes room for a new one. That
is the order of the list and not a matter of dates, since a Pi without a network does not know the time. After
a power cut the file is the old one or the new one. Programs that share it take turns, and each notices the
changes of the others. A file that somebody else could have written is not read.
"""

from __future__ import annotations

import fcntl
import hmac
import json
import logging
import os
import secrets
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from firmware_host.errors import UnreadableStateError
from firmware_host.frozen import frozen
from firmware_host.ports import UNKNOWN, Moment, date_of
from firmware_host.state_files import Report, json_object, read_state, write_state

MAX_DEVICES = 64
MAX_NAME_LENGTH = 40
_ID_BYTES = 4
_MAX_BYTES = 64_000
_FORMAT = 1
_MAX_MS = 10**14
_MEMBERS = {
    "number": int,
    "name": str,
    "token_hash": str,
    "paired_ms": int,
    "seen_ms": int,
    "is_shared": bool,
}
OLD_KEY_NAME = "page.key"
_OLD_SECRET_BYTES = 32
_LOG = logging.getLogger(__name__)


@frozen
class Device:
    """A device that may play."""

    number: int
    name: str
    token_hash: str
    paired_ms: Moment
    seen_ms: Moment
    is_shared: bool = False
    """True for all devices together that an earlier version paired: it gave them the same token."""


@frozen
class Devices:
    """The devices that may play, the one seen last at the end."""

    board: str
    """A random name of the board, which is part of the name of its cookie."""
    next_number: int = 1
    paired: tuple[Device, ...] = ()

    def find(self, token: str) -> Device | None:
        """Return the device that has this token."""
        wanted = token_hash(token)
        return next((device for device in self.paired if device.token_hash == wanted), None)

    def add(self, name: str, token: str, now_ms: Moment, *, is_shared: bool = False) -> Devices:
        """Return the list with a new device at its end."""
        device = Device(self.next_number, clean_name(name), token_hash(token), now_ms, now_ms, is_shared)
        kept = self.paired[-(MAX_DEVICES - 1) :]
        return replace(self, next_number=self.next_number + 1, paired=(*kept, device))

    def see(self, number: int, now_ms: Moment) -> Devices:
        """Return the list after a visit of that device."""
        seen = tuple(replace(device, seen_ms=now_ms) for device in self.paired if device.number == number)
        return replace(self, paired=(*(d for d in self.paired if d.number != number), *seen))

    def with_dates(self, dated: Callable[[Moment], Moment]) -> Devices:
        """Return the list with the dates that have become known."""
        if all(date_of(one.paired_ms) and date_of(one.seen_ms) for one in self.paired):
            return self
        paired = (
            replace(one, paired_ms=dated(one.paired_ms), seen_ms=dated(one.seen_ms)) for one in self.paired
        )
        return replace(self, paired=tuple(paired))

    def remove(self, *numbers: int) -> Devices:
        """Return the list without these devices."""
        return replace(self, paired=tuple(d for d in self.paired if d.number not in numbers))


def token_hash(token: str) -> str:
    """Return the hash of a token; tokens are random, so that it need not be slow."""
    return sha256(token.encode(errors="replace")).hexdigest()


def clean_name(name: str) -> str:
    """Return a name in one printable line, not too long."""
    line = " ".join("".join(one if one.isprintable() else " " for one in name).split())
    return line[:MAX_NAME_LENGTH].strip()


class DeviceFile:
    """The devices in the file at `path`; any thread may call it.

    A file that is damaged, or that somebody else could have written, is set aside, and no device is paired
    then. If the file cannot be written, changes last until the end of the program.
    """

    def __init__(
        self,
        path: Path,
        dated: Callable[[Moment], Moment] = lambda moment: moment,
        report: Report | None = None,
    ) -> None:
        """Use the file at `path`; `dated` gives moments their dates once those are known.

        `report` gets the file if it had to be set aside.
        """
        self._path, self._dated, self._report = path, dated, report
        self._lock = threading.Lock()
        self._signature: object = None
        self._devices = Devices(secrets.token_hex(_ID_BYTES))
        self.fault: str | None = None
        """The reason why the last change could not be written, or None if it was."""

    def devices(self) -> Devices:
        """Return the devices; another program may have changed them."""
        with self._lock:
            self._refresh()
            return self._devices.with_dates(self._dated)

    def change(self, made: Callable[[Devices], Devices]) -> Devices:
        """Write the devices that `made` returns for the current ones, and return them."""
        with self._lock:
            try:
                with _exclusive(self._path.parent):
                    self._refresh()
                    changed = made(self._devices.with_dates(self._dated))
                    write_state(self._path, _as_text(changed).encode(), _parse)
                    self.fault = None
                    self._signature = _signature(self._path)  # before another program replaces the file
            except (OSError, UnreadableStateError) as error:
                changed = made(self._devices)
                self.fault = getattr(error, "strerror", None) or str(error)
                self._signature = _signature(self._path)
                _LOG.warning("the paired devices cannot be saved: %s", self.fault)
            self._devices = changed
            return changed

    def _refresh(self) -> None:
        signature = _signature(self._path)
        if signature == self._signature:
            return
        try:
            found = read_state(self._path, _parse, self._report, max_bytes=_MAX_BYTES, is_private=True)
        except OSError as error:
            _LOG.warning("%s is not usable, so no device is paired: %s", self._path.name, error)
            found = None
        if found is None:  # it was deleted or set aside, which unpairs all devices
            found, signature = Devices(self._devices.board), _signature(self._path)
        self._devices, self._signature = found, signature


def open_devices(
    path: Path,
    now: Callable[[], Moment] = lambda: UNKNOWN,
    dated: Callable[[Moment], Moment] = lambda moment: moment,
    report: Report | None = None,
) -> DeviceFile:
    """Return the devices in the file at `path`, those of an earlier version included.

    `now` returns moments, and `dated` gives them dates. `report` gets the file if it had to be set aside.
    The earlier version kept a secret beside the file, from which it derived the token of all devices.
    """
    file = DeviceFile(path, dated, report)
    old = path.with_name(OLD_KEY_NAME)
    secret = None if path.exists() else _read_old_secret(old)
    if secret is not None:
        token = hmac.digest(secret, b"millwright page cookie", "sha256").hex()
        paired = now()
        file.change(lambda devices: devices.add("", token, paired, is_shared=True))
    if file.fault is None:
        with suppress(OSError):  # without the secret nobody loses anything
            old.unlink(missing_ok=True)
    return file


def _signature(path: Path) -> object:
    """Return a value that differs once the file has been replaced; None if there is none."""
    try:
        state = path.lstat()
    except OSError:
        return None
    return state.st_ino, state.st_mtime_ns, state.st_size, state.st_mode, state.st_uid


def _parse(data: bytes) -> Devices:
    """Return the devices that a file describes; raise KeyError, TypeError or ValueError for anything else."""
    found = json_object(data)
    if found["format"] != _FORMAT:
        raise ValueError(f"its format is {found['format']}, and this version reads {_FORMAT}")
    return Devices(
        _checked(str, found["board"]),
        _checked(int, found["next_number"]),
        tuple(_parse_device(device) for device in found["paired"]),
    )


def _parse_device(found: Any) -> Device:
    for name in ("paired_ms", "seen_ms"):
        if not 0 <= date_of(_checked(int, found[name])) < _MAX_MS:
            raise ValueError(f"{found[name]} is not a time")
    return Device(**{name: _checked(kind, found[name]) for name, kind in _MEMBERS.items()})


def _checked(kind: type, value: Any) -> Any:
    if type(value) is not kind:
        raise TypeError(f"{value!r} is not of type {kind.__name__}")
    return value


def _as_text(devices: Devices) -> str:
    return json.dumps({"format": _FORMAT, **asdict(devices)}, indent=1) + "\n"


@contextmanager
def _exclusive(folder: Path) -> Iterator[None]:
    """Keep other programs that change the devices out while the context lasts."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _read_old_secret(path: Path) -> bytes | None:
    """Return the secret of an earlier version, or None if there is none or others could have read it."""
    try:
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
            if os.fstat(file.fileno()).st_mode & 0o077:
                return None
            secret = bytes.fromhex(file.read(4 * _OLD_SECRET_BYTES).decode())
    except (OSError, ValueError):
        return None
    return secret if len(secret) == _OLD_SECRET_BYTES else None
