"""The command `millwright setup`: finds the wiring of sensors and LEDs with the help of the builder."""

from __future__ import annotations

import sys
from functools import partial

import click

from firmware_host.config.paths import CONFIG_HELP


@click.command()
@click.option("--config", "given", metavar="FILE", help=CONFIG_HELP)
@click.option("--host", help="Address to serve the page at. [default: the configured one, or 127.0.0.1]")
@click.option(
    "--port", type=int, help="Port of the page, 0 for any free one. [default: the configured one, or 8765]"
)
@click.option("--no-page", is_flag=True, help="Use the terminal only.")
def setup(given: str | None, host: str | None, port: int | None, no_page: bool) -> None:
    """Find out how this board is wired, and write the configuration.

    It asks what reads the sensors, unless the configuration says so. Then you put pieces on lit points and
    take them off by name, as the terminal or the page asks; the wires may be in any order. You can stop at
    any time and continue later. (`millwright sim --setup` tries it on a simulated board.)
    """
    from firmware_host.maintenance.setup_run import (
        set_up,
    )  # brings the web server and the drivers, which take a while

    page = None if no_page else (host, port)
    set_up(given, page, click.echo, partial(click.echo, err=True), sys.stdin or ())
