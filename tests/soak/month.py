"""A month of play in virtual time, and what it cost: `python -m tests.soak.month DAYS SEED`.

People play from nine in the morning to ten at night, one game after the other; by night the board stands
idle, and may lose its power. After each day memory and file are measured; at the end the file is compared
with everything reported.
"""

from __future__ import annotations

import gc
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.fuzz.actors.board import BoardInProcess
from tests.soak.book import Book
from tests.soak.people import SoakPeople

DAY_S = 86_400.0
EVENING_S = 13 * 3600.0
"""The time at which people go home, counted from their arrival in the morning."""


@dataclass(frozen=True)
class DayMeasured:
    """The measurements at the end of a day."""

    day: int
    memory_kib: int
    store_bytes: int
    turns: int
    games: int


@dataclass
class Month:
    """The results of some days."""

    evenings: list[DayMeasured] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    broken: Counter[str] = field(default_factory=Counter)
    games: int = 0
    steps: int = 0
    store_bytes: int = 0
    at_least_bytes: int = 0
    """The size of a file to which the same games are written at once."""
    said: str = ""
    """A digest of every line that the board wrote: the same for the same seed."""
    took_s: float = 0.0
    cpu_s: float = 0.0


def live(
    days: int,
    seed: int,
    folder: Path,
    tell: Callable[[DayMeasured], object] = lambda _: None,
    *,
    until_s: float = EVENING_S,
) -> Month:
    """Live through `days` days, on which people play until `until_s`.

    Raises AssertionError, with what happened last, where something is wrong.
    """
    began, cpu = time.monotonic(), time.process_time()
    book = Book(folder / "games.db", folder / "told.jsonl")
    board = BoardInProcess("standard", "presence", seed, book.store)
    month = Month()
    try:
        people = SoakPeople(board, book, Random(seed))
        try:
            for day in range(1, days + 1):
                _live_a_day(people, day, until_s)
                month.evenings.append(_evening(people, day))
                tell(month.evenings[-1])
            people.until_whole()
        except Exception as error:
            error.add_note(f"seed {seed}, second {people.now:.3f}, broken {people.trouble.broken}:")
            error.add_note("\n".join(people.recent))
            raise
    finally:
        board.close()
    book.close()
    month.games, month.steps = book.check_file()
    book.file_of_the_same(folder / "same.db")
    month.store_bytes, month.at_least_bytes = _size(book.store), _size(folder / "same.db")
    month.counts, month.broken = book.counts, people.trouble.counts
    month.said = people.said.hexdigest()
    month.took_s, month.cpu_s = time.monotonic() - began, time.process_time() - cpu
    return month


def _live_a_day(people: SoakPeople, day: int, until_s: float) -> None:
    morning = (day - 1) * DAY_S
    while people.now < morning + until_s:
        people.game()
        people.wait(people.luck.uniform(5, 900))
    people.wait(max(0.0, morning + DAY_S - people.now))


def _evening(people: SoakPeople, day: int) -> DayMeasured:
    gc.collect()
    turns = people.counts["turns completed by hands"]
    return DayMeasured(day, _memory_kib(), _size(people.book.store), turns, people.book.games)


def _size(path: Path) -> int:
    """Of a file of games, with its log."""
    return sum(file.stat().st_size for file in path.parent.glob(f"{path.name}*") if file.suffix != ".db-shm")


def _memory_kib() -> int:
    """Return the memory of this process."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    raise OSError("this system does not say how much memory a process holds")


def main() -> None:
    """Live through a month, and print what it was like."""
    days, seed = int(sys.argv[1]), int(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        month = live(days, seed, Path(folder), lambda evening: print(evening, flush=True))  # noqa: T201
    for name, value in vars(month).items():
        if isinstance(value, Counter):
            for what, number in sorted(value.items()):
                print(f"  {number:8} {what}")  # noqa: T201
        elif name != "evenings":
            print(f"{name}: {value}")  # noqa: T201


if __name__ == "__main__":
    main()
