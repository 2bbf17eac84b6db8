"""The state of a game, as far as it decides which requests are possible."""

from __future__ import annotations

from abc import ABC, abstractmethod

from tests.fuzz.oracle import plain_rules as plain
from tests.fuzz.oracle.judging.referee import Referee
from tests.fuzz.oracle.stack_score import StackScore


class GameStanding(ABC):
    """The state of any game."""

    confirmable: tuple[str, ...] = ()
    """The turns that the board asks to be confirmed."""

    @property
    @abstractmethod
    def over(self) -> bool:
        """True if the game has ended."""

    @property
    @abstractmethod
    def declared(self) -> bool:
        """True if its players have ended it, and not the rules."""

    @property
    @abstractmethod
    def paused(self) -> bool:
        """True while hands are ignored."""

    @property
    @abstractmethod
    def ply(self) -> int:
        """The number of steps that count."""

    @property
    @abstractmethod
    def may_redo(self) -> bool:
        """True if a take-back can be redone."""

    @property
    def may_decline(self) -> bool:
        """True if a removal is due that may be declined."""
        return False


class MillStanding(GameStanding):
    """The state of a mill game, as its referee knows it."""

    def __init__(self, referee: Referee) -> None:
        self._referee = referee

    @property
    def over(self) -> bool:
        """True if the game has ended."""
        return self._referee.over

    @property
    def declared(self) -> bool:
        """True if its players have ended it, and not the rules."""
        return self._referee.score.declared is not None

    @property
    def paused(self) -> bool:
        """True while hands are ignored."""
        return self._referee.paused

    @property
    def ply(self) -> int:
        """The number of steps that count."""
        return len(self._referee.score.steps)

    @property
    def may_redo(self) -> bool:
        """True if a take-back can be redone."""
        return bool(self._referee.score.undone)

    @property
    def may_decline(self) -> bool:
        """True if a removal is due that may be declined."""
        return "x-" in plain.legal_steps(self._referee.score.now)


class StackStanding(GameStanding):
    """The state of a game of stacks, by its score; `confirmable` is that of the last state shown."""

    def __init__(self, score: StackScore) -> None:
        self._score = score

    @property
    def over(self) -> bool:
        """True if the game has ended."""
        return self._score.over

    @property
    def declared(self) -> bool:
        """True if its players, or the cleared board, ended it."""
        return self._score.declared

    @property
    def paused(self) -> bool:
        """True while hands are ignored."""
        return self._score.paused

    @property
    def ply(self) -> int:
        """The number of steps that count."""
        return len(self._score.steps)

    @property
    def may_redo(self) -> bool:
        """True if a take-back can be redone."""
        return bool(self._score.undone)
