"""What the program says while it plays: a line each, with how much it matters.

Rules kept here: a turn is one line, and so is what breaks and what is mended; nothing is said in a loop: what
breaks and mends again and again is told at most four times a minute, and then how often it was. Where the
journal of systemd reads, a line begins with its priority, as sd-daemon(3) has it; a terminal is spared that.
A journal that cannot be written stops nothing: how many lines were lost is said once it can.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TextIO

from firmware_host.play import events as ev
from firmware_host.settings import Microseconds

_WINDOW: Microseconds = 60_000_000
_MOST_IN_WINDOW = 4


class Priority(IntEnum):
    """How much a line matters, by syslog(3)."""

    ERROR = 3
    WARNING = 4
    NOTICE = 5
    INFO = 6


@dataclass(frozen=True, slots=True)
class Line:
    """One thing to say; where its text has several lines, each is of that priority."""

    priority: Priority
    text: str


Log = Callable[[Line], object]


class Journal:
    """A Log: writes what went wrong to `errors` and all else to `out`."""

    def __init__(self, out: TextIO, errors: TextIO, environ: Mapping[str, str]) -> None:
        self._out = out
        self._errors = errors
        self._environ = environ
        self._lost = 0

    def __call__(self, line: Line) -> None:
        """Write one line, at once, and before it how many could not be written since the last."""
        lost = Line(Priority.WARNING, f"{self._lost} lines could not be written here")
        try:
            for one in (lost, line) if self._lost else (line,):
                self._write(one)
        except (OSError, ValueError):  # its reader is gone, its disk full, or it was closed
            self._lost += 1
        else:
            self._lost = 0

    def _write(self, line: Line) -> None:
        stream = self._errors if line.priority <= Priority.WARNING else self._out
        prefix = f"<{line.priority:d}>" if is_journal(stream, self._environ) else ""
        stream.write("".join(f"{prefix}{text}\n" for text in line.text.splitlines()))
        stream.flush()


def is_journal(stream: TextIO, environ: Mapping[str, str]) -> bool:
    """Whether the journal reads `stream`: JOURNAL_STREAM is its device and inode, systemd.exec(5)."""
    try:
        status = os.fstat(stream.fileno())
    except (OSError, ValueError):  # it is no file at all, or closed
        return False
    return environ.get("JOURNAL_STREAM") == f"{status.st_dev}:{status.st_ino}"


@dataclass(slots=True)
class _Part:
    """What was told of one part of the board, and what was not."""

    told: deque[Microseconds] = field(default_factory=lambda: deque(maxlen=_MOST_IN_WINDOW))
    untold: int = 0
    fault: str | None = None

    def may_tell(self, now: Microseconds) -> bool:
        return len(self.told) < _MOST_IN_WINDOW or now - self.told[0] >= _WINDOW


class Chronicle:
    """Tells a board's events in lines."""

    def __init__(self) -> None:
        self._parts: dict[str, _Part] = {}

    def lines(self, events: Iterable[ev.Event], now: Microseconds) -> Iterator[Line]:
        """What is to be said at `now`, after `events`."""
        for event in events:
            if isinstance(event, ev.FaultFound | ev.FaultCleared):
                part = self._parts.setdefault(event.part, _Part())
                part.fault = event.text if isinstance(event, ev.FaultFound) else None
                part.untold += 1
                yield from self._of_part(event.part, now)
            elif line := _line(event):
                yield line
        for name in self._parts:
            yield from self._of_part(name, now)

    def _of_part(self, name: str, now: Microseconds) -> Iterator[Line]:
        part = self._parts[name]
        if not part.untold or not part.may_tell(now):
            return
        often = f" (this changed {part.untold} times)" if part.untold > 1 else ""
        part.told.append(now)
        part.untold = 0
        if part.fault is None:
            yield Line(Priority.NOTICE, f"{name}: all is well again{often}")
        else:
            yield Line(Priority.ERROR, f"{name}: {part.fault}{often}")


def _line(event: ev.Event) -> Line | None:
    """What is said of one event of the game; of most, nothing."""
    match event:
        case ev.TurnPlayed():
            return Line(Priority.INFO, f"{event.by}: {event.text}")
        case ev.GameBegun():
            return Line(Priority.INFO, f"a game of {event.rules} begins; {event.first} is first")
        case ev.GameContinued():
            return Line(Priority.INFO, f"a game of {event.rules} goes on, after step {event.ply}")
        case ev.GameOver():
            end = f"{event.winner} won" if event.winner else "nobody won"
            return Line(Priority.INFO, f"the game is over: {end} ({event.reason}), after {event.ply} steps")
        case ev.TakenBack():
            return Line(Priority.INFO, f"taken back to after step {event.ply}")
        case ev.Masked():
            return Line(Priority.NOTICE, f"the sensor at {event.point} is masked: it is not believed")
        case ev.Unmasked():
            return Line(Priority.NOTICE, f"the sensor at {event.point} is believed again")
        case ev.Paused():
            return Line(Priority.INFO, "paused")
        case ev.Resumed():
            return Line(Priority.INFO, "resumed")
        case _:
            return None
