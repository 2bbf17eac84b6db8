"""The command `millwright devices`: the devices in the house that may play on the board's page."""

from __future__ import annotations

import json

import click

from firmware_host.commands import CommandGroup
from firmware_host.config.paths import CONFIG_HELP
from firmware_host.maintenance.board_client import PairedDevices, configured_address, device_table


@click.group(cls=CommandGroup, invoke_without_command=True)
@click.option("--host", help="Address of the board's page. [default: the configured one, or 127.0.0.1]")
@click.option("--port", type=int, help="Port of the board's page. [default: the configured one, or 8765]")
@click.option("--config", "given", metavar="FILE", help=CONFIG_HELP)
@click.pass_context
def devices(context: click.Context, host: str | None, port: int | None, given: str | None) -> None:
    """List the devices that may play on the running board; pair and remove devices."""
    context.obj = PairedDevices(*configured_address(host, port, given))
    if context.invoked_subcommand is None:
        context.invoke(list_devices)


@devices.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def list_devices(paired: PairedDevices, as_json: bool = False) -> None:
    """List the paired devices, the one seen last first."""
    listed = paired.listed()
    click.echo(json.dumps(listed) if as_json else "\n".join(device_table(listed)))


@devices.command()
@click.pass_obj
def pair(paired: PairedDevices) -> None:
    """Print a code that lets devices play, for ten minutes."""
    click.echo(paired.pair())


@devices.command()
@click.argument("number", type=click.IntRange(1), required=False)
@click.option("--all", "everything", is_flag=True, help="Remove all devices.")
@click.pass_obj
def remove(paired: PairedDevices, number: int | None, everything: bool) -> None:
    """Remove a device: from then on it can only watch."""
    if (number is None) != everything:
        raise click.UsageError("Name one device by its number, or use --all.")
    click.echo(paired.remove(number))
