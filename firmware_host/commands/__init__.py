"""The commands, each in the module of its name, and their group; `cli` imports the one that is used."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

import click

_WHOLE = 1000
"""The limit of a sentence in a list of commands: more than any has."""


class CommandGroup(click.Group):
    """Lists each of its commands with the whole first sentence of its help, which click would cut off."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands."""
        commands = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        rows = [(name, command.get_short_help_str(_WHOLE)) for name, command in commands if command]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


@contextmanager
def fast_imports() -> Iterator[None]:
    """Search for no garbage while modules are imported, which make many objects, and all of them stay."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
