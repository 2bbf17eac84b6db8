"""Parts of the program that the board plays on without: what they raise is told, and they are tried again.

Rules kept here: nothing that they raise comes out; it is in the journal with its trace, and among the board's
faults in a line; a part that fails is let be for a pause that grows. A keeper that fails is asked no more:
what it would have written down since is not known, and only a new start reads what it has. Time is an
argument.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from firmware_host.games.game import Game
from firmware_host.i18n import Message
from firmware_host.play.durability import DISK, Keeper
from firmware_host.settings import Microseconds

_LOG = logging.getLogger(__name__)
_FIRST_PAUSE: Microseconds = 1_000_000
_LONGEST_PAUSE: Microseconds = 60_000_000


class Faults(Protocol):
    """Who is told what is broken: a board's controller."""

    def fault(self, part: str, what: Message) -> None:
        """Note that a part does not work."""

    def fault_cleared(self, part: str) -> None:
        """Note that a part works."""


class Supervised:
    """One such part, by its name among the faults."""

    def __init__(self, part: str, faults: Faults) -> None:
        self._part = part
        self._faults = faults
        self._pause = 0
        self._again_at: Microseconds = 0

    def run(self, work: Callable[[], object], now: Microseconds) -> bool:
        """Have it do its work, unless it is let be; whether it did."""
        if now < self._again_at:
            return False
        try:
            work()
        except Exception as error:  # noqa: BLE001 - whatever it was, it is told, and it is tried again
            self._pause = min(2 * self._pause, _LONGEST_PAUSE) or _FIRST_PAUSE
            self._again_at = now + self._pause
            _LOG.exception("the part %r failed", self._part)
            self._faults.fault(self._part, Message("fault.stumbled", {"text": _of(error)}))
            return False
        if self._pause:
            self._pause = 0
            self._faults.fault_cleared(self._part)
        return True


class SupervisedKeeper:
    """A keeper that may stumble; from then on nothing is kept, which is told, and the board plays on."""

    def __init__(self, keeper: Keeper) -> None:
        self._keeper = keeper
        self._number = 0
        self._broken: Mapping[str, Message] = {}

    @property
    def kept(self) -> int:
        """All that `keep` was given up to this number is safe."""
        return self._keeper.kept

    @property
    def troubles(self) -> Mapping[str, Message]:
        """The parts that do not work, each with what is wrong."""
        return self._broken or self._keeper.troubles

    @property
    def settings(self) -> Mapping[str, Any]:
        """What was set on the board while it ran."""
        return self._keeper.settings

    def keep(self, game: Game) -> int:
        """Have `game` kept; the number that `kept` reaches once it is, if it ever is."""
        return self._numbered(lambda: self._keeper.keep(game))

    def put(self, name: str, value: Any) -> int:
        """Have `value` kept under `name`; a number as `keep`'s."""
        return self._numbered(lambda: self._keeper.put(name, value))

    def _numbered(self, work: Callable[[], int]) -> int:
        if self._broken:
            return self._number
        try:
            self._number = work()
        except Exception as error:  # noqa: BLE001 - whatever it was, it is told, and play goes on
            _LOG.exception("the store failed; nothing is kept until the next start")
            broken = Message("fault.unkept.until-start", {"text": _of(error)})
            self._broken = {**self._keeper.troubles, DISK: broken}
        return self._number


def _of(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
