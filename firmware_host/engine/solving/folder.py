"""The files of tables: those that are shipped, and a folder of built ones, one for each sector.

**Invariants:** a file appears whole or not at all, whatever happens while it is written. Reading for play
reports a file that cannot be used, and never raises. The shipped file is read where it is installed: it is
compressed block by block, so it needs neither a disk to write to nor memory for all of it. Built tables are
opened when they are first needed, a few at a time.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from mmap import ACCESS_COPY, ACCESS_READ, mmap
from pathlib import Path
from typing import BinaryIO

from firmware_host import state_files
from firmware_host.engine.certificate import (
    PLAYERS,
    Certificate,
    certificate_id,
    certificate_text,
    read_certificates,
)
from firmware_host.engine.table_file import FileData, SectorTable, read_sectors
from firmware_host.engine.table_rules import AnySector, PlacingSector, Sector, rules_id, rules_text
from firmware_host.engine.tables import Named, Tables
from firmware_host.errors import TableError
from firmware_host.frozen import frozen
from firmware_host.games.options import MorrisOptions

SHIPPED = Path(__file__).parents[1] / "standard.mwt"
"""The sectors of up to ten stones by the rules `standard`, which every installation has."""
SHIPPED_OPENING = SHIPPED.with_name("opening.mwc")
"""The first replies of both players by the rules `standard`, proved with all tables."""
SHIPPED_BOOK = SHIPPED.with_name("book.mwt")
"""The results of all positions by `standard` with up to eight pieces placed."""
SUFFIX = ".mwt"
CERTIFICATE_SUFFIX = ".mwc"
PARTIAL = ".*.new"
"""The files that an interruption leaves behind."""
_EARLIER_PARTIAL = ".part"
_MODE = 0o644
_RULES_FILE = "rules.txt"
_SEAL_FILE = "verified.txt"
Report = Callable[[str], None]


def tables_path(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the folder of all tables: MILLWRIGHT_TABLES, or the service's cache, or the user's."""
    if given := environ.get("MILLWRIGHT_TABLES"):
        return Path(given)
    # systemd sets a list, of which the first folder is ours
    if folder := environ.get("CACHE_DIRECTORY", "").partition(":")[0]:
        return Path(folder) / "tables"
    base = Path(environ.get("XDG_CACHE_HOME", ""))
    if not base.is_absolute():  # the XDG specification: "consider the path invalid and ignore it"
        base = Path(environ.get("HOME") or "~").expanduser() / ".cache"
    return base / "millwright" / "tables"


def sector_name(sector: AnySector) -> str:
    """Return the name of a sector, such as `7-5`, or `4-5+4-4` with the pieces in hand."""
    mine, theirs, *hands = sector
    return f"{mine}-{theirs}+{hands[0]}-{hands[1]}" if hands else f"{mine}-{theirs}"


def with_mirror(sector: Sector) -> list[Sector]:
    """Return a sector and the one with the other player to move, if that is another."""
    mine, theirs = sector
    return [sector] if mine == theirs else [sector, (theirs, mine)]


@frozen
class TableFolder:
    """The folder of the tables that hold for some rules."""

    path: Path
    options: MorrisOptions

    @classmethod
    def of(cls, options: MorrisOptions, base: Path | None = None) -> TableFolder:
        """Return the folder for some rules in `base`; rules with the same values have the same one."""
        return cls((base or tables_path()) / rules_id(options).hex(), options)

    @property
    def placing(self) -> Path:
        """The folder of the sectors with pieces in hand, which more options decide."""
        return self.path.with_name(certificate_id(self.options).hex())

    def file(self, sector: AnySector) -> Path:
        """Return the path of a sector, which need not exist."""
        folder = self.placing if isinstance(sector, PlacingSector) else self.path
        return folder / f"{sector_name(sector)}{SUFFIX}"

    def open(self, sector: AnySector) -> SectorTable | None:
        """Return a sector, in memory that C may be given; None if it isn't there.

        Raises TableError if it is damaged or of other rules.
        """
        path = self.file(sector)
        if not path.exists():
            return None
        return _usable(
            lambda: _named_rightly(SectorTable(memoryview(_mapped(path, ACCESS_COPY)), str(path))), path
        )

    def built(self) -> Iterator[SectorTable]:
        """Open each table that is there, one after the other.

        Raises TableError if one is damaged or not what its name says.
        """
        for folder in (self.path, self.placing):
            for path in sorted(folder.glob(f"*{SUFFIX}")):
                yield _usable(BuiltTable(path).open, path)

    def check_files(self) -> None:
        """Open every table that is there; raise TableError if one is damaged or not what its name says."""
        for _ in self.built():
            pass

    def begin(self, *, placing: bool = False) -> None:
        """Make the folder, and remove what an earlier interruption left in it; raise TableError."""
        path = self.placing if placing else self.path
        text = certificate_text(self.options) if placing else rules_text(self.options)
        try:
            path.mkdir(parents=True, exist_ok=True)
            for left in (*path.glob(f"*{_EARLIER_PARTIAL}"), *path.glob(PARTIAL)):
                left.unlink()
            rules = f"{text}\n".encode("ascii")
            state_files.replace_file(path / _RULES_FILE, lambda file: file.write(rules), mode=_MODE)
        except OSError as error:
            raise TableError(f"{path}: {error.strerror}; name another folder with --dir") from error

    def certificate_file(self, player: str) -> Path:
        """Return the path of a player's certificate, which need not exist."""
        return self.path / f"{player}{CERTIFICATE_SUFFIX}"

    def certificates(self) -> list[Certificate]:
        """Return the certificates that are there; raise TableError if one is damaged or of other rules."""
        found = []
        for player, name in enumerate(PLAYERS):
            path = self.certificate_file(name)
            if not path.exists():
                continue
            try:
                one = Certificate(memoryview(_mapped(path, ACCESS_READ)), str(path))
                if one.rules != certificate_id(self.options) or one.player != player:
                    raise TableError("the certificate is not the one that its name says")
            except TableError as error:
                raise unusable(str(path), str(error)) from error
            found.append(one)
        return found

    def write(self, sector: AnySector, parts: Iterable[bytes]) -> None:
        """Write a sector from `table_file.sector_bytes`; raise TableError. Whole or not at all."""
        replace_file(self.file(sector), lambda file: write_parts(file, parts))

    def write_certificate(self, player: int, parts: Iterable[bytes]) -> None:
        """Write a certificate from `certificate_bytes`; raise TableError. Whole or not at all."""
        replace_file(self.certificate_file(PLAYERS[player]), lambda file: file.writelines(parts))

    @property
    def seal(self) -> str:
        """The digest of the files that `tables verify --certificate` found right; empty without one."""
        with suppress(OSError):
            return state_files.read_state(self.path / _SEAL_FILE, _seal_of) or ""
        return ""

    def write_seal(self, seal: str) -> None:
        """Note that the files that `seal` stands for were checked; raise TableError."""
        replace_file(self.path / _SEAL_FILE, lambda file: file.write(f"{seal}\n".encode("ascii")))


@frozen
class BuiltTable:
    """A built table that isn't open."""

    path: Path

    @property
    def name(self) -> str:
        """The name of the file, for errors."""
        return str(self.path)

    def open(self) -> SectorTable:
        """Return the table, which is read from the disk block by block; raise TableError if it is damaged."""
        return _named_rightly(SectorTable(FileData(self.path), self.name))


def _named_rightly(table: SectorTable) -> SectorTable:
    """Return a table; raise TableError if its file's name is that of another one."""
    path, header = Path(table.name), table.header
    if (header.rules.hex(), sector_name(header.sector)) != (path.parent.name, path.stem):
        raise TableError("the table is not the one that its name says")
    return table


def _usable(open_table: Callable[[], SectorTable], path: Path) -> SectorTable:
    """Return the table that `open_table` opens; raise TableError that says what to do."""
    try:
        return open_table()
    except TableError as error:
        raise unusable(str(path), str(error)) from error


def _place(path: Path) -> tuple[bytes, AnySector]:
    """Return the id of the rules and the sector by which a file is named; raise ValueError."""
    stones, _, hands = path.stem.partition("+")
    mine, theirs = map(int, stones.split("-"))
    if not hands:
        return bytes.fromhex(path.parent.name), (mine, theirs)
    my_hand, their_hand = map(int, hands.split("-"))
    return bytes.fromhex(path.parent.name), PlacingSector(mine, theirs, my_hand, their_hand)


def _seal_of(data: bytes) -> str:
    """Return the digest in a file; raise ValueError for anything else."""
    seal = data.decode("ascii").strip()
    bytes.fromhex(seal)
    return seal


def unusable(name: str, reason: str) -> TableError:
    """Return the error that names a file which cannot be used, and says what to do."""
    again = "install Millwright" if Path(name).parent == SHIPPED.parent else "delete it and make it"
    return TableError(f"{name}: {reason}; {again} again")


def refuse(file: Named, reason: str) -> None:
    """Raise TableError for a damaged file: a report of `Tables`, where nothing may be left out."""
    raise unusable(file.name, reason)


def replace_file(path: Path, fill: Callable[[BinaryIO], object]) -> None:
    """Write a file that `fill` fills, whole or not at all; raise TableError."""
    try:
        state_files.replace_file(path, fill, mode=_MODE)
    except TableError:  # of what `fill` reads
        raise
    except OSError as error:
        raise TableError(f"{path}: {error.strerror}") from error


def write_parts(file: BinaryIO, parts: Iterable[bytes]) -> None:
    """Write a sector at the file's end: the last part is the header, for which the first leaves room."""
    start, header = file.tell(), b""
    for part in parts:
        file.write(header)
        header = part
    end = file.tell()
    file.seek(start)
    file.write(header)
    file.seek(end)


def _mapped(path: Path, access: int) -> mmap:
    try:
        with path.open("rb") as file:
            return mmap(file.fileno(), 0, access=access)
    except OSError as error:
        raise TableError(f"it cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise TableError(f"it cannot be read: {error}") from error


def open_tables(
    base: Path | None = None,
    report: Report | None = None,
    shipped: Path = SHIPPED,
    *,
    set_aside: state_files.Report | None = None,
) -> Tables:
    """Return all tables at hand, of all rules; `report` gets a sentence for each file that cannot be used.

    That a built table is damaged is found when it is first needed. With `set_aside`, which gets each of them
    instead, built files that are damaged are set aside.
    """

    def say(name: str, reason: str) -> None:
        path = Path(name)
        if set_aside is not None and path.parent != shipped.parent and os.access(path, os.R_OK):
            set_aside(state_files.put_aside(path, reason))
        elif report is not None:
            report(f"{name}: {reason}; it is not used")

    built = base or tables_path()
    tables = Tables(lambda table, reason: say(table.name, reason))
    for path in _shipped_tables(shipped):
        try:
            tables.add(_sectors(path))
        except TableError as error:
            say(str(path), str(error))
    for path in _files(built, SUFFIX):
        try:
            tables.add_source(*_place(path), BuiltTable(path))
        except ValueError:
            say(str(path), "its name isn't that of a sector")
    opening = shipped.with_name(SHIPPED_OPENING.name)
    for path in (*([opening] if opening.exists() else []), *_files(built, CERTIFICATE_SUFFIX)):
        try:
            tables.add_certificates(_certificates(path))
        except TableError as error:
            say(str(path), str(error))
    return tables


def shipped_tables(shipped: Path = SHIPPED) -> Tables:
    """Return the tables that come with Millwright, and no built ones; raise TableError."""
    tables = Tables()
    for path in _shipped_tables(shipped):
        tables.add(_sectors(path))
    return tables


def _shipped_tables(shipped: Path) -> list[Path]:
    book = shipped.with_name(SHIPPED_BOOK.name)
    return [shipped, book] if book.exists() else [shipped]


def _sectors(path: Path) -> Sequence[SectorTable]:
    return read_sectors(memoryview(_mapped(path, ACCESS_READ)), str(path))


def _certificates(path: Path) -> Sequence[Certificate]:
    return read_certificates(memoryview(_mapped(path, ACCESS_READ)), str(path))


def _files(base: Path, suffix: str) -> Iterator[Path]:
    try:
        yield from sorted(base.glob(f"*/*{suffix}"))
    except OSError:
        return
