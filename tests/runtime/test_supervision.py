"""Failures beside the board's loop are reported, and the board plays on."""

from __future__ import annotations

import logging
import time
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from firmware_host.runtime.event_log import EventLog
from firmware_host.store.saved_game import GameRecorder
from firmware_host.store.store import SqliteStore
from firmware_host.store.writer import StoreWriter
from firmware_host.views.page_state import PagePublisher
from firmware_host.web.server import WebServer
from tests.support.fault_texts import fault_texts
from tests.support.real_board import RealBench

SECOND = 200


class Stumbling:
    """A method that raises an unforeseen error until it is repaired."""

    def __init__(self, patch: pytest.MonkeyPatch, kind: type, name: str) -> None:
        self.times = 0
        self.mended = False
        works = getattr(kind, name)

        def stumble(this: Any, *arguments: Any, **words: Any) -> Any:
            if self.mended:
                return works(this, *arguments, **words)
            self.times += 1
            raise KeyError("nobody thought of this")

        patch.setattr(kind, name, stumble)


def played_on(real: RealBench, point: str, colour: str) -> bool:
    """Return whether a piece put down is played."""
    before = len(real.play.board.controller.session.game.steps)
    real.put(point, colour)
    real.frames(SECOND)
    return len(real.play.board.controller.session.game.steps) == before + 1


@pytest.mark.parametrize(
    ("part", "kind", "name"), [("page", PagePublisher, "publish_changes"), ("journal", EventLog, "lines")]
)
def test_a_part_that_stumbles_is_tried_again_ever_less_often_and_play_goes_on(
    part: str, kind: type, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = RealBench()
    real.frames(SECOND)
    part_of = Stumbling(monkeypatch, kind, name)
    assert played_on(real, "d6", "white")
    assert fault_texts(real.play.board.controller.faults) == {
        part: "KeyError: 'nobody thought of this'; trying again"
    }
    real.frames(30 * SECOND)
    assert part_of.times <= 6
    traces = [record for record in real.log.records if record.exc_info]
    assert len(traces) == part_of.times
    assert {record.levelno for record in traces} == {logging.ERROR}
    part_of.mended = True
    messages = real.frames(40 * SECOND)
    assert real.play.board.controller.faults == {}
    assert played_on(real, "f4", "black")
    if part == "page":
        assert [message for message in messages if message["type"] == "snapshot"][-1]["state"]["turns"] == [
            "d6"
        ]


def test_a_store_that_stumbles_over_a_game_says_that_nothing_is_kept_and_play_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = SqliteStore(tmp_path / "games.db", wall_ms=lambda: 0)
    real = RealBench(writer=StoreWriter(store))
    store.close()  # which had the last game read
    real.frames(SECOND)
    Stumbling(monkeypatch, GameRecorder, "follow")
    assert played_on(real, "d6", "white")
    assert played_on(real, "f4", "black")
    assert real.play.board.controller.accepted.turn_texts() == ("d6", "f4")
    faults = real.play.board.controller.faults
    assert fault_texts(faults) == {
        "disk": "games won't be saved until the next start: KeyError: 'nobody thought of this'"
    }
    assert sum("Traceback" in text for text in real.log.texts) == 1


def test_a_server_that_stumbles_serves_the_page_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from tests.support.web.page_client import get

    monkeypatch.setattr("firmware_host.web.server._MIN_RESTART_PAUSE_S", 0.01)
    serve = Stumbling(monkeypatch, uvicorn.Server, "serve")
    server = WebServer(lambda _: pytest.fail("asked"), port=0)
    server.start()
    end = time.monotonic() + 60
    while serve.times < 2 and time.monotonic() < end:
        time.sleep(0.005)
    serve.mended = True
    assert "Millwright" in get(server.address)[2]
    server.close()
    assert "nobody thought of this" in caplog.text
