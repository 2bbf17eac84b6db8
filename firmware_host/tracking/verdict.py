"""The conclusions that the reconciler draws from a frame, as values.

A verdict describes the board as it is now, not its changes since the last one.
"""

from __future__ import annotations

from firmware_host.frozen import frozen
from firmware_host.games.game import Player, Step, Turn
from firmware_host.games.layout import Point


@frozen
class Settled:
    """The board matches the game."""


@frozen
class PartialTurn:
    """The beginning of a turn and the progress of each of its steps: 0 is not begun, each action adds one.

    The last of the steps has begun, or is the first that is not done; the turn may go on after it.
    """

    turn: Turn
    done: tuple[int, ...]

    def whole_turns(self) -> tuple[tuple[Step, ...], ...]:
        """Return the steps of all whole turns that begin so."""
        steps, positions = self.turn.steps, (self.turn.begun_at, *self.turn.positions)
        if positions[-1].to_move is not positions[-2].to_move:
            return (steps,)
        return tuple(steps + rest for rest in positions[-1].legal_runs()) or (steps,)


@frozen
class InProgress:
    """A turn is partly played, or wholly but for too short a time to count.

    `points` were vacated; `fits` are the ways that lead here and on. Both may belong to the current turn or,
    while it can be revised, to the last one.
    """

    points: frozenset[Point]
    fits: tuple[PartialTurn, ...]


@frozen
class Completed:
    """These steps were played and have waited long enough: the game continues after them."""

    steps: tuple[Step, ...]


@frozen
class Revised:
    """The game goes back to its ply `to`, and from there these steps were played."""

    to: int
    steps: tuple[Step, ...]


@frozen
class PutForward:
    """The game goes forward to its ply `to`, over steps that were taken back."""

    to: int


@frozen
class Mismatch:
    """No legal play leads to this board; each point is named once, by comparison with the game's position."""

    missing: frozenset[Point]
    extra: frozenset[Point]
    wrong: frozenset[Point]


@frozen
class Undecided:
    """Several runs of turns explain what hands did, and they lead to different positions.

    `points`, one or more, are those at which these positions differ: the pieces there show which run was
    meant. `vacated` are the points that stand open, like the `points` of InProgress. `by` is the player whose
    piece came to one of them last, if that is the same in all runs of a game whose players have like pieces;
    of one point, the player whose last turn ended there if the piece there is touched.
    """

    points: frozenset[Point]
    vacated: frozenset[Point]
    by: Player | None = None


@frozen
class TakingBack:
    """The board stands as the game did after its first `to` steps, several turns ago.

    The game goes back there once the board has rested. `points` are those that differ from its position. If
    it is `lacking`, the board stands so but for the captured pieces of `points`, and waits for them.
    """

    to: int
    points: frozenset[Point]
    lacking: bool = False


Change = Completed | Revised | PutForward
"""The verdicts that change the game."""

Unchanged = Settled | InProgress | Undecided | TakingBack | Mismatch
"""The verdicts that leave the game as it is."""

Verdict = Unchanged | Change
