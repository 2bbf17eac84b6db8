"""The sounds of the virtual Pi's buzzer, by what its line did."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from firmware_host.sound import SOUNDS, SoundCue

TOLERANCE_MS = 20
"""The error of a beat: frames of 5 ms, of which the slow machine leaves some out."""


def heard(beats: Sequence[Sequence[int]]) -> SoundCue | None:
    """Return the sound whose rhythm some beats end with, the longest first; None if they have none."""
    longest_first = sorted(SOUNDS, key=lambda cue: -len(SOUNDS[cue].rhythm.beats))
    return next((cue for cue in longest_first if _ends_with(beats, SOUNDS[cue].rhythm.beats)), None)


def _ends_with(beats: Sequence[Sequence[int]], rhythm: Sequence[Sequence[int]]) -> bool:
    last = beats[-len(rhythm) :]
    if len(last) < len(rhythm):
        return False
    spans = zip(chain.from_iterable(last), chain.from_iterable(rhythm), strict=True)
    return all(abs(one - other) <= TOLERANCE_MS for one, other in spans)
