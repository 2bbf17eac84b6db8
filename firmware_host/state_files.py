"""The files of a program's state: checked when read, replaced in one step, set aside if damaged.

    room = read_state(path, parse_room, report)        # None: there is none, or it was damaged
    write_state(path, room.as_bytes(), parse_room)     # on the disk, and readable, or an error

A `parse` takes the bytes of a file and returns its value, or raises any exception.

Invariants: no damage of a file raises anything: the file is renamed, never removed, under a name that says
so, which is logged and reported. After a power cut a file is the old one or the new one. A file that can be
replaced has been read by the code that reads it at the next start.
"""

from __future__ import annotations

import errno
import json
import logging
import os
import stat
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from firmware_host.errors import MillwrightError, UnreadableStateError
from firmware_host.frozen import frozen
from firmware_host.i18n import Message, to_english

_LOG = logging.getLogger(__name__)
_T = TypeVar("_T")

MAX_BYTES = 1 << 20
"""The largest file of state that is read, unless more is allowed."""
_MAX_REASON = 200
_DAMAGE = frozenset(
    (errno.EIO, errno.EISDIR, errno.ELOOP, errno.ENXIO, errno.EUCLEAN, errno.EBADMSG, errno.EOVERFLOW)
)
"""The errors of a file that no permission and no memory would make readable."""

_NAME_CLOCK: list[Callable[[], float | None]] = [time.time]
"""The clock that dates the names of damaged files."""

Parse = Callable[[bytes], _T]


@frozen
class DamagedFile:
    """A file that can't be read, and the name under which it is kept."""

    path: Path
    aside: Path | None
    """None if it could not be renamed."""
    why: str

    @property
    def message(self) -> Message:
        """The same for people; without folders, since pages show it."""
        if self.aside is None:
            return Message("fault.file.stays", {"path": self.path.name, "why": self.why})
        return Message(
            "fault.file.aside", {"path": self.path.name, "aside": self.aside.name, "why": self.why}
        )


Report = Callable[[DamagedFile], object]
"""Takes a file that was set aside, to show it to people."""


def read_state(
    path: Path,
    parse: Parse[_T],
    report: Report | None = None,
    *,
    max_bytes: int = MAX_BYTES,
    is_private: bool = False,
) -> _T | None:
    """Return the value of a file; None if there is none, or it is damaged and was set aside.

    With `is_private`, a file that somebody else could have written counts as damaged. Raises OSError if the
    file may not be read, or the machine can't at the moment.
    """
    try:
        data = bytes_of(path, max_bytes, is_private=is_private)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        if error.errno not in _DAMAGE:
            raise
        why = error.strerror or str(error)
    except ValueError as error:
        why = str(error)
    else:
        try:
            return parse(data)
        except Exception as error:  # noqa: BLE001 - whatever it raises, the file is not what it should be
            is_sentence = isinstance(error, ValueError | MillwrightError)
            why = str(error) if is_sentence else f"{type(error).__name__}: {error}"
    damaged = put_aside(path, why)
    if report is not None:
        report(damaged)
    return None


def write_state(
    path: Path, data: bytes, parse: Parse[object] | None = None, *, is_synced: bool = True
) -> None:
    """Replace a file in one step, for its user alone.

    Its folder must be there. It is on the disk when this returns; unless it `is_synced`, a power cut may
    bring back an earlier one. Nothing has changed if it raises UnreadableStateError, because `parse` couldn't
    read the data again, or OSError.
    """
    if parse is not None:
        try:
            parse(data)
        except Exception as error:
            raise UnreadableStateError(
                f"{path.name} was not saved, since it could not be read: {error}"
            ) from error
    replace_file(path, lambda file: file.write(data), is_synced=is_synced)


def replace_file(
    path: Path, fill: Callable[[BinaryIO], object], *, mode: int = 0o600, is_synced: bool = True
) -> None:
    """Replace a file by one that `fill` fills, in one step.

    It is on the disk when this returns; unless it `is_synced`, a power cut may bring back an earlier one.
    Nothing has changed if it raises OSError, or what `fill` raises.
    """
    new = path.with_name(f".{path.name}.new")
    if new.is_dir() and not new.is_symlink():
        put_aside(new, "it is not a file")
    new.unlink(missing_ok=True)  # left by a program that was killed
    descriptor = os.open(new, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, mode)
    try:
        with os.fdopen(descriptor, "r+b") as file:
            fill(file)
            file.flush()
            if is_synced:
                os.fsync(descriptor)
        new.replace(path)
    except BaseException:
        with suppress(OSError):
            new.unlink(missing_ok=True)
        raise
    if is_synced:
        sync_folder(path.parent)


def date_names_by(time_s: Callable[[], float | None]) -> None:
    """Date the names of damaged files by a clock that returns seconds since 1970, None while it is wrong."""
    _NAME_CLOCK[:] = [time_s]


def sync_folder(folder: Path) -> None:
    """Have the disk keep the names in a folder, where folders can be synced."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        with suppress(OSError):
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


def set_aside(
    path: Path, now_s: float | None, suffixes: Sequence[str] = ("",), *, kind: str = "damaged"
) -> Path:
    """Rename a file, with its `kind` and the time `now_s`, if it is known, in its name; return the new path.

    `suffixes` are those of the files beside it that belong to it, in the order in which they are renamed.
    Raises OSError.
    """
    stamp = "undated" if now_s is None else datetime.fromtimestamp(now_s, UTC).strftime("%Y%m%dT%H%M%SZ")
    aside, number = path.with_name(f"{path.name}.{kind}-{stamp}"), 1
    while any(os.path.lexists(f"{aside}{suffix}") for suffix in suffixes):
        number += 1
        aside = path.with_name(f"{path.name}.{kind}-{stamp}-{number}")
    for suffix in suffixes:
        own = Path(f"{path}{suffix}")
        if os.path.lexists(own):
            own.rename(f"{aside}{suffix}")
    return aside


def json_object(data: bytes) -> dict[str, Any]:
    """Return the JSON object in the bytes of a file; raise ValueError for anything else.

    Its texts can be written as UTF-8, and its numbers are finite.
    """
    try:
        found = json.loads(data.decode(), parse_constant=_not_finite)
        json.dumps(found, ensure_ascii=False, allow_nan=False).encode()
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    if not isinstance(found, dict):
        raise ValueError("it is not an object")
    return found


def _not_finite(text: str) -> None:
    raise ValueError(f"{text} is not a number")


def bytes_of(path: Path, max_bytes: int, *, is_private: bool) -> bytes:
    """Return the bytes of a regular file. Raise OSError, and ValueError for anything else."""
    # A pipe would keep us waiting, and a link may lead to a file of somebody else's.
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | (os.O_NOFOLLOW if is_private else 0)
    descriptor = os.open(path, flags)
    try:
        state = os.fstat(descriptor)
        if not stat.S_ISREG(state.st_mode):
            raise ValueError("it is not a file")
        if is_private and (state.st_mode & 0o022 or state.st_uid not in (0, os.geteuid())):
            raise ValueError("others can write it")
        if state.st_size > max_bytes:
            raise ValueError(f"it has {state.st_size} bytes; the limit is {max_bytes}")
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            return file.read(max_bytes)
    finally:
        os.close(descriptor)


def put_aside(path: Path, why: str) -> DamagedFile:
    """Set a damaged file aside, if that is possible, and log why."""
    short = "".join(one if one.isprintable() else " " for one in why)[:_MAX_REASON]
    try:
        damaged = DamagedFile(path, set_aside(path, _NAME_CLOCK[-1]()), short)
    except OSError as error:
        damaged = DamagedFile(path, None, f"{short} ({error.strerror})")
    _LOG.warning("%s: %s", path.parent, to_english(damaged.message))
    return damaged
