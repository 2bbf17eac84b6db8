"""Count how often hands that ask for nothing open the menu: `python -m tests.fuzz.asks [--turns 100000]`.

Random hands play, fumble, move back, knock pieces over, break sensors and cut the power, in all games and
with all kinds of sensors, as in `tests.fuzz.actions`, which also judges them. A menu that opens by a knock or
by two pieces held up was opened by chance, and is closed at once. Printed are the turns and both numbers; a
knock, or more than one hold-up in two thousand turns, makes the command return 1.

Each board is a line of the journal; with the same journal, a run that was broken off goes on.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from firmware_host.play.asking.watch import GestureWatch
from firmware_host.ports import Frame
from firmware_host.settings import Microseconds
from tests.fuzz.actions import board_of, play_board

TURNS, KNOCKS, HOLD_UPS = "turns", "knocks", "hold-ups"
BROKEN = "boards given up"
TURNS_OF_A_HOLD_UP = 2_000
"""The turns in which one hold-up by chance is allowed."""


@contextmanager
def counted(counts: Counter[str]) -> Iterator[None]:
    """Count the gestures that all boards in this process see."""
    update = GestureWatch.update

    def counting(self: GestureWatch, frame: Frame, now: Microseconds) -> set[int]:
        found = update(self, frame, now)
        if found:
            counts[KNOCKS if len(found) == 1 else HOLD_UPS] += 1
        return found

    GestureWatch.update = counting
    try:
        yield
    finally:
        GestureWatch.update = update


def play(seed: int) -> Counter[str]:
    """Play the board of a seed, and return its turns and gestures."""
    counts: Counter[str] = Counter()
    with counted(counts):
        try:
            tally = play_board(*_board(seed))
        except AssertionError:  # `tests.fuzz.actions` reports what broke
            counts.clear()
            return Counter({BROKEN: 1})
    counts[TURNS] = tally["event turn"]
    return counts


def _board(seed: int) -> tuple[str, str, int, int]:
    game, sensors, acts = board_of(seed)
    return game, sensors, seed, acts


def is_good(total: Counter[str]) -> bool:
    """Return whether these gestures are allowed in these turns."""
    return not total[KNOCKS] and total[HOLD_UPS] * TURNS_OF_A_HOLD_UP <= total[TURNS]


def main(arguments: Sequence[str] | None = None) -> int:
    """Play until there are enough turns, and print the numbers."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.asks")
    parser.add_argument("--turns", type=int, default=1_000, help="with those in the journal")
    parser.add_argument("--journal", type=Path, help="file that keeps the boards that were played")
    options = parser.parse_args(arguments)
    played = _read(options.journal)
    total: Counter[str] = sum(played, Counter())
    seed = len(played)
    while total[TURNS] < options.turns:
        found = play(seed)
        total += found
        seed += 1
        if options.journal is not None:
            with options.journal.open("a", encoding="utf-8") as file:
                file.write(json.dumps(found) + "\n")
    numbers = ", ".join(f"{total[name]} {name}" for name in (TURNS, KNOCKS, HOLD_UPS, BROKEN))
    print(f"{seed} boards: {numbers}")  # noqa: T201 - a command's output
    return int(not is_good(total))


def _read(journal: Path | None) -> list[Counter[str]]:
    if journal is None or not journal.exists():
        return []
    return [Counter(json.loads(line)) for line in journal.read_text(encoding="utf-8").splitlines()]


if __name__ == "__main__":
    sys.exit(main())
