"""The board that `millwright sim --setup` offers: its set-up's settings suit the options."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from firmware_host.config.loader import load
from firmware_host.config.writer import changed_settings
from firmware_host.games.layout import MORRIS, SQUARES
from firmware_host.i18n import to_english
from sim.assembly import Blueprint
from sim.clock import VirtualClock
from sim.live.setup import configured, ending, shuffled

MILLWRIGHT = str(Path(sys.executable).with_name("millwright"))


@pytest.mark.parametrize(
    ("asked", "contacts", "layout"),
    [
        ({}, 24, MORRIS),
        ({"sensors": "polarity"}, 48, MORRIS),
        ({"rules": "lasker", "switches": ("pieces=9",)}, 24, MORRIS),
        ({"rules": "mitsudomoe"}, 25, SQUARES),
    ],
    ids=["plain", "polarity", "switches", "stacks"],
)
def test_the_configuration_that_is_begun_with_says_what_was_asked_for(
    tmp_path: Path, asked, contacts, layout
):
    blueprint = Blueprint.of(**asked)
    config = configured(blueprint)
    path = tmp_path / "millwright.toml"
    path.write_text(changed_settings(config), encoding="utf-8")
    kept = load(path)
    assert (kept.sensors, kept.strip, kept.play) == (config.sensors, config.strip, config.play)
    assert (kept.play.rules, kept.sensors.alphabet) == (blueprint.rules.name, blueprint.alphabet.value)
    board = shuffled(blueprint, config, VirtualClock())
    assert board.layout is layout
    assert sum(map(len, board.sensors.points.values())) == contacts
    assert len(board.leds()) == len(layout)


def test_its_pieces_are_made_as_those_of_the_game() -> None:
    blueprint = Blueprint.of(rules="mitsudomoe")
    board = shuffled(blueprint, configured(blueprint), VirtualClock())
    magnets = {piece.kind: piece.make.magnet for piece in board.table.box}
    assert magnets == {"white-ring": 0, "black-ring": 0, "white-ball": 1, "black-ball": 1}


@pytest.mark.ci("programs")
def test_the_end_names_the_command_that_plays_on_such_a_board(tmp_path: Path) -> None:
    path = tmp_path / "my boards" / "millwright.toml"
    path.parent.mkdir()
    path.write_text(changed_settings(configured(Blueprint.of(rules="mitsudomoe"))), encoding="utf-8")
    command = re.search("`millwright (.*)`", to_english(ending(path)))
    assert command is not None
    played = subprocess.run(  # noqa: S603 - our own program
        [MILLWRIGHT, *shlex.split(command[1]), "--headless"],
        input='{"show": true}\n',
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert json.loads(played.stdout.splitlines()[-1])["state"]["rules"] == "mitsudomoe"
