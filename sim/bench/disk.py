"""Time until this machine's disk has stored a step, measured on a store that plays on a bench.

Invariants: the file is on the disk of a board's games, and is removed afterwards. A time runs from the step
to its confirmation by the store, including the wake-up of the thread.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from firmware_host.config.paths import games_path
from firmware_host.games.game import Game
from firmware_host.runtime.clock import machine_clock
from firmware_host.settings import Microseconds
from firmware_host.settings import Store as Settings
from firmware_host.store.store import Batch, SqliteStore
from firmware_host.store.writer import StoreWriter


class TimedStore(SqliteStore):
    """A store that notes the time until each state of a game is on disk."""

    def __init__(self, path: Path, taken: list[Microseconds]) -> None:
        super().__init__(path, wall_ms=machine_clock().now)
        self._taken = taken
        self._kept_at_ns: dict[int, int] = {}

    def keep(self, game: Game) -> int:
        """Keep a game, as the store does."""
        given = time.perf_counter_ns()
        number = super().keep(game)
        self._kept_at_ns[number] = given
        return number

    def finish(self, batch: Batch) -> bool:
        """Finish a batch, as the store does."""
        done = super().finish(batch)
        now = time.perf_counter_ns()
        for number in [number for number in self._kept_at_ns if number <= self.kept]:
            self._taken.append((now - self._kept_at_ns.pop(number)) // 1000)
        return done


@contextmanager
def kept_on_disk(taken: list[Microseconds]) -> Iterator[TimedStore]:
    """Yield a store on this machine's disk, which appends its times in microseconds to `taken`."""
    parents = games_path(Settings()).parents
    nearest = next(folder for folder in parents if folder.is_dir())
    with TemporaryDirectory(prefix="millwright-bench-", dir=nearest) as folder:
        store = TimedStore(Path(folder) / "games.db", taken)
        thread = StoreWriter(store)
        thread.start()
        try:
            yield store
        finally:
            thread.close()
