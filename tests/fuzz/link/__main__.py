"""Play over a real mosquitto: `python -m tests.fuzz.link [--games 200] [--jobs 4] [--journal FILE] [--calm]`.

Two simulated boards with their stores, two links and one broker, all as programs of their own, which are
killed at any moment (not with `--calm`) and started again. A game fails if the boards don't end with the same
turns and the same result, or with a turn that no hands have played; the files of its machines are kept then.
`--jobs` such pairs play at the same time, each with a broker of its own.

Printed are the ends of the games, and two kinds of times: from the last action of a turn to its light on the
other board, without the wait of a piece that has landed and the rest of a turn, and from everything that was
killed being connected again to agreement. Each session of a few games in the same room is a line of the
journal; with the same journal, a run that was broken off goes on.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.fuzz.journal import played
from tests.fuzz.link.games import LinkedMachines
from tests.support.mosquitto import PROGRAM

GAMES_OF_A_SESSION = 4


@dataclass(frozen=True)
class LinkSession:
    """Some games that two machines play one after another."""

    seed: int
    games: int
    turns: int
    calm: bool


def play(session: LinkSession) -> dict[str, Any]:
    """Play a session; return what was measured."""
    folder = Path(tempfile.mkdtemp(prefix="millwright-link-"))
    try:
        machines = LinkedMachines(folder, session.seed, kills=not session.calm)
        try:
            for _ in range(session.games):
                machines.play_game(session.turns)
        finally:
            machines.close()
    except AssertionError as error:
        raise AssertionError(f"{session}, whose files are in {folder}: {error}") from error
    shutil.rmtree(folder)
    measured = machines.measured
    return {**vars(measured), "times": vars(measured.times)}


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


def report(sessions: list[dict[str, Any]]) -> str:
    """Return what was measured in sessions."""
    sums = {name: sum((Counter(one[name]) for one in sessions), Counter[str]()) for name in ("ends", "kills")}
    turns = sum(one["turns"] for one in sessions)
    times = {
        name: [value for one in sessions for value in one["times"][name]] for name in sessions[0]["times"]
    }
    return "\n".join(
        (
            f"{sums['ends'].total()} games, {turns} turns; killed {dict(sums['kills'])}",
            f"ends: {dict(sums['ends'])}",
            described("hand to light on the other board", times["hand_to_light"]),
            described("- hand to turn that counts", times["counted"]),
            described("- from there to light on the other board", times["lit"]),
            described("agreed again after a cut", times["agreed_again"]),
        )
    )


def main() -> None:
    """Play as many games as the command line says."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--turns", type=int, default=40, help="a player gives up after this number")
    parser.add_argument("--calm", action="store_true", help="kill nothing")
    parser.add_argument("--jobs", type=int, default=1, help="the pairs of boards that play at the same time")
    parser.add_argument("--journal", type=Path, help="file that keeps the games that were played")
    given = parser.parse_args()
    if PROGRAM is None:
        parser.error("mosquitto isn't installed (apt install mosquitto)")
    parts = [
        LinkSession(given.seed + first, min(GAMES_OF_A_SESSION, given.games - first), given.turns, given.calm)
        for first in range(0, given.games, GAMES_OF_A_SESSION)
    ]
    began, sessions = time.monotonic(), []
    for _, measured in played(parts, play, given.jobs, given.journal):
        sessions.append(measured)
        sys.stdout.write(f"{report(sessions)}\n{time.monotonic() - began:.0f} s\n\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
