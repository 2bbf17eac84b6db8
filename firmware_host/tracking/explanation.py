"""Explanations of everything that hands did since the board last matched the game.

An explanation is a run of legal steps, possibly of several turns, from the game's position or from one of
the last turn (then it is a revision), and the pieces that are still in hand. `search` finds them.

Nearly everything can be explained in several ways, so each has a cost: small for what people do now and then,
`UNLIKELY` for what looks like something else. The costs order explanations and exclude hardly any.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from firmware_host.frozen import frozen
from firmware_host.games.game import Position, Step
from firmware_host.ports import Reading
from firmware_host.settings import Microseconds
from firmware_host.tracking.observation import LONG_AGO

UNLIKELY = 10
"""The cost of an action within the put-back time that looks like a put-back."""
DOUBTFUL = 2
"""From this cost on, an explanation has to rest before it counts."""
OWNERS_LIFT = 2
"""The cost of reading a removal as its owner's lift, and of a placement where that piece could have gone."""
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
"""The cost of a revision that leaves a piece in hand, or leaves a later piece of its turn where it stands."""


Actions = Mapping[int, tuple[Reading, ...]]
"""By the index of a point: the readings after each action that hands did there."""


class Start(NamedTuple):
    """The position at `ply` from which runs begin, and the `actions` by which hands went back there."""

    ply: int
    position: Position
    actions: Actions
    undone: tuple[int, ...] = ()
    """The points whose piece was taken away."""
    returned: tuple[int, ...] = ()
    """The points to which a removed piece came back."""
    back: tuple[tuple[int, int], ...] = ()
    """The points to which pieces that had moved came back, each with the one that they had moved to."""
    is_hidden: bool = False
    """True if no sensor shows that a piece is back on its point."""
    is_lift_hidden: bool = False
    """True if no sensor shows that a piece was taken away from where it landed."""
    counted: tuple[Step, ...] = ()
    """The steps before `ply` of a turn that is not over in the game."""
    kept: frozenset[str] = frozenset()
    """The steps from `ply` on that still stand: an earlier one of their turn is thought over without them."""


class Node(NamedTuple):
    """A place in the search: `steps` lead from `start` to `position`, and their `actions` are explained."""

    start: Start
    position: Position
    actions: Actions
    steps: tuple[Step, ...] = ()
    landed: Microseconds = LONG_AGO
    """The time of the latest landing of this turn or an earlier one."""
    landed_before: Microseconds = LONG_AGO
    """The time of the latest landing of earlier turns."""
    acted: Microseconds = LONG_AGO
    """The time of the latest landing or capture of this turn or an earlier one."""
    acted_before: Microseconds = LONG_AGO
    """The same of earlier turns."""
    acted_earlier: Microseconds = LONG_AGO
    """The same of turns before the previous one."""
    cost: int = 0
    unobserved: bool = False
    turns: int = 0
    """The number of turns that the steps have ended."""
    pushed: Microseconds | None = None
    """The time at which a piece landed faster than a hand sets it down."""
    begun: int | None = None
    """The point at which this turn began: that of its earliest lift, or where its piece was placed."""
    begun_before: int | None = None
    """The same of the turn before."""
    sure: int | None = None
    """The number of steps before the first whose landing no sensor shows; None if there is none."""

    def with_turn_over(self) -> Node:
        """Return the node from which the next turn begins, after the last step of this one."""
        return self._replace(
            turns=self.turns + 1,
            landed_before=self.landed,
            acted_before=self.acted,
            acted_earlier=self.acted_before,
            begun_before=self.begun,
            begun=None,
        )


@frozen
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
    """Points at which the next player's piece landed before the turn was over; not complete yet."""
    sure: int | None = None
    """The number of steps before the first whose landing no sensor shows; None if there is none."""

    @property
    def is_whole(self) -> bool:
        """True if no piece is in hand."""
        return self.complete and not self.in_hand

    @property
    def ends_with_lift(self) -> bool:
        """True if a piece is in hand, or the last step takes one away."""
        return bool(self.in_hand) or (bool(self.steps) and self.steps[-1].target is None)

    @property
    def awaits_landing(self) -> bool:
        """True if a reply has landed, and a piece of the turn before it is still in hand."""
        return bool(self.early) and not self.position.removal_due
