"""What the light shall say, by meaning: cues for each point, and nothing of colours or time.

Rules kept here: error cues stand alone, so that nothing competes with them; after the end of a game
nothing is shown as an error; what is lit as legal is exactly what the verdict says can still be done.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field

from firmware_host.games.game import Player
from firmware_host.games.layout import Point


class Cue(enum.Enum):
    """A meaning that one point's light can have."""

    MOVABLE = "movable"
    DESTINATION = "destination"
    MILL = "mill"
    REMOVABLE = "removable"
    LIFTED = "lifted"
    LAST_MOVE = "last-move"
    MISSING = "missing"
    EXTRA = "extra"
    WRONG = "wrong"
    HINT = "hint"
    WINNER = "winner"
    CLEAR = "clear"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True)
class Scene:
    """The cues of each point that has any, and whose turn it is (None: nobody's)."""

    cues: Mapping[Point, frozenset[Cue]] = field(default_factory=dict)
    to_move: Player | None = None
