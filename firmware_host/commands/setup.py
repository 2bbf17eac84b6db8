"""The command `millwright setup`: which wire and which LED is whose, found out by hands."""

from __future__ import annotations

import sys
from functools import partial

import click


@click.command()
@click.option("--config", "given", metavar="FILE", help="The file; else your own, else the system's.")
@click.option("--host", help="The address that serves the page; else the config's, else 127.0.0.1.")
@click.option("--port", type=int, help="Its port, 0 for any that is free; else the config's, else 8765.")
@click.option("--no-page", is_flag=True, help="Only the terminal.")
def setup(given: str | None, host: str | None, port: int | None, no_page: bool) -> None:
    """Find out how this board is wired, and write it down.

    Put pieces on lit points and take them off by name, as the terminal or the page asks; the wires may have
    ended up in any order. It may be stopped at any time and gone on with later. (`millwright sim --setup`
    tries it on a simulated board.)
    """
    from firmware_host.maintenance.setup_run import (
        set_up,
    )  # brings the web server and the drivers, which take a while

    page = None if no_page else (host, port)
    set_up(given, page, click.echo, partial(click.echo, err=True), sys.stdin or ())
