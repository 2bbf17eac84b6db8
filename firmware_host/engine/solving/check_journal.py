"""The journal of a check of all tables, by which an interrupted one goes on.

**Invariants:** what was noted counts only for the same values, checked in the same way by the same version.
The journal appears whole or not at all, and ends with the check that it is of. One that is damaged is set
aside. A check needs no journal: where none can be written, it only has to start again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from firmware_host import __version__
from firmware_host.engine.solving.folder import TableFolder, replace_file, sector_name
from firmware_host.engine.solving.loading import captures_from
from firmware_host.engine.table_file import SectorTable
from firmware_host.engine.table_rules import Sector
from firmware_host.errors import TableError
from firmware_host.frozen import frozen
from firmware_host.games.options import MorrisOptions
from firmware_host.state_files import read_state

_SUFFIX = ".checks"
_MAX_BYTES = 1 << 24


@frozen
class CheckedSector:
    """The positions of a sector that were checked, and how many of their values are wrong."""

    checked: int
    wrong: int


@dataclass
class CheckJournal:
    """The sectors that the check called `way` has done; `way` says how many positions, and which."""

    folder: TableFolder
    tables: Mapping[Sector, SectorTable]
    way: str
    _lines: dict[Sector, str] = field(default_factory=dict)

    @property
    def path(self) -> Path:
        """The journal's file, beside the folder of the tables."""
        return self.folder.path.with_name(self.folder.path.name + _SUFFIX)

    def read(self) -> dict[Sector, CheckedSector]:
        """Return the sectors that need no second check."""
        try:
            lines = read_state(self.path, _lines_of, max_bytes=_MAX_BYTES) or {}
        except OSError:
            return {}
        known = {self._subject(sector): sector for sector in self.tables}
        self._lines |= {known[subject]: line for subject, (line, _) in lines.items() if subject in known}
        return {known[subject]: found for subject, (_, found) in lines.items() if subject in known}

    def note(self, sector: Sector, found: CheckedSector) -> None:
        """Note that a sector was checked; raises TableError if that can't be written."""
        self._lines[sector] = f"{self._subject(sector)} {found.checked} {found.wrong}"
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise TableError(f"{self.path.parent}: {error.strerror}") from error
        text = "".join(f"{line}\n" for line in self._lines.values())
        replace_file(self.path, lambda file: file.write(text.encode("ascii")))

    def end(self) -> None:
        """Remove the journal, so that the next check is one of all tables; raises TableError."""
        try:
            self.path.unlink(missing_ok=True)
        except OSError as error:
            raise TableError(f"{self.path}: {error.strerror}") from error

    def _subject(self, sector: Sector) -> str:
        """Return the digest of everything that the result for a sector depends on."""
        parts = [__version__, self.way, sector_name(sector)]
        sums = sha256(" ".join(parts).encode())
        for one in _read_with(self.folder.options, sector):
            if one in self.tables:
                sums.update(self.tables[one].identity)
        return sums.hexdigest()


def _lines_of(data: bytes) -> dict[str, tuple[str, CheckedSector]]:
    """Return the lines of a journal, and what they say, by their subjects; raise ValueError."""
    found = {}
    for line in data.decode("ascii").splitlines():
        subject, checked, wrong = line.split(" ")
        bytes.fromhex(subject)
        found[subject] = line, CheckedSector(_count(checked), _count(wrong))
    return found


def _count(digits: str) -> int:
    if not digits.isdecimal():
        raise ValueError(f"{digits!r} is not a number")
    return int(digits)


def _read_with(options: MorrisOptions, sector: Sector) -> list[Sector]:
    """Return a sector, and those that its turns lead to."""
    return [sector, (sector[1], sector[0]), *captures_from(options, sector)]
