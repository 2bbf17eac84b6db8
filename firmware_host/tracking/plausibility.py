"""The plausibility of steps at the times of their changes, and of what is left over and came back.

Invariants: times are those of one observation. A step that hands cannot have done has no cost but is None;
everything else is only more or less likely.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from firmware_host.games.game import Piece, Position, Step
from firmware_host.ports import NOTHING, Frame, Reading, SensorKind
from firmware_host.settings import Microseconds
from firmware_host.tracking.explanation import IDLE, LATE_THOUGHT, OUT_OF_ORDER, UNLIKELY, Limits
from firmware_host.tracking.observation import LONG_AGO, PACE, Change, Observation
from firmware_host.tracking.sensor_model import SensorModel

Actions = Mapping[int, tuple[Reading, ...]]
"""By the index of a point: the readings after each action that hands did there."""


@dataclass(frozen=True, slots=True)
class Node:
    """A place in the search: `steps` lead to `position`, and their `actions` are explained."""

    position: Position
    actions: Actions
    steps: tuple[Step, ...] = ()
    landed: Microseconds = LONG_AGO
    """The time of the latest landing of this turn or an earlier one."""
    landed_before: Microseconds = LONG_AGO
    """The time of the latest landing of earlier turns."""
    cost: int = 0
    unobserved: bool = False
    turns: int = 0
    """The number of turns that the steps have ended."""
    pushed: Microseconds | None = None
    """The time at which a piece landed faster than a hand sets it down."""
    lifted: int | None = None
    """The point from which the first piece of this turn was lifted."""
    lifted_before: int | None = None
    """The same of the turn before."""
    sure: int | None = None
    """The number of steps before the first whose landing no sensor shows; None if there is none."""


class Plausibility:
    """The times of one observation, as evidence for steps and against them."""

    def __init__(
        self,
        sensors: SensorModel,
        own: Frame,
        seen: Observation,
        removed: Mapping[int, Microseconds],
        limits: Limits,
    ) -> None:
        """Judge by `seen`; `removed` has the times at which the last turn's removals vacated their points."""
        self._sensors = sensors
        self._own = own
        self._seen = seen
        self._removed = removed
        self._limits = limits

    def was_done_before(self, node: Node, landed: Microseconds) -> bool:
        """Return whether a landing was over before the piece of the turn before was even lifted."""
        before = node.lifted_before
        return before is not None and landed < min(self._seen.openings(before), default=landed)

    def early_landing(self, step: Step, *, is_early: bool) -> int:
        """Return the cost of a landing before that of the turn before.

        Of two pieces in hand, sensors that tell no owners do not show which one landed first.
        """
        shows_owner = step.origin is None or self._sensors.alphabet is not SensorKind.PRESENCE
        return OUT_OF_ORDER * (is_early and shows_owner)

    def early_lift(self, node: Node, step: Step, undone: tuple[int, ...]) -> int:
        """Return the cost of a piece that was lifted before that of the turn before, which had begun by then.

        A turn is rarely thought over after the opponent has begun to reply.
        """
        before, cost = node.lifted_before, OUT_OF_ORDER
        if before is None:
            before, cost = next(reversed(undone), None), LATE_THOUGHT
        if step.origin is None or before is None or before == step.origin.index:
            return 0
        mine, other = self._seen.openings(step.origin.index), self._seen.openings(before)
        return cost if mine and other and mine[-1] < other[0] else 0

    def landing(
        self, step: Step, node: Node, stack: tuple[Piece, ...], undone: tuple[int, ...]
    ) -> tuple[Microseconds, Microseconds, int] | None:
        """Return the first and last time the step may have landed on `stack`, and a cost.

        None if it cannot have landed. `undone` are the points that a revision has emptied.
        """
        if step.target is None or step.piece is None:
            return None
        index, seen = step.target.index, self._seen
        reading = self._sensors.reading((*stack, step.piece), index)
        times = seen.landings(index, reading)
        if not times:
            return None
        if step.origin is not None:
            opened = seen.openings(step.origin.index)
            if opened and opened[0] > times[-1]:
                return None
        if not self._was_freed(node, times[-1], undone):
            return None
        quick = (
            index in self._removed
            and index not in node.actions
            and times[0] - self._removed[index] < self._limits.put_back
        )
        return times[0], times[-1], UNLIKELY * quick

    def _was_freed(self, node: Node, landed: Microseconds, undone: tuple[int, ...]) -> bool:
        """Return whether as many pieces as a revision sets down had been taken away by then."""
        if not undone or node.turns:
            return True
        freed = [min(self._seen.openings(index), default=LONG_AGO) <= landed for index in undone]
        before = sum(step.target is not None for step in node.steps)
        return sum(freed) > min(before, len(freed) - 1)

    def was_jolted(self, node: Node) -> bool:
        """Return whether a piece was pushed from its point as others left theirs, which are no steps."""
        if node.pushed is None:
            return False
        moved = {step.origin.index for step in node.steps if step.origin is not None}
        return any(
            abs(time - node.pushed) < PACE
            for index in self._seen.changes.keys() - moved
            for time in self._seen.openings(index)
        )

    def is_late_put_back(self, actions: Actions, returned: tuple[int, ...]) -> bool:
        """Return whether a removed piece came back long after it left, without the rest of its turn."""
        return any(
            self._seen.changes[index][0].time - self._removed.get(index, LONG_AGO) >= self._limits.put_back
            for index in returned
            if actions.get(index) and index in self._seen.changes
        )

    def left_over(self, index: int, changes: list[Change], done: tuple[Reading, ...]) -> int | None:
        """Return the least cost of the changes at a point that are not actions; None if some action is none.

        Each change is the next action, or begins an excursion that ends with the reading before it, or is a
        reading that a piece gave on its way.
        """
        readings = (self._own[index], *done)
        stacked = self._sensors.alphabet is SensorKind.PIECES
        known: dict[tuple[int, int, int], int | None] = {}

        def least(at: int, acts: int, before: int) -> int | None:
            if at == len(changes):
                return 0 if acts == len(done) else None
            key = at, acts, before
            if key not in known:
                known[key] = min(costs(at, acts, before), default=None)
            return known[key]

        def costs(at: int, acts: int, before: int) -> Iterator[int]:
            change, held = changes[at], readings[acts]
            if acts < len(done) and change.reading == readings[acts + 1]:
                rest = least(at + 1, acts + 1, at)
                if rest is not None:
                    returns = acts > 0 and readings[acts + 1] == readings[acts - 1]
                    quick = returns and not self._is_idle(index, changes[before], change, readings[acts + 1])
                    yield rest + UNLIKELY * (quick and not stacked)
            back = next((k for k in range(at + 1, len(changes)) if changes[k].reading == held), None)
            if back is not None:
                rest = least(back + 1, acts, before)
                if rest is not None:
                    yield rest + IDLE * (stacked or self._is_idle(index, change, changes[back], held))
            rest = least(at + 1, acts, before)
            if rest is not None:
                yield rest + IDLE

        return least(0, 0, 0)

    def _is_idle(self, index: int, begun: Change, ended: Change, held: Reading) -> bool:
        """Return whether a piece that came back was lifted, or one that went was set down, deliberately."""
        lasted = ended.time - begun.time
        if begun.reading == NOTHING or begun.reading.lost_top(held):
            return lasted >= self._limits.put_back
        return lasted >= self._limits.brush or self._seen.landed_between(index, begun.time, ended.time)
