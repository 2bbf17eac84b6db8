"""The gestures that open the ask, watched while none is open.

Invariants: a knock that was slow enough to be taken for a placement is taken back. Time is an argument.
"""

from __future__ import annotations

from firmware_host.games.game import Player
from firmware_host.play.session import Session
from firmware_host.play.timeline import Checkpoint
from firmware_host.ports import Frame
from firmware_host.settings import Microseconds
from firmware_host.tracking.gestures.hold_up import HoldUpDetector
from firmware_host.tracking.gestures.knock import KnockDetector
from firmware_host.tracking.verdict import Mismatch


class GestureWatch:
    """The knock and the two pieces held up, at the board of one session."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._knock = KnockDetector()
        self._hold_up = HoldUpDetector()
        self._began: Microseconds | None = None
        self._before_knock: Checkpoint | None = None
        """The state of the game at the first visit of a knock, of which the game may make a turn."""

    @property
    def deadline(self) -> Microseconds | None:
        """The time at which a gesture may be complete although no reading changes; None if none will be."""
        dues = (self._knock.deadline, self._hold_up.deadline)
        return min((due for due in dues if due is not None), default=None)

    def restart(self) -> None:
        """Forget what was seen so far, because the board was not watched."""
        self._knock.restart()
        self._hold_up.restart()
        self._began = self._before_knock = None

    def completed_in(self, frame: Frame, now: Microseconds) -> set[int]:
        """Return the indexes of the points of a gesture that is complete with this frame; none if none is."""
        session = self._session
        game, sensors = session.game, session.sensor_model
        places_pieces = any(game.position.in_hand(player) for player in Player)
        checkpoint = session.timeline.checkpoint
        knocked = self._knock.update(frame, session.expected_frame(), now, may_begin=places_pieces)
        if knocked is not None:
            self._withdraw_knock()
            return {knocked}
        began = self._knock.began
        if began != self._began:
            self._began, self._before_knock = began, checkpoint
        is_error = session.paused or game.outcome is not None or isinstance(session.verdict, Mismatch)
        held = self._hold_up.update(frame, game, sensors, now, is_error=is_error)
        return {point.index for point in held}

    def _withdraw_knock(self) -> None:
        """Take back what the game has made of the knock."""
        session, before = self._session, self._before_knock
        if before is not None and before != session.timeline.checkpoint:
            session.timeline.restore(before)
            session.rebase()
