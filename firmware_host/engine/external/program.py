"""Another program as the opponent: a child process that speaks the line protocol of mill engines.

Its command comes from the configuration alone. It runs without a shell, and is ended with everything it
started. It may answer with whole turns or, as Sanmill does, with one
step at a time.

**Invariants:** whatever the program does (lie, hang, flood, die), `choose` returns a legal turn or raises
ExternalEngineError within its limits. A program that failed is ended; the next turn starts it again.
"""

from __future__ import annotations

import os
import reprlib
import select
import subprocess
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from firmware_host.engine.external.process_tree import end_all_below, end_tree
from firmware_host.engine.searching.search import never
from firmware_host.errors import ExternalEngineError, MillwrightError
from firmware_host.games.game import Game

PATIENCE = 3
"""The multiple of its time that a program gets before it counts as hanging."""
MAX_BYTES_PER_SECOND = 1_000_000
START_SECONDS = 10.0
"""The time in which a program has to answer after its start, before its first turn."""
_POLL_SECONDS = 0.02
_CHUNK = 65_536


@dataclass
class ExternalEngine:
    """The program, started at the first turn and kept until it fails or is closed."""

    command: Sequence[str]
    options: Sequence[str] = ()
    """The options to set at its start, each `NAME=VALUE`."""
    clock: Callable[[], float] = time.monotonic
    is_alone: bool = False
    """True if all children of this process are the program's, such as orphans that it has adopted."""
    _child: subprocess.Popen[bytes] | None = None
    _unread: bytes = b""
    _lines: deque[str] = field(default_factory=deque)

    def choose(self, game: Game, milliseconds: int, stop: Callable[[], bool] = never) -> str | None:
        """Return the turn that the program chooses, or None once `stop` returns True.

        Raises ExternalEngineError if it has not chosen a legal one in three times `milliseconds` after its
        start, which may take ten seconds.
        """
        try:
            self._start(stop)
            end = self.clock() + PATIENCE * milliseconds / 1000
            steps: list[str] = []
            now = game
            while now.outcome is None and now.position.to_move is game.position.to_move:
                self._send(_described(game, steps), f"go movetime {milliseconds}")
                words = self._answer("bestmove", end, stop)
                if words is None:
                    self.close()
                    return None
                for step in _legal_steps(now, words):
                    now = now.play(now.position.legal_step(step))
                    steps.append(step)
            return game.rules.turn_text(now.steps[game.ply :])
        except (OSError, ExternalEngineError) as error:
            self.close()
            raise ExternalEngineError(f"{self.command[0]}: {error}") from error

    def close(self) -> None:
        """End the program, and what it has started."""
        child, self._child = self._child, None
        if child is None:
            return
        end_tree(child)
        if self.is_alone:
            end_all_below(os.getpid())
        for pipe in (child.stdin, child.stdout):
            if pipe is not None:
                pipe.close()
        child.wait()
        self._unread, self._lines = b"", deque()

    def _start(self, stop: Callable[[], bool]) -> None:
        if self._child is not None and self._child.poll() is None:
            return
        self.close()
        self._child = subprocess.Popen(  # noqa: S603 - the command is in the board's configuration
            list(self.command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            bufsize=0,
        )
        if self._child.stdin is not None:
            os.set_blocking(self._child.stdin.fileno(), False)  # it may never read
        self._send("uci")
        self._answer("uciok", self.clock() + START_SECONDS, stop)
        named = (option.partition("=") for option in self.options)
        self._send(*(f"setoption name {name} value {value}" for name, _, value in named), "ucinewgame")

    def _send(self, *lines: str) -> None:
        child = self._child
        if child is None or child.stdin is None:
            raise ExternalEngineError("it is not running")
        text = "".join(f"{line}\n" for line in lines).encode()
        try:
            written = os.write(child.stdin.fileno(), text)
        except BlockingIOError:
            written = 0
        if written != len(text):
            raise ExternalEngineError("it reads no requests")

    def _answer(self, word: str, end: float, stop: Callable[[], bool]) -> list[str] | None:
        """Return the words after `word` in the first line that has it; None if stopped.

        Sanmill writes it at the end of a line of information.
        """
        began, received = self.clock(), 0
        while True:
            while self._lines:
                words = self._lines.popleft().split()
                if word in words:
                    return words[words.index(word) + 1 :]
            now = self.clock()
            if now >= end:
                raise ExternalEngineError(f"no {word} in time")
            if stop():
                return None
            received += self._read()
            if received > MAX_BYTES_PER_SECOND * (1 + now - began):
                raise ExternalEngineError(f"more than {MAX_BYTES_PER_SECOND} bytes of output a second")

    def _read(self) -> int:
        """Read what the program has written, waiting a little for it; return the number of bytes."""
        child = self._child
        if child is None or child.stdout is None:
            raise ExternalEngineError("it is not running")
        if not select.select([child.stdout], [], [], _POLL_SECONDS)[0]:
            return 0
        chunk = os.read(child.stdout.fileno(), _CHUNK)
        if not chunk:
            raise ExternalEngineError("it has ended")
        *lines, self._unread = (self._unread + chunk).split(b"\n")
        self._unread = self._unread[-_CHUNK:]
        self._lines += [line.decode("utf-8", "replace") for line in lines]
        return len(chunk)


def _described(game: Game, more: Sequence[str]) -> str:
    """Return the request that describes the position after `game` and some further steps."""
    start = game.positions[0]
    described = "startpos" if game.rules.start(start.to_move) == start else f"fen {start}"
    moves = [*(step.text for step in game.steps), *more]
    return " ".join(["position", described, *(("moves", *moves) if moves else ())])


def _legal_steps(game: Game, words: Sequence[str]) -> list[str]:
    """Return the steps that an answer consists of; raise ExternalEngineError if one is not legal.

    The reply that an engine would ponder on is no part of its turn.
    """
    own = takewhile(lambda word: word != "ponder", words)
    try:
        steps = [step.text for word in own for step in game.rules.parse_turn(word)]
        now = game
        for step in steps:
            now = now.play(now.position.legal_step(step))
    except MillwrightError as error:
        raise ExternalEngineError(
            f"illegal answer {reprlib.repr(' '.join(words))} in {game.position}"
        ) from error
    if not steps:
        raise ExternalEngineError(f"no turn in {game.position}")
    return steps
