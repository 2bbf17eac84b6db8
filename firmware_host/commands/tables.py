"""The command `millwright tables`: builds, checks, proves and lists the tables of solved positions.

Invariants: an interruption at any moment, by Ctrl-C or a power cut, costs the sectors that are being built
or checked, or the certificate, and nothing else; the same command goes on. Progress is for people on a
terminal, for programs with `--json`.
"""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

import click

from firmware_host.commands import CommandGroup
from firmware_host.commands.at_hand import tables_at_hand
from firmware_host.commands.table_progress import (
    PlayWatch,
    TableProgress,
    clear_line,
    counts_text,
    game_here,
    interruptible,
    print_json,
)
from firmware_host.engine import native
from firmware_host.engine.certificate import PLAYERS, certificate_bytes
from firmware_host.engine.solving import builder, certifying, placing, promise
from firmware_host.engine.solving.builder import Distances
from firmware_host.engine.solving.checker import CheckedSector, CheckJournal, check_by_rules, check_in_c
from firmware_host.engine.solving.folder import (
    SHIPPED,
    TableFolder,
    refuse,
    sector_name,
    tables_path,
    unusable,
    with_mirror,
)
from firmware_host.engine.solving.library import BuildStoppedError, Progress
from firmware_host.engine.solving.promise import seal_of
from firmware_host.engine.table_file import Kind, SectorTable
from firmware_host.engine.table_rules import AnySector, Sector, rules_text, sectors
from firmware_host.engine.tables import Tables, index_of
from firmware_host.errors import NotationError, TableError
from firmware_host.frozen import frozen
from firmware_host.games.morris.position import MorrisRules
from firmware_host.games.rulesets import DEFAULT, rule_set

# ---- certificates ---------------------------------------------------------------------------------------
# Certificates on the command line: made, checked and sealed, with their progress and figures.


_GAMES = 100
"""The games against random opponents in which each certificate is checked."""


def make_certificates(
    folder: TableFolder, found: Mapping[Sector, SectorTable], progress: TableProgress, memory: int | None
) -> None:
    """Prove the replies of both players, and write them to files; those that are there are kept."""
    there = {one.player for one in folder.certificates() if one.is_whole}
    for player, name in enumerate(PLAYERS):
        began = time.monotonic()
        if player not in there:
            turns = certifying.certify(folder.options, found.get, player, progress.proving(name), memory)
            folder.write_certificate(player, certificate_bytes(folder.options, player, turns))
        _print_certificate(folder, player, round(time.monotonic() - began, 1), progress.as_json)


def _print_certificate(folder: TableFolder, player: int, seconds: float, as_json: bool) -> None:
    one = next(each for each in folder.certificates() if each.player == player)
    if as_json:
        print_json(certificate=PLAYERS[player], entries=list(one.counts), bytes=one.length, seconds=seconds)
    else:
        clear_line()
        size = f"{one.length / 1e6:,.1f} MB"
        click.echo(f"{PLAYERS[player]} player: {one.entries:,} replies, {size}, {seconds:.1f} s")


def check_certificates(
    rules: MorrisRules,
    folder: TableFolder,
    found: Mapping[Sector, SectorTable],
    rng: random.Random,
    progress: TableProgress,
) -> int:
    """Check the certificates, seal them if nothing is wrong, and return the number of faults."""
    certificates, wrong = folder.certificates(), 0
    if not certificates:
        where = folder.path
        raise TableError(f"there are no certificates in {where}; run `millwright tables certificate`")
    known = Tables(refuse)
    known.add(found.values())
    for one in certificates:
        name = PLAYERS[one.player]
        played = certifying.audit_by_rules(rules, known, one, _GAMES, rng)
        findings = certifying.audit(rules.options, found.get, one, progress.walking(name))
        wrong += findings.wrong + len(played)
        _print_findings(name, findings, played, progress.as_json)
    if not wrong and len(certificates) == len(PLAYERS):
        folder.write_seal(seal_of(rules.options, found, certificates))
    return wrong


def _print_findings(name: str, findings: certifying.Findings, played: list[str], as_json: bool) -> None:
    if as_json:
        print_json(certificate=name, **asdict(findings), faults_in_games=len(played))
        return
    clear_line()
    faults = f"{findings.missing:,} missing, {findings.illegal:,} illegal, {findings.lost:,} lost"
    click.echo(
        f"{name} player: {findings.entries:,} positions and {findings.leaves:,} ends of placing checked, "
        f"{faults if findings.wrong else 'none wrong'}"
    )
    for fault in played:
        click.echo(f"{name} player, in a game by the rules: {fault}")


# ---- the check of all tables ----------------------------------------------------------------------------
# The check of all tables on the command line: sector by sector, noted in a journal, by which it goes on.


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
    wanted = [one for layer in reversed(placing.layers(rules.options)) for one in layer]
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


# ---- the command ----------------------------------------------------------------------------------------


_SHIPPED_STONES = 10
_OPENING_TURNS = 5
_BOOK_PLACED = 8
_SAMPLE = 1_000_000
_PLACING_SAMPLE = 1_000
_KINDS = {Kind.RESULTS: "results", Kind.DISTANCES: "distances", Kind.WIDE_DISTANCES: "distances"}


@frozen
class _Sectors:
    """The rules and the folder in question."""

    rules: MorrisRules
    folder: TableFolder
    base: Path


@click.group(cls=CommandGroup)
@click.option("--rules", default=DEFAULT, show_default=True, metavar="NAME", help="Rule set.")
@click.option("--set", "settings", multiple=True, metavar="SWITCH=VALUE",
              help="Override a rule option, e.g. flying=never (repeatable).")  # fmt: skip
@click.option("--dir", "base", type=click.Path(path_type=Path), metavar="FOLDER",
              help="Folder of all tables. [default: ~/.cache/millwright/tables]")  # fmt: skip
@click.pass_context
def tables(context: click.Context, rules: str, settings: tuple[str, ...], base: Path | None) -> None:
    """Build, check and list tables of solved positions, which tell who wins once all stones are placed.

    The tables of up to ten stones of the rules `standard` are part of Millwright.
    """
    chosen = rule_set(rules, settings)
    if not isinstance(chosen, MorrisRules):
        raise NotationError(f"there are no tables for {rules}; only the mill games have them")
    context.obj = _Sectors(chosen, TableFolder.of(chosen.options, base), base or tables_path())


def _sector(text: str) -> Sector:
    mine, _, theirs = text.partition("-")
    if not (mine.isdecimal() and theirs.isdecimal() and len(text) <= len("12-12")):
        raise NotationError(f"{text[:20]!r} is not a sector; write the stones of both players, such as 7-5")
    return int(mine), int(theirs)


@tables.command()
@click.option("--stones", type=click.IntRange(6, 24), metavar="N", help="All sectors of up to N stones.")
@click.option("--sector", metavar="A-B", help="One sector, and those that captures in it lead to.")
@click.option("--all", "whole", is_flag=True, help="All sectors, and distances where draws hang on them.")
@click.option("--placing", "hands", is_flag=True, help="All positions with pieces in hand, after --all.")
@click.option("--distance", "distances", is_flag=True,
              help="Store the turns that a win takes, of any size. [default: up to 9 stones]")  # fmt: skip
@click.option(
    "--max-memory",
    type=click.IntRange(min=1),
    metavar="MB",
    help="Memory to use. [default: what is free]",
)
@click.option("--jobs", type=click.IntRange(1, 64), default=1, show_default=True, metavar="N",
              help="Sectors to build at a time, each on a core of its own.")  # fmt: skip
@click.option("--pause/--no-pause", "pauses", default=True, show_default=True,
              help="Pause while somebody plays on this machine's board.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print progress as JSON, one object on each line.")
@click.pass_obj
def build(
    meant: _Sectors, stones: int | None, sector: str | None, whole: bool, hands: bool, distances: bool,
    max_memory: int | None, jobs: int, pauses: bool, as_json: bool,
) -> None:  # fmt: skip
    """Solve sectors that are not there yet. Ctrl-C stops, and the same command goes on.

    --placing goes back from the last placement to the empty board, and needs the tables that --all builds.

    It pauses while somebody plays on the board of this machine, and goes on five minutes after the last
    turn or at the end of the game.
    """
    if sum((stones is not None, sector is not None, whole, hands)) != 1:
        raise click.UsageError("Name one of --stones, --sector, --all and --placing.")
    memory = None if max_memory is None else max_memory * 10**6
    least = Distances.CUT if whole else Distances.NONE
    stored = Distances.ALL if distances else least
    folder = meant.folder
    progress = TableProgress(as_json, watch=PlayWatch(game_here) if pauses else None)
    with interruptible(progress, "The same command goes on with the sector that was being built."):
        if hands:
            placing.build(folder, progress, memory)
        elif sector is not None:
            builder.build(builder.order_for(folder, _sector(sector), stored, memory), progress, jobs)
        else:
            most = stones or 2 * folder.options.pieces
            builder.build(builder.order(folder, most, stored, memory), progress, jobs)
    if not as_json:
        click.echo(f"All of it is in {folder.placing if hands else folder.path}")


@tables.command()
@click.option("--sample", type=click.IntRange(min=1), metavar="N",
              help=f"Positions to check in each sector. [default: {_SAMPLE}]")  # fmt: skip
@click.option("--full", is_flag=True, help="Check every position.")
@click.option("--seed", type=int, default=1, show_default=True, help="Random seed for the sample.")
@click.option("--certificate", "certificates", is_flag=True,
              help="Check the certificates and not the values of the tables.")  # fmt: skip
@click.option("--placing", "hands", is_flag=True, help="Check the tables of positions with pieces in hand.")
@click.option("--json", "as_json", is_flag=True, help="Print progress as JSON, one object on each line.")
@click.pass_obj
def verify(
    meant: _Sectors, sample: int | None, full: bool, seed: int, certificates: bool, hands: bool, as_json: bool
) -> None:
    """Check all tables: their digests, and that each value follows from the turns.

    A sample is also checked by the rules that are played, which is all that an installation without the
    library in C can do. Exits with status 1 if a value is wrong. Ctrl-C stops, and the same command goes on
    with the sector that was being checked, until all tables are done.

    With --certificate it walks all positions that can arise under the replies of each player, and checks that
    each reply is there and legal, and that no position with all pieces placed is lost in the tables. If so,
    it notes that, and the board says that it cannot lose.

    With --placing it checks the positions with pieces in hand by the rules that are played, and
    1,000 of each sector unless --sample says otherwise.
    """
    meant.folder.check_files()
    found = _opened(meant)
    if not found:
        raise TableError(f"there are no tables for these rules in {meant.base}; build some")
    progress = TableProgress(as_json)
    if certificates:
        with interruptible(progress, "The same command starts again."):
            wrong = check_certificates(meant.rules, meant.folder, found, random.Random(seed), progress)  # noqa: S311 - to sample
    elif hands:
        count = 0 if full else sample or _PLACING_SAMPLE
        with interruptible(progress, "The same command starts again."):
            wrong = check_placing(meant.rules, meant.folder, found, CheckOrder(count, seed), progress)
    else:
        wrong = check_tables(
            meant.rules, meant.folder, found, CheckOrder(0 if full else sample or _SAMPLE, seed), progress
        )
    if wrong:
        raise SystemExit(1)


@tables.command()
@click.option("--json", "as_json", is_flag=True, help="Print progress as JSON, one object on each line.")
@click.pass_obj
def compress(meant: _Sectors, as_json: bool) -> None:
    """Compress the tables that were built, to a quarter of their size.

    Positions are looked up as before; each block of 64 KiB is compressed on its own. Do it last: to build
    from compressed tables, to check them or to prove a certificate takes the memory of all their values.
    Ctrl-C stops, and the same command goes on.
    """
    progress = TableProgress(as_json)
    with interruptible(progress, "The same command goes on with the table that was being compressed."):
        for sector, before, after in builder.compress(meant.folder, progress.packing):
            if as_json:
                print_json(sector=sector_name(sector), before=before, bytes=after)
            else:
                clear_line()
                click.echo(f"{sector_name(sector)}: {before / 1e6:,.1f} MB, now {after / 1e6:,.1f} MB")


def _opened(meant: _Sectors) -> dict[Sector, SectorTable]:
    return promise.tables_in_use(meant.rules, meant.folder, tables_at_hand(meant.base))


@tables.command()
@click.option(
    "--max-memory",
    type=click.IntRange(min=1),
    metavar="MB",
    help="Memory to use. [default: what is free]",
)
@click.option("--json", "as_json", is_flag=True, help="Print progress as JSON, one object on each line.")
@click.pass_obj
def certificate(meant: _Sectors, max_memory: int | None, as_json: bool) -> None:
    """Prove that neither player has to lose while pieces are placed, and store the replies.

    Needs the tables of all sectors (`build --all`). For each player a file has one reply for each position
    that can arise under these replies; a file that is there is kept. Check them with `verify --certificate`.
    """
    memory = None if max_memory is None else max_memory * 10**6
    progress = TableProgress(as_json)
    with interruptible(progress, "The same command goes on; a certificate that is finished is kept."):
        make_certificates(meant.folder, _opened(meant), progress, memory)


@tables.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--turns", type=click.IntRange(1, 12), default=_OPENING_TURNS, show_default=True, metavar="N",
              help="Turns of each player.")  # fmt: skip
@click.pass_obj
def opening(meant: _Sectors, file: Path, turns: int) -> None:
    """Put the first turns of both certificates into one FILE, as the one that comes with Millwright."""
    size = builder.pack_opening(meant.folder, turns, file)
    click.echo(f"{file}: {size / 1e3:.1f} kB")


@tables.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for each sector.")
@click.pass_obj
def info(meant: _Sectors, as_json: bool) -> None:
    """List the tables that are there, and the sectors that are missing."""
    found = tables_at_hand(meant.base).sectors(meant.rules)
    for table in found:
        header = table.header
        name, place = (
            sector_name((header.mine, header.theirs)),
            "shipped" if table.name == str(SHIPPED) else "built",
        )
        if as_json:
            print_json(sector=name, stored=_KINDS[header.kind], place=place, bytes=header.length,
                        positions=header.summary.positions, **asdict(header.summary))  # fmt: skip
        else:
            megabytes = f"{header.length / 1e6:,.1f} MB"
            click.echo(
                f"{name:5} {megabytes:>9}  {_KINDS[header.kind]:9} {place:7}  {counts_text(header.summary)}"
            )
    if not as_json:
        _print_missing(meant, {(table.header.mine, table.header.theirs) for table in found})


def _print_missing(meant: _Sectors, known: set[Sector]) -> None:
    options = meant.rules.options
    points = index_of(meant.rules.mechanics).nodes
    whole = [each for one in sectors(points, options.pieces, points) for each in with_mirror(one)]
    left = [sector_name(one) for one in whole if one not in known]
    click.echo(f"Rules: {rules_text(options)}")
    if left:
        click.echo(f"{len(left)} of {len(whole)} sectors are missing: {', '.join(left)}")
        click.echo("`millwright tables build --all` builds them; positions in them are searched until then.")
    else:
        click.echo("All sectors are there: every position with all stones placed is known.")
    reason = promise.obstacle(meant.rules, meant.folder, _opened(meant))
    if reason is None:
        click.echo("At level 8 the board cannot lose from the start: that is proved and checked.")
    else:
        click.echo(f"The board plays strongly. That it cannot lose is not proved: {reason}.")


@tables.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--stones", type=click.IntRange(6, 24), default=_SHIPPED_STONES, show_default=True, metavar="N",
              help="All sectors of up to N stones.")  # fmt: skip
@click.pass_obj
def pack(meant: _Sectors, file: Path, stones: int) -> None:
    """Put built tables into one compressed FILE, as the one that is part of Millwright was made."""
    wanted = builder.order(meant.folder, stones)
    both = [each for one in wanted.sectors for each in with_mirror(one)]
    click.echo(f"{file}: {builder.pack(meant.folder, both, file) / 1e6:.1f} MB")


@tables.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--placed", type=click.IntRange(0, 23), default=_BOOK_PLACED, show_default=True, metavar="N",
              help="All positions with up to N pieces placed.")  # fmt: skip
@click.pass_obj
def book(meant: _Sectors, file: Path, placed: int) -> None:
    """Put the results of positions with few pieces placed into one compressed FILE."""
    wanted = [one for layer in placing.layers(meant.rules.options)[: placed + 1] for one in layer]
    click.echo(f"{file}: {builder.pack(meant.folder, wanted, file) / 1e3:.1f} kB")
