"""The course of a game: the position that counts at each moment, by a board's events and the plain rules.

A judge that looks only at a board at rest overlooks a wrong turn that is corrected later, and a right one
that counts late. `GameCourse` therefore keeps each position with the time from which it counted, and says how
long one counted that nobody meant, and when one that was meant came to stay.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any, Protocol

from tests.fuzz.oracle import plain_mitsudomoe, plain_rules
from tests.fuzz.oracle.plain_rules import MillMoment
from tests.fuzz.oracle.score import MillScore
from tests.fuzz.oracle.stack_score import StackScore

Object = dict[str, Any]


class FollowedScore(Protocol):
    """A game as the events tell it."""

    def take_in(self, event: Object) -> None:
        """Take in an event."""

    @property
    def position(self) -> str:
        """The text of the position that counts."""


class MillCourseScore:
    """A mill game that may begin in the middle, as with a record that is continued."""

    def __init__(self, start: MillMoment) -> None:
        self._score = MillScore(record=[start])

    def take_in(self, event: Object) -> None:
        """Take in an event; an AssertionError if the plain rules forbid it."""
        match event["event"]:
            case "step":
                self._score.step(event)
            case "turn":
                self._score.turn(event)
            case "taken-back":
                self._score.take_back(event["ply"])
            case "redone":
                self._score.redo(event["ply"])
            case "game":
                self._score.begin(event)
            case "over":
                self._score.end(event)
            case "continued":
                self._score.go_on(event)
            case "end-undone":
                self._score.undo_end(event)

    @property
    def position(self) -> str:
        """The text of the position that counts."""
        return plain_rules.position_text(self._score.now)


class StackCourseScore:
    """A game of stacks; a turn counts as a whole."""

    def __init__(self, first: str) -> None:
        self._score = StackScore()
        self._score.moments = [plain_mitsudomoe.start(first)]

    def take_in(self, event: Object) -> None:
        """Take in an event of a game that goes on; an AssertionError if the plain rules forbid it."""
        if event["event"] in ("step", "turn", "taken-back", "redone", "game", "over"):
            self._score.take_in(event, {}, cleared=True)

    @property
    def position(self) -> str:
        """The text of the position before the turn that is due."""
        return plain_mitsudomoe.position_text(self._score.now)


class GameCourse:
    """The positions of one board with the times from which they counted; `restart` forgets earlier ones."""

    def __init__(self, score: FollowedScore) -> None:
        self._score = score
        self._stood: list[tuple[float, str]] = [(0.0, score.position)]

    def take_in(self, event: Object) -> None:
        """Take in an event; of several at one moment only the last position has counted."""
        self._score.take_in(event)
        position, at = self._score.position, event["t"]
        if position == self._stood[-1][1]:
            return
        if at <= self._stood[-1][0] and len(self._stood) > 1:
            self._stood.pop()
        self._stood.append((at, position))

    def restart(self, now: float) -> None:
        """Count from `now` on."""
        self._stood = [(now, self._score.position)]

    def outside(self, allowed: Collection[str], until: float) -> list[tuple[float, float, str]]:
        """Return since when, for how long and which other positions than the `allowed` ones have counted."""
        ends = [at for at, _ in self._stood[1:]] + [until]
        spans = zip(self._stood, ends, strict=True)
        return [
            (since, end - since, position)
            for (since, position), end in spans
            if position not in allowed and end > since
        ]

    def stays_from(self, later: Iterable[str]) -> float | None:
        """Return the time from which the position has always been one of `later`; None if it is not now."""
        wanted = set(later)
        since = None
        for at, position in reversed(self._stood):
            if position not in wanted:
                break
            since = at
        return since

    def lateness(self, due: Sequence[tuple[float, set[str]]]) -> float:
        """Return by how many seconds positions came to stay after they were `due`, at most."""
        times = [(at, self.stays_from(later)) for at, later in due]
        return max([0.0, *(since - at for at, since in times if since is not None)])
