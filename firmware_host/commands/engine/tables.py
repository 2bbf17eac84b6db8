"""The command `millwright tables`: builds, checks and lists the tables of solved positions.

Invariants: an interruption at any moment, by Ctrl-C or a power cut, costs the sectors that are being built
and nothing else; the same command goes on. Progress is for people on a terminal, for programs with `--json`.
"""

from __future__ import annotations

import json
import random
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

import click

from firmware_host.commands.engine.at_hand import tables_at_hand
from firmware_host.commands.engine.play_watch import PlayWatch, game_here
from firmware_host.engine import native
from firmware_host.engine.solving import builder, packing
from firmware_host.engine.solving.checker import check_by_rules, check_in_c
from firmware_host.engine.solving.folder import (
    SHIPPED,
    TableFolder,
    sector_name,
    tables_path,
    with_mirror,
)
from firmware_host.engine.solving.library import StoppedError
from firmware_host.engine.table_file import Kind, SectorTable, Summary
from firmware_host.engine.table_rules import Sector, rules_text, sectors
from firmware_host.engine.tables import Tables, index_of
from firmware_host.errors import NotationError, TableError
from firmware_host.games.morris.position import MorrisRules
from firmware_host.games.rulesets import DEFAULT, rule_set

_INTERRUPTED = 130
"""The exit status of a program that Ctrl-C stopped, as shells have it."""
_INTERVAL = 1.0
"""The seconds between two lines of progress."""
_SHIPPED_STONES = 10
_SAMPLE = 1_000_000
_SAMPLE_BY_RULES = 100
_KINDS = {Kind.RESULTS: "results", Kind.DISTANCES: "distances", Kind.WIDE_DISTANCES: "distances"}


@dataclass(frozen=True, slots=True)
class _Selection:
    """The rules and the folder in question."""

    rules: MorrisRules
    folder: TableFolder
    base: Path


@click.group()
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
    context.obj = _Selection(chosen, TableFolder.of(chosen.options, base), base or tables_path())


@dataclass
class _Progress:
    """Prints the progress of building or checking."""

    as_json: bool
    watch: PlayWatch | None = None
    stopped: bool = False
    _printed: float = 0.0
    _began: dict[Sector, float] = field(default_factory=dict)

    def progress(self, sector: Sector, stage: int, done: int, total: int) -> bool:
        """Print a line, but not more often than once a second; return True if the user has had enough."""
        now = time.monotonic()
        self._began.setdefault(sector, now)
        if now - self._printed >= _INTERVAL:
            self._printed = now
            self._say(sector, stage, done / max(total, 1))
            self._pause(sector)
        return self.stopped

    def _pause(self, sector: Sector) -> None:
        """Wait while somebody plays on this machine's board."""
        is_waiting = False
        while self.watch is not None and not self.stopped and self.watch.is_playing(time.monotonic()):
            if not is_waiting and self.as_json:
                _print_json(sector=sector_name(sector), paused=True)
            elif not is_waiting and sys.stderr.isatty():
                _clear_line()
                click.echo("Somebody plays on the board; waiting", nl=False, err=True)
            is_waiting = True
            time.sleep(_INTERVAL)

    def _say(self, sector: Sector, stage: int, share: float) -> None:
        if self.as_json:
            _print_json(sector=sector_name(sector), stage=stage, done=round(share, 3))
        elif sys.stderr.isatty():
            step = f"turn {stage - 1}" if stage > 1 else "first look"
            click.echo(f"\r{sector_name(sector)}: {step}, {share:4.0%}  ", nl=False, err=True)

    def finished(self, sector: Sector, summary: Summary) -> None:
        """Print the counts of a sector that is on the disk."""
        began = self._began.get(sector, self._began.get((sector[1], sector[0]), time.monotonic()))
        seconds = round(time.monotonic() - began, 1)
        if self.as_json:
            _print_json(
                sector=sector_name(sector), positions=summary.positions, seconds=seconds, **asdict(summary)
            )
        else:
            _clear_line()
            click.echo(f"{sector_name(sector)}: {_counts(summary)}, {seconds:.1f} s with its mirror image")


def _clear_line() -> None:
    if sys.stderr.isatty():
        click.echo("\r\033[K", nl=False, err=True)


def _print_json(**fields: Any) -> None:
    click.echo(json.dumps(fields))


def _counts(summary: Summary) -> str:
    return (
        f"{summary.positions:,} positions, {summary.wins:,} won, {summary.losses:,} lost, "
        f"{summary.draws:,} drawn, at most {summary.depth} turns"
    )


@contextmanager
def _interruptible(progress: _Progress) -> Iterator[None]:
    """Let Ctrl-C end the work at the next safe moment, which comes within a second or so."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        progress.stopped = True

    before = signal.signal(signal.SIGINT, stop), signal.signal(signal.SIGTERM, stop)
    try:
        yield
    except StoppedError:
        _clear_line()
        click.echo("Stopped. The same command goes on with the sector that was being built.", err=True)
        raise SystemExit(_INTERRUPTED) from None
    finally:
        signal.signal(signal.SIGINT, before[0])
        signal.signal(signal.SIGTERM, before[1])


def _sector(text: str) -> Sector:
    mine, _, theirs = text.partition("-")
    if not (mine.isdecimal() and theirs.isdecimal() and len(text) <= len("12-12")):
        raise NotationError(f"{text[:20]!r} is not a sector; write the stones of both players, such as 7-5")
    return int(mine), int(theirs)


@tables.command()
@click.option("--stones", type=click.IntRange(6, 24), metavar="N", help="All sectors of up to N stones.")
@click.option("--sector", metavar="A-B", help="One sector, and those that captures in it lead to.")
@click.option("--all", "whole", is_flag=True, help="All sectors: all of the game after placing.")
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
    meant: _Selection, stones: int | None, sector: str | None, whole: bool, distances: bool,
    max_memory: int | None, jobs: int, pauses: bool, as_json: bool,
) -> None:  # fmt: skip
    """Solve sectors that are not there yet. Ctrl-C stops, and the same command goes on.

    It pauses while somebody plays on the board of this machine, and goes on five minutes after the last
    turn or at the end of the game.
    """
    if sum((stones is not None, sector is not None, whole)) != 1:
        raise click.UsageError("Name one of --stones, --sector and --all.")
    memory = None if max_memory is None else max_memory * 10**6
    if sector is not None:
        wanted = builder.order_for(meant.folder, _sector(sector), distances, memory)
    else:
        wanted = builder.order(meant.folder, stones or 2 * meant.rules.options.pieces, distances, memory)
    progress = _Progress(as_json, watch=PlayWatch(game_here) if pauses else None)
    with _interruptible(progress):
        builder.build(wanted, progress, jobs)
    if not as_json:
        click.echo(f"All of it is in {meant.folder.path}")


@tables.command()
@click.option("--sample", type=click.IntRange(min=1), default=_SAMPLE, show_default=True, metavar="N",
              help="Positions to check in each sector.")  # fmt: skip
@click.option("--full", is_flag=True, help="Check every position.")
@click.option("--seed", type=int, default=1, show_default=True, help="Random seed for the sample.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for each sector.")
@click.pass_obj
def verify(meant: _Selection, sample: int, full: bool, seed: int, as_json: bool) -> None:
    """Check all tables: their digests, and that each value follows from the turns.

    A sample is also checked by the rules that are played, which is all that an installation without the
    library in C can do. Exits with status 1 if a value is wrong.
    """
    found = _opened(meant)
    if not found:
        raise TableError(f"there are no tables for these rules in {meant.base}; build some")
    progress, wrong = _Progress(as_json), 0
    with _interruptible(progress):
        for sector in found:
            rng = random.Random(seed)  # noqa: S311 - to sample
            try:
                wrong += _verify(meant, found, sector, 0 if full else sample, rng, progress)
            except TableError as error:
                raise TableError(f"{found[sector].name}: {error}") from error
            if progress.stopped:
                raise StoppedError
    if wrong:
        raise SystemExit(1)


def _opened(meant: _Selection) -> dict[Sector, SectorTable]:
    """Return the tables of these rules by sector, those in the folder before the shipped ones."""
    known = tables_at_hand(meant.base).sectors(meant.rules)
    found = {(one.header.mine, one.header.theirs): one for one in known}
    for sector in found:
        own = meant.folder.open(sector)
        if own is not None and own.header.kind >= found[sector].header.kind:
            found[sector] = own
    return found


def _verify(
    meant: _Selection, found: dict[Sector, SectorTable], sector: Sector, sample: int,
    rng: random.Random, progress: _Progress,
) -> int:  # fmt: skip
    """Check one sector and print the result; return the number of wrong values."""
    table = found[sector]
    size = table.header.summary.positions
    step = max(1, size // sample) if sample else 1
    known = Tables()
    known.add(found.values())
    picked = [rng.randrange(size) for _ in range(min(size, _SAMPLE_BY_RULES, sample or size))]
    wrong = len(list(check_by_rules(meant.rules, known, table, picked)))
    checked = len(picked)
    if native.load() is not None:
        first = rng.randrange(step)
        finding = check_in_c(meant.rules.options, found.get, sector, first, step,
                             lambda *done: progress.progress(sector, *done))  # fmt: skip
        wrong, checked = wrong + finding.wrong, checked + -(-(size - first) // step)
    else:
        table.check()
    if progress.stopped:
        return wrong
    if progress.as_json:
        _print_json(sector=sector_name(sector), checked=checked, wrong=wrong)
    else:
        _clear_line()
        click.echo(f"{sector_name(sector)}: {checked:,} positions checked, {wrong or 'none'} wrong")
    return wrong


@tables.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for each sector.")
@click.pass_obj
def info(meant: _Selection, as_json: bool) -> None:
    """List the tables that are there, and the sectors that are missing."""
    found = tables_at_hand(meant.base).sectors(meant.rules)
    for table in found:
        header = table.header
        name, place = (
            sector_name((header.mine, header.theirs)),
            "shipped" if table.name == str(SHIPPED) else "built",
        )
        if as_json:
            _print_json(sector=name, stored=_KINDS[header.kind], place=place, bytes=header.length,
                        positions=header.summary.positions, **asdict(header.summary))  # fmt: skip
        else:
            megabytes = f"{header.length / 1e6:,.1f} MB"
            click.echo(
                f"{name:5} {megabytes:>9}  {_KINDS[header.kind]:9} {place:7}  {_counts(header.summary)}"
            )
    if not as_json:
        _print_missing(meant, {(table.header.mine, table.header.theirs) for table in found})


def _print_missing(meant: _Selection, known: set[Sector]) -> None:
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
    click.echo("While placing, the board plays strongly by search. It can lose.")


@tables.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--stones", type=click.IntRange(6, 24), default=_SHIPPED_STONES, show_default=True, metavar="N",
              help="All sectors of up to N stones.")  # fmt: skip
@click.pass_obj
def pack(meant: _Selection, file: Path, stones: int) -> None:
    """Put built tables into one compressed FILE, as the one that is part of Millwright was made."""
    wanted = builder.order(meant.folder, stones)
    size = packing.pack(meant.folder, wanted.sectors, file)
    click.echo(f"{file}: {size / 1e6:.1f} MB")
