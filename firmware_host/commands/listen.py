"""The command `millwright listen`: opens or closes the service's page to others in the house."""

from __future__ import annotations

import time
from pathlib import Path

import click

from firmware_host.errors import PageError
from firmware_host.maintenance.services import require_root, require_service, systemctl, write_unit

DROP_IN = Path("/etc/systemd/system/millwright.socket.d/zz-listen.conf")
"""The drop-in that changes the socket's unit; its name sorts last, after any change of the port."""

_HOUSE = "localhost link-local 10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 fc00::/7"
_TEXT = """\
# Written by `millwright listen`; `millwright listen --off` removes it. Others in the house may look at the
# page, and play on devices that are paired. Only addresses of homes are let in, whatever a router does.
[Socket]
ListenStream=
ListenStream={port}
IPAddressAllow=
IPAddressAllow={house}
"""
_RESTART_TIMEOUT_S = 30.0


@click.command()
@click.option("--off", is_flag=True, help="Close the page to others again.")
@click.option(
    "--port", type=click.IntRange(1, 65535), default=8765, show_default=True, help="Port of the page."
)
def listen(off: bool, port: int) -> None:
    """Let others in the house watch on the page of the board's service (root only).

    Prints a code that lets devices play; `millwright devices pair` prints another.
    """
    require_root("listen --off" if off else "listen")
    require_service("millwright.socket")
    if off:
        DROP_IN.unlink(missing_ok=True)
        _restart()
        click.echo("The page is for this machine alone. Paired devices can play again once it is opened.")
        return
    text = _TEXT.format(port=port, house=_HOUSE)
    is_open = DROP_IN.exists() and DROP_IN.read_text() == text
    # Nobody's game is interrupted for a code.
    invitation = _code(port) if is_open else None
    if invitation is None:
        write_unit(DROP_IN, text)
        _restart()
        invitation = _code_after_restart(port)
    click.echo(invitation)


def _restart() -> None:
    systemctl("daemon-reload")
    # The service has the socket that it was started with.
    systemctl("restart", "--no-block", "millwright.socket", "millwright.service")


def _code(port: int) -> str | None:
    """Let devices be paired, and return the invitation; None if the board does not answer, or is not open."""
    from firmware_host.maintenance.board_client import PairedDevices

    try:
        return PairedDevices("127.0.0.1", port).pair()
    except PageError:
        return None


def _code_after_restart(port: int) -> str:
    """Return the invitation as soon as the restarted board answers: the old one may still do so."""
    from firmware_host.maintenance.board_client import get_object

    began = time.monotonic()
    while (waited := time.monotonic() - began) < _RESTART_TIMEOUT_S:
        try:
            is_new = get_object("127.0.0.1", port, "/status")["uptime_s"] <= waited + 1
        except (PageError, KeyError):  # it has not come back yet
            is_new = False
        if is_new and (invitation := _code(port)):
            return invitation
        time.sleep(0.5)
    return (
        "The page is open to the house. As soon as the board answers (`millwright status`), "
        "`millwright devices pair` prints the code that lets a device play."
    )
