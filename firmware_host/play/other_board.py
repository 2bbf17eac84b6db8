"""The other board of a far game: what a link has reported of it, and what that means for hands and light.

The board knows no network. A link reports how the other board is, chooses its turns as an engine's are
chosen, and leads this board to the game on which both agree.

Invariants: hands carry out turns of the other board, and make none for it. A game with another board ends by
its rules, by giving up, or by both players, and never because pieces were cleared. While the boards
disagree nothing is followed, also after a power cut.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from firmware_host.errors import IllegalStepError, NotationError, RequestError
from firmware_host.frozen import frozen
from firmware_host.games.game import Game, Outcome
from firmware_host.games.layout import Point
from firmware_host.i18n import Message
from firmware_host.lights.cues import Cue
from firmware_host.lights.scene import Scene
from firmware_host.play import events as ev
from firmware_host.play.part import PlayPart
from firmware_host.play.session import Session, lead_pieces
from firmware_host.play.stored_settings import FAR_KEY

# ---- the room -------------------------------------------------------------------------------------------
# The room of a far game: what the link reports of it, and what the players here want of the link.
#
# The board relays between its players and the link, and decides nothing: whether a wish is possible, the
# link finds out by the records of both boards.
#
# Invariants: there is a room as long as a link reports one. Each wish has another number, by which the link
# carries it out once, and reports when it has.


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


# ---- the other board ------------------------------------------------------------------------------------


class FarStatus(enum.Enum):
    """The states of the other board, and of the last turn that was made here."""

    SENT = "sent"
    """The last turn is on its way."""
    ARRIVED = "arrived"
    """The other board has it."""
    STANDS = "stands"
    """It stands on the other board's wood."""
    AWAY = "away"
    """The other board can't be reached."""
    ASKING = "asking"
    """The other board asks its player something else."""
    DISAGREE = "disagree"
    """The boards have different games."""


STATUSES = {status.value: status for status in FarStatus}

_REFUSED = ("take-back", "redo", "undo", "draw", "new-game")
"""The requests that one player alone cannot make in a game with another board."""


class FarPlay(PlayPart):
    """The other board, as this one knows it."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.status = FarStatus.AWAY
        self.led = 0
        """The mark that the link sent last; 0 before that."""
        self.room = FarRoom()
        self._differing: frozenset[Point] = frozenset()

    @property
    def is_on(self) -> bool:
        """True if the other side is played on another board."""
        return self._session.seats.has_far

    @property
    def holds_game(self) -> bool:
        """True if nothing is played because the boards disagree."""
        return self.is_on and self.status is FarStatus.DISAGREE and self._session.game.outcome is None

    def objection(self, request: str) -> Message | None:
        """Return why the request with this public name is not possible in a game with another board."""
        if not self.is_on:
            return None
        if request == "resume" and self.holds_game:
            return Message("refused.disagree")
        is_over = self._session.game.outcome is not None
        if request == "new-game" and (self._session.game.ply == 0 or self.room.is_left):
            return None
        return Message("refused.far") if request in _REFUSED and (not is_over or request == "undo") else None

    def report(self, status: FarStatus, points: Iterable[str] = ()) -> None:
        """Take over what a link has found of the other board; raise RequestError without one.

        `points` are those of the first turn in which the games differ.
        """
        session = self._session
        if not self.is_on:
            raise RequestError(Message("refused.no-far"))
        differing = frozenset(_point(session, name) for name in points)
        did_hold = self.holds_game
        changes = (status, differing) != (self.status, self._differing)
        self.status, self._differing = status, differing
        if self.holds_game is not did_hold:
            session.paused = self.holds_game
            session.timeline.add(ev.Paused() if session.paused else ev.Resumed())
            session.judge_again()
        if changes:
            session.timeline.add(ev.FarReported(status.value))

    def lead_to(self, turns: Sequence[str], *, undoes_end: bool = False) -> None:
        """Go to the game of these turns, on which both boards agree; the light leads the pieces there.

        With `undoes_end` an end that players here declared is undone, as the other board disagreed with it.
        Raises RequestError if the turns can't be played by the rules, or no game with another board goes on.
        """
        session = self._session
        is_declared = session.game.declared is not None
        if not self.is_on or (is_declared and not undoes_end):
            raise RequestError(Message("refused.no-far"))
        wanted = _played(session.game, turns)
        if is_declared:
            session.timeline.undo_end()
        same = zip(wanted.steps, session.game.steps, strict=False)
        common = next((ply for ply, (one, other) in enumerate(same) if one != other), None)
        common = min(wanted.ply, session.game.ply) if common is None else common
        session.reporter.end_mismatch()
        session.choose(None)
        if common < session.game.ply:
            session.timeline.go_back(common)
        session.timeline.play(wanted.steps[common:])
        lead_pieces(session)

    def end(self, outcome: Outcome) -> None:
        """End the game as it has ended for both players; raise RequestError if none goes on."""
        session = self._session
        if not self.is_on or session.game.outcome is not None:
            raise RequestError(Message("refused.no-far"))
        session.reporter.end_mismatch()
        session.paused = False
        session.timeline.declare(outcome.reason, outcome.winner)
        session.judge_again()

    def add_light(self, scene: Scene) -> Scene:
        """Return the scene with what is known of the other board.

        While its player is to move, the last turn breathes until the other board has it.
        """
        if not self.is_on:
            return scene
        if self.holds_game:
            return Scene(dict.fromkeys(self._differing, frozenset({Cue.WRONG})))
        session = self._session
        if self.status not in (FarStatus.SENT, FarStatus.AWAY) or not session.reconciler.is_bound:
            return scene
        cues = {point: _waiting(found) for point, found in scene.cues.items()}
        return replace(scene, cues=cues)

    def to_store(self) -> Mapping[str, Any]:
        """Return the disagreement; None if there is none."""
        return {FAR_KEY: {"differing": sorted(map(str, self._differing))} if self.holds_game else None}

    def restore(self, stored: Mapping[str, Any]) -> None:
        """Go on disagreeing, if that was stored."""
        kept = stored.get(FAR_KEY)
        if not isinstance(kept, Mapping) or not isinstance(kept.get("differing"), list):
            return
        points = (self._session.game.rules.layout.by_name.get(str(name)) for name in kept["differing"])
        self._differing = frozenset(point for point in points if point is not None)
        self.status = FarStatus.DISAGREE


def _waiting(cues: frozenset[Cue]) -> frozenset[Cue]:
    """Return cues with those of the last turn breathing."""
    return cues - {Cue.LAST_MOVE, Cue.MILL} | {Cue.RESTING} if Cue.LAST_MOVE in cues else cues


def _point(session: Session, name: str) -> Point:
    point = session.game.rules.layout.by_name.get(name)
    if point is None:
        raise RequestError(f"there is no point {name!r}")
    return point


def _played(game: Game, turns: Sequence[str]) -> Game:
    """Return a game from the start of `game` with these turns."""
    found = game.back_to(0)
    try:
        for turn in turns:
            for step in game.rules.parse_turn(turn):
                found = found.play(found.position.legal_step(step.text))
    except (NotationError, IllegalStepError) as error:
        raise RequestError(str(error), Message("refused.not-legal", {"turn": turn})) from error
    return found
