"""The command `millwright card-files`: what a memory card needs to install Millwright by itself."""

from __future__ import annotations

import re
from functools import partial
from importlib.resources import files
from pathlib import Path
from shutil import copyfileobj

import click

from firmware_host.errors import ConfigError
from firmware_host.state_files import replace_file

_NAME = "vendor-data"
"""The file of a card in which cloud-init finds what others than the owner ask for; Imager writes none."""

_NAMED = re.compile(r"millwright_[^_ ]+_(arm64|armhf|all)\.deb")
_MAGIC = b"!<arch>\n"
_FIRST_LINES = "#!/bin/sh\n# Installs Millwright"


@click.command("card-files")
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.argument("packages", nargs=-1, type=click.Path(path_type=Path, exists=True, dir_okay=False))
def card_files(folder: Path, packages: tuple[Path, ...]) -> None:
    """Write into FOLDER what has a Pi install Millwright at its first start.

    FOLDER is the partition of a memory card that every computer shows (bootfs), after Raspberry Pi Imager has
    written Raspberry Pi OS onto it, Trixie or later. PACKAGES are Millwright's Debian packages, which are
    copied beside; the Pi takes the one for its own architecture.
    """
    if not (folder / "meta-data").exists():
        raise ConfigError(
            f"{folder} isn't the first partition of a card with Raspberry Pi OS Trixie, or a later one: "
            "it has no file meta-data. Write that system onto the card with Raspberry Pi Imager 2 or later"
        )
    for package in packages:
        _check(package)
    _write(folder / _NAME)
    try:
        for package in packages:
            with package.open("rb") as source:
                replace_file(folder / package.name, partial(copyfileobj, source), mode=0o644)
    except OSError as error:
        raise ConfigError(f"{package} can't be copied into {folder}: {error.strerror}") from error
    click.echo(f"{folder / _NAME} is written.")
    if not any(_NAMED.fullmatch(path.name) for path in folder.iterdir()):
        click.echo("Copy Millwright's package beside it: that for arm64, or armhf for a 32-bit system.")
    else:
        click.echo("Put the card into the Pi and switch it on: it installs Millwright and restarts.")
    click.echo("What happened is then written into millwright.txt on the card.")


def _check(package: Path) -> None:
    """Raise ConfigError for a file that the Pi would not find or not install."""
    if not _NAMED.fullmatch(package.name):
        raise ConfigError(
            f"{package} isn't named like a package for a Pi, such as millwright_0.1.0_arm64.deb; "
            "rename a second download"
        )
    with package.open("rb") as file:
        if file.read(len(_MAGIC)) != _MAGIC:
            raise ConfigError(f"{package} isn't a Debian package, or was cut off: copy it again")


def _write(path: Path) -> None:
    """Write the script, unless somebody else's is there."""
    script = files("hardware.boot").joinpath("first_start.sh").read_bytes()
    try:
        other = path.read_text("utf-8", "replace") if path.exists() else ""
        if other and not other.startswith(_FIRST_LINES):
            raise ConfigError(f"{path} is there already, and not Millwright's: move it away first")
        replace_file(path, lambda file: file.write(script), mode=0o644)
    except OSError as error:
        raise ConfigError(f"{path} can't be written: {error.strerror}") from error
