"""The options of commands that follow a broker."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from firmware_host.errors import FarError, LinkError, faulty_line
from firmware_host.far.address import BrokerAddress
from firmware_host.far.invitation import Invitation
from firmware_host.link.identity import Login

_Command = TypeVar("_Command", bound=Callable[..., Any])

_OPTIONS = (
    click.option("--broker", required=True, metavar="HOST[:PORT]", help="The broker of the boards."),
    click.option("--user", default="", metavar="NAME", help="The name to log in with, if the broker asks."),
    click.option(
        "--password-file",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="The file with the password; nobody else should be able to read it.",
    ),
    click.option("--ca", default="", metavar="FILE", help="The authority of the broker's certificate."),
)


def broker_options(command: _Command) -> _Command:
    """Give a command the options of a broker."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def broker_of(
    broker: str, user: str, password_file: Path | None, ca: str, own: str
) -> tuple[BrokerAddress, Login]:
    """Return the address and the login of these options; `own` is the name of a client without a user.

    Several programs may have one user. A broker has one connection of a name, so each start draws its own.
    """
    password = "" if password_file is None else text_of(password_file).strip()
    return BrokerAddress.parse(broker, ca), Login(user or own, password, f"{own}-{secrets.token_hex(8)}")


def keys_of(invitations: Path | None) -> dict[str, bytes]:
    """Return the keys of the rooms in a file with an invitation in each line. Raise LinkError."""
    if invitations is None:
        return {}
    keys: dict[str, bytes] = {}
    for number, line in enumerate(text_of(invitations).splitlines(), start=1):
        if line.strip():
            try:
                invitation = Invitation.parse(line)
            except FarError as error:
                raise LinkError(f"{invitations}: line {number}: {error}") from error
            if keys.setdefault(invitation.room, invitation.key) != invitation.key:
                raise LinkError(
                    f"{invitations}: line {number}: an earlier line has another key of room "
                    f"{invitation.room}; remove the one that isn't of its host"
                )
    return keys


def text_of(path: Path) -> str:
    """Return the text of a file. Raise LinkError if it can't be read."""
    try:
        return path.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        raise LinkError(f"{path}: line {faulty_line(error)} is not UTF-8 text; save it as UTF-8") from error
    except OSError as error:
        raise LinkError(f"{path} can't be read: {error}") from error
