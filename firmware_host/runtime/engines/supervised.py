"""The engine of a real board: a process of its own, and what happens when it fails.

A search in a thread would take the interpreter from the board's loop, and a crash of it must not stop the
board. So the engine is a child with a low priority. One that dies, hangs, floods or chooses an illegal turn
is killed and started once more. If it fails again, a weak engine in a thread of this process plays on, there
are no hints, and the board says so, until the next game. Each request begins with `isready`: loading is timed
apart from thinking.

Invariants: nothing here blocks; at most one child runs; each `go` and each `values` has one answer, and an
answer that is out of date is dropped. Time is an argument.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Sequence
from typing import Protocol

from firmware_host.errors import MillwrightError
from firmware_host.games.game import Position, Rules
from firmware_host.i18n import Message
from firmware_host.play.engine_turns import WantedTurn
from firmware_host.play.hint_light import WantedHint
from firmware_host.runtime.engines.child import READY, EngineError, EngineStart
from firmware_host.runtime.engines.opponent import (
    Answer,
    ReserveEngine,
    Wanted,
    playable_level,
    position_seed,
)
from firmware_host.settings import Microseconds

_LOG = logging.getLogger(__name__)

WORKER = (sys.executable, "-m", "firmware_host.engine.worker")
"""The command of the engine."""

ANSWER_TIMEOUT: Microseconds = 3_000_000
"""The longest that the engine may take to answer; it gives itself 0.8 s, and the rest is for a busy Pi."""
LOAD_TIMEOUT: Microseconds = 10_000_000
"""The longest that a process may take to start and load; a slow Pi needs several seconds."""
EXTERNAL_TIMEOUT: Microseconds = 16_000_000
"""The longest that the engine may take while it asks another program.

The program has ten seconds to start and three times its time for a turn; then the engine plays instead of it.
"""
_MOVETIME_MS = 800
_EXTERNAL_MOVETIME_MS = 1000
_HINT_MS = 500
_JOIN_TIMEOUT_S = 1.0
MISSING = Message("fault.engine.missing")
"""The trouble of a board whose engine keeps failing."""
_STANDS_IN = Message("fault.engine.external")


class Process(Protocol):
    """A child that speaks the engine's protocol."""

    @property
    def has_loaded(self) -> bool:
        """True once it has answered that it is ready."""

    @property
    def is_ready(self) -> bool:
        """True once it has answered so since the last request."""

    @property
    def external_failed(self) -> bool:
        """True if another program has failed in it."""

    @property
    def damaged(self) -> Message | None:
        """The file that it set aside last."""

    def send(self, *lines: str) -> None:
        """Write requests; raises EngineError if the child doesn't take them."""

    def answers(self) -> list[Answer]:
        """Return its answers since the last call; raises EngineError if it failed."""

    def kill(self) -> None:
        """End the child at once."""


class StartingProcess(Protocol):
    """The start of a process."""

    @property
    def process(self) -> Process | None:
        """The process, once it has started."""

    @property
    def error(self) -> EngineError | None:
        """The reason why there is none."""

    @property
    def is_over(self) -> bool:
        """True once there is a process or an error."""

    def wait(self, seconds: float) -> None:
        """Wait until it is over, but not longer than that."""


class Reserve(Protocol):
    """A weak engine that plays on for one that has failed."""

    def begin(self, wanted: WantedTurn) -> None:
        """Think about `wanted`."""

    def answer(self, now: Microseconds) -> str | None:
        """Return the turn that was chosen; None while it is thinking."""

    def give_up(self) -> None:
        """Stop thinking."""


class SupervisedEngine:
    """An engine in a process of its own, with a weak one in reserve."""

    def __init__(
        self,
        seed: int,
        command: Sequence[str] = WORKER,
        *,
        start: Callable[[], StartingProcess] | None = None,
        reserve: Callable[[], Reserve] | None = None,
    ) -> None:
        """Have turns chosen by the process of `command`, or by what `start` starts."""
        self._seed = seed
        self._new_start: Callable[[], StartingProcess] = start or (lambda: EngineStart(command))
        self._new_reserve: Callable[[], Reserve] = reserve or (lambda: ReserveEngine(seed))
        self._process: Process | None = None
        self._wanted: Wanted | None = None
        self._game_start: Position | None = None
        self._asked_at: Microseconds | None = None
        self._start: StartingProcess | None = None
        self._outstanding = 0
        self._failures = 0
        self._has_answered = False
        self._reserve: Reserve | None = None
        self._damaged: Message | None = None
        """The table that was set aside last, which lasts until the program ends."""

    @property
    def trouble(self) -> Message | None:
        """The reason why it plays worse than it should; None if it doesn't."""
        if self._reserve is not None:
            return MISSING
        if self._process is not None and self._process.external_failed:
            return _STANDS_IN
        return self._damaged

    @property
    def deadline(self) -> Microseconds | None:
        """The next time when `answer` is due although nothing has happened; None if there is none."""
        wanted = self._wanted
        if wanted is None or self._has_answered:
            return None
        if self._asked_at is None:
            return wanted.due
        return None if self._reserve is not None else self._asked_at + _timeout(self._process, wanted) + 1

    def warm_up(self) -> None:
        """Start the process, unless there is one or it has failed."""
        if self._process is None and self._start is None and not self._failures:
            self._start = self._new_start()

    def ask(self, wanted: Wanted) -> None:
        """Begin to think about `wanted`, and give up anything before it."""
        self.give_up()
        self._wanted = wanted
        self._asked_at = None
        if wanted.game.positions[0] is not self._game_start:
            self._game_start = wanted.game.positions[0]
            self._try_again()
        self._begin()

    def _try_again(self) -> None:
        """Forget the failures of the game before, those of another program included."""
        if self._reserve is not None:
            self._reserve, self._failures = None, 0
        if self._process is not None and self._process.external_failed:
            self._process.kill()
            self._process = None

    def give_up(self) -> None:
        """Stop thinking, if it does."""
        if self._has_answered:
            self._failures = 0
        self._has_answered = False
        self._wanted = None
        if self._reserve is not None:
            self._reserve.give_up()
        elif self._process is not None and self._outstanding:
            try:
                self._process.send("stop")
            except EngineError as error:
                self._fail(error)

    def prepare(self) -> None:
        """Pass the wanted turn to a process that has started in the meantime."""
        if self._process is not None and self._process.damaged is not None:
            self._damaged = self._process.damaged
        start = self._start
        if start is None or not start.is_over:
            return
        self._start, self._process, self._outstanding = None, start.process, 0
        if start.error is not None:
            self._fail(start.error)
        else:
            self._begin()

    def answer(self, now: Microseconds) -> Answer | None:
        """Return the turn that was chosen, or the results; None if it is still thinking."""
        self.prepare()
        if self._wanted is None or self._has_answered:
            return None
        answer = self._received(now) if self._reserve is None else self._played_on(self._reserve, now)
        self._has_answered = answer is not None
        return answer

    def _played_on(self, reserve: Reserve, now: Microseconds) -> str | None:
        self._asked_at = now
        return reserve.answer(now)

    def reject(self, text: str) -> None:
        """Take back the answer `text`, which is not a legal turn, and think again."""
        self._has_answered = False
        self._fail(EngineError(f"it has chosen {text[:40]!r}, which is not a legal turn"))

    def close(self) -> None:
        """End the process."""
        self._wanted = None
        if self._reserve is not None:
            self._reserve.give_up()
        if self._start is not None:
            self._start.wait(_JOIN_TIMEOUT_S)
            self._process, self._start = self._start.process, None
        if self._process is not None:
            self._process.kill()
            self._process = None

    def _begin(self) -> None:
        """Have the wanted turn computed, by the process or by the reserve."""
        wanted = self._wanted
        if wanted is None:
            return
        if self._reserve is not None:
            if isinstance(wanted, WantedTurn):
                self._reserve.begin(wanted)
            return
        if self._process is None:
            self._start = self._start or self._new_start()
            return
        try:
            self._process.send(*_requests(wanted, self._seed))
            self._outstanding = max(self._outstanding, 0) + 1
            self._asked_at = None
        except EngineError as error:
            self._fail(error)

    def _received(self, now: Microseconds) -> Answer | None:
        wanted, process = self._wanted, self._process
        if wanted is None:
            return None
        if self._asked_at is None:
            self._asked_at = now
        try:
            was_ready = process is not None and process.is_ready
            for answer in process.answers() if process is not None else ():
                self._outstanding -= 1
                if self._outstanding <= 0:
                    return _checked(answer, wanted)
            if process is not None and process.is_ready != was_ready:
                self._asked_at = now
            timeout = _timeout(process, wanted)
            if now - self._asked_at > timeout:
                raise EngineError(f"it hasn't answered for {timeout // 1_000_000} seconds")
        except EngineError as error:
            self._fail(error)
        return None

    def _fail(self, error: EngineError) -> None:
        """Start the process again after its first failure; leave the turn to the reserve after the next."""
        _LOG.warning("the engine has failed: %s", error)
        if self._process is not None:
            self._process.kill()
            self._process = None
        self._failures += 1
        self._asked_at = None
        if self._failures > 1:
            self._reserve = self._new_reserve()
        self._begin()


def _timeout(process: Process | None, wanted: Wanted) -> Microseconds:
    """Return the longest time in which the next sign of life is due."""
    if process is None or not process.has_loaded:
        return LOAD_TIMEOUT
    asks_program = isinstance(wanted, WantedTurn) and wanted.external
    return EXTERNAL_TIMEOUT if process.is_ready and asks_program else ANSWER_TIMEOUT


def _requests(wanted: Wanted, seed: int) -> Sequence[str]:
    """Return the lines that ask for what is wanted."""
    game = wanted.game
    steps = " ".join(step.text for step in game.steps)
    task = f"values movetime {_HINT_MS}"
    if isinstance(wanted, WantedTurn):
        task = _go(wanted)
    return (
        READY,
        f"setoption name Rules value {game.rules.describe()}",
        f"setoption name Seed value {position_seed(game, seed)}",
        f"position fen {game.positions[0]} moves {steps}",
        task,
    )


def _checked(answer: Answer, wanted: Wanted) -> Answer:
    """Return the answer to what is wanted; raises EngineError if it is one to something else."""
    if isinstance(answer, str) and isinstance(wanted, WantedTurn):
        return _turn_text(wanted.game.rules, answer)
    if isinstance(answer, tuple) and isinstance(wanted, WantedHint):
        return answer
    raise EngineError("its answer is one to something else")


def _go(wanted: WantedTurn) -> str:
    """Return the request for a turn."""
    if wanted.external:
        return f"go external movetime {_EXTERNAL_MOVETIME_MS}"
    return f"go movetime {_MOVETIME_MS} level {playable_level(wanted.game, wanted.level)}"


def _turn_text(rules: Rules, steps: str) -> str:
    """Return the text of a turn whose steps stand apart; raises EngineError if they aren't steps."""
    try:
        return rules.turn_text(tuple(map(rules.parse_step, steps.split())))
    except MillwrightError as error:
        raise EngineError(f"it has chosen {steps[:40]!r}, which is not a turn") from error
