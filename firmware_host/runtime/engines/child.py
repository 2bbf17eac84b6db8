"""A child process that speaks the engine's protocol: its start, its requests and its answers.

Invariants: nothing here blocks, except the start, which has a thread of its own.
"""

from __future__ import annotations

import json
import logging
import os
import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path

import firmware_host
from firmware_host.engine.external.process_tree import end_tree
from firmware_host.games.values import Result
from firmware_host.i18n import Message, to_english
from firmware_host.runtime.engines.opponent import Answer

_LOG = logging.getLogger(__name__)

MAX_OUTPUT = 65_536
"""The most bytes that the engine may write about one turn."""
_MAX_READ = 4096
"""The most bytes that are read between two frames."""

MAX_REMARKS = 20
"""The most remarks of one process that are logged."""
MAX_REMARK = 1000
"""The characters of a remark that are logged."""

READY = "isready"
"""The request that a process answers once it has loaded."""
_ASKS_PROGRAM = "go external"
_REMARK = "info string "
_EXTERNAL_FAILED = "external failed"
_DAMAGED = _REMARK + "damaged "


class EngineError(Exception):
    """The engine's process has failed."""


def started(command: Sequence[str]) -> subprocess.Popen[bytes]:
    """Start a part of the program as a child in a session of its own, with pipes; raises OSError."""
    root = Path(firmware_host.__file__).parents[1]
    return subprocess.Popen(  # noqa: S603 - the command is the program's own
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(root)},
        start_new_session=True,
        bufsize=0,
    )


class EngineProcess:
    """One child that speaks the engine's protocol."""

    def __init__(self, command: Sequence[str]) -> None:
        """Start `command`; raises EngineError if that is impossible."""
        try:
            self._child = started(command)
        except OSError as error:
            raise EngineError(f"it can't be started: {error.strerror}") from error
        assert self._child.stdin is not None  # noqa: S101 - both are pipes
        assert self._child.stdout is not None  # noqa: S101
        self._in, self._out = self._child.stdin, self._child.stdout
        os.set_blocking(self._in.fileno(), False)
        os.set_blocking(self._out.fileno(), False)
        self._unread = b""
        self._received = 0
        self._remarks: set[str] = set()
        self._results: list[tuple[str, Result]] = []
        self.has_loaded = False
        """True once it has answered that it is ready."""
        self.is_ready = False
        """True once it has answered so since the last request."""
        self.external_failed = False
        """True if another program has failed in it, so that the engine has played its last turn."""
        self.damaged: Message | None = None
        """The file that it set aside last."""
        self._asks_program = self._stands_in = False

    def send(self, *lines: str) -> None:
        """Write requests; raises EngineError if the child doesn't take them."""
        text = "".join(f"{line}\n" for line in lines).encode()
        try:
            written = os.write(self._in.fileno(), text)
        except OSError as error:
            raise EngineError(f"it takes no requests: {error.strerror}") from error
        if written != len(text):
            raise EngineError("it takes no requests")
        self._received = 0
        self.is_ready = self.is_ready and READY not in lines
        if any(line.startswith("go ") for line in lines):
            self._asks_program = any(line.startswith(_ASKS_PROGRAM) for line in lines)
            self._stands_in = False

    def answers(self) -> list[Answer]:
        """Return its answers since the last call; raises EngineError if it failed.

        Of a `bestmove` the steps stand apart.
        """
        try:
            data = os.read(self._out.fileno(), _MAX_READ)
        except BlockingIOError:
            return []
        if not data:
            raise EngineError("it ended")
        self._received += len(data)
        if self._received > MAX_OUTPUT:
            raise EngineError(f"it wrote more than {MAX_OUTPUT} bytes")
        *lines, self._unread = (self._unread + data).split(b"\n")
        texts = [line.decode("utf-8", "replace") for line in lines]
        self._log_remarks(texts)
        answers = (self._answer(*text.split()) for text in texts if text)
        return [answer for answer in answers if answer is not None]

    def _answer(self, word: str = "", *rest: str) -> Answer | None:
        """Return the answer that a line completes; None if it completes none."""
        if word == "bestmove" and rest:
            if self._asks_program:
                self.external_failed = self._stands_in
            return " ".join(rest)
        if word == "readyok":
            self.has_loaded = self.is_ready = True
        elif word == "turn":
            self._results.append(_result(rest))
        elif word == "error":
            raise EngineError(f"it refuses a request: {' '.join(rest)[:MAX_REMARK]}")
        elif word == "valuesok":
            results, self._results = tuple(self._results), []
            return results
        return None

    def _log_remarks(self, lines: Sequence[str]) -> None:
        """Log what it says about itself, such as a damaged table, each remark once."""
        for line in lines:
            self._stands_in |= line.startswith(_REMARK + _EXTERNAL_FAILED)
            if line.startswith(_REMARK) and line not in self._remarks and len(self._remarks) < MAX_REMARKS:
                self._remarks.add(line)
                if line.startswith(_DAMAGED):
                    self._note_damage(line.removeprefix(_DAMAGED))
                    continue
                _LOG.warning("the engine says: %s", line.removeprefix(_REMARK)[:MAX_REMARK])

    def _note_damage(self, text: str) -> None:
        try:
            self.damaged = Message.of(json.loads(text))
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
            raise EngineError("it reports a damaged file in no form that can be read") from error
        _LOG.warning("the engine says: %s", to_english(self.damaged)[:MAX_REMARK])

    def kill(self) -> None:
        """End the child, and all that it has started, without waiting for it."""
        self._in.close()
        self._out.close()
        # The board's program doesn't end before the signals are sent. Finding all processes takes several
        # frames, and a child that waits for a disk ends even later.
        threading.Thread(target=end_tree, args=(self._child,), name="engine kill").start()
        threading.Thread(target=self._child.wait, name="engine end", daemon=True).start()


class EngineStart:
    """The start of a process in a thread, since it takes as long as several frames."""

    def __init__(self, command: Sequence[str]) -> None:
        self.process: EngineProcess | None = None
        self.error: EngineError | None = None
        self.thread = threading.Thread(target=self._run, args=(command,), name="engine start", daemon=True)
        self.thread.start()

    @property
    def is_over(self) -> bool:
        """True once there is a process or an error."""
        return self.process is not None or self.error is not None

    def wait(self, seconds: float) -> None:
        """Wait until it is over, but not longer than that."""
        self.thread.join(seconds)

    def _run(self, command: Sequence[str]) -> None:
        try:
            self.process = EngineProcess(command)
        except EngineError as error:
            self.error = error


def _result(words: Sequence[str]) -> tuple[str, Result]:
    """Return a turn and its result, as far as it is proved; raises EngineError if there is none."""
    try:
        turn, text, *others = words
        result = Result(text)
        return turn.replace("_", " "), result if "exact" in others else Result.UNKNOWN
    except ValueError as error:
        raise EngineError(f"it has valued a turn as {' '.join(words)[:40]!r}") from error
