"""`millwright run` under attack: started, played on, asked for its counters, and stopped.

Invariants: it plays on a front end of its own at a pseudo-terminal; its games, secret and log are in a
temporary folder. Its counters come over the loopback of its own network, which no visitor reaches. How late
each frame is done is counted by its own loop, and read from memory that it shares.
"""

from __future__ import annotations

import json
import sqlite3
import subprocess
import time
from array import array
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

from tests.attacks import timed_board
from tests.attacks.house import PORT, Namespaces
from tests.attacks.timed_board import BUCKET_US

_NICE_BOARD, _NICE_FRONT_END = -5, -10
_STARTS_WITHIN_S = 60.0
_LATE = "late"
_PLACEMENTS = (14, 0, 17, 7, 6, 11, 21, 22, 10, 4, 2, 20, 3, 19, 5, 18, 9, 23)
"""The sensors of all pieces of both players, in turns none of which closes a mill."""
_CONFIG = """\
[sensors]
kind = "serial"
port = "{port}"
[strip]
backend = "serial"
[web]
port = {page}
"""


class SilentBoardError(Exception):
    """A board that does not answer the machine that it runs on."""


@dataclass(frozen=True)
class BoardSample:
    """The counters of a board at one moment: frames, memory in kB, descriptors, bytes and lines of log."""

    frames: int
    missed: int
    turns: int
    late: tuple[int, ...]
    """The number of frames in each bucket of lateness."""
    memory_kb: int
    descriptors: int
    log_bytes: int
    log_lines: int
    faults: dict[str, str]


def late_us(before: BoardSample, after: BoardSample, share: float) -> float:
    """Return how late that `share` of the frames between two samples were done at most.

    The result is infinite if no frame was timed.
    """
    counts = [new - old for old, new in zip(before.late, after.late, strict=True)]
    wanted = share * sum(counts)
    found = (bucket for bucket, count in enumerate(accumulate(counts), 1) if count >= wanted)
    return next(found) * BUCKET_US if any(counts) else float("inf")


class AttackedBoard:
    """The running program, and the hands that play on it."""

    def __init__(
        self, house: Namespaces, process: subprocess.Popen[bytes], hands: subprocess.Popen[str], folder: Path
    ) -> None:
        self._house = house
        self._process = process
        self._hands = hands
        self._folder = folder
        self._log = folder / "log"
        self._placed = 0

    def place(self) -> None:
        """Place a piece of the player whose turn it is, as long as there is one."""
        assert self._hands.stdin is not None
        if self._placed < len(_PLACEMENTS):
            print(_PLACEMENTS[self._placed], file=self._hands.stdin, flush=True)
            self._placed += 1

    def lost(self, sample: BoardSample) -> int:
        """Return how many of the placed pieces had not counted by then."""
        return self._placed - sample.turns

    def lost_on_disk(self) -> int:
        """Return how many of the placed pieces the games file lacks; once the program has stopped."""
        (path,) = self._folder.glob(".local/state/millwright/games.db")
        with closing(sqlite3.connect(path)) as file:
            return self._placed - int(file.execute("SELECT count(*) FROM steps").fetchone()[0])

    def sample(self) -> BoardSample:
        """Return its counters now; raise SilentBoardError if it does not say them."""
        status = self._status()
        proc = Path(f"/proc/{self._pid}")
        memory = next(line for line in (proc / "status").read_text().splitlines() if line.startswith("VmRSS"))
        text = self._log.read_bytes()
        return BoardSample(
            frames=status["frames"],
            missed=status["missed"],
            turns=status["game"]["turns"],
            late=tuple(array("I", (self._folder / _LATE).read_bytes())),
            memory_kb=int(memory.split()[1]),
            descriptors=len(list((proc / "fd").iterdir())),
            log_bytes=len(text),
            log_lines=text.count(b"\n"),
            faults=status["faults"],
        )

    def wait_until_it_plays(self) -> None:
        """Wait until frames are read without a fault. Raises TimeoutError."""
        end = time.monotonic() + _STARTS_WITHIN_S
        while time.monotonic() < end:
            try:
                if not self.sample().faults:
                    return
            except SilentBoardError:  # not there yet
                time.sleep(0.2)
        raise TimeoutError(f"the board did not start: {self._log.read_text()[-2000:]}")

    def stop(self) -> float:
        """Stop it by SIGTERM and return the seconds that took."""
        began = time.monotonic()
        self._process.terminate()
        self._process.wait(60)
        return time.monotonic() - began

    @property
    def _pid(self) -> int:
        """The process of the program itself: `ip` and `nice` become it by exec."""
        return self._process.pid

    def _status(self) -> dict[str, Any]:
        status: dict[str, Any] = json.loads(self.fetch("/status"))
        return status

    def fetch(self, path: str) -> bytes:
        """Return what the page's address has at `path` for the board's own machine.

        Raises SilentBoardError if nothing comes within ten seconds.
        """
        asked = ["curl", "-s", "-m", "10", f"http://127.0.0.1:{PORT}{path}"]
        command = ["ip", "netns", "exec", self._house.board, *asked]
        try:
            return subprocess.run(command, check=True, capture_output=True).stdout  # noqa: S603
        except subprocess.CalledProcessError as error:
            raise SilentBoardError from error


@contextmanager
def attacked_board(house: Namespaces, folder: Path, program: Path) -> Iterator[AttackedBoard]:
    """Run a board in `house` while the context lasts; it plays when the context begins.

    `program` is the folder of the project, or of another version of it.
    """
    front_end = subprocess.Popen(  # noqa: S603
        house.command(house.board, "tests.attacks.front_end", niceness=_NICE_FRONT_END),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert front_end.stdout is not None
    assert front_end.stdin is not None
    config = folder / "millwright.toml"
    config.write_text(_CONFIG.format(port=front_end.stdout.readline().strip(), page=PORT))
    log = folder / "log"
    with log.open("wb") as written:
        process = subprocess.Popen(  # noqa: S603
            [
                *house.started(house.board, timed_board.__file__, str(folder / _LATE), niceness=_NICE_BOARD),
                *("run", "--config", str(config), "--listen"),
            ],
            stdout=written,
            stderr=subprocess.STDOUT,
            env={"HOME": str(folder), "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "PYTHONPATH": str(program)},
            cwd=program,
        )
    board = AttackedBoard(house, process, front_end, folder)
    try:
        board.wait_until_it_plays()
        yield board
    finally:
        process.kill()
        process.wait()
        front_end.stdin.close()
        front_end.wait()
        front_end.stdout.close()
