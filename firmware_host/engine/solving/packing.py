"""Putting tables, or the first turns of certificates, into one file, such as those that Millwright ships."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from firmware_host.engine.certificate import PLAYERS, certificate_bytes
from firmware_host.engine.solving.folder import (
    TableFolder,
    replace_file,
    sector_name,
    write_parts,
)
from firmware_host.engine.table_file import Compression, sector_bytes
from firmware_host.engine.table_rules import AnySector
from firmware_host.errors import TableError


def pack(folder: TableFolder, sectors: Sequence[AnySector], path: Path) -> int:
    """Write the sectors to one file, each block compressed on its own; return its size in bytes.

    The same tables give the same bytes. Raises TableError if one is missing or damaged.
    """
    tables = []
    for each in sectors:
        table = folder.open(each)
        if table is None:
            raise TableError(f"sector {sector_name(each)} is missing; build it first")
        tables.append(table)

    def fill(file: BinaryIO) -> None:
        for table in tables:
            header = replace(table.header, compression=Compression.ZLIB)
            blocks = [table.block(number) for number in range(header.blocks)]
            write_parts(file, sector_bytes(header, table.representatives, blocks))

    return _written(path, fill)


def pack_opening(folder: TableFolder, turns: int, path: Path) -> int:
    """Write the first turns of both players' certificates to one file; return its size in bytes.

    Raises TableError if a certificate is missing or damaged.
    """
    certificates = folder.certificates()
    if len(certificates) < len(PLAYERS):
        raise TableError(
            "there is no certificate for both players; run `millwright tables certificate` first"
        )

    def fill(file: BinaryIO) -> None:
        for one in certificates:
            entries = [one.turn_entries(turn) for turn in range(min(turns, len(one.counts)))]
            file.writelines(certificate_bytes(folder.options, one.player, entries))

    return _written(path, fill)


def _written(path: Path, fill: Callable[[BinaryIO], None]) -> int:
    """Write a file whole or not at all; return its size in bytes."""
    replace_file(path, fill)
    return path.stat().st_size
