"""Durability: a move is confirmed by light and events only when it is stored.

Each change of the game goes to a GameStore at once; its events are released, and it is accepted, when the
store reports it as stored. Time is an argument, and nothing here blocks.

Invariants: events are released in their order; if the disk fails, or does not answer for ten seconds, that is
reported as a fault, and the game goes on without waiting for it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from firmware_host.frozen import frozen
from firmware_host.games.game import Game
from firmware_host.i18n import Message
from firmware_host.play.events import Event
from firmware_host.play.part import PlayPart, with_own
from firmware_host.play.seats import Seats
from firmware_host.play.session import Session
from firmware_host.play.stored_settings import stored_settings
from firmware_host.settings import Microseconds

DISK = "disk"
"""The part whose fault means that nothing is stored now."""

_STORE_TIMEOUT: Microseconds = 10_000_000
_NO_ANSWER = Message("fault.unkept.silent")


class GameStore(Protocol):
    """A store of games; its methods return at once, whatever the disk does."""

    @property
    def kept(self) -> int:
        """The number up to which everything that was given to `keep` and `put` is stored."""

    @property
    def troubles(self) -> Mapping[str, Message]:
        """The parts that do not work, with the reasons; replaced when they change, never modified."""

    @property
    def settings(self) -> Mapping[str, Any]:
        """The stored settings of the board, by name; replaced when they change, never modified."""

    def keep(self, game: Game) -> int:
        """Store the state of `game`, and return the number that `kept` reaches when that is done."""

    def put(self, name: str, value: Any) -> int:
        """Store a `value` of JSON as `name`, or delete it with None; return a number like that of `keep`."""


class NullStore:
    """The store of a board that stores nothing, on which everything is accepted at once."""

    def __init__(self) -> None:
        self.kept = 0
        self.troubles: Mapping[str, Message] = {}
        self.settings: Mapping[str, Any] = {}

    def keep(self, _game: Game) -> int:
        """Discard the game."""
        return 0

    def put(self, name: str, value: Any) -> int:
        """Keep the value until the program ends."""
        others = {other: what for other, what in self.settings.items() if other != name}
        self.settings = others if value is None else {**others, name: value}
        return 0


@frozen
class _Pending:
    """A state of the game that is not stored yet, as far as is known."""

    number: int
    game: Game
    since: Microseconds


class DurabilityTracker(PlayPart):
    """Tracks which states of one board's games are stored."""

    faults: Mapping[str, Message] = {}
    """The parts of the store that do not work, with the reasons."""

    def __init__(
        self, store: GameStore, session: Session, parts: Sequence[PlayPart] = (), seats: Seats | None = None
    ) -> None:
        """Store the games of `session` and the settings of `parts`; the configuration has these `seats`."""
        self._store, self._session, self._parts = store, session, parts
        self._impatient = with_own(parts, "must_store")
        self._configured = seats or Seats()
        self._number = 0
        self._pending: deque[_Pending] = deque()
        self._held: deque[tuple[int, Event]] = deque()
        self._accepted: Game | None = None
        self._unanswered = 0
        self._reported = 0, self._store.troubles

    @property
    def deadline(self) -> Microseconds | None:
        """The time at which the store counts as not answering."""
        return self._pending[0].since + _STORE_TIMEOUT if self._pending else None

    def has_news(self, now: Microseconds) -> bool:
        """Return True if the store has something to report, or is late."""
        due = self.deadline
        return self._reported != (self._store.kept, self._store.troubles) or (due is not None and now >= due)

    def on_frame(self, now: Microseconds) -> None:
        """Store what has changed since the last frame."""
        timeline = self._session.timeline
        events = timeline.take_events()
        if events or any(part.must_store for part in self._impatient):
            self._remember(stored_settings(self._session, self._parts, self._configured))
        self.store_changes(timeline.take_states(), events, now)

    def store_changes(self, states: Iterable[Game], events: Iterable[Event], now: Microseconds) -> None:
        """Store all `states` that the game went through, and release `events` when that is done."""
        for game in states:
            self._number = self._store.keep(game)
            if self._accepted is not None:
                self._accepted = _shared(self._accepted, game)
            self._pending = deque(replace(wait, game=_shared(wait.game, game)) for wait in self._pending)
            self._pending.append(_Pending(self._number, game, now))
        self._held.extend((self._number, event) for event in events)
        self.note_stored(now)

    def _remember(self, settings: Mapping[str, Any]) -> None:
        """Store those of `settings` that have changed."""
        for name, value in settings.items():
            if self._store.settings.get(name) != value:
                self._store.put(name, value)

    def note_stored(self, now: Microseconds) -> None:
        """Take over what the store reports at `now`."""
        store = self._store
        self._reported = kept, troubles = store.kept, store.troubles
        due = self.deadline
        if due is not None and now >= due and self._pending[0].number > kept:
            self._unanswered = self._number
        if kept < self._unanswered:
            troubles = {DISK: _NO_ANSWER, **troubles}
        self.faults = troubles
        safe = self._number if DISK in troubles else kept
        while self._pending and self._pending[0].number <= safe:
            self._accepted = self._pending.popleft().game

    def accepted(self, game: Game) -> Game:
        """Return as much of `game` as is accepted."""
        return game.back_to(0) if self._accepted is None else self._accepted

    def take_events(self) -> tuple[Event, ...]:
        """Return the events released since the last call, in order."""
        pending = self._pending
        released = []
        while self._held and not (pending and pending[0].number <= self._held[0][0]):
            released.append(self._held.popleft()[1])
        return tuple(released)


def _shared(earlier: Game, now: Game) -> Game:
    """Return what is left of an earlier state: the common beginning, or the start if it is another game's."""
    if earlier.positions[0] is not now.positions[0]:
        return now.back_to(0)
    if earlier.declared is None and earlier.ply <= now.ply and earlier.position is now.positions[earlier.ply]:
        return earlier
    common = sum(one is other for one, other in zip(earlier.positions, now.positions, strict=False))
    return now.back_to(common - 1)
