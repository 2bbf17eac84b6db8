"""Play over a real mosquitto: `python -m tests.fuzz.link [--games 200] [--journal FILE] [--calm]`.

Two simulated boards with their stores, two links and one broker, all as programs of their own, which are
killed at any moment (not with `--calm`) and started again. A game fails if the boards don't end with the same
turns and the same result, or with a turn that no hands have played. Printed are the ends of the games, and
the times from a turn that counts to its light on the other board (without the rest of a turn), and from both
links being connected again to agreement. Each game is a line of the journal; with the same journal, a run
that was broken off goes on, with other hands.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.fuzz.link.games import LinkedMachines, Measured
from tests.support.mosquitto import PROGRAM


def described(what: str, values: list[float]) -> str:
    """Return the median and the 99th percentile of times."""
    if not values:
        return f"{what}: nothing measured"
    ordered = sorted(values)
    median, late = ordered[len(ordered) // 2], ordered[int(len(ordered) * 0.99)]
    return (
        f"{what}: median {median * 1000:.0f} ms, 99% {late * 1000:.0f} ms, "
        f"most {ordered[-1] * 1000:.0f} ms of {len(ordered)}"
    )


def report(measured: Measured, games: int, took_s: float) -> None:
    """Print what was measured."""
    lines = (
        f"{games} games, {measured.turns} turns in {took_s:.0f} s; killed {dict(measured.kills)}",
        f"ends: {dict(measured.ends)}",
        described("counted to lit on the other board", measured.hand_to_light),
        described("agreed again after a cut", measured.agreed_again),
    )
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()


def read(journal: Path | None) -> list[Measured]:
    """Return the games of a journal."""
    if journal is None or not journal.exists():
        return []
    lines = [json.loads(line) for line in journal.read_text("utf-8").splitlines()]
    return [Measured(**line | {name: Counter(line[name]) for name in ("ends", "kills")}) for line in lines]


def note(journal: Path | None, game: Measured) -> None:
    """Add a game to a journal."""
    if journal is not None:
        with journal.open("a", encoding="utf-8") as file:
            file.write(json.dumps(vars(game)) + "\n")


def main() -> None:
    """Play as many games as the command line says."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--turns", type=int, default=40, help="a player gives up after this number")
    parser.add_argument("--calm", action="store_true", help="kill nothing")
    parser.add_argument("--journal", type=Path, help="file that keeps the games that were played")
    given = parser.parse_args()
    if PROGRAM is None:
        parser.error("mosquitto isn't installed (apt install mosquitto)")
    played = read(given.journal)
    measured = Measured()
    for one in played:
        measured.add(one)
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        machines = LinkedMachines(Path(folder), given.seed + len(played), kills=not given.calm)
        try:
            for number in range(len(played) + 1, given.games + 1):
                machines.measured = Measured()
                machines.play_game(given.turns)
                note(given.journal, machines.measured)
                measured.add(machines.measured)
                report(measured, number, time.monotonic() - began)
        finally:
            machines.close()


if __name__ == "__main__":
    main()
