"""The value of a position or of a turn.

**Invariants:** a value is seen by the player to move: of a position, by the one to move in it; of a turn, by
the one who makes it. `exact` means proved, by a table or by a search that left nothing out; a heuristic is
`UNKNOWN` and never exact.
"""

from __future__ import annotations

from enum import StrEnum

from firmware_host.frozen import frozen


class Result(StrEnum):
    """The result of best play by both players."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"
    UNKNOWN = "unknown"

    @property
    def reversed(self) -> Result:
        """The same result seen by the opponent."""
        return _REVERSED[self]


_REVERSED = {
    Result.WIN: Result.LOSS,
    Result.LOSS: Result.WIN,
    Result.DRAW: Result.DRAW,
    Result.UNKNOWN: Result.UNKNOWN,
}


@frozen
class Value:
    """A result, and the number of turns (of both players) to the next capture or the end of the game.

    `distance` counts to the conversion that the winner forces; it is None if it isn't known, and for a draw.
    """

    result: Result
    distance: int | None
    exact: bool


UNKNOWN = Value(Result.UNKNOWN, None, exact=False)
"""The value of a position that nothing proves."""


def proved(value: Value) -> Result:
    """Return the result of a value that is exact; otherwise it is unknown."""
    return value.result if value.exact else Result.UNKNOWN


TurnResults = tuple[tuple[str, Result], ...]
"""The texts of all turns of a position, the best first, each with its result as far as it is proved."""
