"""Explanations of everything that hands did since the board last matched the game.

An explanation is a run of legal steps, possibly of several turns, from the game's position or from one of
the last turn (then it is a revision), and the pieces that are still in hand. `search` finds them.

Nearly everything can be explained in several ways, so each has a cost: small for what people do now and then,
`UNLIKELY` for what looks like something else. The costs order explanations and exclude hardly any.
"""

from __future__ import annotations

from dataclasses import dataclass

from firmware_host.games.game import Position, Step
from firmware_host.settings import Microseconds

UNLIKELY = 10
"""The cost of an action within the put-back time that looks like a put-back."""
DOUBTFUL = 2
"""From this cost on, an explanation has to rest before it counts."""
OWNERS_LIFT = 2
"""The cost of reading a removal as its owner's lift, for a move that goes on."""
OUT_OF_ORDER = 1
"""The cost of a turn that lands, or is lifted, before the one before it."""
HASTE = 1
"""The cost of a piece that lands faster than a hand carries it."""
LATE_THOUGHT = 2
"""The cost of a turn that is thought over after the reply to it has begun."""
UNSEEN = 2
"""The cost of an action that no sensor shows, where more than the reply would have to follow it."""
IDLE = 1
"""The cost of a piece that was lifted or set down for long, and came back."""
HALF_REVISED = 1
"""The cost of a revision that leaves a piece in hand."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """From the position at `ply`, hands played `steps` to reach `position`, and hold the pieces of `in_hand`.

    It is `complete` if one legal turn can have lifted the pieces in hand. `undone` are the points whose piece
    a revision took away.
    """

    ply: int
    steps: tuple[Step, ...]
    position: Position
    in_hand: tuple[int, ...] = ()
    complete: bool = True
    cost: int = 0
    undone: tuple[int, ...] = ()
    unobserved: bool = False
    early: tuple[int, ...] = ()
    """Points at which the next player's piece landed before the removal that is due; not complete yet."""
    sure: int | None = None
    """The number of steps before the first whose landing no sensor shows; None if there is none."""

    @property
    def is_whole(self) -> bool:
        """True if no piece is in hand."""
        return self.complete and not self.in_hand


@dataclass(frozen=True, slots=True)
class Limits:
    """Times that tell actions apart, in us: a quick return, and the touch of a brush."""

    put_back: Microseconds
    brush: Microseconds
