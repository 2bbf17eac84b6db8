"""The command `millwright perft`: counts the ways to play, which proves the rules."""

from __future__ import annotations

import click

from firmware_host.games import perft as counting
from firmware_host.games.game import Player
from firmware_host.games.rulesets import DEFAULT, rule_set


@click.command()
@click.option("--rules", default=DEFAULT, show_default=True, metavar="NAME", help="Rule set.")
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="SWITCH=VALUE",
    help="Override a rule option, e.g. flying=never (repeatable).",
)
@click.option("--depth", required=True, type=click.IntRange(min=0), metavar="N", help="Number of steps.")
@click.option("--turns", is_flag=True, help="Count turns instead of steps: a removal belongs to its turn.")
@click.option(
    "--divide", is_flag=True, help="First print the number of leaves below each first step or turn."
)
@click.option(
    "--position",
    metavar="TEXT",
    help="Start from this position, as the board writes it. [default: the start]",
)
def perft(
    rules: str, settings: tuple[str, ...], depth: int, turns: bool, divide: bool, position: str | None
) -> None:
    """Count the leaves of the tree of all ways to play N steps."""
    chosen = rule_set(rules, settings)
    start = chosen.start(chosen.first or Player.WHITE) if position is None else chosen.position(position)
    total = 0
    if divide and depth:
        for text, leaves in counting.divide(start, depth, turns):
            click.echo(f"{text} {leaves}")
            total += leaves
    else:
        total = counting.count(start, depth, turns)
    click.echo(f"total {total}")
