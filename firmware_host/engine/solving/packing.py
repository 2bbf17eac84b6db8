"""Putting the tables of a folder into one compressed file, such as the one that Millwright ships."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from firmware_host.engine.solving.folder import TableFolder, sector_name, with_mirror, write_parts
from firmware_host.engine.table_file import Compression, sector_bytes
from firmware_host.engine.table_rules import Sector
from firmware_host.errors import TableError


def pack(folder: TableFolder, sectors: Sequence[Sector], path: Path) -> int:
    """Write the sectors, and those with the other player to move, to one file; return its size in bytes.

    The same tables give the same bytes. Raises TableError if one is missing or damaged.
    """
    tables = []
    for each in (mirrored for one in sectors for mirrored in with_mirror(one)):
        table = folder.open(each)
        if table is None:
            raise TableError(f"sector {sector_name(each)} is missing; build it first")
        tables.append(table)
    partial = path.with_name(f"{path.name}.part")
    try:
        with partial.open("wb") as file:
            for table in tables:
                header = replace(table.header, compression=Compression.ZLIB)
                blocks = [table.block(number) for number in range(header.blocks)]
                write_parts(file, sector_bytes(header, table.representatives, blocks))
        partial.replace(path)
    except OSError as error:
        raise TableError(f"{path}: {error.strerror}") from error
    finally:
        partial.unlink(missing_ok=True)
    return path.stat().st_size
