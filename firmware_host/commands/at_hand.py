"""The tables at hand of a command: one that can't be used is named on standard error, once."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from firmware_host.engine.solving.folder import open_tables
from firmware_host.engine.tables import Tables


def tables_at_hand(base: Path | None = None) -> Tables:
    """Return the shipped tables and those in the folder `base`, which is that of this user by default."""
    return open_tables(base, partial(click.echo, err=True))
