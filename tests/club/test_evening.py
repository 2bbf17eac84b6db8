"""An evening with real programs: two boards, their links and a broker, which are killed while they play."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

from firmware_host.games.game import Outcome
from firmware_host.store.database import open_read_only
from firmware_host.store.saved_game import game_of
from tests.fuzz.link.games import LinkedMachines
from tests.support.mosquitto import PROGRAM, free_port
from tests.support.paths import PROJECT

pytestmark = [
    pytest.mark.skipif(PROGRAM is None, reason="no mosquitto was found for an evening"),
    pytest.mark.long,
]
_PATIENCE_S = 120.0


@contextmanager
def program(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Run a command of Millwright as long as the context lasts."""
    command = (sys.executable, "-m", "firmware_host", *arguments)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=PROJECT) as running:  # noqa: S603
        try:
            yield running
        finally:
            running.terminate()


def shown_at(port: int) -> dict[str, Any]:
    """Return what a wall shows."""
    with closing(HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
        connection.request("GET", "/wall.json")
        found: dict[str, Any] = json.loads(connection.getresponse().read())
        return found


def test_games_of_an_evening_are_on_the_wall_and_in_the_archive(tmp_path: Path) -> None:
    store, port = tmp_path / "evening.db", free_port()
    with closing(LinkedMachines(tmp_path, seed=3, kills=True)) as played:
        broker = ("--broker", f"127.0.0.1:{played.broker_port}")
        with (
            program("archive", *broker, "--store", str(store)) as archive,
            program("wall", *broker, "--port", str(port)) as wall,
        ):
            assert archive.stdout is not None
            assert wall.stdout is not None
            assert wall.stdout.readline().startswith("The wall is at")
            played.play_game(most_turns=12)
            assert archive.stdout.readline().startswith("1: ")
            turns, outcome = played.machines["a"].turns, played.machines["a"].state["outcome"]
            until = monotonic() + _PATIENCE_S
            while not (picture := shown_at(port))["standings"]:
                assert monotonic() < until, picture
                sleep(0.2)
    (board,) = picture["boards"]
    assert (board["after"], board["agreed"], board["trouble"]) == (len(turns), True, False)
    assert board["outcome"] == outcome
    with closing(open_read_only(store)) as file:
        assert file.rows() == [1]
        kept = game_of(file.game(1).saved)
    assert kept.turn_texts() == turns
    assert isinstance(kept.outcome, Outcome)
    assert kept.outcome.as_dict() == outcome
