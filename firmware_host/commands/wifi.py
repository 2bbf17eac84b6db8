"""The command `millwright wifi`: the companion that opens the board's own Wi-Fi where there is no other."""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
from pathlib import Path
from threading import Thread

import click

from firmware_host.config.paths import CONFIG_HELP
from firmware_host.errors import PageError
from firmware_host.maintenance.services import CompanionService, require_root, require_service
from firmware_host.maintenance.wifi.network_manager import ADDRESS, OWN

RULE = Path("/etc/polkit-1/rules.d/50-millwright-wifi.rules")
"""The rule that lets the companion's user change networks."""
SOCKET = Path("/etc/systemd/system/millwright-wifi.socket")
NAMES = Path("/etc/NetworkManager/dnsmasq-shared.d/millwright.conf")
"""The settings of dnsmasq for networks that NetworkManager shares: every name leads to the board."""
CONNECTION = Path(f"/etc/NetworkManager/system-connections/{OWN}.nmconnection")
"""The board's own Wi-Fi, with its password, which only root can read."""

_RULE_TEXT = """\
// Written by `millwright wifi --on`: the companion of the board may look for Wi-Fi networks, join them, and
// open the board's own.
polkit.addRule(function (action, subject) {
    if (subject.user === "millwright-wifi" &&
        (action.id === "org.freedesktop.NetworkManager.network-control" ||
         action.id === "org.freedesktop.NetworkManager.settings.modify.system" ||
         action.id === "org.freedesktop.NetworkManager.enable-disable-wifi" ||
         action.id === "org.freedesktop.NetworkManager.wifi.scan" ||
         action.id === "org.freedesktop.NetworkManager.wifi.share.protected")) {
        return polkit.Result.YES;
    }
});
"""
_SOCKET_TEXT = f"""\
# Written by `millwright wifi --on`: the page on which a phone in the board's own Wi-Fi chooses the house's.
[Unit]
Description=The page of the board's own Wi-Fi
PartOf=millwright-wifi.service

[Socket]
ListenStream={ADDRESS}:80
FreeBind=yes
IPAddressDeny=any
IPAddressAllow={ADDRESS}/24
"""
_NAMES_TEXT = f"""\
# Written by `millwright wifi --on`: there, every name leads to the board, so phones find its page.
address=/#/{ADDRESS}
"""
_CONNECTION_TEXT = f"""\
# Written by `millwright wifi --on`. Whoever changes the name or the password needs a new card. It has no
# protected management frames (pmf=1), whose keys a Pi Zero W and a Pi 3 can't take as an access point.
[connection]
id={OWN}
type=wifi
autoconnect=false

[wifi]
mode=ap
band=bg
channel=6
ssid={{name}}

[wifi-security]
key-mgmt=wpa-psk
proto=rsn
pairwise=ccmp
group=ccmp
pmf=1
psk={{password}}

[ipv4]
method=shared
address1={ADDRESS}/24

[ipv6]
method=disabled
"""
_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
"""The characters of a password: those that nobody confuses on paper."""

SERVICE = CompanionService(
    command="wifi",
    purpose="opens the board's own Wi-Fi where there is no other",
    comment="""\
# It follows the board's page on this machine and has NetworkManager open and join networks, which the polkit
# rule beside it permits to its user. Its page is served at the socket that millwright-wifi.socket opens.""",
    wants=("millwright-wifi.socket",),
    after=("NetworkManager.service",),
    is_named=True,
    lines=(
        "PrivateDevices=yes",
        "TasksMax=32",
        # GLib, on which nmcli is built, tries calls that are refused, and goes on without them.
        "SystemCallErrorNumber=EPERM",
        "IPAddressDeny=any",
        f"IPAddressAllow=localhost {ADDRESS}/24",
    ),
    files={RULE: _RULE_TEXT, SOCKET: _SOCKET_TEXT, NAMES: _NAMES_TEXT},
)


@click.command()
@click.option("--on", "change", flag_value="on", help="Install it as a service and start it (root only).")
@click.option("--off", "change", flag_value="off", help="Stop and remove that service (root only).")
@click.option("--config", "given", metavar="FILE", help=CONFIG_HELP)
def wifi(change: str | None, given: str | None) -> None:
    """Open the board's own Wi-Fi where there is no known one, to choose the house's with a phone.

    Without options, do so until it is stopped. The board opens it after two minutes without a network, or
    when its button is held down for ten seconds. `sudo millwright card --wifi` draws the card with its
    name and password.
    """
    if change == "on":
        require_root("wifi --on")
        require_service()
        _require_network_manager()
        _make_connection()
        SERVICE.install()
        click.echo("The board opens a Wi-Fi of its own where there is no known one.")
        click.echo("Its name and its password: sudo millwright card --wifi --output wifi.svg")
        return
    if change == "off":
        SERVICE.remove()
        CONNECTION.unlink(missing_ok=True)
        _reload()
        click.echo("The board opens no Wi-Fi of its own any more.")
        return
    _run(given)


def own_wifi() -> tuple[str, str]:
    """Return the name and the password of the board's own Wi-Fi; raise PageError if they can't be read."""
    try:
        lines = dict(line.split("=", 1) for line in CONNECTION.read_text("utf-8").splitlines() if "=" in line)
        return lines["ssid"], lines["psk"]
    except FileNotFoundError:
        raise PageError("the board has no Wi-Fi of its own: sudo millwright wifi --on") from None
    except (OSError, ValueError, KeyError):
        raise PageError(f"only root can read {CONNECTION}: sudo millwright card --wifi") from None


def _require_network_manager() -> None:
    places = os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin", "/sbin"))
    for program, package in (("nmcli", "network-manager"), ("dnsmasq", "dnsmasq-base")):
        if shutil.which(program, path=places) is None:
            raise PageError(f"there is no {program} here, which this needs: apt install {package}")


def _make_connection() -> None:
    """Make the board's own Wi-Fi, unless there is one: its password stands on a card."""
    if not CONNECTION.exists():
        password = "-".join("".join(secrets.choice(_LETTERS) for _ in range(4)) for _ in range(3))
        name = f"Millwright {secrets.randbelow(9000) + 1000}"
        CONNECTION.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(CONNECTION, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(_CONNECTION_TEXT.format(name=name, password=password))
    _reload()


def _reload() -> None:
    """Have NetworkManager read its connections again; it also does so when it starts."""
    subprocess.run(["nmcli", "connection", "reload"], capture_output=True)  # noqa: S607


def _run(given: str | None) -> None:
    """Keep the board's networks until the program is stopped."""
    from firmware_host.maintenance.board_client import configured_address
    from firmware_host.maintenance.companion import CompanionConnection
    from firmware_host.maintenance.wifi.board_line import BoardLine
    from firmware_host.maintenance.wifi.control import WifiControl
    from firmware_host.maintenance.wifi.network_manager import NetworkManager
    from firmware_host.maintenance.wifi.portal import PortalServer
    from firmware_host.runtime.watchdog import inherited_socket
    from firmware_host.web.addresses import mdns_name, url

    listening = inherited_socket(os.environ, os.getpid())
    if listening is None:
        raise PageError("this runs as a service: sudo millwright wifi --on")
    host, port = configured_address(None, None, given)
    control = WifiControl(
        NetworkManager(), lambda press: BoardLine(lambda: CompanionConnection(host, port), press)
    )
    server = PortalServer(listening, control, lambda: url(mdns_name(), port))
    for name, run in (("board", control.board.follow), ("page", server.run)):
        Thread(target=run, name=name, daemon=True).start()
    control.run()
