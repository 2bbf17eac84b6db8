"""The two ends of the way from magnet to light: what the sensors say and what the strip shows.

A driver, real or simulated, is anything with these methods. Nothing here knows a rule or a pin.
"""

from __future__ import annotations

import enum
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


Colour = tuple[int, int, int]
"""Red, green and blue, each 0 to 255, as they are sent to an LED."""

LedFrame = tuple[Colour, ...]
"""One colour for each point, in the layout's order."""

DARK: Colour = (0, 0, 0)


class SensorPort(Protocol):
    """Where frames come from."""

    def read(self) -> Frame:
        """Scan every point once; raises SensorError where that is not possible."""

    def close(self) -> None:
        """Give the pins back; may be called twice."""


class LedPort(Protocol):
    """Where light goes."""

    def show(self, frame: LedFrame) -> None:
        """Send one colour to each LED; raises StripError where that is not possible."""

    def close(self) -> None:
        """Go dark and give the pins back; may be called twice, and raises nothing."""
