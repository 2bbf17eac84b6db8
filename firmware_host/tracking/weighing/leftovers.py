"""The cost of what is left over of an observation: changes that are no actions of an explanation.

A piece that was straightened, a point that was brushed and a sensor that chatters change readings, and change
them back. The longer that takes, the less likely it is that nothing was meant by it.
"""

from __future__ import annotations

from collections.abc import Iterator

from firmware_host.ports import NOTHING, Reading, SensorKind
from firmware_host.tracking.explanation import DOUBTFUL, IDLE, UNLIKELY, Node
from firmware_host.tracking.observation import ReadingChange
from firmware_host.tracking.weighing.evidence import BoardEvidence


class Leftovers:
    """The changes of one observation, beside the actions of each explanation."""

    def __init__(self, evidence: BoardEvidence) -> None:
        """Judge by `evidence`."""
        self._evidence = evidence
        self._seen = evidence.seen
        self._dwell = evidence.dwell
        self._known: dict[tuple[int, tuple[Reading, ...]], int | None] = {}

    def cost(self, node: Node, unfinished: set[int]) -> int | None:
        """Return the cost of all changes that are no actions of `node`; None if some cannot be.

        At the points of `unfinished`, the last reading is an action as well.
        """
        cost = 0
        for index, changes in self._seen.changes.items():
            done = node.actions.get(index, ())
            if index in unfinished:
                done = (*done, self._seen.frame[index])
            key = index, done
            if key not in self._known:
                self._known[key] = self._left_over(index, changes, done)
            extra = self._known[key]
            if extra is None:
                return None
            cost += extra
        return cost

    def _left_over(self, index: int, changes: list[ReadingChange], done: tuple[Reading, ...]) -> int | None:
        """Return the least cost of the changes at a point that are not actions; None if some action is none.

        Each change is the next action, or begins an excursion that ends with the reading before it, or is a
        reading that a piece gave on its way.
        """
        readings = (self._evidence.own[index], *done)
        stacked = self._evidence.sensors.alphabet is SensorKind.PIECES
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
            if back is not None and not self._was_set_down(change, changes[back], held):
                rest = least(back + 1, acts, before)
                if rest is not None:
                    was_answered = held == NOTHING and self._was_answered(index, changes)
                    is_idle = stacked or self._is_idle(index, change, changes[back], held)
                    yield rest + (DOUBTFUL if was_answered else IDLE * is_idle)
            rest = least(at + 1, acts, before)
            if rest is not None:
                yield rest + IDLE

        return least(0, 0, 0)

    def _was_set_down(self, begun: ReadingChange, ended: ReadingChange, held: Reading) -> bool:
        """Return whether a piece stood there for too long, without an objection, to mean nothing."""
        is_piece = begun.reading != NOTHING and not begun.reading.lost_top(held)
        lasted = ended.time - begun.time
        return is_piece and lasted >= self._dwell.put_back and not self._evidence.has_objected

    def _was_answered(self, index: int, changes: list[ReadingChange]) -> bool:
        """Return whether a piece stood only for a moment, in which another was set down, and is now away."""
        if len(changes) != 2:
            return False
        begun, ended = (change.time for change in changes)
        return ended - begun < self._dwell.sliding and self._seen.landed_between(index, begun, ended)

    def _is_idle(self, index: int, begun: ReadingChange, ended: ReadingChange, held: Reading) -> bool:
        """Return whether a piece that came back was lifted, or one that went was set down, deliberately."""
        lasted = ended.time - begun.time
        if begun.reading == NOTHING or begun.reading.lost_top(held):
            return lasted >= self._dwell.put_back
        return lasted >= self._dwell.sliding or self._seen.landed_between(index, begun.time, ended.time)
