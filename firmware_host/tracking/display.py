"""The verdict that is shown while nothing counts, and the points that were lit and are still to be answered.

A landing that nobody could have meant is shown sooner than a missing piece, which may come back. A point that
is only brushed is not shown. Once some of the points of a mismatch have been answered, the board is half
corrected: it looks like turns that nobody played. It stays so until every point has been answered.

Invariants: a mismatch is either shown, or the board keeps what was shown before until it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from firmware_host.games.game import Position
from firmware_host.games.layout import Point
from firmware_host.settings import Microseconds
from firmware_host.tracking.decision import lacks_captured
from firmware_host.tracking.dwell import Dwell
from firmware_host.tracking.expected_game import ExpectedGame
from firmware_host.tracking.explanation import Explanation
from firmware_host.tracking.observation import PACE, Observation
from firmware_host.tracking.verdict import InProgress, Mismatch, Settled, TakingBack, Unchanged, Undecided

_NOTHING_WRONG = Mismatch(frozenset(), frozenset(), frozenset())
_Shown = TypeVar("_Shown", InProgress, Undecided, TakingBack)


class Display:
    """The verdict on one board that is shown to players."""

    def __init__(self, expected: ExpectedGame, seen: Observation, dwell: Dwell) -> None:
        """Compare the board that is `seen` with the `expected` game, and wait as `dwell` says."""
        self._expected = expected
        self._seen = seen
        self._dwell = dwell
        self.verdict: Unchanged = Settled()
        self.is_half_corrected = False
        """True from the first point that was answered until the board matches or play goes on."""
        self.has_objected = False
        """True if an error was shown, or a question asked, since the board last matched or play went on."""
        self._since: Microseconds | None = None
        """The time of the first change that led to the mismatch; None while there is none."""
        self._left = _NOTHING_WRONG

    @property
    def mismatch(self) -> Mismatch | None:
        """The mismatch that is shown; None if there is none."""
        return self.verdict if isinstance(self.verdict, Mismatch) else None

    # ---- a board that is explained -------------------------------------------------------------------

    def settle(self) -> Settled:
        """Show that the board matches the game, or that play goes on."""
        self.is_half_corrected = self.has_objected = False
        self._since = None
        self.verdict = Settled()
        return self.verdict

    def show(self, verdict: _Shown) -> _Shown:
        """Show that the board is explained by `verdict`; what was lit stays to be answered."""
        self._since = None
        self.has_objected |= isinstance(verdict, Undecided)
        self.verdict = verdict
        return verdict

    def show_in_progress(self, after: Position | None = None) -> InProgress:
        """Show that hands are at it, with the ways that lead on, from here or from the position `after`."""
        frame = self._seen.frame
        fits = self._expected.fits(frame)
        if after is not None and not fits:
            fits = self._expected.replies(after, frame)
        return self.show(InProgress(self._expected.missing(frame), fits))

    def show_lacking(self, given_up: Sequence[Explanation], now: Microseconds) -> Unchanged:
        """Show that captures can only be given up once their pieces are back."""
        due = self._seen.latest + self._dwell.put_back
        if now < due:
            self._dwell.wait_until(due)
            return self.show_in_progress()
        captured = (lacks_captured(e, self._expected.game) for e in given_up)
        lacking = frozenset[int]().union(*captured)
        return self.show(TakingBack(given_up[0].ply, self._expected.named(lacking), lacking=True))

    def end_questions(self) -> None:
        """Show no more what asked hands to do, or not to do, something: it no longer holds."""
        if isinstance(self.verdict, (TakingBack, Undecided)):
            self.show_lifted()

    def show_lifted(self) -> Unchanged:
        """Show no more than that pieces are in hand, unless points that are lit are still to be answered."""
        if self.mismatch is None or self._left == _NOTHING_WRONG:
            self.verdict = InProgress(self._expected.missing(self._seen.frame), ())
        else:
            self.verdict = self._left
        return self.verdict

    # ---- a board that is being corrected -------------------------------------------------------------

    def note_answers(self) -> None:
        """Note which points of the mismatch have been answered."""
        if self.mismatch is not None:
            self._left = _still_wrong(self.mismatch, self._expected.mismatch(self._seen.frame))
            self.is_half_corrected |= self._left != self.mismatch

    def was_pushed(self) -> bool:
        """Return whether a point was filled as another was vacated, which is a push and no move."""
        frame, seen = self._seen.frame, self._seen
        return any(
            abs(time - seen.changed[point.index]) < PACE
            for point in self._expected.filled(frame)
            for other in self._expected.missing(frame)
            for time in seen.openings(other.index)
        )

    def may_play_on(self, whole: Sequence[Explanation], now: Microseconds) -> bool:
        """Return whether a half-corrected board counts as the `whole` explanations say: it is at rest.

        If all that is left is a piece in hand, which then moves, nothing is half corrected any more.
        """
        origins = {step.origin for explanation in whole for step in explanation.steps}
        left = self._left
        is_in_hand = not (left.extra or left.wrong) and left.missing <= origins
        return is_in_hand or now >= self._seen.latest + self._dwell.put_back

    def hold(self) -> Unchanged:
        """Show only the points that are still to be answered, until the board has rested."""
        self._dwell.wait_until(self._seen.latest + self._dwell.put_back)
        if self.mismatch is not None:
            self.verdict = self._left
        return self.verdict

    # ---- a board that is not explained ---------------------------------------------------------------

    def show_mismatch(self, now: Microseconds, *, at_once: bool) -> Unchanged:
        """Show what differs from the game, or what was shown before as long as it is too soon for that.

        Its wait begins with the last change, whatever else the board has waited for since.
        """
        mismatch = self._expected.mismatch(self._seen.frame)
        if self._since is None:
            self._since = now - self._dwell.mismatch if at_once else self._seen.latest
        dues = [self._since + self._dwell.mismatch]
        for point in mismatch.extra | mismatch.wrong:
            landed = self._seen.changed[point.index]
            if landed >= self._since and not self._may_be_early(point):
                dues.append(landed + self._dwell.illegal)
        if self.mismatch is None and now < min(dues):
            self._dwell.wait_until(min(dues))
            self.end_questions()  # a take-back is no longer promised once it has been switched off
            return self.verdict
        self.has_objected = True
        self.verdict = self._without_touches(mismatch, now, at_once=at_once) or Settled()
        return self.verdict

    def _may_be_early(self, landed: Point) -> bool:
        """Return whether the opponent may have set down a reply before the turn has landed."""
        expected, frame = self._expected, self._seen.frame
        since = self._seen.changed[landed.index]
        if any(since < time + self._dwell.put_back for time in self._seen.removed.values()):
            return True  # what was lifted may have been no removal
        position = expected.game.position
        piece = expected.sensor_model.visible(frame[landed.index], expected.game.rules.box)
        if piece is not None:
            return piece.owner is not position.to_move
        return len({position.stacks[point.index][-1].owner for point in expected.missing(frame)}) > 1

    def _without_touches(self, mismatch: Mismatch, now: Microseconds, *, at_once: bool) -> Mismatch | None:
        """Return the mismatch without points filled only a moment ago, unless they are shown already.

        If nothing is left of the mismatch that was shown, it has ended, and a new one has to last as long as
        any.
        """
        lit = self.mismatch or _NOTHING_WRONG
        dues = {
            point: self._seen.changed[point.index] + self._dwell.illegal
            for point in (mismatch.extra | mismatch.wrong) - (lit.extra | lit.wrong)
        }
        recent = {point for point, due in dues.items() if now < due}
        rest = Mismatch(mismatch.missing, mismatch.extra - recent, mismatch.wrong - recent)
        if not recent:
            return mismatch
        if rest == _NOTHING_WRONG:
            if self.mismatch is None or at_once:
                return mismatch
            self._since = min(self._seen.changed[point.index] for point in recent)
        self._dwell.wait_until(min(dues[point] for point in recent))
        return None if rest == _NOTHING_WRONG else rest


def _still_wrong(shown: Mismatch, now: Mismatch) -> Mismatch:
    """Return the mismatch that is left at the points of the one that was shown."""
    lit = shown.missing | shown.extra | shown.wrong
    return Mismatch(now.missing & lit, now.extra & lit, now.wrong & lit)
