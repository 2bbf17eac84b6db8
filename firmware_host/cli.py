"""The command `millwright`: parses the arguments and starts the front end.

Invariants: the modules of a command are imported when it is used, so that the board starts fast. Every error
that was foreseen is one clear line and exit status 2. A character that a terminal cannot show is replaced.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from io import TextIOWrapper
from typing import Any

import click

from firmware_host import __version__
from firmware_host.commands import CommandGroup, fast_imports
from firmware_host.errors import MillwrightError
from firmware_host.runtime.journal import logging_to

_COMMANDS = (
    "analyse",
    "archive",
    "bench",
    "boot",
    "card",
    "card-files",
    "care",
    "config",
    "dark",
    "devices",
    "doctor",
    "engine",
    "games",
    "leds",
    "link",
    "listen",
    "perft",
    "plates",
    "report",
    "run",
    "sensors",
    "setup",
    "sim",
    "sound",
    "status",
    "tables",
    "wall",
    "wiring",
)
"""The commands; each is a module of `commands` that contains a command of the same name, with _ for -."""

_NOT_ON_WINDOWS = (
    "Millwright does not run on Windows itself; install it in WSL, the Windows Subsystem for Linux."
)


class _Group(CommandGroup):
    """Imports a command when it is used, and turns a foreseen error into one line."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - as click asks for it
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return super().get_command(ctx, cmd_name)
        name = cmd_name.replace("-", "_")
        with fast_imports():
            command: click.Command = getattr(import_module(f"firmware_host.commands.{name}"), name)
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        # Checked before any command is imported, for the help as well: their modules need fcntl or termios.
        if sys.platform == "win32":
            raise _ForeseenError(_NOT_ON_WINDOWS)
        if isinstance(sys.stdout, TextIOWrapper):  # none where it is closed
            sys.stdout.reconfigure(errors="replace")
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except MillwrightError as error:
            raise _ForeseenError(str(error)) from error


class _ForeseenError(click.ClickException):
    exit_code = 2


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="millwright %(version)s")
@click.pass_context
def main(context: click.Context) -> None:
    """Play Nine Men's Morris or Mitsudomoe on a wooden board with sensors and lights."""
    # Only the journal of a board is its output; what other commands print is their result.
    out = sys.stdout if context.invoked_subcommand == "run" else sys.stderr
    context.with_resource(logging_to(out, sys.stderr, os.environ))
