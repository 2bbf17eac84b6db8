"""The engine of a simulated board, which can fail like the process on a real one.

**Invariants:** an engine that has failed gives no hints, and plays as weakly as the reserve of a real board;
it does so from the fault on, and as before once that is repaired.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from firmware_host.errors import HandsError
from firmware_host.i18n import Message
from firmware_host.play.hints.tracker import WantedHint
from firmware_host.runtime.engines.opponent import WEAK_LEVEL, Answer, Engine, Wanted
from firmware_host.runtime.engines.supervised import MISSING
from firmware_host.settings import Microseconds

_DEAD: Mapping[str, Any] = {"engine": "dead"}


def is_of_engine(described: object) -> bool:
    """Return True if a description is of a fault of the engine."""
    return isinstance(described, Mapping) and "engine" in described


class BreakableEngine:
    """An engine that can be broken and repaired."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._is_dead = False
        self._wanted: Wanted | None = None

    @property
    def faults(self) -> tuple[Mapping[str, Any], ...]:
        """The fault of the engine, if it has one, as a description."""
        return (_DEAD,) if self._is_dead else ()

    def inject(self, described: Mapping[str, Any]) -> None:
        """Break the engine; raises HandsError if that is described wrongly."""
        _check(described)
        self._is_dead = True
        self._ask()

    def repair(self, described: Mapping[str, Any] | None = None) -> None:
        """End the fault; raises HandsError if it is described, and there is none."""
        if described is not None:
            _check(described)
            if not self._is_dead:
                raise HandsError(f"{dict(described)} is not broken", Message("refused.not-broken"))
        if self._is_dead:
            self._is_dead = False
            self._ask()

    @property
    def trouble(self) -> Message | None:
        """The reason why it plays worse than it should; None if it doesn't."""
        return MISSING if self._is_dead else self._engine.trouble

    def warm_up(self) -> None:
        """Get ready, since a hint may be wanted soon."""
        self._engine.warm_up()

    def ask(self, wanted: Wanted) -> None:
        """Begin to think about `wanted`, and give up anything before it."""
        self._wanted = wanted
        self._ask()

    def _ask(self) -> None:
        wanted = self._wanted
        if wanted is None:
            return
        if not self._is_dead:
            self._engine.ask(wanted)
        elif isinstance(wanted, WantedHint):
            self._engine.give_up()
        else:
            self._engine.ask(replace(wanted, level=min(wanted.level, WEAK_LEVEL)))

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
        self._engine.close()


def _check(described: Mapping[str, Any]) -> None:
    if described != _DEAD:
        raise HandsError(
            f'{dict(described)} is not a fault of the engine: use {{"engine": "dead"}}',
            Message("refused.no-fault"),
        )
