"""The commands, each in the module of its name, and their group; `cli` imports the one that is used."""

from __future__ import annotations

import gc
import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

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


class Seconds(click.FloatRange):
    """A number of seconds above 0, and with an end."""

    def __init__(self) -> None:
        super().__init__(min=0, min_open=True)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number; fail for one that isn't finite, which no limit excludes."""
        seconds: float = super().convert(value, param, ctx)
        if not math.isfinite(seconds):
            self.fail(f"{value} is not a number of seconds.", param, ctx)
        return seconds


@contextmanager
def fast_imports() -> Iterator[None]:
    """Search for no garbage while modules are imported, which make many objects, and all of them stay."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
