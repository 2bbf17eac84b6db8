"""The command `millwright care`: the companion that switches the board's machine off."""

from __future__ import annotations

from pathlib import Path

import click

from firmware_host.config.paths import CONFIG_HELP
from firmware_host.maintenance.services import LOOPBACK_ONLY, CompanionService

RULE = Path("/etc/polkit-1/rules.d/50-millwright-care.rules")
"""The rule that lets the companion's user do that one thing."""

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

SERVICE = CompanionService(
    command="care",
    purpose="switches the machine off when the board asks for it",
    comment="""\
# It follows the board's page on this machine and asks logind to switch off, which the polkit rule beside it
# permits to its user.""",
    is_named=True,
    lines=("PrivateDevices=yes", *LOOPBACK_ONLY),
    files={RULE: _RULE_TEXT},
)


@click.command()
@click.option("--on", "change", flag_value="on", help="Install it as a service and start it (root only).")
@click.option("--off", "change", flag_value="off", help="Stop and remove that service (root only).")
@click.option("--config", "given", metavar="FILE", help=CONFIG_HELP)
def care(change: str | None, given: str | None) -> None:
    """Switch this machine off when the board's menu or button asks for it.

    Without options, do so until it is stopped. The board asks only if `off = true` stands in the section
    [controls] of its configuration.
    """
    if change == "on":
        SERVICE.install()
        click.echo("The board can switch this machine off, once `off = true` stands in [controls].")
        return
    if change == "off":
        SERVICE.remove()
        click.echo("The board can no longer switch this machine off.")
        return
    from firmware_host.maintenance.board_client import configured_address
    from firmware_host.maintenance.care import Caretaker, take_care

    host, port = configured_address(None, None, given)
    take_care(host, port, Caretaker())
