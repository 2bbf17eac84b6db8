"""The command `millwright run`: the program on a real board."""

from __future__ import annotations

from functools import partial

import click


@click.command()
@click.option("--config", "given", metavar="FILE", help="The file; else your own, else the system's.")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address that serves the page.")
@click.option("--port", default=8765, show_default=True, help="Its port; 0 for any that is free.")
def run(given: str | None, host: str, port: int) -> None:
    """Play on the board that this Raspberry Pi is in."""
    from firmware_host.real import play  # brings the web server and the drivers, which take a while

    play(given, host, port, say=click.echo, tell=partial(click.echo, err=True))
