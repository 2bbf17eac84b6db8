"""The program's one log: the standard library's `logging`, one handler, and one rate limit for all loggers.

Invariants: every record reaches the same handler, whether this program, uvicorn or asyncio made it. Where the
journal of systemd reads, each line begins with its priority, as sd-daemon(3) has it; a terminal gets none.
A logger writes at most `MAX_RECORDS` records within `WINDOW_S`, and all loggers together less than a megabyte
an hour, whatever happens; the number of records they dropped is written afterwards. Records about visitors
have a budget of their own, so that strangers take no room from the board's lines, and no character that a
terminal obeys is written. A journal that cannot be written stops nothing: the number of lost lines is written
once it can. The last lines are kept in memory as well, cut to a length, for whoever may not read the journal.
"""

from __future__ import annotations

import logging
import os
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TextIO

from firmware_host.web.rate_limits import Bucket

NOTICE = 25
"""The level between INFO and WARNING: normal, but worth a look."""
MAX_RECORDS = 60
"""Records of one logger within `WINDOW_S`; a game writes one a turn, which is far less."""
WINDOW_S = 60.0
_BYTES_A_SECOND, _BYTES_AT_ONCE = 80, 100_000
"""The bytes of each of the two budgets: 388 kB in the first hour and 288 kB in each one after it."""
_NETWORK = ("firmware_host.web", "uvicorn", "asyncio", "starlette")
"""The loggers, and those below them, that write about visitors."""
_LINE_ABOUT_DROPPED = 80
RECENT_LINES, RECENT_CHARACTERS = 500, 300
"""The number of lines that are kept in memory, and the most characters of each."""
_RECENT: deque[tuple[float, str]] = deque(maxlen=RECENT_LINES)

_PRIORITIES = (
    (logging.CRITICAL, 2),
    (logging.ERROR, 3),
    (logging.WARNING, 4),
    (NOTICE, 5),
    (logging.INFO, 6),
)
"""Levels and the priorities of syslog(3) that they become; what is below all of them is debugging, 7."""
_OWN = ("firmware_host", "hardware", "sim")

logging.addLevelName(NOTICE, "NOTICE")


def recent_lines() -> list[tuple[str, str]]:
    """Return the last lines of this program's log, each after its time."""
    from firmware_host.runtime.clock import machine_clock  # most programs never ask for their log

    clock, now = machine_clock(), time.monotonic()
    lines = []
    for at, line in list(_RECENT):  # others write in the meantime
        local = clock.local(at - now)
        when = f"{at:.0f} s" if local is None else time.strftime("%Y-%m-%d %H:%M:%S", local)
        lines.append((when, line))
    return lines


class Quota:
    """At most `limit` things within any window of `width`, on a clock of the caller's."""

    def __init__(self, limit: int, width: float) -> None:
        self._width = width
        self._taken: deque[float] = deque(maxlen=limit)

    def has_room(self, now: float) -> bool:
        """Return whether one more fits at `now`."""
        return len(self._taken) < (self._taken.maxlen or 0) or now - self._taken[0] >= self._width

    def take(self, now: float) -> None:
        """Count one more at `now`."""
        self._taken.append(now)


class RateLimit:
    """Drops the records of a logger that writes too many or too much."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._quotas: dict[str, Quota] = {}
        self._network = Bucket(_BYTES_A_SECOND, _BYTES_AT_ONCE)
        self._board = Bucket(_BYTES_A_SECOND, _BYTES_AT_ONCE)
        self._dropped: dict[str, int] = {}

    def admits(self, name: str, size: int) -> bool:
        """Return whether a record of `size` bytes is within the limits of the logger `name`, and count it."""
        now = self._clock()
        if not self._has_room(name, now):
            self._dropped[name] = self._dropped.get(name, 0) + 1
            return False
        self._count(name, size, now)
        return True

    def take_dropped(self) -> dict[str, int]:
        """Return how many records each logger lost, for those that may write again, and forget them.

        The line about them counts as one of the logger's records.
        """
        now = self._clock()
        ready = []
        for name in self._dropped:
            if self._has_room(name, now):
                self._count(name, _LINE_ABOUT_DROPPED, now)
                ready.append(name)
        return {name: self._dropped.pop(name) for name in ready}

    def _has_room(self, name: str, now: float) -> bool:
        quota = self._quotas.setdefault(name, Quota(MAX_RECORDS, WINDOW_S))
        return quota.has_room(now) and not self._bytes_of(name).wait(now)

    def _count(self, name: str, size: int, now: float) -> None:
        self._quotas[name].take(now)
        self._bytes_of(name).take(now, size)

    def _bytes_of(self, name: str) -> Bucket:
        return self._network if name.startswith(_NETWORK) else self._board


class JournalHandler(logging.Handler):
    """Writes warnings and errors to `errors` and everything else to `out`, each at once.

    The rate limit is applied here, under the handler's lock.
    """

    def __init__(
        self, out: TextIO, errors: TextIO, environ: Mapping[str, str], limit: RateLimit | None = None
    ) -> None:
        super().__init__()
        self._out = out
        self._errors = errors
        self._environ = environ
        self._limit = RateLimit() if limit is None else limit
        self._lost = 0

    def emit(self, record: logging.LogRecord) -> None:
        """Write `record`, after the counts of the records that were dropped or could not be written."""
        try:
            for name, count in self._limit.take_dropped().items():
                self._write(logging.WARNING, f"{name}: {count} more messages were dropped")
            text = self.format(record)
            if self._limit.admits(record.name, len(text.encode(errors="replace"))):
                self._write(record.levelno, text)
        except Exception:  # noqa: BLE001 - a log that fails stops nothing
            self.handleError(record)

    def format(self, record: logging.LogRecord) -> str:
        """Return the text of `record`, after the logger's name if the record is not this program's own."""
        text = super().format(record)
        return text if record.name.partition(".")[0] in _OWN else f"{record.name}: {text}"

    def _write(self, level: int, text: str) -> None:
        now = time.monotonic()
        _RECENT.extend((now, _printable(line[:RECENT_CHARACTERS])) for line in text.splitlines())
        try:
            if self._lost:
                self._write_lines(logging.WARNING, f"{self._lost} lines could not be written here")
                self._lost = 0
            self._write_lines(level, text)
        except (OSError, ValueError):  # the reader is gone, the disk is full, or the stream is closed
            self._lost += 1

    def _write_lines(self, level: int, text: str) -> None:
        stream = self._errors if level >= logging.WARNING else self._out
        prefix = f"<{priority(level)}>" if is_journal(stream, self._environ) else ""
        stream.write("".join(f"{prefix}{_printable(line)}\n" for line in text.splitlines()))
        stream.flush()


def _printable(line: str) -> str:
    """Return a line without characters that a terminal obeys: some of its text may be a stranger's."""
    if line.isprintable():
        return line
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in line)


def priority(level: int) -> int:
    """Return the syslog(3) priority of a level of `logging`, such as 3 for `logging.ERROR`."""
    return next((number for floor, number in _PRIORITIES if level >= floor), 7)


def is_journal(stream: TextIO, environ: Mapping[str, str]) -> bool:
    """Return whether the journal reads `stream`: JOURNAL_STREAM is its device and inode, systemd.exec(5)."""
    try:
        status = os.fstat(stream.fileno())
    except (OSError, ValueError):  # not a file at all, or closed
        return False
    return environ.get("JOURNAL_STREAM") == f"{status.st_dev}:{status.st_ino}"


@contextmanager
def logging_to(out: TextIO, errors: TextIO, environ: Mapping[str, str]) -> Iterator[None]:
    """Have all loggers write to `out` and `errors` while the context lasts.

    This program's own loggers write from INFO on, all others from WARNING on. uvicorn writes errors only: any
    stranger's malformed request is a warning to it.
    """
    handler = JournalHandler(out, errors, environ)
    root = logging.getLogger()
    levels = {logging.getLogger(name): logging.INFO for name in _OWN}
    levels |= {root: logging.WARNING, logging.getLogger("uvicorn"): logging.ERROR}
    before = {logger: logger.level for logger in levels}
    for logger, level in levels.items():
        logger.setLevel(level)
    root.addHandler(handler)
    try:
        yield
    finally:
        root.removeHandler(handler)
        for logger, level in before.items():
            logger.setLevel(level)


@contextmanager
def muted(name: str) -> Iterator[None]:
    """Drop all records of the logger `name` and of those below it while the context lasts."""
    logger = logging.getLogger(name)
    before = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        logger.setLevel(before)
