"""The command `millwright games`: the games that a board has saved.

A running board is asked for them, as its page does, so that both show the same, including games that are not
on disk yet. Their file is read if no board that keeps it is running, or if `--store` names it.

Imported games are added to the file itself, whether the board is running or not: permission to import is
permission to write the file, which no request to the page could prove. SQLite's locks and its log admit
another writer in short transactions of its own, for which only the store's thread waits; the board sees the
new games at its next read. The same holds for games that are deleted.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime
from pathlib import Path
from typing import IO, Any, TypeVar

import click

from firmware_host.commands import CommandGroup
from firmware_host.commands.at_hand import tables_at_hand
from firmware_host.config.loader import load
from firmware_host.config.paths import CONFIG_HELP, find_config, find_games
from firmware_host.engine.remarks import outcome_remark, remarks
from firmware_host.engine.review import Review, ReviewedTurn, decision, known_from, turning_points
from firmware_host.engine.reviewing import reviewed
from firmware_host.errors import DamagedStoreError, MillwrightError, RequestError, StoreError
from firmware_host.frozen import frozen
from firmware_host.games.file_text import decode_file
from firmware_host.games.game import Game, Outcome
from firmware_host.games.morris.notation import NUMBERINGS
from firmware_host.games.records import Note
from firmware_host.games.textboard import piece_marks, render
from firmware_host.games.values import Result, Value
from firmware_host.i18n import Message, to_english
from firmware_host.maintenance.board_archive import GameSource, all_summaries, open_source
from firmware_host.ports import date_of
from firmware_host.settings import Web
from firmware_host.store.database import GamesFile, StoredGame
from firmware_host.store.exchange import (
    analysis_text,
    json_of,
    parse_games,
    records_of,
    stored_review,
)
from firmware_host.store.ownership import acting_as_owner
from firmware_host.store.saved_game import UnixMs, game_of
from firmware_host.store.schema import check_is_ours
from sim.hand_actions import hand_actions

_T = TypeVar("_T")

_NOT_ON_DISK = "not all on the board's disk yet"
_AFTER_DAMAGE = (
    "Nothing was changed. A board or an archive that opens the file keeps it under another name and begins a "
    "new one; import your last export there, or give --store a copy that you have"
)
_MOST_LISTED = 10
_UNKNOWN = "????-??-?? ??:??"
_RESULTS = {Result.WIN: "wins", Result.DRAW: "draws", Result.LOSS: "loses", Result.UNKNOWN: "unknown"}
_GIVEN_AWAY = {Result.WIN: "a win", Result.DRAW: "a draw"}


@frozen
class _Selection:
    """The games in question: their file, and the page of a board that may keep it."""

    path: Path
    page: Web | None

    def source(self) -> AbstractContextManager[GameSource]:
        """Open the place to look them up."""
        return open_source(self.path, self.page)


class _GamesGroup(CommandGroup):
    """Says what to do about a damaged file, whichever command finds the damage."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command that is asked for."""
        try:
            return super().invoke(ctx)
        except DamagedStoreError as error:
            raise MillwrightError(f"{error}. {_AFTER_DAMAGE}") from error


@click.group(cls=_GamesGroup)
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
    """Write games, all or those you name, in a format for other programs.

    A game that cannot be read is named, and the others are written.
    """
    chosen: list[StoredGame] = []
    text_of = {"pgn": records_of, "json": json_of}[kind]
    with meant.source() as source:
        unreadable: dict[int, MillwrightError] = {}
        for row in numbers or [one.row for one in all_summaries(source)]:
            try:
                one = source.game(row)
                game_of(one.saved)
                text_of([one])
            except MillwrightError as error:
                unreadable[row] = error
            else:
                chosen.append(one)
    output.write(text_of(chosen))
    output.write("\n" if kind == "json" else "")
    _warn_not_on_disk(chosen)
    for row, why in unreadable.items():
        click.echo(f"{row}: left out: {why}", err=True)
    if unreadable:
        raise SystemExit(1)


@games.command("import")
@click.argument("source", type=click.File("rb"), metavar="FILE")
@click.option("--skip", is_flag=True, help="Add the games that can be read, and list the others.")
@click.option(
    "--points", "numbering", type=click.Choice(list(NUMBERINGS)),
    help="Order of the points in lists with numbers for points: rows, as PlayOK has them, or rings, from the "
    "outside. [default: the one that the rules allow; rows, if both do]",
)  # fmt: skip
@click.pass_obj
def import_games(meant: _Selection, source: IO[bytes], skip: bool, numbering: str | None) -> None:
    """Add the games of FILE, records of this or another program or JSON (- for standard input).

    Nothing is added unless all can be read, or --skip is given. Games that are there already are not added
    again, so that an import that was interrupted can be repeated.
    """
    found = decode_file(source.read())
    parsed = parse_games(found.text, numbering)
    read = _with_progress("Reading", parsed.games, parsed.expected)
    good = [one for one in read if isinstance(one, StoredGame)]
    bad = [one for one in read if not isinstance(one, StoredGame)]
    if bad and not skip:
        others = f"; {len(bad) - 1} more cannot be read" if len(bad) > 1 else ""
        rest = f". Nothing was added; --skip adds the {len(good)} that can be read" if good else ""
        name = getattr(source, "name", "<stdin>")
        raise type(bad[0])(f"{name}: {bad[0]}{others}{rest}")
    with _opened(meant.path) as file:
        rows = _with_progress("Adding", file.add(good), len(good))
    added = [row for row in rows if row is not None]
    known = len(rows) - len(added)
    numbers = f": {_numbers_text(added)}" if added else ""
    click.echo(f"{len(added)} added{numbers}" + (f"; {known} were there already" if known else ""))
    _print_notes(found.latin_lines, parsed.notes)
    for error in bad:
        click.echo(f"left out: {error}", err=True)
    if bad:
        raise SystemExit(1)


def _print_notes(latin_lines: Sequence[int], notes: Sequence[Note]) -> None:
    """Print the choices that were made in reading, each once with its first place, on standard error."""
    places: dict[str, list[str]] = {}
    if latin_lines:
        places["not UTF-8, and read as Latin-1"] = [f"line {line}" for line in latin_lines]
    for note in notes:
        places.setdefault(note.text, []).append(str(note.place))
    for text, where in places.items():
        more = f" (and at {len(where) - 1} more)" if len(where) > 1 else ""
        click.echo(f"{where[0]}{more}: {text}", err=True)


@games.command()
@click.argument("numbers", metavar="GAME...", type=int, nargs=-1, required=True)
@click.option("--yes", is_flag=True, help="Delete without asking.")
@click.pass_obj
def delete(meant: _Selection, numbers: Sequence[int], yes: bool) -> None:
    """Delete games for good, with all their steps.

    The game that the board would go on with cannot be deleted: end it on the board first.
    """
    with _opened(meant.path) as file:
        last = file.last()
        for row in numbers:
            if last is not None and row == last.row and last.saved.outcome is None:
                raise RequestError(f"game {row} is not over: end it on the board before you delete it")
            file.game(row)
        if not yes:
            click.confirm(f"Delete {len(numbers)} of the saved games for good?", abort=True)
        for row in numbers:
            file.delete(row)
    click.echo(f"deleted: {_numbers_text(numbers)}")


def _with_progress(label: str, items: Iterator[_T], expected: int) -> list[_T]:
    """Return all `items`, of which about `expected` come; a terminal shows how far it is."""
    if not sys.stderr.isatty():
        return list(items)
    with click.progressbar(items, expected, label, file=sys.stderr) as bar:
        return list(bar)


@contextmanager
def _opened(path: Path) -> Iterator[GamesFile]:
    """Open the games file to change it."""
    with acting_as_owner(path):
        check_is_ours(path)
        file = GamesFile(path)
        try:
            yield file
        finally:
            file.close()


def _numbers_text(numbers: Sequence[int]) -> str:
    """Return numbers as a list, or as a range if they are many and follow each other."""
    if len(numbers) > _MOST_LISTED and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"{numbers[0]} to {numbers[-1]}"
    return ", ".join(map(str, numbers))


@games.command()
@click.argument("game", type=int)
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, min_open=True),
    metavar="S",
    help="End the search after this time; turns without a proof by then are unknown, and nothing is kept.",
)
@click.option("--again", is_flag=True, help="Analyse a game that is analysed already.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line for each turn.")
@click.pass_obj
def analyse(meant: _Selection, game: int, seconds: float | None, again: bool, as_json: bool) -> None:
    """Say for each turn of a game whether it won, drew or lost, and what would have been better.

    Below a turn stands what can be seen on the board, such as a mill that was missed. Values and "the only
    turn" are proved; "probably" and "looks" mark the search's guess.

    The analysis is kept with the game and exported with it, until a turn is played or taken back.
    """
    with meant.source() as source:
        kept = source.game(game)
    played = game_of(kept.saved)
    found = None if again or seconds is not None else stored_review(kept, played)
    if found is None:
        found, is_complete = _analysed(played, seconds)
        if is_complete:
            _keep_analysis(meant.path, kept, found)
    _print_review(played, found, as_json)


def _keep_analysis(path: Path, kept: StoredGame, found: Review) -> None:
    """Keep an analysis with its game; one that can't be kept is only printed, and standard error says so."""
    why = "it has changed in the meantime, or isn't all on disk yet"
    try:
        with _opened(path) as file:
            if file.keep_analysis(kept, analysis_text(found)):
                return
    except (StoreError, RequestError) as error:
        why = str(error)
    click.echo(f"The analysis is not kept with the game: {why}", err=True)


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
        date = date_of(at_ms)
        return f"{datetime.fromtimestamp(date / 1000):%Y-%m-%d %H:%M}" if date else _UNKNOWN
    except (OverflowError, OSError, ValueError):  # what was imported may be before or after all calendars
        return _UNKNOWN


# ---- the analysis ----------------------------------------------------------------------------------------


def _analysed(game: Game, seconds: float | None) -> tuple[Review, bool]:
    """Return the review of a game, and whether it is complete; `seconds` cut it short."""
    end = None if seconds is None else time.monotonic() + seconds
    stopped = False

    def stop() -> bool:
        nonlocal stopped
        stopped = stopped or (end is not None and time.monotonic() >= end)
        return stopped

    turns = reviewed(game, tables=tables_at_hand(), stop=stop)
    found = tuple(reversed(_with_progress("Analysing", turns, len(game.turn_starts) - 1)))
    return found, not stopped


def _print_review(game: Game, found: Review, as_json: bool) -> None:
    """Print the value of each turn of a game with remarks on it, and the turns that gave something away."""
    words = remarks(game, found)
    if as_json:
        decided = decision(game, found)
        for index, (one, texts) in enumerate(zip(found, words, strict=True)):
            lost = decided is not None and decided.index == index
            click.echo(json.dumps(_record(one, texts) | {"lost": lost}))
        return
    for number, (one, texts) in enumerate(zip(found, words, strict=True), 1):
        values = f"{_RESULTS[one.before.result]:7}  {_RESULTS[one.after.result]:7}"
        click.echo(f"{number:4}  {one.player!s:5}  {one.turn:12}  {values}  {_comment(one)}".rstrip())
        if texts:
            click.echo(f"      {' '.join(map(to_english, texts))}")
    known = known_from(found)
    if known is not None:
        click.echo(f"Known exactly from turn {known + 1} on.")
    mistakes = len(turning_points(found))
    ending = outcome_remark(game, found, lambda index: f"turn {index + 1}, {found[index].turn}")
    if mistakes or ending is None:
        click.echo(f"{mistakes} of {len(found)} turns gave a win or a draw away, as far as it can be proved.")
    if ending is not None:
        click.echo(to_english(ending))


def _comment(one: ReviewedTurn) -> str:
    if one.better is None:
        return ""
    return f"gave {_GIVEN_AWAY[one.better.value.result]} away: {one.better.turn}"


def _record(one: ReviewedTurn, messages: Sequence[Message]) -> dict[str, object]:
    likely = one.likely
    return {
        "ply": one.ply,
        "player": str(one.player),
        "turn": one.turn,
        "before": _value(one.before),
        "value": str(one.after.result),
        "distance": one.after.distance,
        "exact": one.after.exact,
        "better": None if one.better is None else one.better.turn,
        "likely": None if likely is None else {"turn": likely.turn, "estimate": likely.estimate},
        "estimate": one.estimate,
        "only": one.is_only,
        "remarks": [{**remark.as_dict(), "text": to_english(remark)} for remark in messages],
    }


def _value(value: Value) -> dict[str, object]:
    return {"value": str(value.result), "distance": value.distance}
