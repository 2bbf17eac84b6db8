"""The command `millwright`: reads what was asked for, and chooses the front end.

Rules kept here: a command's modules are imported when it is asked for, so that the board starts fast; every
error that was foreseen is one clear line and the exit status 2.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from io import TextIOWrapper
from typing import Any, TypeVar

import click

from firmware_host import __version__
from firmware_host.errors import MillwrightError

_F = TypeVar("_F", bound=Callable[..., Any])

_ELSEWHERE = {
    "config": "firmware_host.cli_config:config",
    "dark": "firmware_host.cli_dark:dark",
    "doctor": "firmware_host.cli_doctor:doctor",
    "games": "firmware_host.cli_games:games",
    "leds": "firmware_host.cli_leds:leds",
    "listen": "firmware_host.cli_listen:listen",
    "perft": "firmware_host.cli_perft:perft",
    "run": "firmware_host.cli_run:run",
    "sensors": "firmware_host.cli_sensors:sensors",
    "setup": "firmware_host.cli_setup:setup",
    "status": "firmware_host.cli_status:status",
    "wiring": "firmware_host.cli_wiring:wiring",
}


class _Group(click.Group):
    """Commands of other modules are imported when they are used; foreseen errors become one line."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted([*super().list_commands(ctx), *_ELSEWHERE])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _ELSEWHERE:
            return super().get_command(ctx, cmd_name)
        module, _, name = _ELSEWHERE[cmd_name].partition(":")
        command: click.Command = getattr(import_module(module), name)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except MillwrightError as error:
            raise _ForeseenError(str(error)) from error


class _ForeseenError(click.ClickException):
    exit_code = 2


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="millwright %(version)s")
def main() -> None:
    """Play Nine Men's Morris on a wooden board that feels its pieces and answers with light."""


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


@main.command()
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
        from firmware_host.store.whose import must_be_ours

        must_be_ours(blueprint.store)
    if headless:
        from sim import headless as front

        if isinstance(sys.stdin, TextIOWrapper):  # none where it is closed
            sys.stdin.reconfigure(encoding="utf-8", errors="replace")
        sys.exit(front.run(sys.stdin or (), sys.stdout, blueprint))
    from sim import live

    browse = None if no_browser else live.open_page
    page = blueprint.config.web.at(host, port, listen=listen)
    if set_up:
        from sim import live_setup

        typed = sys.stdin or ()
        live_setup.run(
            blueprint, given=board["config"], page=page, browse=browse, say=click.echo, typed=typed
        )
    else:
        live.run(blueprint, page=page, browse=browse, say=click.echo)


@main.command()
@click.option("--quick", is_flag=True, help="A tenth of the measurements: to see that it works.")
@click.option(
    "--page", is_flag=True, help="The page instead: its size, its speed, and what pages and attacks cost."
)
def bench(quick: bool, page: bool) -> None:
    """Measure this machine, in real time on the simulated board; prints JSON."""
    if page:
        from sim import bench_page

        click.echo(bench_page.run(quick=quick))
    else:
        from sim import bench as front

        click.echo(front.run(quick=quick))
