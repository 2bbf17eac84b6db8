"""The check of all tables on the command line: sector by sector, noted in a journal, by which it goes on."""

from __future__ import annotations

import random
from collections.abc import Mapping

import click

from firmware_host.commands.engine.table_progress import TableProgress, clear_line, interruptible, print_json
from firmware_host.engine import native
from firmware_host.engine.solving.check_journal import CheckedSector, CheckJournal
from firmware_host.engine.solving.checker import check_by_rules, check_in_c
from firmware_host.engine.solving.folder import TableFolder, refuse, sector_name, unusable
from firmware_host.engine.solving.library import BuildStoppedError, Progress
from firmware_host.engine.solving.placing import layers
from firmware_host.engine.table_file import SectorTable
from firmware_host.engine.table_rules import AnySector, Sector
from firmware_host.engine.tables import Tables
from firmware_host.errors import TableError
from firmware_host.frozen import frozen
from firmware_host.games.morris.position import MorrisRules

_SAMPLE_BY_RULES = 100
_REST = "The same command goes on with the sector that was being checked."


@frozen
class CheckOrder:
    """The positions to check in each sector: a sample of that many, or all; and the seed of samples."""

    sample: int
    seed: int


@frozen
class _Check:
    """One check of all tables."""

    rules: MorrisRules
    tables: Mapping[Sector, SectorTable]
    order: CheckOrder

    @property
    def way(self) -> str:
        """The description of what is checked in each sector, and how."""
        means = "in C" if native.load() is not None else "by the rules"
        return f"{means}, {self.order.sample or 'all'} positions by {self.order.seed}"

    def size(self, sector: Sector) -> int:
        """Return the number of positions in a sector."""
        return self.tables[sector].header.summary.positions

    def step(self, sector: Sector) -> int:
        """Return the distance between two positions of the sample."""
        return max(1, self.size(sector) // self.order.sample) if self.order.sample else 1

    def shares(self) -> dict[Sector, float]:
        """Return the share that each sector has of all work."""
        work = {sector: self.size(sector) / self.step(sector) for sector in self.tables}
        return {sector: part / sum(work.values()) for sector, part in work.items()}

    def run(self, sector: Sector, progress: Progress) -> CheckedSector:
        """Check one sector; raises TableError if a table is damaged or missing."""
        table, size, sample = self.tables[sector], self.size(sector), self.order.sample
        rng = random.Random(self.order.seed)  # noqa: S311 - to sample
        known = Tables(refuse)
        known.add(self.tables.values())
        picked = [rng.randrange(size) for _ in range(min(size, _SAMPLE_BY_RULES, sample or size))]
        wrong = len(list(check_by_rules(self.rules, known, table, picked)))
        if native.load() is None:
            _check_blocks(table)
            return CheckedSector(len(picked), wrong)
        step = self.step(sector)
        first = rng.randrange(step)
        finding = check_in_c(self.rules.options, self.tables.get, sector, first, step, progress)
        return CheckedSector(len(picked) + -(-(size - first) // step), wrong + finding.wrong)


def check_tables(
    rules: MorrisRules,
    folder: TableFolder,
    tables: Mapping[Sector, SectorTable],
    order: CheckOrder,
    progress: TableProgress,
) -> int:
    """Check all tables, print the result of each, and return the number of wrong values.

    Sectors that an interrupted check has done are not checked again. Raises TableError.
    """
    check = _Check(rules, tables, order)
    journal = CheckJournal(folder, tables, check.way)
    done, shares, is_noted = journal.read(), check.shares(), True
    for sector, found in done.items():
        _print(sector, found, progress, before=True)
    with interruptible(progress, _REST):
        for sector in [one for one in tables if one not in done]:
            before = sum(shares[one] for one in done)
            found = check.run(sector, progress.checking(sector, before, shares[sector]))
            if progress.stopped:
                raise BuildStoppedError
            done[sector] = found
            _print(sector, found, progress)
            is_noted = is_noted and _note(journal, sector, found)
    journal.end()
    return sum(found.wrong for found in done.values())


def check_placing(
    rules: MorrisRules,
    folder: TableFolder,
    tables: Mapping[Sector, SectorTable],
    order: CheckOrder,
    progress: TableProgress,
) -> int:
    """Check the tables of positions with pieces in hand by the rules that are played, the last layer first.

    `tables` are those of all sectors without. Prints each result, and returns the number of wrong values.
    Raises TableError.
    """
    wanted = [one for layer in reversed(layers(rules.options)) for one in layer]
    found = {one: table for one in wanted if (table := folder.open(one)) is not None}
    if not found:
        raise TableError("there are no tables of positions with pieces in hand; build them with --placing")
    known, wrong = Tables(refuse), 0
    known.add((*tables.values(), *found.values()))
    for number, (sector, table) in enumerate(found.items()):
        size = table.header.summary.positions
        picked = random.Random(order.seed).sample(range(size), min(size, order.sample or size))  # noqa: S311 - to sample
        notify = progress.checking(sector, number / len(found), 1 / len(found))
        followed = (at for done, at in enumerate(picked) if not _stopped(notify(0, done, len(picked))))
        bad = len(list(check_by_rules(rules, known, table, followed)))
        _print(sector, CheckedSector(len(picked), bad), progress)
        wrong += bad
    return wrong


def _stopped(wish: bool) -> bool:
    """Raise BuildStoppedError if the user wants it."""
    if wish:
        raise BuildStoppedError
    return wish


def _check_blocks(table: SectorTable) -> None:
    try:
        table.check()
    except TableError as error:
        raise unusable(table.name, str(error)) from error


def _note(journal: CheckJournal, sector: Sector, found: CheckedSector) -> bool:
    """Note a sector; return False if that is impossible, after saying so."""
    try:
        journal.note(sector, found)
    except TableError as error:
        click.echo(f"{error}; if you stop the check, it starts again.", err=True)
        return False
    return True


def _print(sector: AnySector, found: CheckedSector, progress: TableProgress, *, before: bool = False) -> None:
    if progress.as_json:
        earlier = {"before": True} if before else {}
        print_json(sector=sector_name(sector), checked=found.checked, wrong=found.wrong, **earlier)
    else:
        clear_line()
        when = " before" if before else ""
        click.echo(
            f"{sector_name(sector)}: {found.checked:,} positions checked{when}, {found.wrong or 'none'} wrong"
        )
