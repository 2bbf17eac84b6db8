"""The command `millwright link`: the companion that plays with another board."""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping
from typing import Any

import click

from firmware_host.commands import CommandGroup
from firmware_host.config.paths import CONFIG_HELP
from firmware_host.errors import LinkError
from firmware_host.maintenance.services import CompanionService
from firmware_host.settings import WISHES

_ANSWER_TIMEOUT_S = 10.0

SERVICE = CompanionService(
    command="link",
    purpose="plays with another board",
    comment="""\
# It follows the board's page on this machine and speaks to a broker. It is the only part of Millwright that
# may use the network.""",
    wants=("network-online.target",),
    lines=("StateDirectory=millwright-link", "StateDirectoryMode=0700", "PrivateDevices=yes"),
    memory_mb=96,
)

_CONFIG = click.option("--config", "given", metavar="FILE", help=CONFIG_HELP)


@click.group(cls=CommandGroup, invoke_without_command=True)
@click.option("--on", "change", flag_value="on", help="Install it as a service and start it (root only).")
@click.option("--off", "change", flag_value="off", help="Stop and remove that service (root only).")
@_CONFIG
@click.pass_context
def link(context: click.Context, change: str | None, given: str | None) -> None:
    """Play with another board, over a broker.

    Without a command, link the board until it is stopped. The room is chosen by `open` or `join`.
    """
    if context.invoked_subcommand is not None:
        return
    if change == "on":
        from firmware_host.link.packets import require_paho

        require_paho()
        SERVICE.install()
        click.echo("The board can play with others: `sudo millwright link open` opens a room.")
        return
    if change == "off":
        SERVICE.remove()
        click.echo("The board no longer plays with others.")
        return
    from firmware_host.config.loader import load
    from firmware_host.config.paths import find_config
    from firmware_host.link.program import LinkProgram
    from firmware_host.link.rooms import opened_link_folder
    from firmware_host.maintenance.board_client import configured_address

    host, port = configured_address(None, None, given)
    settings = load(find_config(given)).link
    with opened_link_folder() as folder:
        LinkProgram(folder, settings, host, port).run()


@link.command("open")
@_CONFIG
def open_room(given: str | None) -> None:
    """Open a room on the configured broker, and print its invitation.

    It is played by the rules of the board's current game.
    """
    from firmware_host.config.loader import load
    from firmware_host.config.paths import find_config
    from firmware_host.far.address import BrokerAddress
    from firmware_host.far.invitation import KEY_BYTES, new_invitation
    from firmware_host.far.parsing import ROOM_LENGTH
    from firmware_host.games.rulesets import parse_rules
    from firmware_host.link.rooms import opened_link_folder

    broker = load(find_config(given)).link.broker
    if not broker:
        raise LinkError("no broker is configured; write its address as `broker` into the section [link]")
    address = BrokerAddress.parse(broker)
    rules = parse_rules(_board_state(given)["rules"])
    invitation = new_invitation(address.host, address.port, secrets.token_bytes(KEY_BYTES + ROOM_LENGTH))
    with opened_link_folder() as folder:
        folder.enter(invitation, rules)
    click.echo(f"{invitation}\n")
    click.echo(_qr(str(invitation)))
    click.echo("Send this to the other player only: whoever has it can take the other seat.")


@link.command()
@click.argument("invitation")
def join(invitation: str) -> None:
    """Enter the room of an invitation, or return to it."""
    from firmware_host.far.invitation import Invitation
    from firmware_host.link.rooms import opened_link_folder

    found = Invitation.parse(invitation)
    with opened_link_folder() as folder:
        folder.enter(found)
    click.echo(f"The board is in room {found.room}.")


@link.command()
def leave() -> None:
    """Leave the room; for 30 days, its game goes on when its invitation is used again."""
    from firmware_host.link.rooms import opened_link_folder

    with opened_link_folder() as folder:
        folder.leave()
    click.echo("The board is in no room.")


@link.command()
@click.option(
    "--broker",
    metavar="HOST[:PORT]",
    help="The broker that asks for it. [default: that of the configuration]",
)
@click.option("--new", is_flag=True, help="First give the board another name, and leave its room.")
@_CONFIG
def board(broker: str | None, new: bool, given: str | None) -> None:
    """Print the name and the password of this board, for the users of a broker.

    Each broker has a password of its own. Two boards have one name if their memory cards are copies of each
    other, and then disconnect each other: `--new` makes one of them another board.
    """
    from firmware_host.config.loader import load
    from firmware_host.config.paths import find_config
    from firmware_host.far.address import BrokerAddress
    from firmware_host.link.identity import configured_brokers
    from firmware_host.link.rooms import opened_link_folder

    known = configured_brokers(load(find_config(given)).link)
    addresses = known[:1] if broker is None else [BrokerAddress.parse(broker)]
    with opened_link_folder() as folder:
        own = folder.identity(known)
        if new:
            own = folder.renew()
    if not addresses:
        if new:
            click.echo(own.board)
            return
        raise LinkError("no broker is configured; name it with --broker")
    click.echo(f"{own.board} {own.password_at(addresses[0])}")


@link.command()
@click.argument("wish", type=click.Choice(WISHES))
@_CONFIG
def want(wish: str, given: str | None) -> None:
    """Say that you are ready, offer or answer something, or claim a game whose other board is away."""
    from firmware_host.i18n import Message
    from firmware_host.maintenance.board_client import configured_address
    from firmware_host.maintenance.companion import CompanionConnection, Reply

    until = time.monotonic() + _ANSWER_TIMEOUT_S
    with CompanionConnection(*configured_address(None, None, given)) as connection:
        number, before = 0, 0
        for news in connection.traffic(again_s=1.0):
            if isinstance(news, Reply):
                if news.error is not None:
                    raise LinkError(news.error)
            elif not number:
                before = _last_wish(news)
                number = connection.ask({"do": "wish", "wish": wish})
            elif (room := _answered(news, before)) is not None:
                if room["refused"] is not None:
                    raise LinkError(Message.of(room["refused"]))
                click.echo("Done.")
                return
            if time.monotonic() > until:
                break
    raise LinkError("the link doesn't answer; `systemctl status millwright-link` says how it is")


def _last_wish(state: Mapping[str, Any]) -> int:
    """Return the number of the last wish of a player; 0 without one."""
    last = (state.get("far") or {}).get("wish")
    return 0 if last is None else int(last["number"])


def _answered(state: Mapping[str, Any], before: int) -> Mapping[str, Any] | None:
    """Return the room once the link has dealt with a wish after the one `before`."""
    room: Mapping[str, Any] | None = (state.get("far") or {}).get("room")
    return room if room is not None and room["done"] > before else None


def _board_state(given: str | None) -> Mapping[str, Any]:
    """Return the state of the running board."""
    from firmware_host.maintenance.board_client import configured_address
    from firmware_host.maintenance.companion import CompanionConnection

    with CompanionConnection(*configured_address(None, None, given)) as connection:
        return next(connection.states())


def _qr(text: str) -> str:
    """Return a QR code for terminals."""
    from io import StringIO

    import segno

    out = StringIO()
    segno.make(text, error="m", micro=False).terminal(out, compact=True)
    return out.getvalue()
