"""The engine of a simulated board, which can fail like the process on a real one.

**Invariants:** a process that fails is supervised as on a real board, in virtual time; the engine that works
stands in for the weak one. It plays as before once the fault is repaired.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from firmware_host.errors import HandsError
from firmware_host.i18n import Message
from firmware_host.play.engine_turns import WantedTurn
from firmware_host.runtime.engines.child import MAX_OUTPUT, EngineError
from firmware_host.runtime.engines.opponent import WEAK_LEVEL, Answer, Engine, Wanted
from firmware_host.runtime.engines.supervised import MISSING, SupervisedEngine
from firmware_host.settings import Microseconds

_KINDS = ("dead", "hangs", "lies", "floods")
_LIE = "a1-a1"
"""A turn that no position of any game has."""


def is_of_engine(described: object) -> bool:
    """Return True if a description is of a fault of the engine."""
    return isinstance(described, Mapping) and "engine" in described


class FailingProcess:
    """A process that takes requests, if it isn't dead, and answers none as it should; no restart helps."""

    external_failed = False
    damaged: Message | None = None
    error: EngineError | None = None
    is_over = True

    def __init__(self, kind: str) -> None:
        self.has_loaded = self.is_ready = False
        self._kind = kind
        self._asked = False

    @property
    def process(self) -> FailingProcess:
        """The process itself, since it starts in no time."""
        return self

    def wait(self, seconds: float) -> None:
        """Do nothing."""

    def send(self, *lines: str) -> None:
        """Take requests; raises EngineError if it is dead."""
        if self._kind == "dead":
            raise EngineError("it takes no requests: Broken pipe")
        self.is_ready = False
        self._asked = any(line.startswith(("go ", "values ")) for line in lines)

    def answers(self) -> list[Answer]:
        """Return its answers since the last call; raises EngineError if it writes without end."""
        self.has_loaded = self.is_ready = True
        if self._kind == "floods":
            raise EngineError(f"it wrote more than {MAX_OUTPUT} bytes")
        asked, self._asked = self._asked, False
        return [_LIE] if asked and self._kind == "lies" else []

    def kill(self) -> None:
        """Do nothing."""


class WeakenedEngine:
    """An engine that plays at a low level for one that has failed."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def begin(self, wanted: WantedTurn) -> None:
        """Think about `wanted`."""
        self._engine.ask(replace(wanted, level=min(wanted.level, WEAK_LEVEL), external=False))

    def answer(self, now: Microseconds) -> str | None:
        """Return the turn that was chosen; None while it is thinking."""
        answer = self._engine.answer(now)
        return answer if isinstance(answer, str) else None

    def give_up(self) -> None:
        """Stop thinking."""
        self._engine.give_up()


class BreakableEngine:
    """An engine that can be broken and repaired."""

    def __init__(self, engine: Engine) -> None:
        self._sound = engine
        self._kind: str | None = None
        self._broken: SupervisedEngine | None = None
        self._wanted: Wanted | None = None

    @property
    def faults(self) -> tuple[Mapping[str, Any], ...]:
        """The fault of the engine, if it has one, as a description."""
        return () if self._kind is None else ({"engine": self._kind},)

    def inject(self, described: Mapping[str, Any]) -> None:
        """Break the engine; raises HandsError if that is described wrongly."""
        self._replace(_kind(described))

    def repair(self, described: Mapping[str, Any] | None = None) -> None:
        """End the fault; raises HandsError if it is described, and there is none."""
        if described is not None and _kind(described) != self._kind:
            raise HandsError(f"{dict(described)} is not broken", Message("refused.not-broken"))
        if self._kind is not None:
            self._replace(None)

    def _replace(self, kind: str | None) -> None:
        """Have an engine with this fault, or none, think about whatever is wanted."""
        self._engine.give_up()
        self._kind, self._broken = kind, None
        if kind is not None:
            self._broken = SupervisedEngine(
                0, start=lambda: FailingProcess(kind), reserve=lambda: WeakenedEngine(self._sound)
            )
        if self._wanted is not None:
            self._engine.ask(self._wanted)

    @property
    def _engine(self) -> Engine:
        """The engine that is asked now."""
        return self._broken or self._sound

    @property
    def trouble(self) -> Message | None:
        """The reason why it plays worse than it should; None if it doesn't."""
        return MISSING if self._kind == "dead" else self._engine.trouble

    @property
    def deadline(self) -> Microseconds | None:
        """The next time when a broken engine has to be asked; None if there is none."""
        return None if self._broken is None else self._broken.deadline

    def warm_up(self) -> None:
        """Get ready, since a hint may be wanted soon."""
        self._engine.warm_up()

    def ask(self, wanted: Wanted) -> None:
        """Begin to think about `wanted`, and give up anything before it."""
        self._wanted = wanted
        self._engine.ask(wanted)

    def give_up(self) -> None:
        """Stop thinking, if it does."""
        self._wanted = None
        self._engine.give_up()

    def prepare(self) -> None:
        """Do what is to be done between two frames."""
        self._engine.prepare()

    def answer(self, now: Microseconds) -> Answer | None:
        """Return the turn that was chosen, or the results; None if it is still thinking."""
        return self._engine.answer(now)

    def reject(self, text: str) -> None:
        """Take back the answer `text`, which is not a legal turn, and think again."""
        self._engine.reject(text)

    def close(self) -> None:
        """Release what it uses."""
        self._sound.close()


def _kind(described: Mapping[str, Any]) -> str:
    """Return the kind of a fault; raises HandsError if there is no such fault."""
    kind = described.get("engine")
    if len(described) == 1 and kind in _KINDS:
        return str(kind)
    raise HandsError(
        f"{dict(described)} is not a fault of the engine: use "
        f'{{"engine": KIND}} with one of {", ".join(_KINDS)}',
        Message("refused.no-fault"),
    )
