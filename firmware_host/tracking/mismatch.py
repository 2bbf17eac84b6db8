"""The mismatch that is shown, from the first doubt until hands have answered every point that was lit.

A landing that nobody could have meant is shown sooner than a missing piece, which may come back. A point that
is only brushed is not shown. Once some of the lit points have been answered, the board is half corrected: it
looks like turns that nobody played.

Invariants: a mismatch is either shown, or the board keeps what was shown before until it is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from firmware_host.games.layout import Point
from firmware_host.ports import Frame
from firmware_host.settings import Microseconds
from firmware_host.tracking.dwell import Dwell
from firmware_host.tracking.observation import Observation
from firmware_host.tracking.verdict import Mismatch

_NOTHING_WRONG = Mismatch(frozenset(), frozenset(), frozenset())


class MismatchDisplay:
    """The mismatch of one board, if there is one."""

    def __init__(self, dwell: Dwell) -> None:
        """Wait as `dwell` says."""
        self._dwell = dwell
        self.shown: Mismatch | None = None
        """The mismatch that is lit; None if there is none."""
        self.is_half_corrected = False
        """True from the first point that was answered until the board matches or play goes on."""
        self.due: Microseconds | None = None
        """The time at which the same frame will be shown differently; None if it will not."""
        self._since: Microseconds | None = None
        self._left = _NOTHING_WRONG

    def end(self) -> None:
        """Note that the board matches the game, or that play goes on."""
        self.shown = None
        self.is_half_corrected = False
        self._since = None

    def explained(self) -> None:
        """Note that the board is explained; what was lit stays to be answered."""
        self.shown = None
        self._since = None

    def look(self, frame: Frame, own: Frame) -> None:
        """Note which of the lit points have been answered in `frame`; `own` is the game's."""
        if self.shown is not None:
            left = _still_wrong(self.shown, frame, own)
            self.is_half_corrected |= left != self.shown
            self._left = left

    def is_answered_by(self, origins: Collection[Point]) -> bool:
        """Return whether all that is left to be answered are pieces missing from the `origins` of moves."""
        return not (self._left.extra or self._left.wrong) and self._left.missing <= set(origins)

    def hold(self) -> Mismatch | None:
        """Return the points that are still to be answered, and nothing that was done since."""
        self.due = None
        if self.shown is not None:
            self.shown = self._left
        return self.shown

    def show(
        self,
        mismatch: Mismatch,
        seen: Observation,
        now: Microseconds,
        *,
        at_once: bool,
        may_be_early: Callable[[Point], bool],
    ) -> Mismatch | None:
        """Return what to light of `mismatch` at `now`; None as long as nothing of it is shown.

        `may_be_early` tells landings that will make sense once another piece has landed.
        """
        self.due = None
        if self._since is None:
            self._since = now - self._dwell.mismatch * at_once
        dues = [self._since + self._dwell.mismatch]
        for point in mismatch.extra | mismatch.wrong:
            landed = seen.changed[point.index]
            if landed >= self._since and not may_be_early(point):
                dues.append(landed + self._dwell.illegal)
        if self.shown is None and now < min(dues):
            self.due = min(dues)
            return None
        self.shown = self._without_touches(mismatch, seen, now, at_once=at_once)
        return self.shown

    def _without_touches(
        self, mismatch: Mismatch, seen: Observation, now: Microseconds, *, at_once: bool
    ) -> Mismatch | None:
        """Return the mismatch without points filled only a moment ago, unless they are shown already.

        If nothing is left of the mismatch that was shown, it has ended, and a new one has to last as long as
        any.
        """
        known = self.shown.extra | self.shown.wrong if self.shown is not None else frozenset[Point]()
        dues = {
            point: seen.changed[point.index] + self._dwell.illegal
            for point in (mismatch.extra | mismatch.wrong) - known
        }
        recent = {point for point, due in dues.items() if now < due}
        rest = Mismatch(mismatch.missing, mismatch.extra - recent, mismatch.wrong - recent)
        if not recent:
            return mismatch
        if rest == _NOTHING_WRONG:
            if self.shown is None or at_once:
                return mismatch
            self._since = min(seen.changed[point.index] for point in recent)
        self.due = min(dues[point] for point in recent)
        return None if rest == _NOTHING_WRONG else rest


def _still_wrong(shown: Mismatch, frame: Frame, own: Frame) -> Mismatch:
    """Return the points of a mismatch that still differ from the game's frame."""

    def left(points: frozenset[Point]) -> frozenset[Point]:
        return frozenset(point for point in points if frame[point.index] != own[point.index])

    return Mismatch(left(shown.missing), left(shown.extra), left(shown.wrong))
