"""The command `millwright sound`: the companion that plays the board's sounds on a loudspeaker."""

from __future__ import annotations

import click

from firmware_host.config.paths import CONFIG_HELP
from firmware_host.maintenance.services import LOOPBACK_ONLY, CompanionService
from firmware_host.sound.cues import SoundCue

SERVICE = CompanionService(
    command="sound",
    purpose="plays the board's sounds on a loudspeaker",
    comment="""\
# It follows the board's page on this machine and plays its sounds by aplay, for which it may open sound
# devices and nothing else.""",
    after=("sound.target",),
    lines=("SupplementaryGroups=audio", "DeviceAllow=char-alsa rw", *LOOPBACK_ONLY),
    restart_s=30,
)


@click.command()
@click.option("--on", "change", flag_value="on", help="Install it as a service and start it (root only).")
@click.option("--off", "change", flag_value="off", help="Stop and remove that service (root only).")
@click.option("--play", type=click.Choice([*map(str, SoundCue)]), help="Play one sound, and end.")
@click.option("--config", "given", metavar="FILE", help=CONFIG_HELP)
def sound(change: str | None, play: str | None, given: str | None) -> None:
    """Play the board's sounds on this machine's loudspeaker, by aplay.

    Without options, do so until it is stopped. Which sounds are played is set at the board.
    """
    if change == "on":
        SERVICE.install()
        click.echo("The board's sounds are played on this machine's loudspeaker.")
        return
    if change == "off":
        SERVICE.remove()
        click.echo("The board's sounds are no longer played on this machine's loudspeaker.")
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
