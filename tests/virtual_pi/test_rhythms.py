"""The checks of the virtual Pi's buzzer, on edges that need no machine."""

from __future__ import annotations

from itertools import accumulate, chain

import pytest

from firmware_host.sound import SOUNDS, SoundCue
from tests.contract.virtual_pi_rigs import beats_of
from tests.virtual_pi.drivers.rhythms import heard


def edges_of(cue: SoundCue, late_us: int = 0) -> list[int]:
    """Return the times at which a line rises and falls for a sound, each pass of the loop a little late."""
    spans = [*chain.from_iterable(SOUNDS[cue].rhythm.beats)][:-1]
    return list(accumulate((1000 * span + late_us for span in spans), initial=7_000_000))


@pytest.mark.parametrize("cue", SOUNDS)
def test_each_sound_is_known_by_its_edges(cue: SoundCue) -> None:
    assert beats_of(edges_of(cue)) == [list(beat) for beat in SOUNDS[cue].rhythm.beats]
    found = heard(beats_of(edges_of(cue, late_us=4_000)))
    assert found is not None
    assert len(SOUNDS[found].rhythm.beats) == len(SOUNDS[cue].rhythm.beats)


def test_silence_and_noise_are_no_sound() -> None:
    assert beats_of([]) == []
    assert heard([]) is None
    assert heard([[500, 0]]) is None


def test_sound_that_ends_a_burst_is_known() -> None:
    assert heard([[300, 250], *map(list, SOUNDS[SoundCue.MILL].rhythm.beats)]) is SoundCue.MILL
