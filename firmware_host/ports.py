"""The two ends of the way from magnet to light: what the sensors say and what the strip shows.

A driver, real or simulated, is anything with these methods. Nothing here knows a rule or a pin.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from typing import Protocol

Reading = int
"""What one sensor can tell of its point: 0 is nothing; what else there is, the alphabet says."""

Frame = tuple[Reading, ...]
"""The readings of all points, in the layout's order."""

NOTHING: Reading = 0
SOMETHING: Reading = 1
WHITE_PIECE: Reading = 1
BLACK_PIECE: Reading = 2


class Alphabet(enum.Enum):
    """What the board's sensors can tell apart."""

    PRESENCE = "presence"
    """NOTHING or SOMETHING: a reed or a hall switch."""
    POLARITY = "polarity"
    """NOTHING, WHITE_PIECE or BLACK_PIECE: the owner, by the pole that lies below."""
    PIECES = "pieces"
    """NOTHING, or what stands there, by the field of all of it: `stack_reading` of a stack of magnets."""


MAGNETS = 2
"""So many strengths of magnets a linear sensor can tell, each with either pole below."""

TOLD = 3
"""So many pieces of a stack it can tell, from the uppermost down; what lies deeper counts too little.

In random games of Mitsudomoe two legal turns never led to the same readings of three pieces on each square
(of 60,187), but an eighth of them did with one, and an eightieth with two.
"""

_KINDS = 2 * MAGNETS + 1
_BELOW = _KINDS ** (TOLD - 1)


def stack_reading(kinds: Sequence[int]) -> Reading:
    """The reading of a stack of pieces, the lowest first.

    A kind is 1 or 2 for a white or a black piece with the weaker magnet, 3 or 4 with the stronger; the
    uppermost is the last digit of the reading. A single piece with the weaker magnet reads as in POLARITY.
    """
    reading = 0
    for kind in kinds[-TOLD:]:
        reading = reading % _BELOW * _KINDS + kind
    return reading


def uppermost(reading: Reading) -> Reading:
    """The reading of the uppermost piece alone."""
    return reading % _KINDS


def covered(reading: Reading) -> Reading:
    """The reading of what lies under the uppermost piece, as far as it is told."""
    return reading // _KINDS


def told_whole(pieces: int) -> bool:
    """Whether a stack of so many pieces reads otherwise with any one more on it."""
    return pieces < TOLD


def lessened(before: Reading, after: Reading) -> bool:
    """Whether the uppermost piece is gone; of a sensor that tells one piece: whether nothing is left."""
    return after != before and (after == NOTHING or after % _BELOW == before // _KINDS)


def grown(before: Reading, after: Reading) -> bool:
    """Whether one more piece stands on what stood there."""
    return lessened(after, before)


Colour = tuple[int, int, int]
"""Red, green and blue, each 0 to 255, as they are sent to an LED."""

LedFrame = tuple[Colour, ...]
"""One colour for each point, in the layout's order."""

DARK: Colour = (0, 0, 0)


class SensorPort(Protocol):
    """Where frames come from."""

    def read(self) -> Frame:
        """Scan every point once; raises SensorError where that is not possible."""

    @property
    def levels(self) -> Mapping[int, int]:
        """What linear sensors gave when they were read last, by the index of their point; else empty."""

    def close(self) -> None:
        """Give the pins back; may be called twice."""


class LedPort(Protocol):
    """Where light goes."""

    def show(self, frame: LedFrame) -> None:
        """Send one colour to each LED, those of before, too; raises StripError where that is not possible."""

    def close(self) -> None:
        """Go dark and give the pins back; may be called twice, and raises nothing."""
