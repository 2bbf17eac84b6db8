"""The times at which points changed: the age of each reading, and the order of the actions.

Invariants: times are those of frames, so that nothing depends on the moment of a question. A point that is
empty in the first frame counts as vacated long ago.
"""

from __future__ import annotations

from firmware_host.games.game import Step
from firmware_host.games.layout import Point
from firmware_host.ports import NOTHING, Frame, Reading
from firmware_host.settings import Microseconds
from firmware_host.tracking.verdict import PartialTurn

_LONG_AGO: Microseconds = -1_000_000_000_000
"""A time before every frame; a number, since times are compared and subtracted."""


class PointHistory:
    """The time and the previous reading of each point's last change, and the time it was last vacated."""

    def __init__(self, points: int) -> None:
        self.changed = [0] * points
        self.opened = [_LONG_AGO] * points
        self.before: list[Reading] = [NOTHING] * points
        """The reading of each point before its last change."""
        self.latest: Microseconds = 0

    def note(self, before: Frame, frame: Frame, now: Microseconds) -> None:
        """Record the changes from `before` (empty: no frame yet) to `frame`."""
        if frame == before:
            return
        self.latest = now
        for index, reading in enumerate(frame):
            if not before or before[index] != reading:
                self.changed[index] = now
                self.before[index] = before[index] if before else NOTHING
                if before and (reading == NOTHING or reading.lost_top(before[index])):
                    self.opened[index] = now

    def gap(self, point: Point) -> Microseconds:
        """Return how long a point that is filled again was vacant, in us."""
        return self.changed[point.index] - self.opened[point.index]

    def opened_first(self, step: Step) -> bool:
        """Return whether the origin of a finished step was vacated before its target was filled."""
        if step.origin is None or step.target is None:
            return False
        return self.opened[step.origin.index] < self.changed[step.target.index]

    def refilled(self, fit: PartialTurn, since: Microseconds, base: Frame) -> int:
        """Count the points of a fit that were vacated and then filled by another piece of its turn.

        The last frame may not show it, if both pieces are alike or the stack is too high to read: a point
        that was not vacated counts against the fit. `base` is the frame that the fit began with, at `since`.
        """
        count = 0
        for step, stage in zip(fit.turn.steps, fit.done, strict=True):
            if step.origin is None or not stage:
                continue
            index, filling = step.origin.index, self._filling(step.origin, fit)
            if filling is not None:
                alike = filling.piece == step.piece
                left = self.opened[index] > since if alike else self.before[index] != base[index]
                count += 1 if left else -1
        return count

    @staticmethod
    def _filling(point: Point, fit: PartialTurn) -> Step | None:
        """Return the step of a fit that has set another piece down on a point."""
        steps = zip(fit.turn.steps, fit.done, strict=True)
        return next((step for step, done in steps if done == 2 and step.target is point), None)

    def order(self, fit: PartialTurn) -> list[Microseconds]:
        """Return the time of each step of a fit: of two orders of removals, the smaller one was played."""
        points = [step.target or step.origin for step in fit.turn.steps]
        return [self.changed[point.index] for point in points if point is not None]
