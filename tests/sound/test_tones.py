"""The one table of sounds, and the page's copy of it."""

from __future__ import annotations

import os
from pathlib import Path

import firmware_host
from firmware_host.sound import SOUNDS, SoundCue, page_module

PAGE_MODULE = Path(firmware_host.__file__).parent / "web/static/tones.js"
WRITE = "MILLWRIGHT_WRITE_TONES"


def test_every_cue_has_a_sound_of_its_own() -> None:
    assert list(SOUNDS) == list(SoundCue)
    assert len({forms.tones for forms in SOUNDS.values()}) == len(SOUNDS)


def test_rhythms_differ_by_more_than_milliseconds() -> None:
    """An ear tells a tick from a beep, but not a beep of 60 ms from one of 90."""
    for is_soft in (False, True):
        heard = set()
        for forms in SOUNDS.values():
            rhythm = forms.rhythm.softened() if is_soft else forms.rhythm
            shortest_beep = 30 if is_soft else 60
            beats = [on for on, _ in rhythm.beats]
            assert all(on >= shortest_beep or on <= 0.7 * shortest_beep for on in beats)
            heard.add(tuple("beep" if on >= shortest_beep else "tick" for on in beats))
        assert len(heard) == len(SOUNDS)


def test_no_sound_holds_up_others_for_a_second() -> None:
    assert max(forms.length for forms in SOUNDS.values()) < 1_000_000
    for forms in SOUNDS.values():
        assert forms.length >= forms.rhythm.length
        assert all(0 < tone.loudness <= 1 for tone in forms.tones)


def test_the_page_has_the_same_table() -> None:
    if os.environ.get(WRITE):
        PAGE_MODULE.write_text(page_module(), "utf-8")
    assert PAGE_MODULE.read_text("utf-8") == page_module(), f"run this test with {WRITE}=1"
