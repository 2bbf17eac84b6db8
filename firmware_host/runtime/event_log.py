"""The board's events as lines of the log.

Invariants: a turn is one line, and so is each fault that is found or cleared. Nothing is written in a loop: a
part that fails and recovers again and again gets at most four lines a minute, which say how often it changed,
and its last state is always written in the end. Time is an argument.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from logging import ERROR, INFO, WARNING
from typing import NamedTuple

from firmware_host.play import events as ev
from firmware_host.runtime.journal import NOTICE, Quota
from firmware_host.settings import Microseconds

_WINDOW: Microseconds = 60_000_000
_MAX_LINES = 4


class LogLine(NamedTuple):
    """A line to be logged: its level, as `logging` has them, and its text."""

    level: int
    text: str


@dataclass(slots=True)
class _PartState:
    """The fault of one part of the board, and how often it changed since the last line about it."""

    quota: Quota = field(default_factory=lambda: Quota(_MAX_LINES, _WINDOW))
    changes: int = 0
    fault: str | None = None


class EventLog:
    """Turns a board's events into lines."""

    def __init__(self) -> None:
        self._parts: dict[str, _PartState] = {}

    def lines(self, events: Iterable[ev.Event], now: Microseconds) -> Iterator[LogLine]:
        """Yield the lines that are due at `now`, after `events`; called after each pass."""
        for event in events:
            if isinstance(event, ev.FaultFound | ev.FaultCleared):
                part = self._parts.setdefault(event.part, _PartState())
                part.fault = event.text if isinstance(event, ev.FaultFound) else None
                part.changes += 1
                yield from self._part_lines(event.part, now)
            elif line := _line(event):
                yield line
        for name in self._parts:
            yield from self._part_lines(name, now)

    def _part_lines(self, name: str, now: Microseconds) -> Iterator[LogLine]:
        part = self._parts[name]
        if not part.changes or not part.quota.has_room(now):
            return
        count = f" (this changed {part.changes} times)" if part.changes > 1 else ""
        part.quota.take(now)
        part.changes = 0
        if part.fault is None:
            yield LogLine(NOTICE, f"{name}: all is well again{count}")
        else:
            level = WARNING if name in ev.WARNING_PARTS else ERROR
            yield LogLine(level, f"{name}: {part.fault}{count}")


def _line(event: ev.Event) -> LogLine | None:
    """Return the line for one event of the game, or None: most have none."""
    match event:
        case ev.TurnPlayed():
            return LogLine(INFO, f"{event.by}: {event.text}")
        case ev.GameBegun():
            return LogLine(INFO, f"a game of {event.rules} begins; {event.first} is first")
        case ev.GameContinued():
            return LogLine(INFO, f"a game of {event.rules} goes on, after step {event.ply}")
        case ev.GameOver():
            end = f"{event.winner} won" if event.winner else "nobody won"
            return LogLine(INFO, f"the game is over: {end} ({event.reason}), after {event.ply} steps")
        case ev.TakenBack():
            return LogLine(INFO, f"taken back to after step {event.ply}")
        case ev.Redone() | ev.EndUndone():
            return LogLine(INFO, f"{event.name} to after step {event.ply}")
        case ev.SeatsChanged():
            return LogLine(INFO, f"White is played by {event.white}, Black by {event.black}")
        case ev.Masked():
            return LogLine(NOTICE, f"the sensor at {event.point} is masked: its readings are ignored")
        case ev.Unmasked():
            return LogLine(NOTICE, f"the sensor at {event.point} is in use again")
        case ev.Paused():
            return LogLine(INFO, "paused")
        case ev.Resumed():
            return LogLine(INFO, "resumed")
        case _:
            return None
