"""Events of what is found on the board: lifted pieces, and differences from the game.

Invariants: each is reported once, when it begins and when it ends. While a take-back waits for the board to
rest, nothing begins or ends: the board still differs from the game.
"""

from __future__ import annotations

from collections.abc import Iterable

from firmware_host.games.layout import Point
from firmware_host.play import events as ev
from firmware_host.play.timeline import GameTimeline
from firmware_host.ports import NOTHING, Frame
from firmware_host.tracking.verdict import InProgress, Mismatch, TakingBack, Unchanged, Undecided


def _vacated(verdict: Unchanged) -> frozenset[Point]:
    match verdict:
        case InProgress():
            return verdict.points
        case Undecided():
            return verdict.vacated
        case _:
            return frozenset()


class VerdictReporter:
    """Adds the events of successive verdicts to a timeline."""

    def __init__(self, timeline: GameTimeline) -> None:
        self._timeline = timeline
        self._lifted: frozenset[Point] = frozenset()
        self._mismatch: Mismatch | None = None

    def report(self, verdict: Unchanged, stable: Frame) -> None:
        """Add the events by which `verdict`, about the `stable` readings, differs from the one before."""
        if isinstance(verdict, TakingBack):
            return
        if isinstance(verdict, Mismatch):
            if verdict != self._mismatch:
                self._timeline.add(ev.MismatchFound(verdict.missing, verdict.extra, verdict.wrong))
            self._mismatch = verdict
            return
        self.end_mismatch()
        lifted = _vacated(verdict)
        changed = sorted(lifted ^ self._lifted, key=lambda point: point.index)
        back = [point for point in changed if point not in lifted and stable[point.index] != NOTHING]
        self._timeline.add(*map(ev.PutBack, back))
        self._timeline.add(*(ev.PieceLifted(point) for point in changed if point in lifted))
        self._lifted = lifted

    def end_mismatch(self) -> None:
        """Add the end of a mismatch, if there is one."""
        if self._mismatch is not None:
            self._timeline.add(ev.Restored())
            self._mismatch = None

    def forget_lifted(self, played: Iterable[Point] | None = None) -> None:
        """Start again without lifted pieces, or without those of the points where a turn was played."""
        self._lifted = frozenset() if played is None else self._lifted.difference(played)
