"""The command `millwright sim`: the program over simulated electronics, with a page or lines of JSON."""

from __future__ import annotations

import sys
from collections.abc import Callable
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from sim.assembly import Blueprint

_F = TypeVar("_F", bound=Callable[..., Any])


def _board_options(command: _F) -> _F:
    """What every simulated board can be told."""
    for option in reversed(_BOARD_OPTIONS):
        command = option(command)
    return command


_BOARD_OPTIONS = (
    click.option(
        "--rules", "--game", metavar="NAME", help="The rule set; without it the config's, else standard."
    ),
    click.option("--set", "switches", metavar="SWITCH=VALUE", multiple=True, help="Set a switch over it."),
    click.option(
        "--sensors",
        type=click.Choice(["presence", "polarity", "pieces"]),
        help="What the sensors can tell; without it the config's, else what the game needs.",
    ),
    click.option("--seed", default=0, show_default=True, help="What lots and electronics draw from."),
    click.option(
        "--config",
        metavar="FILE",
        help="A millwright.toml, whose board is simulated; without it, nothing is read.",
    ),
    click.option("--store", metavar="FILE", help="Keep the games there; the last one goes on."),
)


@click.command()
@click.option("--headless", is_flag=True, help="No page: JSON lines in, JSON lines out, in virtual time.")
@click.option("--setup", "set_up", is_flag=True, help="Try `millwright setup` on a board wired at random.")
@click.option("--host", help="The address that serves the page; else the config's, else 127.0.0.1.")
@click.option("--port", type=int, help="Its port, 0 for any that is free; else the config's, else 8765.")
@click.option(
    "--listen", is_flag=True, help="Let others in the house look; they play by a code, which is printed."
)
@click.option("--no-browser", is_flag=True, help="Only print the page's address.")
@_board_options
def sim(
    headless: bool,
    set_up: bool,
    host: str | None,
    port: int | None,
    listen: bool,
    no_browser: bool,
    **board: Any,
) -> None:
    """Play on the simulated board."""
    if headless and set_up:
        raise click.UsageError("choose one of --headless and --setup")
    from sim.assembly import Blueprint

    blueprint = Blueprint.of(**board)
    if blueprint.store is not None:
        from firmware_host.store.schema import must_be_ours

        must_be_ours(blueprint.store)
    if headless:
        sys.exit(_in_lines(blueprint))
    from sim.live import run as live

    browse = None if no_browser else live.open_page
    if set_up:
        from sim.live import setup as live_setup

        typed = sys.stdin or ()
        page = blueprint.config.web.at(host, port, listen=listen)
        live_setup.run(
            blueprint, given=board["config"], page=page, browse=browse, say=click.echo, typed=typed
        )
    else:
        from firmware_host.runtime.page import Page

        live.run(blueprint, page=Page(host, port, listen), browse=browse, say=click.echo)


def _in_lines(blueprint: Blueprint) -> int:
    """Play by lines of JSON; the exit status."""
    from sim import headless

    if isinstance(sys.stdin, TextIOWrapper):  # none where it is closed
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    return headless.run(sys.stdin or (), sys.stdout, blueprint)
