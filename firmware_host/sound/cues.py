"""Sound cues: the meanings of sounds, which of them weighs more, and at which level each is heard.

Invariants: the order of the members is that of their weight; a level plays all that a lower one does.
"""

from __future__ import annotations

import enum

from firmware_host.settings import SOUND_ALL, SOUND_FEW


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
