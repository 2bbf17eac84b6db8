"""Rhythms: the times at which an active buzzer sounds, which has no pitch.

Invariants: a rhythm is a value, and time is an argument. It begins with a sound, ends with one, and is never
longer than MAX_RHYTHM_MS.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate

from firmware_host.frozen import frozen
from firmware_host.settings import Microseconds

MAX_RHYTHM_MS = 600
"""The longest rhythm: a longer one would still sound when the next thing happens."""
_MS: Microseconds = 1_000


@frozen
class Rhythm:
    """A rhythm of beats, each with the milliseconds that it sounds and those of silence after it."""

    beats: tuple[tuple[int, int], ...]

    def __post_init__(self) -> None:
        """Raise ValueError if it is too long, ends in silence, or has a beat without sound."""
        silences = [off for _, off in self.beats]
        if any(on <= 0 for on, _ in self.beats) or silences[-1:] != [0] or min(silences[:-1], default=1) <= 0:
            raise ValueError(f"{self.beats} must begin and end with a sound, and have silence in between")
        if self.length > MAX_RHYTHM_MS * _MS:
            raise ValueError(f"{self.beats} is longer than {MAX_RHYTHM_MS} ms")

    @property
    def length(self) -> Microseconds:
        """The time from its beginning to its end."""
        return sum(map(sum, self.beats)) * _MS

    @property
    def edges(self) -> tuple[Microseconds, ...]:
        """The times after its beginning at which it changes: a sound, a silence, a sound, and so on."""
        return tuple(accumulate(self._spans(), initial=0))

    def is_on(self, after: Microseconds) -> bool:
        """Return True if it sounds this time after its beginning."""
        return sum(edge <= after for edge in self.edges) % 2 == 1

    def next_edge(self, after: Microseconds) -> Microseconds | None:
        """Return when it next changes, counted from its beginning; None once it has ended."""
        return next((edge for edge in self.edges if edge > after), None)

    def softened(self) -> Rhythm:
        """Return the rhythm for the night: each sound begins when it did, and lasts half as long."""
        return Rhythm(tuple((on - on // 2, off + on // 2 if off else 0) for on, off in self.beats))

    def _spans(self) -> Iterator[Microseconds]:
        for on, off in self.beats:
            yield on * _MS
            if off:
                yield off * _MS
