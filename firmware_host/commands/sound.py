"""The command `millwright sound`: the companion that plays the board's sounds on a loudspeaker."""

from __future__ import annotations

import os
from pathlib import Path

import click

from firmware_host.commands.care import installed_program
from firmware_host.commands.listen import systemctl, write_unit
from firmware_host.config.paths import CONFIG_HELP
from firmware_host.errors import PageError
from firmware_host.sound.cues import SoundCue

UNIT = Path("/etc/systemd/system/millwright-sound.service")

_UNIT_TEXT = """\
# Written by `millwright sound --on`; `millwright sound --off` removes it. It follows the board's page on this
# machine and plays its sounds by aplay, for which it may open sound devices and nothing else.
[Unit]
Description=Millwright's companion, which plays the board's sounds on a loudspeaker
Wants=millwright.service
After=millwright.service sound.target

[Service]
ExecStart={program} sound
User=millwright-sound
DynamicUser=yes
SupplementaryGroups=audio
Restart=on-failure
RestartSec=30
MemoryMax=64M
TasksMax=8
CapabilityBoundingSet=
DevicePolicy=closed
DeviceAllow=char-alsa rw
IPAddressDeny=any
IPAddressAllow=localhost
LockPersonality=yes
MemoryDenyWriteExecute=yes
NoNewPrivileges=yes
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


@click.command()
@click.option("--on", "change", flag_value="on", help="Install it as a service and start it (root only).")
@click.option("--off", "change", flag_value="off", help="Stop and remove that service (root only).")
@click.option("--play", type=click.Choice([*map(str, SoundCue)]), help="Play one sound, and end.")
@click.option("--config", "given", metavar="FILE", help=CONFIG_HELP)
def sound(change: str | None, play: str | None, given: str | None) -> None:
    """Play the board's sounds on this machine's loudspeaker, by aplay.

    Without options, do so until it is stopped. Which sounds are played is set at the board.
    """
    if change is not None:
        _install() if change == "on" else _remove()
        return
    from firmware_host.maintenance.board_client import configured_address
    from firmware_host.maintenance.speaker import machine_speaker, play_sounds

    speaker = machine_speaker()
    if play is not None:
        speaker.play(SoundCue(play))
        speaker.finish()
        return
    host, port = configured_address(None, None, given)
    play_sounds(host, port, speaker)


def _install() -> None:
    _require_root("--on")
    write_unit(UNIT, unit_text(installed_program()))
    systemctl("daemon-reload")
    systemctl("enable", "--now", "millwright-sound.service")
    click.echo("The board's sounds are played on this machine's loudspeaker.")


def unit_text(program: str) -> str:
    """Return the unit of the companion, which runs `program`."""
    return _UNIT_TEXT.format(program=program)


def _remove() -> None:
    _require_root("--off")
    if UNIT.exists():
        systemctl("disable", "--now", "millwright-sound.service")
    UNIT.unlink(missing_ok=True)
    systemctl("daemon-reload")
    click.echo("The board's sounds are no longer played on this machine's loudspeaker.")


def _require_root(option: str) -> None:
    if os.geteuid() != 0:
        raise PageError(f"only root can change a service: sudo millwright sound {option}")
