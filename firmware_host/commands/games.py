"""The command `millwright games`: the games that a board has kept.

They are read and added through SQLite, whether the board's program runs or not: its locks and its log let
others read whole games beside one who writes, and let one more write in a transaction of its own, for which
the board's thread (and nothing else of the board) waits. So the program needs no second way in, and who may
read or add is who may read or write the file. What the disk has not taken is in no list, nor in that of the
page, which is read from the same file; the game in play is told by `millwright status`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import IO

import click

from firmware_host.config import load
from firmware_host.errors import NotationError, RequestError
from firmware_host.games.game import Outcome
from firmware_host.store.exchange import games_of, json_of, records_of
from firmware_host.store.file import GamesFile, open_to_read
from firmware_host.store.replaying import drawn, hands
from firmware_host.store.sheets import UnixMs, game_of
from firmware_host.store.whose import must_be_ours
from firmware_host.whereabouts import find, find_games


@click.group()
@click.option(
    "--config", "given", metavar="FILE", help="The configuration; else your own, else the system's."
)
@click.option("--store", metavar="FILE", help="The file of games; else the one that the board keeps.")
@click.pass_context
def games(context: click.Context, given: str | None, store: str | None) -> None:
    """Look at the games that the board has kept, and take them elsewhere."""
    context.obj = Path(store) if store else find_games(load(find(given)).store)


@games.command("list")
@click.pass_obj
def list_games(path: Path) -> None:
    """List all games, a line each."""
    with _reading(path) as file:
        rows = file.rows()
        if not rows:
            click.echo("There are no games yet.")
        for row in rows:
            one = file.game(row)
            click.echo(
                f"{row:5}  {_moment(one.sheet.began_ms)}  {len(one.sheet.steps):3} steps  "
                f"{one.sheet.rules}: {_ended(one.sheet.outcome)}"
            )


@games.command()
@click.argument("game", type=int)
@click.pass_obj
def show(path: Path, game: int) -> None:
    """Show one game: its record, how the board stands, and what was taken back."""
    with _reading(path) as file:
        kept = file.game(game)
    played = game_of(kept.sheet)
    click.echo(records_of([kept]))
    click.echo(drawn(played.rules.layout, played.position))
    click.echo(f"\n{_ended(kept.sheet.outcome)}; began {_moment(kept.sheet.began_ms)}")
    for ply, step in kept.taken_back:
        click.echo(f"taken back: {step.text} by {step.by}, step {ply + 1}, played {_moment(step.at_ms)}")


@games.command()
@click.argument("numbers", metavar="[GAME]...", type=int, nargs=-1)
@click.option(
    "--format", "kind", type=click.Choice(["pgn", "json"]), default="pgn", show_default=True,
    help="Records like PGN, or JSON with the time of each step.",
)  # fmt: skip
@click.option("--output", type=click.File("w", encoding="utf-8", lazy=True), default="-", metavar="FILE",
              help="Where to write; else it is printed.")  # fmt: skip
@click.pass_obj
def export(path: Path, numbers: Sequence[int], kind: str, output: IO[str]) -> None:
    """Write games, all or those that are named, in a form that others can read."""
    with _reading(path) as file:
        chosen = [file.game(row) for row in numbers or file.rows()]
    output.write({"pgn": records_of, "json": json_of}[kind](chosen))
    output.write("\n" if kind == "json" else "")


@games.command("import")
@click.argument("source", type=click.File("r", encoding="utf-8"), metavar="FILE")
@click.pass_obj
def import_games(path: Path, source: IO[str]) -> None:
    """Add the games of a FILE (- for the standard input) of records or JSON; all of them, or none."""
    try:
        found = games_of(source.read())
    except UnicodeDecodeError as error:
        raise NotationError(f"{source.name} is not UTF-8 text") from error
    must_be_ours(path)
    file = GamesFile(path)
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
    "--hands", "by_hands", is_flag=True, help="What hands must do, for `millwright sim --headless`."
)
@click.option("--step", "ply", type=click.IntRange(min=0), metavar="N", help="Only the board after N steps.")
@click.pass_obj
def replay(path: Path, game: int, by_hands: bool, ply: int | None) -> None:
    """Play a game again, by its rules: draw the board after each step."""
    with _reading(path) as file:
        played = game_of(file.game(game).sheet)
    if by_hands:
        for deed in hands(played):
            click.echo(json.dumps(deed))
        return
    if ply is not None and ply > played.ply:
        raise RequestError(f"game {game} has {played.ply} steps")
    for number in range(played.ply + 1) if ply is None else [ply]:
        done = f"{number}. {played.steps[number - 1]} " if number else "the start "
        by = f"by {played.positions[number - 1].to_move}" if number else ""
        click.echo(f"{done}{by}\n\n{drawn(played.rules.layout, played.positions[number])}\n")
    if ply is None:
        click.echo(_ended(played.outcome))


@contextmanager
def _reading(path: Path) -> Iterator[GamesFile]:
    file = open_to_read(path)
    try:
        yield file
    finally:
        file.close()


def _ended(outcome: Outcome | None) -> str:
    if outcome is None:
        return "not over"
    who = f"{outcome.winner} won" if outcome.winner else "nobody won"
    return f"{who} ({outcome.reason})"


def _moment(at_ms: UnixMs) -> str:
    """A time as the clock on the wall has it."""
    return f"{datetime.fromtimestamp(at_ms / 1000):%Y-%m-%d %H:%M}" if at_ms else "????-??-?? ??:??"
