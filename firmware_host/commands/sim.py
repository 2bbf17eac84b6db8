"""The command `millwright sim`: the program on simulated electronics, with a page or JSON lines."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from firmware_host.commands import fast_imports
from firmware_host.commands.run import page_options
from firmware_host.config.paths import SIMULATED_NAME, simulated_games_path
from firmware_host.games.rulesets import DEFAULT, RULE_SETS
from firmware_host.settings import EXTERNAL, SEAT_NAMES

if TYPE_CHECKING:  # what is slow to import waits until the command runs
    from sim.assembly import Blueprint

_F = TypeVar("_F", bound=Callable[..., Any])


def _board_options(command: _F) -> _F:
    """Add the options of every simulated board to `command`."""
    for option in reversed(_BOARD_OPTIONS):
        command = option(command)
    return command


def _seat_option(side: str) -> Callable[[_F], _F]:
    return click.option(
        f"--{side}",
        type=click.Choice(SEAT_NAMES),
        metavar="SEAT",
        help=f"Who plays {side.capitalize()}: here (people), the board at a level, {SEAT_NAMES[1]} to "
        f"{SEAT_NAMES[-2]}, or {EXTERNAL}, the program in the configuration. "
        "[default: the configured one, or here]",
    )


_BOARD_OPTIONS = (
    click.option(
        "--rules",
        "--game",
        metavar="NAME",
        help=f"Rule set: {', '.join(RULE_SETS)}. [default: the configured one, or {DEFAULT}]",
    ),
    click.option(
        "--set",
        "switches",
        metavar="SWITCH=VALUE",
        multiple=True,
        help="Override a rule option, e.g. flying=never (repeatable).",
    ),
    click.option(
        "--sensors",
        type=click.Choice(["presence", "polarity", "pieces"]),
        help="What the sensors can detect. [default: as configured, or what the game needs; on the page at "
        "least polarity, which tells White from Black]",
    ),
    _seat_option("white"),
    _seat_option("black"),
    click.option(
        "--engine/--no-engine",
        default=True,
        help="Whether the board chooses its own turns; without, they come by request.",
    ),
    click.option(
        "--buzzer/--no-buzzer",
        default=None,
        help="Whether the board has a buzzer. [default: as configured, otherwise on the page only]",
    ),
    click.option(
        "--seed", default=0, show_default=True, help="Random seed for the starting player and sensor noise."
    ),
    click.option(
        "--config",
        metavar="FILE",
        help="Simulate the board of this configuration file. [default: none is read]",
    ),
    click.option(
        "--store",
        metavar="FILE",
        help="Save the games in this file, and continue the last one; its folder is created if it doesn't "
        f"exist. [default: on the page ~/.local/state/millwright/{SIMULATED_NAME}, or the next that no other "
        "simulated board plays in; elsewhere none]",
    ),
    click.option("--no-store", is_flag=True, help="Save no games."),
)


@click.command()
@click.option(
    "--headless", is_flag=True, help="Read and write JSON lines in virtual time instead of serving a page."
)
@click.option(
    "--pair", is_flag=True, help="With --headless, play one game on two boards over a simulated wire."
)
@click.option("--setup", "set_up", is_flag=True, help="Try `millwright setup` on a randomly wired board.")
@page_options
@click.option("--no-browser", is_flag=True, help="Print the page's address without opening a browser.")
@_board_options
def sim(
    headless: bool,
    pair: bool,
    set_up: bool,
    host: str | None,
    port: int | None,
    listen: bool,
    no_browser: bool,
    no_store: bool,
    **board: Any,
) -> None:
    """Play on the simulated board."""
    _check_kind(headless=headless, pair=pair, set_up=set_up)
    if no_store and board["store"]:
        raise click.UsageError("choose one of --store and --no-store")
    with fast_imports():
        from sim.assembly import Blueprint

    has_page = not headless and not set_up
    named = board["store"]
    board["store"] = named or (_own_store() if has_page and not no_store else None)
    blueprint = Blueprint.of(**board, with_page=has_page)
    _keep_named(blueprint.store if named else None)
    if headless:
        sys.exit(_in_lines(blueprint, pair=pair))
    with fast_imports():
        from firmware_host.runtime.page import PageAddress
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
        live.run(blueprint, page=PageAddress(host, port, listen), browse=browse, say=click.echo)


def _check_kind(*, headless: bool, pair: bool, set_up: bool) -> None:
    if headless and set_up:
        raise click.UsageError("choose one of --headless and --setup")
    if pair and not headless:
        raise click.UsageError("--pair needs --headless")


def _make_folder(path: Path) -> None:
    """Create the folder of the file `path`. Raise BadParameter if no games can be saved in this file."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        why = f"cannot create the folder {path.parent}: {error.strerror}. Name a file in a folder of yours."
        raise click.BadParameter(why, param_hint="--store") from error
    if path.is_dir():
        why = f"{path} is a folder. Name a file in it, such as {path / SIMULATED_NAME}."
        raise click.BadParameter(why, param_hint="--store")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        from firmware_host.store.connection import is_on_read_only_disk

        why = f"you may not write to {path}. Name a file in a folder of yours."
        if is_on_read_only_disk(path):
            why = f"the disk of {path} is mounted read-only. Name a file on another one."
        raise click.BadParameter(why, param_hint="--store")


def _check_store(path: Path) -> None:
    from firmware_host.store.schema import check_is_ours

    _make_folder(path)
    check_is_ours(path)


def _keep_named(path: Path | None) -> None:
    """Keep the games file that was named, if there is one, for this program."""
    if path is not None:
        _check_store(path)
        _keep(path)


def _keep(path: Path) -> None:
    """Keep a games file for this program until it ends. Raise StoreInUseError if another one plays in it."""
    from firmware_host.store.lock import locked

    click.get_current_context().with_resource(locked(path))


def _own_store() -> Path | None:
    """Return the file of this simulated board: the first in which no other one plays; None if there is none.

    A second board has a game of its own, which goes on when it is the second again.
    """
    from firmware_host.errors import StoreError, StoreInUseError

    path = first = simulated_games_path()
    others = 0
    while True:
        try:
            _keep(path)
        except StoreInUseError:
            others += 1
            path = first.with_name(f"{first.stem}-{others + 1}{first.suffix}")
        except StoreError as error:
            click.echo(f"Games are not saved: {error}")
            return None
        else:
            break
    if others:
        click.echo(f"Another simulated board plays in {first}; this one has a file of its own, {path}")
    return path


def _in_lines(blueprint: Blueprint, *, pair: bool) -> int:
    """Play by JSON lines, and return the exit status."""
    with fast_imports():
        if pair:
            from sim.pair.boards import run_pair as run
        else:
            from sim.headless import run_headless as run

    if isinstance(sys.stdin, TextIOWrapper):  # none where it is closed
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    return run(sys.stdin or (), sys.stdout, blueprint)
