"""Sound cues: which outweighs which, and which are heard at each level."""

from __future__ import annotations

from itertools import pairwise

from firmware_host.settings import SOUND_ALL, SOUND_FEW, SOUND_OFF
from firmware_host.sound import WEIGHTS, SoundCue


def test_each_cue_outweighs_those_after_it() -> None:
    for heavier, lighter in pairwise(SoundCue):
        assert heavier.outweighs(lighter)
        assert not lighter.outweighs(heavier)
        assert not heavier.outweighs(heavier)
    assert max(WEIGHTS.values()) == WEIGHTS[SoundCue.OVER]


def test_a_level_plays_all_that_a_lower_one_does() -> None:
    heard = {
        level: {cue for cue in SoundCue if cue.is_played_at(level)}
        for level in (SOUND_OFF, SOUND_FEW, SOUND_ALL)
    }
    assert heard == {
        SOUND_OFF: set(),
        SOUND_FEW: {SoundCue.OVER, SoundCue.WRONG, SoundCue.LOW, SoundCue.TURN},
        SOUND_ALL: {*SoundCue},
    }
