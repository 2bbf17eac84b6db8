"""The command `millwright run`: the program on a real board."""

from __future__ import annotations

import os
import sys

import click


@click.command()
@click.option("--config", "given", metavar="FILE", help="The file; else your own, else the system's.")
@click.option("--host", help="The address that serves the page; else the config's, else 127.0.0.1.")
@click.option("--port", type=int, help="Its port, 0 for any that is free; else the config's, else 8765.")
@click.option(
    "--listen", is_flag=True, help="Let others in the house look; they play by a code, which is printed."
)
def run(given: str | None, host: str | None, port: int | None, listen: bool) -> None:
    """Play on the board that this Raspberry Pi is in."""
    from firmware_host.runtime.page import Page
    from firmware_host.runtime.run import Run  # brings the web server and the drivers, which take a while
    from firmware_host.runtime.sd_notify import given_socket

    page = Page(host, port, listen, given_socket(os.environ, os.getpid()))
    sys.exit(Run(given, page, os.environ).go())
