"""The real program on simulated electronics, in virtual time, with a store's thread of its own."""

from __future__ import annotations

import json
import logging
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from firmware_host.config.loader import Config
from firmware_host.games.layout import MORRIS
from firmware_host.ports import SensorKind
from firmware_host.runtime.real_board import RealBoard
from firmware_host.store.store import SqliteStore
from firmware_host.store.writer import StoreWriter
from sim.clock import VirtualClock
from sim.electronics.board import SimulatedBoard
from sim.table.table import TablePiece
from tests.support.log import LogRecorder, recorded_log

ADDRESS = re.compile(r"http://\S+/")
FRAME = 5_000
"""In microseconds."""


class StoredBoard:
    """The board of `millwright run`, on electronics that stay when it ends."""

    def __init__(self, electronics: SimulatedBoard, store: SqliteStore) -> None:
        self.electronics = electronics
        self.writer = StoreWriter(store, retry_s=0.01)
        self.play = RealBoard(
            Config.default(),
            sensors=electronics.open_sensors(),
            strip=electronics.open_strip(),
            writer=self.writer,
        )
        self.writer.start()
        self.now = 0

    def put(self, point: str, kind: str) -> None:
        """Set a piece down."""
        table = self.electronics.table
        table.put(TablePiece(kind), table.spots[MORRIS[point].index], self.electronics.clock.now())

    def frame(self) -> list[str]:
        """Pass one frame; return the names of its events."""
        self.now += FRAME
        self.electronics.clock.reach(self.now)  # type: ignore[attr-defined]
        return [event.name for event in self.play.board.tick(self.now)]

    def close(self) -> None:
        """End the program."""
        self.play.board.close()
        self.writer.close()


class RealBench:
    """A real program on simulated electronics, whose time passes only when the test says so."""

    def __init__(self, config: Config | None = None, **parts: Any) -> None:
        self.clock = VirtualClock()
        self.board = SimulatedBoard(MORRIS, SensorKind.PRESENCE, self.clock)
        self.log = LogRecorder()
        drivers = {"sensors": self.board.open_sensors(), "strip": self.board.open_strip(), **parts}
        self.play = RealBoard(config or Config.default(), **drivers)
        self._due = 0

    def frames(self, count: int) -> list[dict[str, Any]]:
        """Pass `count` frames, and return the messages published."""
        told: list[dict[str, Any]] = []
        with recorded_log(self.log):
            for _ in range(count):
                self.clock.reach(self._due)
                events = self.play.tick(self._due)
                self.play.publish_changes(
                    lambda message: told.append(json.loads(json.dumps(message))), events, self._due
                )
                self._due += 5000
        return told

    @property
    def said(self) -> list[str]:
        """The reports of faults."""
        return [record.getMessage() for record in self.log.records if record.levelno > logging.INFO]

    def put(self, point: str, kind: str) -> None:
        self.board.table.put(TablePiece(kind), self.board.table.spots[MORRIS[point].index], self.clock.now())


Starter = Callable[..., tuple[subprocess.Popen[str], str]]


@contextmanager
def real_programs(home: Path) -> Iterator[Starter]:
    """Start `millwright run` with arguments, any number of times: the process, and its page's address."""
    boards: list[subprocess.Popen[str]] = []

    def start(*arguments: str) -> tuple[subprocess.Popen[str], str]:
        board = subprocess.Popen(  # noqa: S603
            [sys.executable, "-m", "firmware_host", "run", "--port", "0", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "HOME": str(home), "XDG_STATE_HOME": ""},
        )
        boards.append(board)
        assert board.stdout is not None
        found = ADDRESS.search(board.stdout.readline())
        assert found is not None
        return board, found[0]

    try:
        yield start
    finally:
        for board in boards:
            board.kill()
            board.communicate()
