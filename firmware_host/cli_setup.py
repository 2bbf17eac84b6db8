"""The command `millwright setup`: which wire and which LED is whose, found out by hands."""

from __future__ import annotations

import sys
from functools import partial

import click


@click.command()
@click.option("--config", "given", metavar="FILE", help="The file; else your own, else the system's.")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address that serves the page.")
@click.option("--port", default=8765, show_default=True, help="Its port; 0 for any that is free.")
@click.option("--no-page", is_flag=True, help="Only the terminal.")
def setup(given: str | None, host: str, port: int, no_page: bool) -> None:
    """Find out how this board is wired, and write it down.

    Put pieces on lit points and take them off by name, as the terminal or the page asks; the wires may have
    ended up in any order. It may be stopped at any time and gone on with later. (`millwright sim --setup`
    tries it on a simulated board.)
    """
    from firmware_host.setup_run import set_up  # brings the web server and the drivers, which take a while

    page = None if no_page else (host, port)
    set_up(given, page, click.echo, partial(click.echo, err=True), sys.stdin or ())
