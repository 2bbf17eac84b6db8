"""Whose a file is that is no readable file of games: ours, and damaged, or somebody else's.

A name may be mistyped, and then what it names must stay as it is; but nothing that a power cut left of a file
of ours may keep a board from keeping games. Rules kept here: ours is what says so in its head; what has a
blank head, as a card leaves one that it never wrote out; and what has a log of SQLite beside it, since it was
in use when the power went. What has the head of another program's database is theirs, whatever else there is.
"""

from __future__ import annotations

from pathlib import Path

from firmware_host.errors import StoreError
from firmware_host.said import Said
from firmware_host.store.schema import APPLICATION

# The head of a database, by https://www.sqlite.org/fileformat2.html: how long it is, how it begins, and where
# it says whose it is.
_HEAD = 100
_MAGIC = b"SQLite format 3\0"
_APPLICATION_ID = slice(68, 72)


def is_ours(path: Path) -> bool:
    """Whether what is at `path` is a file of games, or may have been one; also where there is nothing."""
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except OSError:  # it will be told by who needs it
        return True
    if head.startswith(_MAGIC):
        return head[_APPLICATION_ID] == APPLICATION.to_bytes(4, "big")
    return not any(head) or Path(f"{path}-wal").exists()


def must_be_ours(path: Path) -> None:
    """Raise StoreError for a file of somebody else's, to be asked before it is opened.

    SQLite takes a short text for an empty database, and would write over it.
    """
    if not is_ours(path):
        raise StoreError(Said("fault.store.not-ours", {"path": str(path)}))
