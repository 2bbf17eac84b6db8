"""The command `millwright status`: asks the board that runs on this machine for its status."""

from __future__ import annotations

import json

import click

from firmware_host.config.paths import CONFIG_HELP
from firmware_host.maintenance.board_client import configured_address, get_object


@click.command()
@click.option("--host", help="Address of its page. [default: the configured one, or 127.0.0.1]")
@click.option("--port", type=int, help="Port of its page. [default: the configured one, or 8765]")
@click.option("--config", "given", metavar="FILE", help=CONFIG_HELP)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def status(host: str | None, port: int | None, given: str | None, as_json: bool) -> None:
    """Show the status of the running board."""
    from firmware_host.views.status import status_screen

    how = get_object(*configured_address(host, port, given), "/status")
    click.echo(json.dumps(how) if as_json else status_screen(how))
