"""The command `millwright sound`: the companion that plays the board's sounds and speech on a loudspeaker."""

from __future__ import annotations

import os
from pathlib import Path
from threading import Thread

import click

from firmware_host.config.paths import CONFIG_HELP
from firmware_host.maintenance.services import LOOPBACK_ONLY, CompanionService
from firmware_host.sound import SoundCue

SERVICE = CompanionService(
    command="sound",
    purpose="plays the board's sounds and speech on a loudspeaker",
    comment="""\
# It follows the board's page on this machine, plays its sounds by aplay and speaks by espeak-ng or Piper.
# It may open sound devices, and keeps what it has spoken in a folder of its own. Piper needs the memory.""",
    after=("sound.target",),
    lines=(
        "SupplementaryGroups=audio",
        "DeviceAllow=char-alsa rw",
        "StateDirectory=millwright-sound",
        "TasksMax=32",
        *LOOPBACK_ONLY,
    ),
    restart_s=30,
    memory_mb=384,
)


@click.command()
@click.option("--on", "change", flag_value="on", help="Install it as a service and start it (root only).")
@click.option("--off", "change", flag_value="off", help="Stop and remove that service (root only).")
@click.option("--play", type=click.Choice([*map(str, SoundCue)]), help="Play one sound, and end.")
@click.option("--say", metavar="TEXT", help="Speak a text in the board's language, and end.")
@click.option("--config", "given", metavar="FILE", help=CONFIG_HELP)
def sound(change: str | None, play: str | None, say: str | None, given: str | None) -> None:
    """Play the board's sounds and speech on this machine's loudspeaker, by aplay and espeak-ng.

    Without options, do so until it is stopped. Which sounds and sentences these are is set at
    the board.
    """
    if change == "on":
        SERVICE.install()
        click.echo("The board's sounds are played on this machine's loudspeaker.")
        return
    if change == "off":
        SERVICE.remove()
        click.echo("The board's sounds are no longer played on this machine's loudspeaker.")
        return
    from firmware_host.maintenance.announcer import Announcer, machine_voices
    from firmware_host.maintenance.board_client import configured_address
    from firmware_host.maintenance.speaker import machine_speaker, play_sounds
    from firmware_host.views.wording import vocabulary

    speaker = machine_speaker()
    if play is not None:
        speaker.play(SoundCue(play))
        speaker.finish()
        return
    voices = machine_voices(_state_folder())
    if say is not None:
        speaker.speak(voices.wave(say, _language(given)))
        speaker.finish()
        return
    host, port = configured_address(None, None, given)
    announcer = Announcer(speaker, voices, vocabulary)
    Thread(target=announcer.run, name="speech", daemon=True).start()
    play_sounds(host, port, speaker, speak=announcer.follow)


def _state_folder() -> Path | None:
    """Return the folder that the service manager has made for this program; None if it runs without one."""
    folder = os.environ.get("STATE_DIRECTORY")
    return Path(folder.partition(":")[0]) if folder else None


def _language(given: str | None) -> str:
    """Return the language of the configured board."""
    from firmware_host.config.loader import load
    from firmware_host.config.paths import find_config

    return load(find_config(given)).sound.language
