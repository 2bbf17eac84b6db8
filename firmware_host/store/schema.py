"""The schema of the games database from its first version on, migrations, and which files are ours.

Invariants: a released version never changes, and each has one script that makes it from the version before. A
file is migrated completely, in one transaction, or not at all; one that is newer than this program is left
alone. A file is ours if its header says so, if its header is blank, as a card leaves one that it never wrote
out, or if SQLite left a log beside it, since it was in use when the power went. A file with the header of
another program's database is never touched, because a path may be mistyped.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from functools import cache
from pathlib import Path

from firmware_host.errors import DamagedStoreError, StoreError
from firmware_host.i18n import Message

APPLICATION_ID = 0x4D494C57
"""The application id in the header of a games file: `MILW`."""

_FIRST = """
CREATE TABLE games (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    source TEXT NOT NULL CHECK (source IN ('board', 'import')),
    rules TEXT NOT NULL,
    start TEXT NOT NULL,
    first TEXT NOT NULL CHECK (first IN ('white', 'black')),
    began_ms INTEGER NOT NULL,
    ended_ms INTEGER,
    reason TEXT,
    winner TEXT CHECK (winner IN ('white', 'black')),
    tags TEXT NOT NULL DEFAULT '{}'
) STRICT;
CREATE TABLE steps (
    game INTEGER NOT NULL REFERENCES games ON DELETE CASCADE,
    ply INTEGER NOT NULL,
    text TEXT NOT NULL,
    by TEXT NOT NULL CHECK (by IN ('white', 'black')),
    at_ms INTEGER NOT NULL,
    PRIMARY KEY (game, ply)
) STRICT, WITHOUT ROWID;
CREATE TABLE taken_back (
    id INTEGER PRIMARY KEY,
    game INTEGER NOT NULL REFERENCES games ON DELETE CASCADE,
    ply INTEGER NOT NULL,
    text TEXT NOT NULL,
    by TEXT NOT NULL CHECK (by IN ('white', 'black')),
    at_ms INTEGER NOT NULL,
    taken_back_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX taken_back_of_game ON taken_back (game);
"""

_SECOND = """
CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
"""
"""The second version: settings that were changed while the program ran, each a name and JSON."""

_THIRD = """
CREATE TABLE analyses (
    game INTEGER PRIMARY KEY REFERENCES games ON DELETE CASCADE,
    turns TEXT NOT NULL
) STRICT;
CREATE TRIGGER analysis_of_fewer_steps AFTER INSERT ON steps BEGIN
    DELETE FROM analyses WHERE game = NEW.game;
END;
CREATE TRIGGER analysis_of_more_steps AFTER DELETE ON steps BEGIN
    DELETE FROM analyses WHERE game = OLD.game;
END;
CREATE TRIGGER analysis_of_other_steps AFTER UPDATE ON steps BEGIN
    DELETE FROM analyses WHERE game IN (OLD.game, NEW.game);
END;
"""
"""The third version: the analysis of a game, in JSON, which is gone as soon as the game's steps change."""

MIGRATIONS: tuple[str, ...] = (_FIRST, _SECOND, _THIRD)
"""The scripts that migrate from version N, their index, to N + 1; an empty file has version 0."""


def migrate(connection: sqlite3.Connection, migrations: Sequence[str] = MIGRATIONS) -> None:
    """Migrate the file behind `connection` to the newest version.

    Raises StoreError for another program's file or one of a newer version, DamagedStoreError for one that
    hasn't the tables of its version, and sqlite3.Error.
    """
    version = _version(connection)
    if version > len(migrations):
        raise StoreError(_too_new(version, len(migrations)))
    if version < len(migrations):
        connection.execute("BEGIN EXCLUSIVE")
        with connection:
            version = _version(connection)  # another program may have been faster
            for number in range(version, len(migrations)):
                _run_script(connection, migrations[number])
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {len(migrations)}")
    _check_tables(connection)


def check_is_current(connection: sqlite3.Connection) -> None:
    """Raise StoreError unless the file, which may not be changed, has the newest version."""
    version = _version(connection)
    if version > len(MIGRATIONS):
        raise StoreError(_too_new(version, len(MIGRATIONS)))
    if version < len(MIGRATIONS):
        raise StoreError(Message("fault.store.older", {"count": version}))
    _check_tables(connection)


def _too_new(version: int, known: int) -> Message:
    return Message("fault.store.newer", {"count": version, "known": known})


def _version(connection: sqlite3.Connection) -> int:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if application != APPLICATION_ID and (tables or version):
        raise StoreError(Message("fault.store.foreign"))
    if not version >= 0:
        raise DamagedStoreError(Message("fault.store.no-version"))
    return int(version)


def _run_script(connection: sqlite3.Connection, script: str) -> None:
    """Run a script that fits each file of its version; raise DamagedStoreError if it doesn't fit this one."""
    for statement in _statements(script):
        try:
            connection.execute(statement)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_ERROR:
                raise
            raise DamagedStoreError(Message("fault.store.no-version")) from error


def _statements(script: str) -> list[str]:
    """Return the single statements of a script: `executescript` would commit the transaction."""
    found, text = [], ""
    for part in script.split(";"):
        text += part + ";"
        if sqlite3.complete_statement(text):
            found.append(text)
            text = ""
    return [statement for statement in found if statement.strip(" \n;")]


def _check_tables(connection: sqlite3.Connection) -> None:
    present = _columns(connection)
    missing = _current_columns() - present
    if missing:
        tables = {table for table, _ in present}
        lost = {f"{table}.{column}" if table in tables else table for table, column in missing}
        raise DamagedStoreError(Message("fault.store.lost", {"names": tuple(sorted(lost))}))


@cache
def _current_columns() -> frozenset[tuple[str, str]]:
    """Return the columns that a file of the newest version has at least."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.executescript("".join(MIGRATIONS))
        return _columns(connection)


def _columns(connection: sqlite3.Connection) -> frozenset[tuple[str, str]]:
    """Return the columns of a file, each after its table."""
    # A table that isn't strict, or a virtual one, was made by somebody else, and may hold anything.
    found = connection.execute("PRAGMA table_list").fetchall()
    tables = [name for _, name, kind, _, _, strict in found if kind == "table" and strict]
    rows = (
        (table, connection.execute("SELECT name FROM pragma_table_info(?)", (table,))) for table in tables
    )
    return frozenset((table, name) for table, names in rows for (name,) in names)


# The head of a database, by https://www.sqlite.org/fileformat2.html: how long it is, how it begins, and where
# it says whose it is.
_HEADER_BYTES = 100
_MAGIC = b"SQLite format 3\0"
_APPLICATION_ID_BYTES = slice(68, 72)


def is_ours(path: Path) -> bool:
    """Return whether the file at `path` is, or may have been, a games file; True if there is none."""
    try:
        with path.open("rb") as file:
            head = file.read(_HEADER_BYTES)
    except OSError:  # whoever opens the file reports it
        return True
    if head.startswith(_MAGIC):
        return head[_APPLICATION_ID_BYTES] == APPLICATION_ID.to_bytes(4, "big")
    return not any(head) or Path(f"{path}-wal").exists()


def check_is_ours(path: Path) -> None:
    """Raise StoreError for another program's file; called before the file is opened.

    SQLite takes a short text for an empty database and would overwrite it.
    """
    if not is_ours(path):
        raise StoreError(Message("fault.store.not-ours", {"path": str(path)}))
