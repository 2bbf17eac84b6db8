"""The writes of a board to its card, in virtual time: `python -m tests.soak.writes SEED`.

Three days are lived through: one on which people play from morning to night while things break, one on which
a game stands on the board and nobody comes, and one on which a clock runs that nobody stops. The layer under
the disk (`tests/crash/disk_layer.c`) counts what is done to the files of games; nothing else is written
regularly.
"""

from __future__ import annotations

import ctypes
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.crash.lives import disk_layer
from tests.crash.recording import recorded
from tests.fuzz.actors.board import BoardInProcess
from tests.soak.month import DAY_S, EVENING_S, live
from tests.support.paths import PROJECT

CLOCK = "60+30"
DAYS = ("play", "idle", "clock")


@dataclass(frozen=True)
class Writes:
    """The writes to the files of games: their number, their bytes, and the syncs that wait for the card."""

    turns: int
    writes: int
    written_bytes: int
    syncs: int


def measure(day: str, seed: int, seconds: float, layer: Path) -> Writes:
    """Live through a `day` that lasts `seconds`, in a process of its own on the `layer`."""
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-m", "tests.soak.writes", day, str(seed), str(seconds)],
        cwd=PROJECT,
        env={**os.environ, "LD_PRELOAD": str(layer)},
        stdout=subprocess.PIPE,
        check=True,
    )
    return Writes(**json.loads(done.stdout))


def _lived(day: str, seed: int, seconds: float) -> Writes:
    """Live through a day in this process, which was started on the layer."""
    layer = ctypes.CDLL(None)
    with tempfile.TemporaryDirectory() as name, tempfile.NamedTemporaryFile() as file:
        folder, log = Path(name), Path(file.name)
        layer.disk_layer_watch(name.encode())
        if day == "play":
            layer.disk_layer_log(bytes(log))
            days: list[Writes] = []
            live(1, seed, folder, lambda day: days.append(_counted(log, day.turns)), until_s=seconds)
            return days[0]
        board = _left_alone(folder, seed, has_clock=day == "clock")
        layer.disk_layer_log(bytes(log))
        board.feed(json.dumps({"wait": seconds}), 1)
        counted = _counted(log)
        board.close()
        return counted


def _left_alone(folder: Path, seed: int, *, has_clock: bool) -> BoardInProcess:
    """Return a board that was left after the first two turns of a game."""
    board = BoardInProcess("standard", "presence", seed, folder / "games.db")
    commands = [
        *([{"do": "set", "clock": CLOCK}, {"do": "new-game"}] if has_clock else []),
        {"show": True},
    ]
    lines = [line for command in commands for line in board.feed(json.dumps(command), 1)]
    mover = json.loads(lines[-1])["state"]["to_move"]
    other = {"white": "black", "black": "white"}[mover]
    for command in (
        {"put": "d6", "piece": mover},
        {"wait": 5},
        {"put": "f4", "piece": other},
        {"wait": 5},
    ):
        board.feed(json.dumps(command), 1)
    return board


def _counted(log: Path, turns: int = 0) -> Writes:
    done = [one for one in recorded(log) if one.kind == "D" or one.name.startswith("games.db")]
    written = [len(one.data) for one in done if one.kind == "W"]
    return Writes(turns, len(written), sum(written), sum(one.kind in "SD" for one in done))


def main() -> None:
    """Live through the three days and print what each has written."""
    if len(sys.argv) > 2:
        day, seed, length = sys.argv[1:]
        print(json.dumps(asdict(_lived(day, int(seed), float(length)))))  # noqa: T201
        return
    with tempfile.TemporaryDirectory() as folder:
        layer = disk_layer(Path(folder))
        if layer is None:
            sys.exit("There is no C compiler (cc), which builds the layer under the disk.")
        for day in DAYS:
            seconds = EVENING_S if day == "play" else DAY_S
            print(f"{day:6}", measure(day, int(sys.argv[1]), seconds, layer), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
