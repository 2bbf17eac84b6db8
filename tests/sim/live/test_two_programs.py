"""Two programs that want the same file of games, as processes: nothing of either is overwritten."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from time import monotonic, sleep

import pytest

from firmware_host.maintenance.companion import CompanionConnection
from firmware_host.store.database import open_read_only
from tests.support.paths import PROJECT

pytestmark = pytest.mark.ci("programs")

TIMEOUT_S = 120.0


class SimulatedProgram:
    """The program `millwright sim`, and what it has said."""

    def __init__(self, folder: Path, *arguments: str, expected: str = "The board is at") -> None:
        command = [sys.executable, "-m", "firmware_host", "sim", "--no-browser", "--port", "0", *arguments]
        self.process = subprocess.Popen(  # noqa: S603
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            cwd=PROJECT,
            env={"XDG_STATE_HOME": str(folder), "PATH": "/usr/bin:/bin"},
        )
        assert self.process.stdout is not None
        self.output = ""
        for line in self.process.stdout:
            self.output += line
            if expected in line:
                return

    def put(self, *pieces: tuple[str, str]) -> None:
        """Put pieces down, one after the other, and wait until each turn counts."""
        found = re.search(r"http://([\d.]+):(\d+)/", self.output)
        assert found is not None, self.output
        with CompanionConnection(found[1], int(found[2])) as board:
            left, before, until = list(pieces), -1, monotonic() + TIMEOUT_S
            for state in board.states():
                assert monotonic() < until, state
                if len(state["turns"]) == before:
                    continue
                before = len(state["turns"])
                if not left:
                    return
                point, piece = left.pop(0)
                board.ask({"put": point, "piece": piece})


@contextmanager
def started(folder: Path, *arguments: str) -> Iterator[SimulatedProgram]:
    program = SimulatedProgram(folder, *arguments)
    try:
        yield program
    finally:
        program.process.terminate()
        program.process.communicate(timeout=60)


def saved(path: Path) -> list[list[str]]:
    until = monotonic() + TIMEOUT_S
    while not path.exists():
        assert monotonic() < until
        sleep(0.05)
    with closing(open_read_only(path)) as file:
        return [[step.text for step in file.game(row).saved.steps] for row in file.rows()]


def test_two_programs_on_one_file_keep_their_games_apart(tmp_path: Path) -> None:
    first = tmp_path / "millwright" / "simulated.db"
    with started(tmp_path) as one, started(tmp_path) as other:
        assert f"plays in {first}" in other.output
        one.put(("d6", "white"), ("f4", "black"))
        other.put(("a1", "white"))
        refused = SimulatedProgram(tmp_path, "--store", str(first), expected="is in use by")
        refused.process.communicate(timeout=60)
        assert refused.process.returncode == 2
        assert f"(process {one.process.pid} on " in refused.output
    assert saved(first) == [["d6", "f4"]]
    assert saved(first.with_name("simulated-2.db")) == [["a1"]]
    with started(tmp_path, "--store", str(first)) as again:  # the lock has ended with the process
        again.put(("g1", "white"))
    assert saved(first) == [["d6", "f4", "g1"]]
