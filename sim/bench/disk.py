"""How long this machine's disk takes until a step is safe, measured on a store that plays on a bench.

Rules kept here: the file lies where a board's games would, on the same disk, and is gone afterwards; a time
runs from the step that counts to the store that has it, the thread's awakening included.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from firmware_host.config.paths import games_path
from firmware_host.games.game import Game
from firmware_host.runtime.loop import wall_ms
from firmware_host.settings import Microseconds
from firmware_host.settings import Store as Settings
from firmware_host.store.store import Batch, Store
from firmware_host.store.writer import StoreThread


class TimedStore(Store):
    """A store that notes how long each state of a game took to be kept."""

    def __init__(self, path: Path, taken: list[Microseconds]) -> None:
        super().__init__(path, wall_ms=wall_ms)
        self._taken = taken
        self._given: dict[int, int] = {}

    def keep(self, game: Game) -> int:
        """As the store does."""
        given = time.perf_counter_ns()
        number = super().keep(game)
        self._given[number] = given
        return number

    def finish(self, batch: Batch) -> bool:
        """As the store does."""
        done = super().finish(batch)
        now = time.perf_counter_ns()
        for number in [number for number in self._given if number <= self.kept]:
            self._taken.append((now - self._given.pop(number)) // 1000)
        return done


@contextmanager
def kept_on_disk(taken: list[Microseconds]) -> Iterator[TimedStore]:
    """A store on this machine's disk, whose times in microseconds go to `taken`."""
    parents = games_path(Settings()).parents
    nearest = next(folder for folder in parents if folder.is_dir())
    with TemporaryDirectory(prefix="millwright-bench-", dir=nearest) as folder:
        store = TimedStore(Path(folder) / "games.db", taken)
        thread = StoreThread(store)
        thread.start()
        try:
            yield store
        finally:
            thread.close()
