"""The analyst: looks back on one game at a time, in a process of the engine with the lowest priority.

The board's own engine is another process, so an analysis never holds up a turn. The process is started for
each analysis and ends with it.

Invariants: the methods return at once, whatever the process does; at most one process runs. An analysis that
was given up, or failed, leaves nothing behind.
"""

from __future__ import annotations

import logging
import select
import subprocess
import sys
import threading
from collections.abc import Sequence

from firmware_host.engine.lines import LineReader
from firmware_host.engine.review import Review, ReviewedTurn, finished_turns
from firmware_host.engine.review_notes import reviewed_turn
from firmware_host.errors import NotationError
from firmware_host.games.game import Game
from firmware_host.runtime.engines.child import started
from firmware_host.views.analysis import NOT_BEGUN, Keep, Progress

_LOG = logging.getLogger(__name__)

COMMAND = (sys.executable, "-m", "firmware_host.engine.worker", "--background")
"""The command of the process."""
LINE_TIMEOUT_S = 300.0
"""The longest that one turn may take; without the library in C, a slow Pi needs a minute."""
_KILL_TIMEOUT_S = 5.0


class AnalysisError(Exception):
    """The process has failed."""


class Analyst:
    """Analyses games, from the first request until `close`."""

    def __init__(self, command: Sequence[str] = COMMAND) -> None:
        self._command = command
        self._lock = threading.Lock()
        self._job: _Job | None = None

    def begin(self, game: Game, keep: Keep) -> None:
        """Analyse `game` in place of any other, unless that is being done or was done last.

        `keep` is called with the result in a thread of its own.
        """
        with self._lock:
            if self._job is not None:
                if self._job.is_of(game) and not self._job.has_ended_in_vain:
                    return
                self._job.give_up()
            self._job = _Job(game, self._command, keep)

    def end(self, game: Game) -> None:
        """Give the analysis of `game` up, if it is running."""
        with self._lock:
            if self._job is not None and self._job.is_of(game) and self._job.progress.is_running:
                self._job.give_up()
                self._job = None

    def progress(self, game: Game) -> Progress:
        """Return how far the analysis of `game` is."""
        job = self._job
        return job.progress if job is not None and job.is_of(game) else NOT_BEGUN

    def close(self) -> None:
        """End the process, if one is running."""
        with self._lock:
            job, self._job = self._job, None
        if job is not None:
            job.give_up()
            job.thread.join(_KILL_TIMEOUT_S)


class _Job:
    """The analysis of one game."""

    def __init__(self, game: Game, command: Sequence[str], keep: Keep) -> None:
        self.progress = Progress(0, is_running=True)
        self._game = game
        self._keep = keep
        self._given_up = threading.Event()
        self._child: subprocess.Popen[bytes] | None = None
        self._starting = threading.Lock()
        self.thread = threading.Thread(target=self._run, args=(command,), name="analysis", daemon=True)
        self.thread.start()

    @property
    def has_ended_in_vain(self) -> bool:
        """True if it has failed or was given up."""
        return self.progress.has_failed or self._given_up.is_set()

    def is_of(self, game: Game) -> bool:
        """Return whether this is the analysis of the steps of `game`."""
        own = self._game
        same_start = str(own.positions[0]) == str(game.positions[0]) and own.rules == game.rules
        return same_start and own.steps == game.steps

    def give_up(self) -> None:
        """End the process."""
        with self._starting:
            self._given_up.set()
            if self._child is not None:
                self._child.kill()

    def _run(self, command: Sequence[str]) -> None:
        try:
            review = self._reviewed(command)
        except (AnalysisError, OSError, NotationError) as error:
            if not self._given_up.is_set():
                _LOG.warning("the analysis of a game has failed: %s", error)
            self.progress = Progress(self.progress.done, is_running=False, has_failed=True)
            return
        self.progress = Progress(len(review), is_running=False, review=review)
        self._keep(review)

    def _reviewed(self, command: Sequence[str]) -> Review:
        with self._starting:
            if self._given_up.is_set():
                raise AnalysisError("it was given up")
            child = self._child = started(command)
        try:
            return self._received(child)
        finally:
            child.kill()
            for pipe in (child.stdin, child.stdout):
                if pipe is not None:
                    pipe.close()
            child.wait(_KILL_TIMEOUT_S)

    def _received(self, child: subprocess.Popen[bytes]) -> Review:
        game = self._game
        assert child.stdin is not None  # noqa: S101 - both are pipes
        assert child.stdout is not None  # noqa: S101
        child.stdin.write(_request(game).encode())
        reader = LineReader(child.stdout.fileno())
        left, found = finished_turns(game), list[ReviewedTurn]()
        while (line := _next_line(reader)) != "reviewok":
            word, _, rest = line.partition(" ")
            if word == "error" or (word == "reviewed" and not left):
                raise AnalysisError(line)
            if word == "reviewed":
                found.append(reviewed_turn(game, left.pop(), rest))
                self.progress = Progress(len(found), is_running=True)
        if left:
            raise AnalysisError(f"{len(left)} turns are missing")
        return tuple(reversed(found))


def _request(game: Game) -> str:
    steps = " ".join(step.text for step in game.steps)
    moves = f" moves {steps}" if steps else ""
    return (
        f"setoption name Rules value {game.rules.describe()}\n"
        f"position fen {game.positions[0]}{moves}\n"
        "review\n"
    )


def _next_line(reader: LineReader) -> str:
    """Return the next line. Raise AnalysisError at the end, or if there is none in time."""
    if not reader.lines and not select.select([reader.descriptor], [], [], LINE_TIMEOUT_S)[0]:
        raise AnalysisError(f"it hasn't answered for {LINE_TIMEOUT_S:.0f} seconds")
    line = reader.next_line()
    if line is None:
        raise AnalysisError("it ended")
    return line
