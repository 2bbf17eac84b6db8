"""From raw frames to frames one can believe: a reading counts once it has lasted.

Rules kept here: each point is judged by itself; a change counts when the same reading has been seen for
the whole debounce time; a flicker shorter than that never happened; the very first frame is believed.
"""

from __future__ import annotations

from collections import Counter

from firmware_host.ports import Frame, Reading
from firmware_host.settings import Microseconds


class Debouncer:
    """Holds the last believed frame and the changes that wait to be believed."""

    def __init__(self, debounce: Microseconds) -> None:
        self._debounce = debounce
        self._raw: Frame = ()
        self._believed: Frame = ()
        self._since: dict[int, tuple[Reading, Microseconds]] = {}
        self.flickers: Counter[int] = Counter()
        """How often each point changed and was back, or something else, before it could be believed."""

    def update(self, raw: Frame, now: Microseconds) -> Frame:
        """The believed frame after `raw` was read at `now`; `now` never goes back."""
        if raw != self._raw:
            self._note(raw, now)
        if self._since:
            self._believe(now)
        return self._believed

    @property
    def deadline(self) -> Microseconds | None:
        """When a waiting change will count if its reading stays; None where nothing waits."""
        if not self._since:
            return None
        return min(since for _, since in self._since.values()) + self._debounce

    def _note(self, raw: Frame, now: Microseconds) -> None:
        if not self._raw:
            self._believed = raw
        for index, (reading, believed) in enumerate(zip(raw, self._believed, strict=True)):
            waiting = self._since.get(index, (None,))[0]
            if waiting is not None and waiting != reading:
                self.flickers[index] += 1
            if reading == believed:
                self._since.pop(index, None)
            elif waiting != reading:
                self._since[index] = (reading, now)
        self._raw = raw

    def _believe(self, now: Microseconds) -> None:
        due = [index for index, (_, since) in self._since.items() if now - since >= self._debounce]
        if due:
            frame = list(self._believed)
            for index in due:
                frame[index], _ = self._since.pop(index)
            self._believed = tuple(frame)
