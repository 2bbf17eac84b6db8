"""The command `millwright games analyse`: where a saved game turned."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable, Sequence

import click

from firmware_host.commands.at_hand import tables_at_hand
from firmware_host.engine.remarks import outcome_remark, remarks
from firmware_host.engine.review import Review, ReviewedTurn, decision, known_from, turning_points
from firmware_host.engine.reviewing import reviewed
from firmware_host.games.game import Game
from firmware_host.games.values import Result, Value
from firmware_host.i18n import Message, to_english

_RESULTS = {Result.WIN: "wins", Result.DRAW: "draws", Result.LOSS: "loses", Result.UNKNOWN: "unknown"}
_GIVEN_AWAY = {Result.WIN: "a win", Result.DRAW: "a draw"}


def analysed(game: Game, seconds: float | None) -> tuple[Review, bool]:
    """Return the review of a game, and whether it is complete; `seconds` cut it short."""
    end = None if seconds is None else time.monotonic() + seconds
    stopped = False

    def stop() -> bool:
        nonlocal stopped
        stopped = stopped or (end is not None and time.monotonic() >= end)
        return stopped

    turns = reviewed(game, tables=tables_at_hand(), stop=stop)
    found = tuple(reversed(_with_progress(turns, len(game.turn_starts) - 1)))
    return found, not stopped


def _with_progress(turns: Iterable[ReviewedTurn], count: int) -> list[ReviewedTurn]:
    """Return all turns; a terminal shows how far it is."""
    if not sys.stderr.isatty():
        return list(turns)
    with click.progressbar(turns, count, "Analysing", file=sys.stderr) as bar:
        return list(bar)


def print_review(game: Game, found: Review, as_json: bool) -> None:
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
