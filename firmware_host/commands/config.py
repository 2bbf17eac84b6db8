"""The commands `millwright config`: check a configuration, show its values, start a file; print a program."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import click

from firmware_host.config.loader import load
from firmware_host.config.paths import CONFIG_HELP, find_config, user_path
from firmware_host.config.writer import settings_listing, template
from firmware_host.errors import ConfigError

_FILE = click.option("--config", "given", metavar="FILE", help=CONFIG_HELP)


@click.group()
def config() -> None:
    """Check, show or create the configuration file, or a Pico's program."""


@config.command()
@_FILE
def check(given: str | None) -> None:
    """Report every error in the configuration."""
    path = find_config(given)
    load(path)
    if path is None:
        click.echo("No configuration file found; using the defaults.")
    else:
        click.echo(f"{path}: nothing is wrong")


@config.command()
@_FILE
def show(given: str | None) -> None:
    """Print every value in effect, and where it was set."""
    click.echo(settings_listing(load(find_config(given))), nl=False)


@config.command()
@_FILE
def init(given: str | None) -> None:
    """Write a file with every option as a comment; an existing file is left alone."""
    path = user_path() if given is None else Path(given)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(template())
    except FileExistsError as error:
        raise ConfigError(f"{path}: is there already, and was left as it is") from error
    except OSError as error:
        raise ConfigError(f"{path}: cannot be written: {error.strerror}") from error
    click.echo(f"{path}: written; every default is in it as a comment")


@config.command()
def pico() -> None:
    """Print the program for a board with a Raspberry Pi Pico, to be copied to it as main.py."""
    click.echo((files("hardware") / "pico" / "main.py").read_text("utf-8"), nl=False)
