"""The one table of a board's sounds: the tones of a speaker and of the page, and the rhythms of a buzzer.

`web/static/tones.js` is written from it, and a phone shakes in the buzzer's rhythm.

Invariants: every cue has both forms; no two cues have the same order of beeps and ticks, so that a buzzer
tells them apart.
"""

from __future__ import annotations

from collections.abc import Mapping

from firmware_host.frozen import frozen
from firmware_host.settings import Microseconds
from firmware_host.sound.cues import SoundCue
from firmware_host.sound.rhythm import Rhythm

_ATTACK_MS = 100
"""The part of a tone that has to be heard; a tone that rings longer may be cut short after it."""


@frozen
class Tone:
    """A tone: when it begins, its pitch, its loudness from 0 to 1, and how long it lasts."""

    at_ms: int
    hz: int
    loudness: float
    lasts_ms: int
    rings: bool = False
    """True if it keeps its pitch; otherwise it knocks as wood does, and falls to half of it."""


@frozen
class SoundForms:
    """The forms of one sound."""

    tones: tuple[Tone, ...]
    rhythm: Rhythm

    @property
    def length(self) -> Microseconds:
        """The time for which nothing lighter may interrupt it, the same for all forms."""
        return max(self.rhythm.length, 1000 * (max(tone.at_ms for tone in self.tones) + _ATTACK_MS))


def _knock(hz: int, loudness: float, lasts_ms: int, at_ms: int = 0) -> Tone:
    return Tone(at_ms, hz, loudness, lasts_ms)


def _melody(from_ms: int, apart_ms: int, *pitches: int, lasts_ms: int = 400) -> tuple[Tone, ...]:
    return tuple(
        Tone(from_ms + apart_ms * index, hz, 0.35, lasts_ms, rings=True) for index, hz in enumerate(pitches)
    )


_WOOD = (_knock(210, 0.9, 90), _knock(640, 0.25, 40))

SOUNDS: Mapping[SoundCue, SoundForms] = {
    SoundCue.OVER: SoundForms(
        _melody(50, 140, 392, 523, 659, 784, 1047), Rhythm(((60, 60), (60, 60), (200, 0)))
    ),
    SoundCue.WRONG: SoundForms(
        (_knock(130, 0.8, 120), _knock(110, 0.8, 160, 160)), Rhythm(((80, 60), (80, 0)))
    ),
    SoundCue.LOW: SoundForms(
        _melody(0, 100, 880, 880, 880, 880, lasts_ms=70), Rhythm(((40, 60), (40, 60), (40, 60), (40, 0)))
    ),
    SoundCue.TURN: SoundForms(_melody(0, 110, 523, 784, lasts_ms=300), Rhythm(((30, 70), (90, 0)))),
    SoundCue.MILL: SoundForms((*_WOOD, *_melody(80, 90, 523, 659, 784)), Rhythm(((80, 40), (20, 0)))),
    SoundCue.REMOVED: SoundForms(
        (_knock(320, 0.6, 70), _knock(240, 0.8, 80, 90)), Rhythm(((20, 60), (20, 0)))
    ),
    SoundCue.PLACED: SoundForms(_WOOD, Rhythm(((20, 0),))),
    SoundCue.ASK: SoundForms(_melody(0, 80, 659, 880, lasts_ms=160), Rhythm(((20, 40), (20, 40), (20, 0)))),
}
"""The forms of each sound."""


def page_module() -> str:
    """Return the text of the page's module with this table."""
    lines = [
        "// The tones and rhythms of all sounds, written from firmware_host/sound/tones.py by its test.",
        "",
        "/** @typedef {{ at: number, hz: number, loud: number, long: number, rings: boolean }} Tone */",
        "",
        "/** @type {Record<Protocol.SoundCue, { tones: Tone[], rhythm: number[] }>} */",
        "export const SOUNDS = {",
    ]
    for cue, forms in SOUNDS.items():
        beats = [span for beat in forms.rhythm.beats for span in beat][:-1]
        lines += [f"  {cue}: {{", "    tones: ["]
        lines += [f"      {_tone_text(tone)}," for tone in forms.tones]
        lines += ["    ],", f"    rhythm: {beats},", "  },"]
    return "\n".join([*lines, "};", ""])


def _tone_text(tone: Tone) -> str:
    rings = "true" if tone.rings else "false"
    return (
        f"{{ at: {tone.at_ms / 1000:g}, hz: {tone.hz}, loud: {tone.loudness:g}, "
        f"long: {tone.lasts_ms / 1000:g}, rings: {rings} }}"
    )
