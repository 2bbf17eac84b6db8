"""The one table of a board's sounds: the tones of a speaker and of the page, and the rhythms of a buzzer.

`web/static/tones.js` is written from it, and a phone shakes in the buzzer's rhythm.

Invariants: every cue has both forms; no two cues have the same order of beeps and ticks, so that a buzzer
tells them apart.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping
from itertools import accumulate

from firmware_host.frozen import frozen
from firmware_host.settings import SOUND_ALL, SOUND_FEW, Microseconds

# ---- cues -----------------------------------------------------------------------------------------------
# Sound cues: the meanings of sounds, which of them weighs more, and at which level each is heard.
#
# Invariants: the order of the members is that of their weight; a level plays all that a lower one does.


class SoundCue(enum.Enum):
    """The meaning of a sound; an earlier one weighs more."""

    OVER = "over"
    """The game is over."""
    WRONG = "wrong"
    """Hands did something that the board can't read as a turn."""
    LOW = "low"
    """A player has little time left, or none."""
    TURN = "turn"
    """A turn that somebody else chose is lit, or the player at another board asks or says something."""
    MILL = "mill"
    """A mill was closed, and a piece may be taken."""
    REMOVED = "removed"
    """A piece was taken."""
    PLACED = "placed"
    """A piece was placed or moved, and that counts."""
    ASK = "ask"
    """The board asks by light, or takes an answer."""

    def __str__(self) -> str:
        return self.value

    def outweighs(self, other: SoundCue) -> bool:
        """Return True if this sound replaces the `other` one."""
        return WEIGHTS[self] > WEIGHTS[other]

    def is_played_at(self, level: str) -> bool:
        """Return True if a board plays it at a level of `SOUND_LEVELS`."""
        return level == SOUND_ALL or (level == SOUND_FEW and self in _FEW)


WEIGHTS = {cue: -number for number, cue in enumerate(SoundCue)}
"""The weight of each, of which the highest is heard when several coincide."""
_FEW = (SoundCue.OVER, SoundCue.WRONG, SoundCue.LOW, SoundCue.TURN)


# ---- rhythms --------------------------------------------------------------------------------------------
# Rhythms: the times at which an active buzzer sounds, which has no pitch.
#
# Invariants: a rhythm is a value, and time is an argument. It begins with a sound, ends with one, and is
# never longer than MAX_RHYTHM_MS.


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


# ---- the table ------------------------------------------------------------------------------------------


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
        "// The tones and rhythms of all sounds, written from firmware_host/sound.py by its test.",
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
