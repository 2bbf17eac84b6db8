"""A few games between real programs over a real mosquitto; `python -m tests.fuzz.link` plays many."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz.link.games import LinkedMachines
from tests.support.mosquitto import PROGRAM

pytest.importorskip("paho")
pytestmark = pytest.mark.skipif(PROGRAM is None, reason="mosquitto isn't installed (apt install mosquitto)")


@pytest.mark.ci("programs")
def test_two_games_survive_killed_brokers_links_and_boards(tmp_path: Path) -> None:
    machines = LinkedMachines(tmp_path, 3, kills=True)
    try:
        for _ in range(2):
            machines.play_game(12)
    finally:
        machines.close()
    assert machines.measured.turns > 0
