"""The review of a finished game: the value of each turn, and where a win or a draw was given away.

**Invariants:** only proved values count: a turn gave something away if its own value and a better turn's are
both exact; everything else is unknown, and its estimate never says otherwise. A turn that is only likely to
be better has a member of its own.
"""

from __future__ import annotations

import math

from firmware_host.frozen import frozen
from firmware_host.games.game import Game, Player
from firmware_host.games.values import Result, Value

MAX_ESTIMATE = 9_999
"""The greatest worth that is guessed."""
CLEARLY = 0.15
"""The difference of chances from which on a turn is likely to be better: half a piece in an even game."""
_SOFTNESS = 200
"""The estimate that is three quarters of the way to a sure win: four pieces or so."""
WORTH = {Result.LOSS: 0, Result.DRAW: 1, Result.WIN: 2}
"""The order of proved results."""


@frozen
class BetterTurn:
    """A turn that would have held what another one gave away."""

    turn: str
    value: Value


@frozen
class LikelyTurn:
    """A turn that the search takes for better than another one; nothing proves it."""

    turn: str
    estimate: int


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
    likely: LikelyTurn | None = None
    """The turn that is likely to be better, where nothing is proved."""
    is_only: bool = False
    """True if every other turn is proved to be worse."""

    @property
    def improvement(self) -> str | None:
        """The better turn, proved or likely."""
        instead = self.better or self.likely
        return None if instead is None else instead.turn


FinishedTurn = tuple[int, str]
"""The ply at which a turn began, and its text."""
Review = tuple[ReviewedTurn, ...]
"""The finished turns of a game, the first first."""


def turning_points(review: Review) -> Review:
    """Return the turns that gave a win or a draw away."""
    return tuple(one for one in review if one.better is not None)


@frozen
class Decision:
    """The turn by which its player lost a game."""

    index: int
    is_proved: bool
    """True if it is proved to have given the win or the draw away; otherwise it is only likely."""


def decision(game: Game, review: Review) -> Decision | None:
    """Return the turn by which a game was lost; None if nobody lost it, or if no turn stands out.

    That is the loser's last proved mistake, or without one the turn that cost most of the chances by the
    search's guess.
    """
    if game.outcome is None or game.outcome.winner is None:
        return None
    own = [(index, one) for index, one in enumerate(review) if one.player is not game.outcome.winner]
    proved = [index for index, one in own if one.better is not None]
    if proved:
        return Decision(proved[-1], is_proved=True)
    cost, index = max(((_cost(one), -index) for index, one in own), default=(0.0, 0))
    return Decision(-index, is_proved=False) if cost > 0 else None


def _cost(one: ReviewedTurn) -> float:
    """Return the chances, from 0 to 2, that a turn is likely to have cost."""
    if one.likely is None:
        return 0.0
    return chances(one.likely.estimate) - chances_left(one.after, one.estimate)


def chances_left(after: Value, estimate: int) -> float:
    """Return the chances after a turn, none if it is proved to lose."""
    return -1.0 if after.result is Result.LOSS else chances(estimate)


def chances(estimate: int) -> float:
    """Return an estimate as chances from -1 to 1, in which a piece counts less the clearer it already is."""
    return math.tanh(estimate / _SOFTNESS)


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
