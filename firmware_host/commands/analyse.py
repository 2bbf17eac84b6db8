"""The command `millwright analyse`: the value of each turn of a position."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence

import click

from firmware_host.commands import Seconds
from firmware_host.commands.at_hand import tables_at_hand
from firmware_host.engine.analysis import TurnValue, turn_values
from firmware_host.errors import RequestError
from firmware_host.games.game import Player
from firmware_host.games.rulesets import DEFAULT, rule_set
from firmware_host.games.values import Result

_RESULTS = {Result.WIN: "wins", Result.DRAW: "draws", Result.LOSS: "loses", Result.UNKNOWN: "unknown"}


@click.command()
@click.option("--rules", default=DEFAULT, show_default=True, metavar="NAME", help="Rule set.")
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="SWITCH=VALUE",
    help="Override a rule option, e.g. flying=never (repeatable).",
)
@click.option(
    "--position", metavar="TEXT", help="Analyse this position, as the board writes it. [default: the start]"
)
@click.option(
    "--depth",
    type=click.IntRange(1, 40),
    metavar="N",
    help="Search N turns ahead for proofs. [default: 6, for Mitsudomoe 2]",
)
@click.option(
    "--seconds",
    type=Seconds(),
    default=10,
    show_default=True,
    metavar="S",
    help="End the search after this time; turns without a proof by then are unknown.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line for each turn.")
def analyse(
    rules: str,
    settings: tuple[str, ...],
    position: str | None,
    depth: int | None,
    seconds: float,
    as_json: bool,
) -> None:
    """Say for each legal turn of a position whether it wins, draws or loses, the best first.

    A value is exact: the turn ends the game, or tables or a search to the end prove it. Everything else is
    unknown. The distance is the greatest number of turns, both players' and the turn itself counted, until
    the winner can force the next capture or the end.
    """
    chosen = rule_set(rules, settings)
    start = chosen.start(chosen.first or Player.WHITE) if position is None else chosen.position(position)
    if start.outcome is not None:
        raise RequestError(
            f"The game is over in this position ({start.outcome.reason}), so there are no turns."
        )
    end = time.monotonic() + seconds
    found = turn_values(start, tables=tables_at_hand(), depth=depth, stop=lambda: time.monotonic() >= end)
    if as_json:
        for one in found:
            click.echo(json.dumps(_record(one)))
    else:
        _print_table(found)


def _record(one: TurnValue) -> dict[str, object]:
    value = one.value
    return {
        "turn": one.turn,
        "value": str(value.result),
        "distance": value.distance,
        "exact": value.exact,
    }


def _print_table(found: Sequence[TurnValue]) -> None:
    width = max(len("turn"), *(len(one.turn) for one in found))
    click.echo(f"{'turn':{width}}  value    turns to the next capture or the end")
    for one in found:
        distance = "" if one.value.distance is None else f"at most {one.value.distance}"
        click.echo(f"{one.turn:{width}}  {_RESULTS[one.value.result]:7}  {distance}".rstrip())
