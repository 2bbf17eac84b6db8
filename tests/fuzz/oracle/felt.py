"""The changes that the sensors of a board reported, point by point, with their times in microseconds.

A reading is `""` for nothing, else the colour, or `piece` where sensors report no colour.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.fuzz.oracle.table import NOTHING

GLITCH_US = 10_000
"""A change that was reverted sooner is noise of a contact, which no board has to accept."""


@dataclass(frozen=True, order=True)
class FeltChange:
    """A point that read as something else from `at` on."""

    at: int
    point: str
    reading: str


@dataclass(frozen=True)
class Felt:
    """The readings of all points at first, and each change since then, the earliest first."""

    before: Mapping[str, str]
    changes: tuple[FeltChange, ...] = ()

    @property
    def after(self) -> dict[str, str]:
        """The readings at last."""
        return {**self.before, **{change.point: change.reading for change in self.changes}}

    def of(self, point: str) -> list[FeltChange]:
        """The changes of one point; it was empty between two pieces that followed each other at once."""
        found: list[FeltChange] = []
        reading = self.before.get(point, NOTHING)
        for change in self.changes:
            if change.point != point:
                continue
            if reading and change.reading:
                found.append(FeltChange(change.at, point, NOTHING))
            found.append(change)
            reading = change.reading
        return _without_glitches(self.before.get(point, NOTHING), found)


@dataclass
class FeltRecorder:
    """Gathers frames into a `Felt`; `restart` forgets all that went before the last frame."""

    _before: dict[str, str] = field(default_factory=dict)
    _now: dict[str, str] = field(default_factory=dict)
    _changes: list[FeltChange] = field(default_factory=list)

    def read(self, at: int, frame: Mapping[str, str]) -> None:
        """Take in the frame that was read at `at`."""
        if not self._now:
            self._before = dict(frame)
        elif frame != self._now:
            changed = [FeltChange(at, point, now) for point, now in frame.items() if self._now[point] != now]
            self._changes += changed
        self._now = dict(frame)

    def restart(self) -> None:
        """Count from the last frame on."""
        self._before = dict(self._now)
        self._changes.clear()

    @property
    def felt(self) -> Felt:
        """All since the start."""
        return Felt(dict(self._before), tuple(self._changes))


def _without_glitches(reading: str, changes: list[FeltChange]) -> list[FeltChange]:
    """The changes less those that were reverted at once."""
    kept: list[FeltChange] = []
    for change in changes:
        before = kept[-2].reading if len(kept) > 1 else reading
        if kept and change.reading == before and change.at - kept[-1].at < GLITCH_US:
            kept.pop()
        else:
            kept.append(change)
    return kept
