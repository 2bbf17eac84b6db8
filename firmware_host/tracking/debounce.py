"""Debouncing: a reading counts once it has been stable for a while.

Invariants: points are independent. A change counts when the same reading was seen for the whole debounce
time; a shorter glitch is ignored. The very first frame counts at once.
"""

from __future__ import annotations

from collections import Counter

from firmware_host.ports import Frame, Reading
from firmware_host.settings import Microseconds


class Debouncer:
    """The last stable frame, and the changes that wait to be accepted."""

    def __init__(self, debounce: Microseconds) -> None:
        """Wait `debounce` us before a change is accepted."""
        self._debounce = debounce
        self._raw: Frame = ()
        self._stable: Frame = ()
        self._changes: dict[int, tuple[Reading, Microseconds]] = {}
        self.glitches: Counter[int] = Counter()
        """The number of changes of each point that were reverted or replaced before they were accepted."""

    def update(self, raw: Frame, now: Microseconds) -> Frame:
        """Return the stable frame after `raw` was read at `now`; `now` never decreases."""
        if raw != self._raw:
            self._note(raw, now)
        if self._changes:
            self._accept(now)
        return self._stable

    @property
    def deadline(self) -> Microseconds | None:
        """The time at which a waiting change is accepted if its reading stays; None if nothing waits."""
        if not self._changes:
            return None
        return min(since for _, since in self._changes.values()) + self._debounce

    def _note(self, raw: Frame, now: Microseconds) -> None:
        if not self._raw:
            self._stable = raw
        for index, (reading, stable) in enumerate(zip(raw, self._stable, strict=True)):
            waiting = self._changes.get(index, (None,))[0]
            if waiting is not None and waiting != reading:
                self.glitches[index] += 1
            if reading == stable:
                self._changes.pop(index, None)
            elif waiting != reading:
                self._changes[index] = (reading, now)
        self._raw = raw

    def _accept(self, now: Microseconds) -> None:
        due = [index for index, (_, since) in self._changes.items() if now - since >= self._debounce]
        if due:
            frame = list(self._stable)
            for index in due:
                frame[index], _ = self._changes.pop(index)
            self._stable = tuple(frame)
