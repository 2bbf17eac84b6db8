"""When each point changed: how long it stands so already, and in which order hands did things.

Rules kept here: times are those of frames, so that nothing depends on when it is asked; what is open in the
first frame was opened long ago, as far as anyone knows.
"""

from __future__ import annotations

from firmware_host.games.game import Step
from firmware_host.games.layout import Point
from firmware_host.ports import NOTHING, Frame, Reading
from firmware_host.settings import Microseconds
from firmware_host.tracking.verdict import Fit

_LONG_AGO: Microseconds = -1_000_000_000_000
"""Before all that was felt; a number, since times are compared and subtracted."""


class PointTimes:
    """When each point changed last, from what, and when it was opened last."""

    def __init__(self, points: int) -> None:
        self.changed = [0] * points
        self.opened = [_LONG_AGO] * points
        self.before: list[Reading] = [NOTHING] * points
        """What each point read before it changed last."""
        self.latest: Microseconds = 0

    def note(self, before: Frame, frame: Frame, now: Microseconds) -> None:
        """Remember what changed from `before` (empty: nothing was felt yet) to `frame`."""
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
        """How long a point that is filled again was open."""
        return self.changed[point.index] - self.opened[point.index]

    def opened_first(self, step: Step) -> bool:
        """Whether the origin of a step that is done was opened before its target was filled."""
        if step.origin is None or step.target is None:
            return False
        return self.opened[step.origin.index] < self.changed[step.target.index]

    def refilled(self, fit: Fit, since: Microseconds, base: Frame) -> int:
        """How many points of a fit were left and then filled by another piece of its turn.

        That may not be to be seen in the end, where both pieces are alike or the stack is higher than is
        told: a point that was not left counts against the fit. `base` is what the fit began with, at `since`.
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
    def _filling(point: Point, fit: Fit) -> Step | None:
        """The step of a fit that has set another piece down on a point."""
        steps = zip(fit.turn.steps, fit.done, strict=True)
        return next((step for step, done in steps if done == 2 and step.target is point), None)

    def order(self, fit: Fit) -> list[Microseconds]:
        """When each step of a fit was done: of two orders of removals, the least is the one hands took."""
        points = [step.target or step.origin for step in fit.turn.steps]
        return [self.changed[point.index] for point in points if point is not None]
