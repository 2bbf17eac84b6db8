"""Set-up, done by a simulated maker on boards wired in any order."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from maker import NAMES, Evening, Truth

from firmware_host.config import load
from firmware_host.games.layout import MORRIS
from firmware_host.wires import places
from hardware.wiring import contacts_of


def check(truth: Truth, path: Path) -> None:
    """The configuration that was written says how the board is wired."""
    config = load(path)
    assert config.sensors.kind == truth.sensors.kind
    assert contacts_of(MORRIS, config.sensors) == truth.contacts
    assert dict(zip(NAMES, places(config.strip, MORRIS), strict=True)) == truth.lights
    assert config.strip.order == truth.order


@pytest.mark.parametrize("seed", range(30))
def test_whatever_the_wires_a_maker_with_one_set_finds_them_with_24_placements(tmp_path, seed):
    random = Random(seed)
    truth = Truth.drawn(random)
    pieces = random.choice([(9, 9), (9, 9), (12, 12), (5, 4), (1, 0), (3, 0)])
    evening = Evening(truth, tmp_path / "millwright.toml", random, pieces)
    evening.finish()
    check(truth, evening.path)
    assert evening.placements <= 24
    assert not (tmp_path / "millwright.toml.setup").exists()
