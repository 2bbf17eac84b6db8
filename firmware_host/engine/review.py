"""The review of a finished game: the value of each turn, and where a win or a draw was given away.

**Invariants:** only proved values count: a turn gave something away if its own value and a better turn's are
both exact; everything else is unknown, and its estimate never says otherwise.
"""

from __future__ import annotations

from firmware_host.engine.values import Result, Value
from firmware_host.frozen import frozen
from firmware_host.games.game import Game, Player

MAX_ESTIMATE = 9_999
"""The greatest worth that is guessed."""
WORTH = {Result.LOSS: 0, Result.DRAW: 1, Result.WIN: 2}
"""The order of proved results."""


@frozen
class BetterTurn:
    """A turn that would have held what another one gave away."""

    turn: str
    value: Value


@frozen
class ReviewedTurn:
    """A turn of a game, and what could have been played instead; values are its player's."""

    ply: int
    """The number of steps before it."""
    player: Player
    turn: str
    before: Value
    """The value of the position before it."""
    after: Value
    """The value of the turn."""
    estimate: int
    """The search's guess at the turn's worth, in hundredths of a piece or so; it proves nothing."""
    better: BetterTurn | None
    """The best turn instead, if this one gave a win or a draw away."""


FinishedTurn = tuple[int, str]
"""The ply at which a turn began, and its text."""
Review = tuple[ReviewedTurn, ...]
"""The finished turns of a game, the first first."""


def turning_points(review: Review) -> Review:
    """Return the turns that gave a win or a draw away."""
    return tuple(one for one in review if one.better is not None)


def known_from(review: Review) -> int | None:
    """Return the index of the turn from which on all values are exact; None if the last one's is not."""
    known = None
    for index in range(len(review) - 1, -1, -1):
        if not review[index].after.exact:
            break
        known = index
    return known


def finished_turns(game: Game) -> list[FinishedTurn]:
    """Return the finished turns of a game."""
    return list(zip(game.turn_starts[:-1], game.turn_texts(), strict=False))
