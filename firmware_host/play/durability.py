"""What of the game may be shown as accepted: what is kept, or need not be waited for.

Each change of the game is given to a keeper at once; what happened with it is told, and shown as accepted,
when the keeper has it. Rules kept here: what happened is told in its order; where nothing is kept, since the
disk takes nothing or has not answered for ten seconds, that is said, and then nothing is waited for. Time is
an argument, and no keeper is ever waited for here.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from firmware_host.games.game import Game
from firmware_host.i18n import Message
from firmware_host.play.events import Event
from firmware_host.settings import Microseconds

DISK = "disk"
"""The part whose fault means that nothing is kept now."""

_PATIENCE: Microseconds = 10_000_000
_SILENT = Message("fault.unkept.silent")


class Keeper(Protocol):
    """Where games are kept; it answers at once, whatever its disk does."""

    @property
    def kept(self) -> int:
        """All that `keep` was given up to this number is safe."""

    @property
    def troubles(self) -> Mapping[str, Message]:
        """The parts that do not work, each with what is wrong; never changed, but replaced."""

    @property
    def settings(self) -> Mapping[str, Any]:
        """What was set on the board while it ran, by its name, for the next start, too; replaced as well."""

    def keep(self, game: Game) -> int:
        """Have `game` kept as it stands now; the number that `kept` reaches once it is."""

    def put(self, name: str, value: Any) -> int:
        """Have `value`, which JSON can say, kept under `name` (None: forgotten); a number as `keep`'s."""


class NoKeeper:
    """For a board that keeps nothing: everything is accepted as it happens."""

    def __init__(self) -> None:
        self.kept = 0
        self.troubles: Mapping[str, Message] = {}
        self.settings: Mapping[str, Any] = {}

    def keep(self, _game: Game) -> int:
        """Forget it."""
        return 0

    def put(self, name: str, value: Any) -> int:
        """Know it until the program ends."""
        others = {other: what for other, what in self.settings.items() if other != name}
        self.settings = others if value is None else {**others, name: value}
        return 0


@dataclass(frozen=True, slots=True)
class _Wait:
    """A state of the game that is not known to be kept."""

    number: int
    game: Game
    since: Microseconds


class Keeping:
    """Follows one board's games and its keeper."""

    def __init__(self, keeper: Keeper | None) -> None:
        self._keeper = keeper or NoKeeper()
        self._number = 0
        self._waits: deque[_Wait] = deque()
        self._held: deque[tuple[int, Event]] = deque()
        self._accepted: Game | None = None
        self._silent_until = 0
        self._heard = 0, self._keeper.troubles
        self.troubles: Mapping[str, Message] = {}
        """The parts that the keeper cannot work with, each with what is wrong."""

    @property
    def deadline(self) -> Microseconds | None:
        """When the keeper has been silent for too long."""
        return self._waits[0].since + _PATIENCE if self._waits else None

    def has_news(self, now: Microseconds) -> bool:
        """Whether `hear` would change anything."""
        due = self.deadline
        return self._heard != (self._keeper.kept, self._keeper.troubles) or (due is not None and now >= due)

    def follow(self, course: Iterable[Game], events: Iterable[Event], now: Microseconds) -> None:
        """Have all states of `course` kept, through which the game went, and tell `events` when they are."""
        for game in course:
            self._number = self._keeper.keep(game)
            if self._accepted is not None:
                self._accepted = _shared(self._accepted, game)
            self._waits = deque(replace(wait, game=_shared(wait.game, game)) for wait in self._waits)
            self._waits.append(_Wait(self._number, game, now))
        self._held.extend((self._number, event) for event in events)
        self.hear(now)

    def remember(self, settings: Mapping[str, Any]) -> None:
        """Have what is set kept, where it is not set so already."""
        for name, value in settings.items():
            if self._keeper.settings.get(name) != value:
                self._keeper.put(name, value)

    def hear(self, now: Microseconds) -> None:
        """Take in what the keeper says at `now`."""
        keeper = self._keeper
        self._heard = kept, troubles = keeper.kept, keeper.troubles
        due = self.deadline
        if due is not None and now >= due and self._waits[0].number > kept:
            self._silent_until = self._number
        if kept < self._silent_until:
            troubles = {DISK: _SILENT, **troubles}
        self.troubles = troubles
        safe = self._number if DISK in troubles else kept
        while self._waits and self._waits[0].number <= safe:
            self._accepted = self._waits.popleft().game

    def accepted(self, game: Game) -> Game:
        """As much of `game` as may be shown as accepted."""
        return game.back_to(0) if self._accepted is None else self._accepted

    def take_told(self) -> tuple[Event, ...]:
        """What may be told since the last call, in order."""
        waits = self._waits
        told = []
        while self._held and not (waits and waits[0].number <= self._held[0][0]):
            told.append(self._held.popleft()[1])
        return tuple(told)


def _shared(earlier: Game, now: Game) -> Game:
    """What of an earlier state still holds: the beginning that both have, or nothing of another game."""
    if earlier.positions[0] is not now.positions[0]:
        return now.back_to(0)
    if earlier.declared is None and earlier.ply <= now.ply and earlier.position is now.positions[earlier.ply]:
        return earlier
    common = sum(one is other for one, other in zip(earlier.positions, now.positions, strict=False))
    return now.back_to(common - 1)
