"""The cleared board: how players say, without a screen, that this game is over and the next may begin.

Rules kept here: a board that stays empty for three seconds ends the game, once, and never one in which
nothing is committed; clearing is no take-back, so those that it seemed to pass through are undone.
"""

from __future__ import annotations

from dataclasses import dataclass

from firmware_host.games.game import Game
from firmware_host.settings import Microseconds, Timing


@dataclass(frozen=True, slots=True)
class _TakenBack:
    at: Microseconds
    before: Game


class Clearing:
    """Watches for the empty board, and remembers what was taken back on the way there."""

    def __init__(self, timing: Timing) -> None:
        self._empty_for = timing.cleared_ms * 1000
        self._forgives = timing.cleared_forgives_ms * 1000
        self._empty_since: Microseconds | None = None
        self._taken_back: list[_TakenBack] = []

    def felt(self, *, empty: bool, now: Microseconds) -> None:
        """Note whether the board is empty."""
        if not empty:
            self._empty_since = None
        elif self._empty_since is None:
            self._empty_since = now

    def unseen(self) -> None:
        """Note that the board is not looked at for a while, so that it is not known to stay empty."""
        self._empty_since = None

    def took_back(self, before: Game, now: Microseconds) -> None:
        """Note that hands went back from `before`; the board may be being cleared."""
        self._taken_back.append(_TakenBack(now, before))

    def intended(self) -> None:
        """Note that play went on, or a take-back was asked for: what hands took back before was meant so."""
        self._taken_back.clear()

    def due(self, game: Game) -> Microseconds | None:
        """When the empty board will end `game`; None while it will not."""
        if self._empty_since is None or (game.ply == 0 and game.outcome is None):
            return None
        return self._empty_since + self._empty_for

    def record(self, game: Game) -> Game:
        """`game` with what was taken back while the board was being cleared."""
        if self._empty_since is None:
            return game
        since = self._empty_since - self._forgives
        return next((taken.before for taken in self._taken_back if taken.at >= since), game)
