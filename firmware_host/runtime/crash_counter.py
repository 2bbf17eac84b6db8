"""How often the program has ended otherwise than it should, from start to start, and whether it had better
not play.

Rules kept here: what is noted outlives the process, not the power, since that is switched off to begin anew;
a run that never said how it ended was killed, or hung until it was; a run that stays well wipes the record,
and so does one that ends as it should. A record that cannot be read or written counts nothing. Times are
seconds since the machine was switched on, given from outside: no clock that is set moves them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import astuple, dataclass, replace
from pathlib import Path

MOST = 3
"""After so many crashes the program starts without playing,"""
WITHIN_S = 300.0
"""where none of them is older than this."""
WELL_S = 300.0
"""A run that has lasted for so long has stayed well."""
FIRST_PAUSE_S, LONGEST_PAUSE_S = 300.0, 3600.0
"""How long it waits before it tries to play again; twice as long each time."""
KILLED = "it was killed, or hung until it was"

_FILE = "crashes.json"
_LONGEST_TEXT = 300


@dataclass(frozen=True, slots=True)
class Crash:
    """One end of the program: when, for who counts and for who reads, and what it was."""

    at_s: float
    when: str
    text: str


@dataclass(frozen=True, slots=True)
class _Record:
    runs: bool = False
    """Whether a run has begun and not said how it ended."""
    tries: int = 0
    """How often it was tried to play again, since a run stayed well."""
    crashes: tuple[Crash, ...] = ()


class Crashes:
    """The record in `folder`, which the service manager keeps while it starts the program anew.

    Without a folder, as at a terminal, where nobody starts it anew, nothing is counted.
    """

    def __init__(self, folder: Path | None) -> None:
        self._file = None if folder is None else folder / _FILE
        self._record = self._read()

    @classmethod
    def of(cls, environ: Mapping[str, str]) -> Crashes:
        """The record of a program that was started with these variables, by systemd.exec(5)."""
        folder = environ.get("RUNTIME_DIRECTORY", "").partition(":")[0]
        return cls(Path(folder) if folder else None)

    def begin(self, now_s: float, when: str) -> Crash | None:
        """Note that a run begins; the last crash, if there were so many that it had better not play."""
        if self._record.runs:
            self._add(Crash(now_s, when, KILLED))
        recent = tuple(crash for crash in self._record.crashes if now_s - crash.at_s <= WITHIN_S)
        needed = 1 if self._record.tries else MOST
        self._write(replace(self._record, runs=True, crashes=recent))
        return recent[-1] if len(recent) >= needed else None

    def crashed(self, text: str, now_s: float, when: str) -> None:
        """Note that the run ends because of `text`."""
        self._add(Crash(now_s, when, " ".join(text.split())[:_LONGEST_TEXT]))

    @property
    def pause_s(self) -> float:
        """How long to wait before it is tried to play again."""
        return min(LONGEST_PAUSE_S, FIRST_PAUSE_S * float(1 << self._record.tries))

    def try_again(self) -> None:
        """Note that it is tried to play again: the next crash is one too many."""
        self._write(_Record(runs=True, tries=self._record.tries + 1))

    def stayed_well(self) -> None:
        """Note that the run has lasted."""
        self._write(_Record(runs=True))

    def ended(self) -> None:
        """Note that the run ends as it should."""
        self._write(_Record())

    def _add(self, crash: Crash) -> None:
        self._write(replace(self._record, runs=False, crashes=(*self._record.crashes, crash)[-MOST:]))

    def _read(self) -> _Record:
        if self._file is None:
            return _Record()
        try:
            told = json.loads(self._file.read_text("utf-8"))
            crashes = tuple(Crash(float(at), str(when), str(text)) for at, when, text in told["crashes"])
            return _Record(bool(told["runs"]), int(told["tries"]), crashes)
        except (OSError, ValueError, TypeError, KeyError):  # there is none, or it is half a one
            return _Record()

    def _write(self, record: _Record) -> None:
        self._record = record
        if self._file is None:
            return
        told = {
            "runs": record.runs,
            "tries": record.tries,
            "crashes": [astuple(crash) for crash in record.crashes],
        }
        aside = self._file.with_suffix(".new")
        try:
            aside.write_text(json.dumps(told), "utf-8")
            aside.replace(self._file)
        except OSError:  # a folder that takes nothing is no reason not to play
            self._file = None
