"""The command `millwright games`: the games that a board has saved.

A running board is asked for them, as its page does, so that both show the same, including games that are not
on disk yet. Their file is read if no board that keeps it is running, or if `--store` names it.

Imported games are added to the file itself, whether the board is running or not: permission to import is
permission to write the file, which no request to the page could prove. SQLite's locks and its log admit
another writer in a transaction of its own, for which only the store's thread waits; the board sees the new
games at its next read.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO

import click

from firmware_host.config.loader import load
from firmware_host.config.paths import CONFIG_HELP, find_config, find_games
from firmware_host.errors import NotationError, RequestError
from firmware_host.games.game import Game, Outcome
from firmware_host.games.textboard import piece_marks, render
from firmware_host.maintenance.board_archive import GameSource, all_summaries, open_source
from firmware_host.settings import Web
from firmware_host.store.database import GamesFile, StoredGame
from firmware_host.store.exchange import games_of, hand_actions, json_of, records_of
from firmware_host.store.saved_game import UnixMs, game_of
from firmware_host.store.schema import check_is_ours

_NOT_ON_DISK = "not all on the board's disk yet"
_UNKNOWN = "????-??-?? ??:??"


@dataclass(frozen=True, slots=True)
class _Selection:
    """The games in question: their file, and the page of a board that may keep it."""

    path: Path
    page: Web | None

    def source(self) -> AbstractContextManager[GameSource]:
        """Open the place to look them up."""
        return open_source(self.path, self.page)


@click.group()
@click.option("--config", "given", metavar="FILE", help=CONFIG_HELP)
@click.option(
    "--store", metavar="FILE", help="Games file. [default: the running board's, or the configured one]"
)
@click.pass_context
def games(context: click.Context, given: str | None, store: str | None) -> None:
    """List, show, export and import the games that the board has saved.

    If the board is running it is asked; otherwise its file is read.
    """
    if store:
        context.obj = _Selection(Path(store), None)
    else:
        config = load(find_config(given))
        context.obj = _Selection(find_games(config.store), config.web)


@games.command("list")
@click.pass_obj
def list_games(meant: _Selection) -> None:
    """List all games with at least one step, one on each line."""
    with meant.source() as source:
        found = all_summaries(source)
    if not found:
        click.echo("There are no games yet.")
    for one in found:
        click.echo(
            f"{one.row:5}  {_local_time(one.began_ms)}  {one.turns:3} turns  "
            f"{one.rules}: {_outcome_text(one.outcome)}{'' if one.on_disk else f'; {_NOT_ON_DISK}'}"
        )


@games.command()
@click.argument("game", type=int)
@click.pass_obj
def show(meant: _Selection, game: int) -> None:
    """Show one game: its record, the board, and the steps that were taken back."""
    with meant.source() as source:
        kept = source.game(game)
    played = game_of(kept.saved)
    click.echo(records_of([kept]))
    click.echo(_board_text(played, played.ply))
    click.echo(f"\n{_outcome_text(kept.saved.outcome)}; began {_local_time(kept.saved.began_ms)}")
    for ply, step in kept.taken_back:
        click.echo(f"taken back: {step.text} by {step.by}, step {ply + 1}, played {_local_time(step.at_ms)}")
    if not kept.on_disk:
        click.echo(f"{_NOT_ON_DISK}; `millwright status` says what is wrong with it")


@games.command()
@click.argument("numbers", metavar="[GAME]...", type=int, nargs=-1)
@click.option(
    "--format", "kind", type=click.Choice(["pgn", "json"]), default="pgn", show_default=True,
    help="PGN-like records, or JSON with the time of each step.",
)  # fmt: skip
@click.option("--output", type=click.File("w", encoding="utf-8", lazy=True), default="-", metavar="FILE",
              help="File to write. [default: standard output]")  # fmt: skip
@click.pass_obj
def export(meant: _Selection, numbers: Sequence[int], kind: str, output: IO[str]) -> None:
    """Write games, all or those you name, in a format for other programs."""
    with meant.source() as source:
        chosen = [source.game(row) for row in numbers or [one.row for one in all_summaries(source)]]
    output.write({"pgn": records_of, "json": json_of}[kind](chosen))
    output.write("\n" if kind == "json" else "")
    _warn_not_on_disk(chosen)


@games.command("import")
@click.argument("source", type=click.File("r", encoding="utf-8"), metavar="FILE")
@click.pass_obj
def import_games(meant: _Selection, source: IO[str]) -> None:
    """Add the games of FILE, records or JSON (- for standard input); all of them, or none."""
    try:
        found = games_of(source.read())
    except UnicodeDecodeError as error:
        raise NotationError(f"{source.name} is not UTF-8 text") from error
    check_is_ours(meant.path)
    file = GamesFile(meant.path)
    try:
        rows = file.add(found)
    finally:
        file.close()
    added = [row for row in rows if row is not None]
    known = len(rows) - len(added)
    numbers = f": {', '.join(map(str, added))}" if added else ""
    click.echo(f"{len(added)} added{numbers}" + (f"; {known} were there already" if known else ""))


@games.command()
@click.argument("game", type=int)
@click.option(
    "--hands", "by_hands", is_flag=True, help="Print requests for `millwright sim --headless` instead."
)
@click.option(
    "--step", "ply", type=click.IntRange(min=0), metavar="N", help="Draw only the board after N steps."
)
@click.pass_obj
def replay(meant: _Selection, game: int, by_hands: bool, ply: int | None) -> None:
    """Replay a game: draw the board after each step."""
    with meant.source() as source:
        played = game_of(source.game(game).saved)
    if by_hands:
        for action in hand_actions(played):
            click.echo(json.dumps(action))
        return
    if ply is not None and ply > played.ply:
        raise RequestError(f"game {game} has {played.ply} steps")
    for number in range(played.ply + 1) if ply is None else [ply]:
        done = f"{number}. {played.steps[number - 1]} " if number else "the start "
        by = f"by {played.positions[number - 1].to_move}" if number else ""
        click.echo(f"{done}{by}\n\n{_board_text(played, number)}\n")
    if ply is None:
        click.echo(_outcome_text(played.outcome))


def _warn_not_on_disk(games: Iterable[StoredGame]) -> None:
    """Name the games that are not all on disk, on standard error, since no export format says so."""
    unwritten = [str(one.row) for one in games if not one.on_disk]
    if unwritten:
        click.echo(f"{', '.join(unwritten)}: {_NOT_ON_DISK}", err=True)


def _board_text(game: Game, ply: int) -> str:
    """Return the board after `ply` steps of `game`, drawn in text."""
    return render(game.rules.layout, piece_marks(game.rules.layout, game.positions[ply]))


def _outcome_text(outcome: Outcome | None) -> str:
    if outcome is None:
        return "not over"
    who = f"{outcome.winner} won" if outcome.winner else "nobody won"
    return f"{who} ({outcome.reason})"


def _local_time(at_ms: UnixMs) -> str:
    """Return a time in local time."""
    try:
        return f"{datetime.fromtimestamp(at_ms / 1000):%Y-%m-%d %H:%M}" if at_ms else _UNKNOWN
    except (OverflowError, OSError, ValueError):  # what was imported may be before or after all calendars
        return _UNKNOWN
