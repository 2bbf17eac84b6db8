"""The command `millwright boot`: the lines of config.txt that the board needs, shown and written."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import click

from firmware_host.config.paths import CONFIG_HELP
from hardware.boot.config_txt import ConfigTxt
from hardware.boot.needs import BootLine


@click.command()
@click.option("--config", "given", metavar="FILE", help=CONFIG_HELP)
@click.option("--write", is_flag=True, help="Write what is missing, without asking (root only).")
@click.option("--dry-run", is_flag=True, help="Only show what is missing.")
@click.option("--root", default="/", metavar="FOLDER", hidden=True)
def boot(given: str | None, write: bool, dry_run: bool, root: str) -> None:
    """Switch on what the board's wiring needs, in the Pi's config.txt: SPI, its clock, I2C.

    Shows each line that is needed and whether it is there. On a terminal, asks whether to write those that
    are missing; a copy of the file is kept. The exit status is 1 if lines are missing in the end.

    The machine's log moves into memory, where it doesn't wear the card, unless a setting says where it is to
    be (Storage= in journald.conf).
    """
    from firmware_host.config.found import configured
    from hardware.boot.log_storage import log_line
    from hardware.boot.needs import find_config_txt, needed_lines
    from hardware.bus.pi import model

    config = configured(given)
    name = model(Path(root) / "proc")
    path = find_config_txt(Path(root))
    if not name.startswith("Raspberry Pi") or path is None:
        click.echo("This isn't a Raspberry Pi with a config.txt, so there is nothing to switch on here.")
        return
    config_txt = _read(path)
    lines = needed_lines(name, config_txt, config.sensors, config.strip)
    log = log_line(Path(root))
    click.echo(f"{name}, {path}")
    for line in (*lines, *([log] if log else [])):
        click.echo(f"  {'there  ' if line.is_there else 'missing'}  {line.text:<20} {line.purpose}")
    missing = [line for line in lines if not line.is_there]
    moves_log = log is not None and not log.is_there
    if not missing and not moves_log:
        click.echo("Nothing is missing." if lines else "The board's wiring needs nothing of it.")
    elif dry_run or not (write or _agreed(path)):
        click.echo(f"{_command(dry_run=dry_run)} writes what is missing.")
        sys.exit(1)
    else:
        if missing:
            click.echo(f"Written; the previous file is {_write(path, config_txt.text, missing)}.")
        if moves_log:
            click.echo(f"Written: {_move_log(Path(root))}.")
        click.echo("Restart the Pi for it to count: sudo reboot")


def _agreed(path: Path) -> bool:
    """Ask, if somebody can answer."""
    return sys.stdin.isatty() and click.confirm(f"Write what is missing, and keep a copy of {path}?")


def _command(*, dry_run: bool) -> str:
    return "`sudo millwright boot`" if dry_run else "`sudo millwright boot --write`"


def _read(path: Path) -> ConfigTxt:
    from firmware_host.errors import ConfigError
    from hardware.boot.needs import read_config_txt

    try:
        return read_config_txt(path)
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from error


def _write(path: Path, text: str, missing: Sequence[BootLine]) -> Path:
    """Write the lines, and return where the previous file is kept."""
    from firmware_host.errors import ConfigError
    from hardware.boot.config_txt import with_lines

    kept = _free_name(path)
    new = path.with_name(f"{path.name}.new")
    try:
        kept.write_bytes(text.encode("utf-8", "surrogateescape"))
        written = with_lines(text, [line.text for line in missing]).encode("utf-8", "surrogateescape")
        with new.open("wb") as file:
            file.write(written)
            file.flush()
            os.fsync(file.fileno())  # a Pi without this file may not start
        new.replace(path)
    except PermissionError as error:
        raise ConfigError(f"only root can write {path}: sudo millwright boot") from error
    except OSError as error:
        raise ConfigError(f"{path} cannot be written, and is as it was: {error.strerror}") from error
    return kept


def _move_log(root: Path) -> Path:
    """Have the log stay in memory, and return the path of the file that says so."""
    from firmware_host.errors import ConfigError
    from hardware.boot.log_storage import DROP_IN, keep_log_in_memory

    try:
        keep_log_in_memory(root)
    except PermissionError as error:
        raise ConfigError(f"only root can write {DROP_IN}: sudo millwright boot") from error
    except OSError as error:
        raise ConfigError(f"{DROP_IN} cannot be written: {error.strerror}") from error
    return DROP_IN


def _free_name(path: Path) -> Path:
    """Return a free name for the previous file: a clock that was set again may show the same time."""
    from firmware_host.runtime.clock import machine_clock

    local = machine_clock().local()
    stamp = "undated" if local is None else time.strftime("%Y%m%d-%H%M%S", local)
    kept = path.with_name(f"{path.name}.before-millwright-{stamp}")
    number = 1
    while kept.exists():
        number += 1
        kept = kept.with_name(f"{path.name}.before-millwright-{stamp}-{number}")
    return kept
