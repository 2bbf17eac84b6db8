"""When each point changed: how long it stands so already, and in which order hands did things.

Rule kept here: times are those of frames, so that nothing depends on when it is asked.
"""

from __future__ import annotations

from firmware_host.games.game import Step
from firmware_host.games.layout import Point
from firmware_host.ports import NOTHING, Frame, lessened
from firmware_host.settings import Microseconds
from firmware_host.verdict import Fit


class PointTimes:
    """When each point changed last, and when it was opened last."""

    def __init__(self, points: int) -> None:
        self.changed = [0] * points
        self.opened = [0] * points
        self.latest: Microseconds = 0

    def note(self, before: Frame, frame: Frame, now: Microseconds) -> None:
        """Remember what changed from `before` (empty: nothing was felt yet) to `frame`."""
        if frame == before:
            return
        self.latest = now
        for index, reading in enumerate(frame):
            if not before or before[index] != reading:
                self.changed[index] = now
                if reading == NOTHING or (before and lessened(before[index], reading)):
                    self.opened[index] = now

    def gap(self, point: Point) -> Microseconds:
        """How long a point that is filled again was open."""
        return self.changed[point.index] - self.opened[point.index]

    def opened_first(self, step: Step) -> bool:
        """Whether the origin of a step that is done was opened before its target was filled."""
        if step.origin is None or step.target is None:
            return False
        return self.opened[step.origin.index] < self.changed[step.target.index]

    def swapped(self, fit: Fit, since: Microseconds) -> int:
        """How many points of a fit were left and then filled by a piece just like the one that stood there.

        Nothing of that is to be seen in the end: where a point was not opened after `since`, it counts
        against the fit.
        """
        refilled = 0
        for step, stage in zip(fit.turn.steps, fit.done, strict=True):
            if step.origin is not None and stage and self._is_filled_alike(step, fit):
                refilled += 1 if self.opened[step.origin.index] > since else -1
        return refilled

    @staticmethod
    def _is_filled_alike(step: Step, fit: Fit) -> bool:
        return any(
            done == 2 and other.target is step.origin and other.piece == step.piece
            for other, done in zip(fit.turn.steps, fit.done, strict=True)
        )

    def order(self, fit: Fit) -> list[Microseconds]:
        """When each step of a fit was done: of two orders of removals, the least is the one hands took."""
        points = [step.target or step.origin for step in fit.turn.steps]
        return [self.changed[point.index] for point in points if point is not None]
