"""What the reconciler can say of a frame, as values.

A verdict speaks of the board as it is felt now, not of what changed since the last one.
"""

from __future__ import annotations

from dataclasses import dataclass

from firmware_host.games.game import Step, Turn
from firmware_host.games.layout import Point


@dataclass(frozen=True, slots=True)
class Settled:
    """The board stands as the game says."""


@dataclass(frozen=True, slots=True)
class Fit:
    """A turn, and how far hands are with each of its steps: 0 not begun, then one more for each action."""

    turn: Turn
    done: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Lifted:
    """Some of a turn is done, or all of it for too short a time to count.

    `points` were opened; `fits` are the ways that lead here and on. Both may be of the turn that is due and,
    while the last turn is thought over, of that one.
    """

    points: frozenset[Point]
    fits: tuple[Fit, ...]


@dataclass(frozen=True, slots=True)
class Completed:
    """These steps were done by hands and have waited long enough: the game goes on after them."""

    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Revised:
    """The game goes back to its ply `to`, and from there these steps were done."""

    to: int
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Mismatch:
    """The board stands as no legal hands could have left it; each point once, against the game's position."""

    missing: frozenset[Point]
    extra: frozenset[Point]
    wrong: frozenset[Point]


Verdict = Settled | Lifted | Completed | Revised | Mismatch
