"""The real program on simulated electronics, in virtual time, with a store's thread of its own."""

from __future__ import annotations

from firmware_host.config import Config
from firmware_host.games.layout import MORRIS
from firmware_host.real import RealPlay
from firmware_host.store.keeper import Store
from firmware_host.store.thread import StoreThread
from sim.electronics import SimulatedBoard
from sim.table import Piece

FRAME = 5_000
"""In microseconds."""


class RealBoard:
    """What `millwright run` plays with, on electronics that stay when it ends."""

    def __init__(self, electronics: SimulatedBoard, store: Store) -> None:
        self.electronics = electronics
        self.writer = StoreThread(store, retry_s=0.01)
        self.play = RealPlay(
            Config.default(),
            lambda line: None,
            sensors=electronics.open_sensors(),
            strip=electronics.open_strip(),
            writer=self.writer,
        )
        self.writer.start()
        self.now = 0

    def put(self, point: str, kind: str) -> None:
        """Set a piece down."""
        table = self.electronics.table
        table.put(Piece(kind), table.spots[MORRIS[point].index], self.electronics.clock.now())

    def frame(self) -> list[str]:
        """Pass one frame; the names of the events that it told."""
        self.now += FRAME
        self.electronics.clock.reach(self.now)  # type: ignore[attr-defined]
        return [event.name for event in self.play.board.tick(self.now)]

    def close(self) -> None:
        """End the program."""
        self.play.board.close()
        self.writer.close()
