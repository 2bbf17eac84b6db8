"""The commands `millwright config`: check a configuration, show or start it; print programs and units."""

from __future__ import annotations

import subprocess
from importlib.resources import files
from pathlib import Path

import click

from firmware_host.commands import CommandGroup
from firmware_host.config.found import configured
from firmware_host.config.paths import CONFIG_HELP, find_config, user_path
from firmware_host.config.writer import settings_listing, template
from firmware_host.errors import ConfigError

_FILE = click.option("--config", "given", metavar="FILE", help=CONFIG_HELP)


@click.group(cls=CommandGroup)
def config() -> None:
    """Check, show or create the configuration file, a Pico's program, or the service's devices."""


@config.command()
@_FILE
def check(given: str | None) -> None:
    """Report every error in the configuration."""
    from hardware.boot.unit import missing_devices

    path = find_config(given)
    loaded = configured(given)
    if path is None:
        click.echo("No configuration file found; using the defaults.")
    else:
        click.echo(f"{path}: nothing is wrong")
    if missing := missing_devices(loaded.sensors, loaded.strip, controls=loaded.controls, sound=loaded.sound):
        click.echo(
            f"The service may not use {', '.join(missing)}, which this wiring needs: run "
            "`sudo millwright config unit --write`, and `sudo systemctl restart millwright`."
        )


@config.command()
@_FILE
def show(given: str | None) -> None:
    """Print every value in effect, and where it was set."""
    click.echo(settings_listing(configured(given)), nl=False)


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


@config.command()
@_FILE
@click.option("--write", is_flag=True, help="Have the service use these devices only (root only).")
def unit(given: str | None, write: bool) -> None:
    """Print the devices that the board's service needs, as a drop-in of its unit.

    Without the drop-in it may use the devices of every kind of wiring. After a change of the wiring, write it
    again.
    """
    from hardware.boot.unit import DROP_IN, drop_in, needed_devices

    loaded = configured(given)
    text = drop_in(needed_devices(loaded.sensors, loaded.strip, loaded.controls, loaded.sound))
    if not write:
        click.echo(text, nl=False)
    elif not any(
        key.startswith(("sensors.", "strip.", "controls.", "sound.buzzer")) for key in loaded.origins
    ):
        DROP_IN.unlink(missing_ok=True)
        click.echo("The configuration says nothing about the wiring, so the service may use all its devices.")
    else:
        _write(DROP_IN, text)
        click.echo(f"{DROP_IN}: written; it counts from the service's next start")


def _write(path: Path, text: str) -> None:
    """Write a drop-in in one step, and have the service manager read it, if there is one."""
    new = path.with_name(f".{path.name}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        new.write_text(text, encoding="utf-8")
        new.chmod(0o644)
        new.replace(path)
    except PermissionError as error:
        raise ConfigError(f"{path}: cannot be written: {error.strerror}; only root can do that") from error
    except OSError as error:
        raise ConfigError(f"{path}: cannot be written: {error.strerror}") from error
    if Path("/run/systemd/system").is_dir():
        subprocess.run(["systemctl", "daemon-reload"], check=False)  # noqa: S607
