"""What the reconciler can say of a frame, as values.

Points are given as their names' `Point` values. A verdict speaks of the board as it is felt now, not of
what changed since the last one.
"""

from __future__ import annotations

from dataclasses import dataclass

from firmware_host.games.game import Step, Turn
from firmware_host.games.layout import Point


@dataclass(frozen=True, slots=True)
class Settled:
    """The board stands as the game says."""


@dataclass(frozen=True, slots=True)
class Lifted:
    """Some of a turn is done: `points` were opened for it, `turns` are the ways it can go on.

    `base` is the ply that the turns start from: the game's own, or an earlier one when the last turn is
    thought over.
    """

    points: frozenset[Point]
    turns: tuple[Turn, ...]
    base: int


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
