"""The possible contents of a disk after a power cut, derived from all its operations.

`disk_layer.c` writes down what SQLite did to the files of a folder; `RecordedDisk` does it again, and knows
what was synced. A file's bytes are sure from its sync on, and a name in the folder from the folder's sync on.
Of what came later any part may be there: each write or not, the last one torn at any byte, and names in the
order in which they were changed, as a file system with a journal has them.

This shows that no report depends on unsynced bytes, and that no mixture of them damages a file. It can't show
the effect of a card that lies about its syncs, or that spoils bytes which nobody wrote.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

_HEAD = struct.Struct("<cHQQ")


@dataclass(frozen=True)
class Operation:
    """One thing that was done: `kind` as disk_layer.c has them."""

    kind: str
    name: str
    offset: int
    data: bytes


def recorded(log: Path) -> Iterator[Operation]:
    """All that was done, in order; a record that was cut off is left out."""
    text = log.read_bytes()
    at = 0
    while at + _HEAD.size <= len(text):
        kind, name, offset, length = _HEAD.unpack_from(text, at)
        at += _HEAD.size
        if at + name + length > len(text):
            return
        yield Operation(kind.decode(), text[at : at + name].decode(), offset, text[at + name :][:length])
        at += name + length


@dataclass
class _File:
    sure: bytes = b""
    since: list[Operation] = field(default_factory=list)

    def sync(self) -> None:
        for operation in self.since:
            self.sure = _after(self.sure, operation, len(operation.data))
        self.since = []

    def as_found(self, luck: Random) -> bytes:
        """Return possible contents after a power cut."""
        share = luck.choice([0.0, 0.5, 0.9, 1.0])
        done = [operation for operation in self.since if luck.random() < share]
        found = self.sure
        for operation in done:
            torn = operation is done[-1] and luck.random() < 0.7
            found = _after(
                found, operation, _torn(len(operation.data), luck) if torn else len(operation.data)
            )
        return found


class RecordedDisk:
    """A folder to which one operation after the other is done."""

    def __init__(self, files: dict[str, bytes]) -> None:
        """`files` are surely there at the beginning."""
        self._names = {name: _File(data) for name, data in files.items()}
        self._sure_names = dict(self._names)
        self._since: list[dict[str, _File]] = []

    def do(self, operation: Operation) -> None:
        """Do what was recorded."""
        match operation.kind:
            case "C":
                self._rename({**self._names, operation.name: _File()})
            case "U":
                self._rename({name: file for name, file in self._names.items() if name != operation.name})
            case "R":
                moved = dict(self._names)
                moved[operation.data.decode()] = moved.pop(operation.name)
                self._rename(moved)
            case "W" | "T":
                self._names[operation.name].since.append(operation)
            case "S":
                self._names[operation.name].sync()
            case "D":
                self._sure_names, self._since = dict(self._names), []

    def after_a_power_cut(self, luck: Random) -> dict[str, bytes]:
        """One of the ways in which the folder may be found."""
        names = luck.choice([self._sure_names, *self._since])
        return {name: file.as_found(luck) for name, file in names.items()}

    def surely(self) -> dict[str, bytes]:
        """Return the contents of the folder that survive any power cut."""
        return {name: file.sure for name, file in self._sure_names.items()}

    def _rename(self, names: dict[str, _File]) -> None:
        self._names = names
        self._since.append(names)


def _after(before: bytes, operation: Operation, length: int) -> bytes:
    """A file's bytes after so much of an operation; what was never written reads as zeros."""
    if operation.kind == "T":
        return before[: operation.offset].ljust(operation.offset, b"\0")
    end = operation.offset + length
    padded = before.ljust(operation.offset, b"\0")
    return padded[: operation.offset] + operation.data[:length] + padded[end:]


def _torn(length: int, luck: Random) -> int:
    """Return the length of a torn write: any number of bytes, or whole sectors."""
    part = luck.randint(0, length)
    return part // 512 * 512 if luck.random() < 0.5 else part
