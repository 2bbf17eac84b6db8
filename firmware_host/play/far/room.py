"""The room of a far game: what the link reports of it, and what the players here want of the link.

The board relays between its players and the link, and decides nothing: whether a wish is possible, the link
finds out by the records of both boards.

Invariants: there is a room as long as a link reports one. Each wish has another number, by which the link
carries it out once, and reports when it has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from firmware_host.errors import RequestError
from firmware_host.frozen import frozen
from firmware_host.i18n import Message

STAGES = ("outside", "unconnected", "alone", "waiting", "ready", "playing", "over")
"""The stages of a room.

Without a room; without a broker; without another board; until the player here is ready; until the other is;
during a game; and after it, until the player here is ready for the next one.
"""
QUESTIONS = ("draw", "take-back")
"""The offers of the other player that wait for an answer here."""
TOUCHES = 4
"""The number of points that make a room."""


@frozen
class RoomReport:
    """The state of a room."""

    stage: str
    question: str | None = None
    may_claim: bool = False
    """True if the other board has been away for long enough to end the game."""
    done: int = 0
    """The number of the last wish that was carried out, or refused."""
    refused: Mapping[str, Any] | None = None
    """The reason why that was refused, as a message; None if it wasn't."""
    trouble: Mapping[str, Any] | None = None
    """The reason why the boards disagree, as a message; None if they don't."""
    message: tuple[int, str] | None = None
    """The last phrase of the other player, after its number; None if there was none."""

    def as_dict(self) -> dict[str, Any]:
        """Return the public form."""
        return {
            "stage": self.stage,
            "question": self.question,
            "may_claim": self.may_claim,
            "done": self.done,
            "refused": None if self.refused is None else dict(self.refused),
            "trouble": None if self.trouble is None else dict(self.trouble),
            "message": None
            if self.message is None
            else {"number": self.message[0], "phrase": self.message[1]},
        }


class FarRoom:
    """The room, and the last wish of the players here."""

    def __init__(self) -> None:
        self.report: RoomReport | None = None
        """None without a link."""
        self._wish: dict[str, Any] = {}
        self._number = 0

    @property
    def is_left(self) -> bool:
        """True if there is a link, and its board is in no room."""
        return self.report is not None and self.report.stage == STAGES[0]

    def wish(self, what: str, *, points: Sequence[str] = (), phrase: str = "") -> None:
        """Ask the link for something; raise RequestError without one.

        To MEET, `points` are those that were touched; to SAY_PHRASE something, it is a `phrase`.
        """
        if self.report is None:
            raise RequestError(Message("refused.no-link"))
        self._wish = {"what": what}
        if points:
            self._wish["points"] = list(points)
        if phrase:
            self._wish["phrase"] = phrase
        self._number += 1

    def as_dict(self) -> dict[str, Any]:
        """Return the public form: nothing without a link.

        The points of a room are its key, and are left out once the link has dealt with them.
        """
        if self.report is None:
            return {}
        wish = {"number": self._number, **self._wish} if self._number else None
        if wish is not None and self.report.done >= self._number:
            wish.pop("points", None)
        return {"room": self.report.as_dict(), "wish": wish}
