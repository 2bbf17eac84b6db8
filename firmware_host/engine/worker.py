"""The engine as a process: `python -m firmware_host.engine.worker` reads requests and writes answers.

A process of its own, since a search would take the interpreter from the board's loop, and since a crash in C
must not take the board along. One thread is enough: a search looks for the next line whenever it is asked
whether to stop. `millwright engine` is the same for other programs.

**Invariants:** a request ends the one before, which then is not answered; `stop` has it answered at once.
`isready` is answered during a search. At the end of the input the last request is
still answered, within its limits, and the process ends.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

from firmware_host.engine.external.process_tree import adopt_orphans
from firmware_host.engine.external.program import ExternalEngine
from firmware_host.engine.lines import LineReader
from firmware_host.engine.protocol import Conversation, Task, best_move
from firmware_host.engine.solving.folder import open_tables
from firmware_host.engine.tables import Tables
from firmware_host.errors import ExternalEngineError, MillwrightError, RequestError
from firmware_host.state_files import DamagedFile

MAX_FAILURES = 2
"""The failures of another program after which it isn't asked again."""
_EXTERNAL_MILLISECONDS = 1000
_NICE = 10
_NICE_IN_BACKGROUND = 19
_KILL_FIRST = "500"
"""Added to what the kernel's memory killer goes by, so that it takes the engine and not the board."""


@dataclass
class Worker:
    """Answers one line after the other."""

    reader: LineReader
    out: TextIO
    tables: Tables | None = None
    external: ExternalEngine | None = None
    conversation: Conversation = field(default_factory=Conversation)
    clock: Callable[[], float] = time.monotonic
    _failures: int = 0

    def run(self) -> None:
        """Answer until `quit` or the end of the input."""
        while (line := self.reader.next_line()) is not None:
            answer = self.conversation.receive(line)
            self._send(*answer.lines)
            if answer.quits:
                break
            if answer.task is not None:
                self._perform(answer.task)

    def close(self) -> None:
        """End the other program, if there is one."""
        if self.external is not None:
            self.external.close()

    def _perform(self, task: Task) -> None:
        interruption = _Interruption(self)

        def inform(line: str) -> None:
            interruption()  # a small depth may not have asked
            if not interruption.cancelled:
                self._send(line)

        try:
            # Another program has limits of its own, three times its time; then this one's begins.
            lines = self._external_turn(task, interruption) if task.kind == "external" else None
            interruption.limit(task.milliseconds)
            for line in task.stream(self.tables, interruption, inform) if lines is None else lines:
                if task.kind == "review":
                    interruption()  # a small search may not have asked
                if interruption.cancelled:
                    return
                self._send(line)
        except MillwrightError as error:
            if not interruption.cancelled:
                self._send(f"error {error}")

    def _external_turn(self, task: Task, stop: Callable[[], bool]) -> list[str] | None:
        """Return the answer of the other program; None if it has none, so that this one has to play."""
        if self.external is None:
            raise RequestError("no other program is configured; leave out external")
        if task.game.outcome is not None:
            return None
        if self._failures >= MAX_FAILURES:
            self.inform(f"external failed {MAX_FAILURES} times, and isn't asked again")
            return None
        try:
            turn = self.external.choose(task.game, task.milliseconds or _EXTERNAL_MILLISECONDS, stop)
        except ExternalEngineError as error:
            self._failures += 1
            self.inform(f"external failed, {self._failures} of {MAX_FAILURES}: {error}")
            return None
        return None if turn is None else [best_move(task.game, turn)]

    def _send(self, *lines: str) -> None:
        for line in lines:
            self.out.write(f"{line}\n")
        self.out.flush()

    def inform(self, text: str) -> None:
        """Send a remark for people, which answers no request."""
        self._send(f"info string {' '.join(text.split())}")

    def note_damage(self, file: DamagedFile) -> None:
        """Send a file that was set aside, for the board to show."""
        self.inform(f"damaged {json.dumps(file.message.as_dict())}")

    def interrupted(self) -> bool | None:
        """Return True if a new request cancels a search, None if it has to answer now, else False."""
        reader = self.reader
        reader.poll()
        while reader.lines:
            word = reader.lines[0].strip()
            if word == "isready":
                self._send("readyok")
            elif word == "stop":
                reader.lines.popleft()
                return None
            elif word:
                return True
            reader.lines.popleft()
        return False  # the end of the input gives nothing up: every search has a limit of its own


@dataclass
class _Interruption:
    """The answer to whether a search has to stop."""

    worker: Worker
    cancelled: bool = False
    _milliseconds: int | None = None
    _began: float = 0
    _over: bool = False

    def limit(self, milliseconds: int | None) -> None:
        """End the search after this time from now on; None for no limit."""
        self._milliseconds, self._began = milliseconds, self.worker.clock()

    def __call__(self) -> bool:
        if not self._over:
            found = self.worker.interrupted()
            self.cancelled = found is True
            self._over = found is not False or self._late()
        return self._over

    def _late(self) -> bool:
        if self._milliseconds is None:
            return False
        return (self.worker.clock() - self._began) * 1000 >= self._milliseconds


def serve(external: ExternalEngine | None = None, *, sets_aside: bool = False) -> None:
    """Answer requests from standard input on standard output, with the tables of this installation.

    If it `sets_aside` damaged tables, it says so, for the board to show.
    """
    if sys.stdin is None or sys.stdout is None:  # an end of a pipe that was closed before the start
        raise RequestError("the engine needs standard input and output")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")  # as lines are read, whatever the locale
    worker = Worker(LineReader(sys.stdin.fileno()), sys.stdout, external=external)
    try:
        set_aside = worker.note_damage if sets_aside else None
        worker.tables = open_tables(report=worker.inform, set_aside=set_aside)
        worker.run()
    except BrokenPipeError:
        # Nobody reads any more. The rest of the buffer would fail again when the interpreter ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    finally:
        worker.close()


def yield_to_the_board(nice: int = _NICE) -> None:
    """Take less of the processor than the board, and be the first to go if memory runs out."""
    with suppress(OSError):  # the board's service may not let it
        os.nice(nice)
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(_KILL_FIRST, "ascii")


def main() -> None:
    """Run as the board's own process; see `--help`."""
    parser = argparse.ArgumentParser(description="Answer the board's requests for turns and values.")
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="option of the other program (repeatable)",
    )
    parser.add_argument(
        "--external",
        nargs=argparse.REMAINDER,
        default=[],
        metavar="COMMAND",
        help="the program that answers go external, with its arguments; comes last",
    )
    parser.add_argument(
        "--background",
        action="store_true",
        help="leave the processor to everything else, the opponent included",
    )
    given = parser.parse_args()
    yield_to_the_board(_NICE_IN_BACKGROUND if given.background else _NICE)
    external = ExternalEngine(given.external, given.option, is_alone=True) if given.external else None
    if external is not None:
        adopt_orphans()
    serve(external, sets_aside=not given.background)


if __name__ == "__main__":
    main()
