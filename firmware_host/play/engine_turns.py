"""The turns that one board wants of engines. Time is an argument, and nothing here computes a turn.

Invariants: a turn is wanted only while nothing but an engine's choice holds up the game; each time the game
or the seat changes it is wanted again, so an answer never reaches another position than it was meant for.
"""

from __future__ import annotations

from firmware_host.frozen import frozen
from firmware_host.games.game import Game
from firmware_host.play.part import PlayPart
from firmware_host.play.seats import HERE, SeatHolder
from firmware_host.play.session import Session
from firmware_host.settings import Microseconds

THINKING_SHOWN_AFTER: Microseconds = 500_000
"""A wait that people notice; from then on the board says that it is thinking."""
ANSWER_AFTER: Microseconds = 700_000
"""The earliest that a turn is chosen: people have to see that their own has counted."""
STAND_IN_LEVEL = 6
"""The level of the engine that takes the turns of another program which failed."""


@frozen(eq=False)
class WantedTurn:
    """A turn, or the rest of one, that an engine of this level has to choose in the current position."""

    game: Game
    level: int
    since: Microseconds
    external: bool = False
    """True if another program chooses; the level is that of the engine that stands in for it."""

    @property
    def due(self) -> Microseconds:
        """The earliest time at which it may be chosen."""
        return self.since + ANSWER_AFTER


class EngineTurns(PlayPart):
    """The turns that one board wants of engines, one after the other."""

    deadline: Microseconds | None = None
    """The next time at which the wish alone changes something; None if it will not."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.wanted: WantedTurn | None = None
        """The turn that is wanted now; another object whenever it is another wish."""
        self.is_thinking = False
        """True once the wait for it has become noticeable."""

    def on_frame(self, now: Microseconds) -> None:
        """Want a turn of the player whose choice holds up the game."""
        self.want_turn(self._session.game, _awaited(self._session), now)

    def want_turn(self, game: Game, seat: SeatHolder | None, now: Microseconds) -> None:
        """Want a turn for the player to move in `game`, of the engine at `seat` (None: of nobody)."""
        if seat is None or seat == HERE or seat.far:
            self.wanted = None
        elif not self._is_wanted(game, seat):
            self.wanted = WantedTurn(game, seat.engine or STAND_IN_LEVEL, now, seat.external)
        if self.wanted is None:
            self.is_thinking, self.deadline = False, None
            return
        noticed, due = self.wanted.since + THINKING_SHOWN_AFTER, self.wanted.due
        self.is_thinking = now >= noticed
        self.deadline = next((time for time in (noticed, due) if time > now), None)

    def _is_wanted(self, game: Game, seat: SeatHolder) -> bool:
        wanted = self.wanted
        if wanted is None or wanted.game.position is not game.position:
            return False
        return (wanted.level, wanted.external) == (seat.engine or STAND_IN_LEVEL, seat.external)


def _awaited(session: Session) -> SeatHolder | None:
    """Return the seat whose choice holds up the game; None if nothing does, or something else as well."""
    if session.paused or session.suspended or session.must_clear or session.game.outcome is not None:
        return None
    return session.seats.at(session.game.position.to_move) if session.reconciler.is_bound else None
