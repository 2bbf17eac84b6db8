"""A real board keeps its games, goes on with the last, and plays though there is nowhere to keep them."""

from __future__ import annotations

import os
import signal
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from firmware_host.games.layout import MORRIS
from firmware_host.ports import SensorKind
from firmware_host.runtime.page import PageAddress
from firmware_host.store.database import open_read_only
from firmware_host.store.store import SqliteStore
from firmware_host.views.queries import QueryService
from firmware_host.views.status import last_game_status
from sim.assembly import Blueprint
from sim.clock import VirtualClock
from sim.electronics.board import SimulatedBoard
from sim.live.run import run
from tests.support.real_board import StoredBoard
from tests.support.web.page_client import PageClient


class RealDiskBoard(StoredBoard):
    """With its games on a real disk."""

    def __init__(self, path: Path, electronics: SimulatedBoard | None = None) -> None:
        super().__init__(
            electronics or SimulatedBoard(MORRIS, SensorKind.PRESENCE, VirtualClock()),
            SqliteStore(path, wall_ms=lambda: 1),
        )

    def told(self, *wanted: str) -> list[str]:
        """Pass frames until these events were reported; return the names of all."""
        seen: list[str] = []
        end = time.monotonic() + 60
        while not set(wanted) <= set(seen):
            assert time.monotonic() < end, seen
            seen += self.frame()
            time.sleep(0.0001)
        return seen


def texts(path: Path) -> list[str]:
    file = open_read_only(path)
    try:
        last = file.last()
        return [] if last is None else [step.text for step in last.saved.steps]
    finally:
        file.close()


def test_what_is_told_is_on_the_disk_and_the_next_start_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    real = RealDiskBoard(path)
    real.told("game")
    real.put("d6", "white")
    assert "continued" not in real.told("turn")
    assert texts(path) == ["d6"]
    real.close()
    again = RealDiskBoard(path, real.electronics)
    assert again.told("continued") == ["continued"]
    again.put("f4", "black")
    again.told("turn")
    assert texts(path) == ["d6", "f4"]
    again.close()


def test_status_knows_the_game_that_was_over_before_the_one_on_the_board(tmp_path: Path) -> None:
    real = RealDiskBoard(tmp_path / "games.db")
    real.told("game")
    looking = QueryService(lambda: real.play.face.game, real.writer)
    assert last_game_status(looking.last_over) == {"last_game": None}
    real.put("d6", "white")
    real.told("turn")
    assert last_game_status(looking.last_over) == {"last_game": None}, "it is not over"
    real.play.do({"do": "resign"})
    real.told("over")
    assert last_game_status(looking.last_over) == {"last_game": None}, "it is the one on the board"
    real.play.do({"do": "new-game", "rules": "lasker"})
    real.told("game")
    last = last_game_status(looking.last_over)["last_game"]
    assert (last["rules"], last["turns"], last["outcome"]["winner"]) == ("standard", 1, "white")
    looking.close()
    real.close()


def test_where_there_can_be_no_file_play_goes_on_and_the_page_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    real = RealDiskBoard(tmp_path / "file" / "games.db")
    told: list[dict[str, Any]] = []
    assert real.told("fault", "game")
    real.put("d6", "white")
    real.told("turn")
    real.play.publish_changes(lambda message: told.append(dict(message)), (), real.now)
    state = told[-1]["state"]
    assert state["turns"] == ["d6"]
    assert state["faults"][0].startswith("games aren't being saved: ")
    real.close()


def test_the_live_board_goes_on_with_the_pieces_where_they_stood(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    real = RealDiskBoard(path)
    real.told("game")
    real.put("d6", "white")
    real.told("turn")
    real.close()
    seen: list[dict[str, Any]] = []

    def browse(address: str) -> None:
        with closing(PageClient(address)) as page:
            seen.append(page.until("snapshot"))
            page.send({"id": 1, "put": "f4", "piece": "black"})
            while (state := page.until("snapshot")["state"])["turns"] != ["d6", "f4"]:
                seen.append(state)
        os.kill(os.getpid(), signal.SIGINT)

    run(Blueprint(store=path), page=PageAddress(port=0), browse=browse, say=lambda text: None)
    assert seen[0]["table"]["pieces"][0]["at"] == "d6"
    assert texts(path) == ["d6", "f4"]


def test_a_board_without_a_store_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    def browse(address: str) -> None:
        os.kill(os.getpid(), signal.SIGINT)

    run(Blueprint(), page=PageAddress(port=0), browse=browse, say=lambda text: None)
    assert list(tmp_path.iterdir()) == []
