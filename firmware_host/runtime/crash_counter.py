"""The record of crashes from start to start, by which the program decides whether to play.

Invariants: the record outlives the process but not the power, since people switch the board off to start
afresh. A run that never recorded its end was killed, or hung until it was. A run that stays well clears the
record, and so does one that ends properly. A record that is damaged is set aside and counts nothing, like one
that cannot be read or written. Times are seconds since the machine was switched on, given by the caller, so
that setting a clock moves none of them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import astuple, replace
from pathlib import Path

from firmware_host.errors import UnreadableStateError
from firmware_host.frozen import frozen
from firmware_host.state_files import DamagedFile, json_object, read_state, write_state

MAX_CRASHES = 3
"""The number of crashes after which the program starts in safe mode."""
CRASH_WINDOW_S = 300.0
"""The age at which a crash no longer counts."""
STABLE_AFTER_S = 300.0
"""The duration after which a run counts as stable."""
MIN_PAUSE_S, MAX_PAUSE_S = 300.0, 3600.0
"""The first and the longest pause before the next attempt to play; each is twice the one before."""
KILLED = "it was killed, or hung until it was"

_FILE = "crashes.json"
_MAX_TEXT_LENGTH = 300
_MAX_TRIES = 1000


@frozen
class Crash:
    """One crash: its time, the time of day to show, empty if nobody knew it, and the error."""

    at_s: float
    when: str
    text: str


@frozen
class _CrashRecord:
    runs: bool = False
    """True if a run has begun and not recorded its end."""
    tries: int = 0
    """The attempts to play in safe mode since the last stable run."""
    crashes: tuple[Crash, ...] = ()


class CrashCounter:
    """The record in `folder`, which the service manager keeps between restarts of the program.

    Without a folder, as on a terminal, where nobody restarts the program, nothing is counted.
    """

    def __init__(self, folder: Path | None) -> None:
        self._file = None if folder is None else folder / _FILE
        self.damaged: list[DamagedFile] = []
        """The record if it had to be set aside."""
        self._record = self._read()

    @classmethod
    def of(cls, environ: Mapping[str, str]) -> CrashCounter:
        """Return the record of a program with this environment, as systemd.exec(5) defines it."""
        folder = environ.get("RUNTIME_DIRECTORY", "").partition(":")[0]
        return cls(Path(folder) if folder else None)

    def begin(self, now_s: float, when: str) -> Crash | None:
        """Note that a run begins. Return the last crash if there were too many to play."""
        if self._record.runs:
            self._add(Crash(now_s, when, KILLED))
        recent = tuple(crash for crash in self._record.crashes if now_s - crash.at_s <= CRASH_WINDOW_S)
        needed = 1 if self._record.tries else MAX_CRASHES
        self._write(replace(self._record, runs=True, crashes=recent))
        return recent[-1] if len(recent) >= needed else None

    def crashed(self, text: str, now_s: float, when: str) -> None:
        """Note that the run ends because of `text`."""
        line = " ".join(text.split())[:_MAX_TEXT_LENGTH].encode(errors="replace").decode()
        self._add(Crash(now_s, when, line))

    @property
    def pause_s(self) -> float:
        """The pause before the next attempt to play."""
        return min(MAX_PAUSE_S, MIN_PAUSE_S * 2.0**self._record.tries)

    def try_again(self) -> None:
        """Note an attempt to play: one more crash is enough for safe mode then."""
        self._write(_CrashRecord(runs=True, tries=min(self._record.tries + 1, _MAX_TRIES)))

    def stayed_well(self) -> None:
        """Note that the run is stable."""
        self._write(_CrashRecord(runs=True))

    def ended(self) -> None:
        """Note that the run ends properly."""
        self._write(_CrashRecord())

    def _add(self, crash: Crash) -> None:
        self._write(replace(self._record, runs=False, crashes=(*self._record.crashes, crash)[-MAX_CRASHES:]))

    def _read(self) -> _CrashRecord:
        if self._file is None:
            return _CrashRecord()
        try:
            return read_state(self._file, _parse, self.damaged.append) or _CrashRecord()
        except OSError:  # a folder that can't be read must not keep the board from playing
            return _CrashRecord()

    def _write(self, record: _CrashRecord) -> None:
        self._record = record
        if self._file is None:
            return
        fields = {
            "runs": record.runs,
            "tries": record.tries,
            "crashes": [astuple(crash) for crash in record.crashes],
        }
        try:
            write_state(self._file, json.dumps(fields).encode(), _parse)
        except (OSError, UnreadableStateError):  # nor one that can't be written
            self._file = None


def _parse(data: bytes) -> _CrashRecord:
    """Return the record in a file; raise KeyError, TypeError or ValueError for anything else."""
    record = json_object(data)
    crashes = tuple(Crash(float(at), str(when), str(text)) for at, when, text in record["crashes"])
    tries = int(record["tries"])
    if not 0 <= tries <= _MAX_TRIES:
        raise ValueError(f"{tries} attempts can't have been made")
    return _CrashRecord(bool(record["runs"]), tries, crashes)
