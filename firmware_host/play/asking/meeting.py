"""The questions that a room asks of itself, and the four points by which two boards meet without a phone.

Invariants: an offer of the other player is asked about once, and so is whether a game begins with a board
that has come into the room; nothing is asked while hands are in the middle of something. The points that
were touched are known here alone until all of them were.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from firmware_host.games.layout import Point
from firmware_host.lights.cues import Cue
from firmware_host.lights.scene import Scene
from firmware_host.play import events as ev
from firmware_host.play.asking.options import BEGIN, OFFER, PHRASE_PLACES, Option, places
from firmware_host.play.other_board import TOUCHES, FarRoom, RoomReport
from firmware_host.play.session import Session
from firmware_host.settings import MEET, Microseconds
from firmware_host.tracking.verdict import Settled

ROOM_TIMEOUT: Microseconds = 60_000_000
"""The time for each answer to somebody who isn't at this board."""
PHRASE_LIT_FOR: Microseconds = 5_000_000


class RoomQuestions:
    """The questions that one board asks by light about its room."""

    def __init__(self, session: Session, room: FarRoom) -> None:
        self._session, self._room = session, room
        self._stage: str | None = None
        """The last stage at which the link knew whether there is another board; None before the first."""
        self._offer: str | None = None
        self._due: str | None = None
        self._number: int | None = None
        """The number of the last phrase; None before the first report."""
        self._phrase = ""
        self.deadline: Microseconds | None = None
        """The time until which a phrase is lit; None while none is."""
        self._touched: tuple[Point, ...] = ()

    def take_due(self, now: Microseconds) -> str | None:
        """Return the question to ask now, which counts as asked; None if there is none."""
        self._follow(now)
        session = self._session
        if self._due is None or not isinstance(session.verdict, Settled):
            return None
        if self._due == BEGIN and not self._is_waited_for:
            return None
        if session.stable != session.expected_frame() or session.game.mid_turn:
            return None
        due, self._due = self._due, None
        is_free = session.game.ply == 0 or session.game.outcome is not None
        return due if due == OFFER or is_free else None

    def shown(self, scene: Scene) -> Scene:
        """Return the scene with the phrase that has just come, at the place where the menu offers it."""
        if self.deadline is None:
            return scene
        point = places(self._session.game.rules.layout)[PHRASE_PLACES[self._phrase]]
        return replace(scene, cues={**scene.cues, point: frozenset({Cue.ASK})})

    @property
    def _is_waited_for(self) -> bool:
        """True if another board is in the room, which can be begun with."""
        return self._room.report is not None and self._room.report.stage == "waiting"

    def _follow(self, now: Microseconds) -> None:
        report = self._room.report
        self._listen(report, now)
        stage, offer = (None, None) if report is None else (report.stage, report.question)
        if stage not in (None, "unconnected", self._stage):
            was_without = self._stage in (None, "outside", "alone")
            self._due = BEGIN if stage == "waiting" and was_without else None
            self._stage = stage
        if offer != self._offer:
            self._due = None if offer is None else OFFER
        self._offer = offer

    def _listen(self, report: RoomReport | None, now: Microseconds) -> None:
        number, phrase = (0, "") if report is None or report.message is None else report.message
        before, self._number = self._number, None if report is None else number
        if before is not None and number > before:
            self._phrase, self.deadline = phrase, now + PHRASE_LIT_FOR
            self._session.timeline.add(ev.PhraseReceived(phrase))
        if self.deadline is not None and now >= self.deadline:
            self.deadline = None

    # ---- the points of a room --------------------------------------------------------------------------

    def points_left(self, points: Iterable[Point]) -> dict[Point, Option]:
        """Return what each of `points` offers: the next of those that make a room."""
        number = len(self._touched) + 1
        does = f"{MEET}:{number}"
        if number < TOUCHES:
            return {one: Option(does, leads_to=MEET, holds=one in self._touched) for one in points}
        names = [point.name for point in self._touched]
        wish = {"do": "wish", "wish": MEET}
        return {
            one: Option(does, {**wish, "points": [*names, one.name]}, holds=one in self._touched)
            for one in points
        }

    def note(self, option: Option, point: Point) -> None:
        """Note that an option was chosen at a point."""
        self._touched = (*self._touched, point) if option.does.startswith(f"{MEET}:") else ()
