"""The command `millwright care`: the companion that switches the board's machine off."""

from __future__ import annotations

import os
from pathlib import Path

import click

from firmware_host.commands.listen import systemctl, write_unit
from firmware_host.config.paths import CONFIG_HELP
from firmware_host.errors import PageError

UNIT = Path("/etc/systemd/system/millwright-care.service")
RULE = Path("/etc/polkit-1/rules.d/50-millwright-care.rules")
"""The rule that lets the companion's user do that one thing."""

_UNIT_TEXT = """\
# Written by `millwright care --on`; `millwright care --off` removes it. It follows the board's page on this
# machine and asks logind to switch off, which the polkit rule beside it permits to its user.
[Unit]
Description=Millwright's companion, which switches the machine off when the board asks for it
Wants=millwright.service
After=millwright.service

[Service]
ExecStart={program} care
User=millwright-care
DynamicUser=yes
Restart=on-failure
RestartSec=5
MemoryMax=64M
TasksMax=8
CapabilityBoundingSet=
DevicePolicy=closed
IPAddressDeny=any
IPAddressAllow=localhost
LockPersonality=yes
MemoryDenyWriteExecute=yes
NoNewPrivileges=yes
PrivateDevices=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHome=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectSystem=strict
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6
RestrictNamespaces=yes
RestrictRealtime=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources

[Install]
WantedBy=multi-user.target
"""

_RULE_TEXT = """\
// Written by `millwright care --on`: the companion of the board may switch this machine off.
polkit.addRule(function (action, subject) {
    if (subject.user === "millwright-care" &&
        (action.id === "org.freedesktop.login1.power-off" ||
         action.id === "org.freedesktop.login1.power-off-multiple-sessions")) {
        return polkit.Result.YES;
    }
});
"""


@click.command()
@click.option("--on", "change", flag_value="on", help="Install it as a service and start it (root only).")
@click.option("--off", "change", flag_value="off", help="Stop and remove that service (root only).")
@click.option("--config", "given", metavar="FILE", help=CONFIG_HELP)
def care(change: str | None, given: str | None) -> None:
    """Switch this machine off when the board's menu or button asks for it.

    Without options, do so until it is stopped. The board asks only if `off = true` stands in the section
    [controls] of its configuration.
    """
    if change is not None:
        _install() if change == "on" else _remove()
        return
    from firmware_host.maintenance.board_client import configured_address
    from firmware_host.maintenance.care import Caretaker, take_care

    host, port = configured_address(None, None, given)
    take_care(host, port, Caretaker())


def _install() -> None:
    _require_root("--on")
    write_unit(RULE, _RULE_TEXT)
    write_unit(UNIT, _UNIT_TEXT.format(program=installed_program()))
    systemctl("daemon-reload")
    systemctl("enable", "--now", "millwright-care.service")
    click.echo("The board can switch this machine off, once `off = true` stands in [controls].")


def _remove() -> None:
    _require_root("--off")
    if UNIT.exists():
        systemctl("disable", "--now", "millwright-care.service")
    UNIT.unlink(missing_ok=True)
    RULE.unlink(missing_ok=True)
    systemctl("daemon-reload")
    click.echo("The board can no longer switch this machine off.")


def _require_root(option: str) -> None:
    if os.geteuid() != 0:
        raise PageError(f"only root can change a service: sudo millwright care {option}")


def installed_program() -> str:
    """Return the path of the installed program."""
    places = (Path("/usr/local/bin/millwright"), Path("/usr/bin/millwright"))
    return str(next((place for place in places if place.exists()), places[0]))
