"""The command `millwright listen`: opens or closes the service's page to others in the house."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import click

from firmware_host.errors import PageError

DROP_IN = Path("/etc/systemd/system/millwright.socket.d/zz-listen.conf")
"""The drop-in that changes the socket's unit; its name sorts last, after any change of the port."""

_HOUSE = "localhost link-local 10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 fc00::/7"
_TEXT = """\
# Written by `millwright listen`; `millwright listen --off` removes it. Others in the house may look at the
# page, and play by the code. Only addresses of homes are let in, whatever a router does.
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
    """Let others in the house watch on the page of the board's service, and play by its code (root only)."""
    if os.geteuid() != 0:
        raise PageError(f"only root can change a service: sudo millwright listen{' --off' if off else ''}")
    _systemctl("cat", "millwright.socket")
    if off:
        DROP_IN.unlink(missing_ok=True)
    else:
        _write(DROP_IN, port)
    _systemctl("daemon-reload")
    # The service has the socket that it was started with.
    _systemctl("restart", "--no-block", "millwright.socket", "millwright.service")
    click.echo("The page is for this machine alone." if off else _invitation(port))


def _write(path: Path, port: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(_TEXT.format(port=port, house=_HOUSE))
    path.chmod(0o644)


def _systemctl(*arguments: str) -> None:
    try:
        done = subprocess.run(["systemctl", *arguments], capture_output=True, text=True)  # noqa: S603, S607
    except OSError as error:
        raise PageError(f"there is no service manager here: {error}") from error
    if done.returncode:
        message = done.stderr.strip() or "it message nothing"
        raise PageError(
            f"systemctl {arguments[0]} failed ({message}); `sudo make install` makes the board a service"
        )


def _invitation(port: int) -> str:
    """Return the invitation to others, as soon as the restarted board reports its code."""
    from firmware_host.maintenance.board_client import get_object
    from firmware_host.web.addresses import network_urls

    where = f"Others in the house see the board at {' or '.join(network_urls(port))}"
    until = time.monotonic() + _RESTART_TIMEOUT_S
    while time.monotonic() < until:
        try:
            how = get_object("127.0.0.1", port, "/status")
        except PageError:  # it has not come back yet
            how = {}
        if "code" in how:
            return f"{where}, and play by the code {how['code']}"
        time.sleep(0.5)
    return f"{where}, and play with the code that `millwright status` shows as soon as the board answers"
