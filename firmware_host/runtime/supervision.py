"""Barriers around the parts of the program that the board can play without.

Invariants: an exception of such a part goes no further; it is logged with its trace and listed in one line
among the board's faults. A part that fails is tried again after a pause that grows. A store that fails is not
used any more: what it should have written is unknown, and only a new start reads what it has. Time is an
argument.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any

from firmware_host.games.game import Game
from firmware_host.i18n import Message
from firmware_host.play.controller import Controller
from firmware_host.play.durability import DISK, GameStore
from firmware_host.settings import Microseconds

_LOG = logging.getLogger(__name__)
_MIN_PAUSE: Microseconds = 1_000_000
_MAX_PAUSE: Microseconds = 60_000_000


class FaultBarrier:
    """A barrier around one part, which has this name among the faults."""

    def __init__(self, part: str, faults: Controller) -> None:
        self._part = part
        self._faults = faults
        self._pause = 0
        self._again_at: Microseconds = 0

    def run(self, work: Callable[[], object], now: Microseconds) -> bool:
        """Run `work` unless its pause lasts; return whether it succeeded."""
        if now < self._again_at:
            return False
        try:
            work()
        except Exception as error:  # noqa: BLE001 - logged, and tried again later
            self._pause = min(2 * self._pause, _MAX_PAUSE) or _MIN_PAUSE
            self._again_at = now + self._pause
            _LOG.exception("the part %r failed", self._part)
            self._faults.fault(self._part, Message("fault.stumbled", {"text": _of(error)}))
            return False
        if self._pause:
            self._pause = 0
            self._faults.fault_cleared(self._part)
        return True


class GuardedStore:
    """A barrier around a store; after its first failure nothing is saved, and the board plays on."""

    def __init__(self, store: GameStore) -> None:
        self._store = store
        self._number = 0
        self._broken: Mapping[str, Message] = {}

    @property
    def kept(self) -> int:
        """The highest number returned by `keep` or `put` whose game or setting is safe."""
        return self._store.kept

    @property
    def troubles(self) -> Mapping[str, Message]:
        """The faults by part."""
        return self._broken or self._store.troubles

    @property
    def settings(self) -> Mapping[str, Any]:
        """The settings that were changed while the board ran."""
        return self._store.settings

    def keep(self, game: Game) -> int:
        """Save `game`; return the number that `kept` reaches once it is safe, if ever."""
        return self._numbered(lambda: self._store.keep(game))

    def put(self, name: str, value: Any) -> int:
        """Save `value` under `name`; return a number, as `keep` does."""
        return self._numbered(lambda: self._store.put(name, value))

    def _numbered(self, work: Callable[[], int]) -> int:
        if self._broken:
            return self._number
        try:
            self._number = work()
        except Exception as error:  # noqa: BLE001 - logged, and play goes on
            _LOG.exception("the store failed; nothing is kept until the next start")
            broken = Message("fault.unkept.until-start", {"text": _of(error)})
            self._broken = {**self._store.troubles, DISK: broken}
        return self._number


def _of(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
