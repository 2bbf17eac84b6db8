"""The legal steps of positions, the positions after them, and what they change for the sensors, cached.

Invariants: positions are values, known by their identity; of equal positions that are reached by steps there
is only one, however they were reached. A cache that has grown large is emptied, but not during a search.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass, field
from typing import NamedTuple

from firmware_host.frozen import frozen
from firmware_host.games.game import Piece, Player, Position, Step
from firmware_host.ports import Reading, SensorKind
from firmware_host.tracking.sensor_model import SensorModel

_CACHE_SIZE = 2000

_Stacks = tuple[tuple[Piece, ...], ...]


@frozen
class Permission:
    """The turns that hands may play: every legal one, but of the `bound` players only a chosen one.

    `turn` was chosen after the steps of `line`, whoever is to move there; it is empty if none was. It stays
    chosen while steps of the line are taken back, and until others are played.
    """

    bound: frozenset[Player] = frozenset()
    line: tuple[Step, ...] = ()
    turn: tuple[Step, ...] = ()

    @property
    def ply(self) -> int:
        """The ply at which the turn was chosen."""
        return len(self.line)

    def chosen_from(self, ply: int, steps: tuple[Step, ...] = ()) -> tuple[Step, ...]:
        """Return the rest of the chosen turn after `steps` from `ply`; empty if none was chosen there."""
        end = ply + len(steps)
        if (
            not self.turn
            or end < self.ply
            or not _is_same(steps, (*self.line[ply:], *self.turn)[: len(steps)])
        ):
            return ()
        return self.turn[end - self.ply :]

    def holds_for(self, steps: tuple[Step, ...]) -> bool:
        """Return whether a game of these `steps` leads to the chosen turn, or on from its beginning."""
        line = (*self.line, *self.turn)
        return _is_same(steps[: len(line)], line[: len(steps)])

    def forbids(self, position: Position, chosen: tuple[Step, ...]) -> bool:
        """Return whether nothing may be played from a position, where `chosen` is left of a chosen turn."""
        return not chosen and position.to_move in self.bound


class Action(NamedTuple):
    """A piece lifted from a point, by its index, or set down there, and the readings around that."""

    point: int
    is_lift: bool
    before: Reading
    after: Reading


@dataclass(slots=True)
class _Known:
    """All that is known of one position, as far as it was asked for."""

    position: Position
    """Kept, so that no other position gets its identity."""
    stacks: _Stacks | None = None
    steps: tuple[Step, ...] | None = None
    after: dict[str, Position] = field(default_factory=dict)
    actions: dict[str, tuple[Action, ...]] = field(default_factory=dict)
    lifted: dict[frozenset[int], bool] = field(default_factory=dict)
    replies: dict[tuple[int, int | None, int], Step | None] = field(default_factory=dict)


class Moves:
    """The legal steps of positions, and what they lead to."""

    def __init__(self, sensors: SensorModel) -> None:
        """Begin with nothing cached; `sensors` read the board."""
        self._sensors = sensors
        self._known: dict[int, _Known] = {}
        self._reached: dict[Position, Position] = {}

    def use_sensors(self, sensors: SensorModel) -> None:
        """Continue with other sensors masked."""
        self._sensors = sensors
        self._known.clear()

    def trim(self) -> None:
        """Empty the cache if it has grown large."""
        if len(self._known) > _CACHE_SIZE:
            self._known.clear()
            self._reached.clear()

    def steps(self, position: Position) -> tuple[Step, ...]:
        """Return the legal steps from `position`."""
        known = self._of(position)
        if known.steps is None:
            known.steps = position.legal_steps()
        return known.steps

    def stacks(self, position: Position) -> _Stacks:
        """Return the pieces on each point of `position`."""
        known = self._of(position)
        if known.stacks is None:
            known.stacks = position.stacks
        return known.stacks

    def play(self, position: Position, step: Step) -> Position:
        """Return the position after `step`."""
        known = self._of(position)
        after = known.after.get(step.text)
        if after is None:
            after = position.play(step)
            after = known.after[step.text] = self._reached.setdefault(after, after)
        return after

    def actions(self, position: Position, step: Step) -> tuple[Action, ...]:
        """Return the actions of `step` in their order."""
        known = self._of(position)
        actions = known.actions.get(step.text)
        if actions is None:
            actions = known.actions[step.text] = tuple(self._actions(self.stacks(position), step))
        return actions

    def awaited(self, permission: Permission, ply: int, touched: Set[int]) -> frozenset[int]:
        """Return the points where whatever lands belongs to the turn that was chosen after `ply`.

        Light awaits a piece there that is placed, or whose origin is among the points that were `touched`.
        There are none if the sensors tell whose piece it is.
        """
        if ply >= permission.ply or self._sensors.alphabet is not SensorKind.PRESENCE:
            return frozenset()
        begun = (step for step in permission.turn if step.origin is None or step.origin.index in touched)
        return frozenset(step.target.index for step in begun if step.target is not None)

    def may_have_lifted(self, position: Position, points: frozenset[int]) -> bool:
        """Return whether one legal turn can have lifted a piece from each point, and done nothing else."""
        known = self._of(position)
        if points not in known.lifted:
            known.lifted[points] = any(True for _ in position.beginnings(points, ()))
        return known.lifted[points]

    def reply(self, position: Position, mine: int, theirs: int | None, landed: int) -> Step | None:
        """Return the reply from `theirs` to `landed`, after a turn that moves the piece of `mine`.

        If `theirs` is None the reply is a placement.
        """
        known, key = self._of(position), (mine, theirs, landed)
        if key not in known.replies:
            turn = (step for step in self.steps(position) if leaves(step, mine))
            after = (self.play(position, step) for step in turn if not lands(step, landed))
            found = (reply for one in after for reply in self._replies_to(position, one, theirs, landed))
            known.replies[key] = next(found, None)
        return known.replies[key]

    def targets_if_spared(self, position: Position, index: int) -> frozenset[int]:
        """Return where the piece of the point may move if not it, but another one is removed."""
        others = (step for step in self.steps(position) if not leaves(step, index))
        replies = (reply for other in others for reply in self.steps(self.play(position, other)))
        return frozenset(
            reply.target.index for reply in replies if reply.target is not None and leaves(reply, index)
        )

    def _replies_to(
        self, begun: Position, after: Position, theirs: int | None, landed: int
    ) -> Iterator[Step]:
        """Yield that reply to a turn from `begun`, of which one step, or more, has led to `after`."""
        if after.to_move is not begun.to_move:
            yield from (step for step in self.steps(after) if leaves(step, theirs) and lands(step, landed))
            return
        for step in self.steps(after) if after.removal_due else ():
            if not leaves(step, theirs):
                yield from self._replies_to(begun, self.play(after, step), theirs, landed)

    def _of(self, position: Position) -> _Known:
        known = self._known.get(id(position))
        if known is None:
            known = self._known[id(position)] = _Known(position)
        return known

    def _actions(self, stacks: _Stacks, step: Step) -> Iterator[Action]:
        if step.origin is not None:
            yield self._action(stacks, step.origin.index, None)
        if step.target is not None:
            yield self._action(stacks, step.target.index, step.piece)

    def _action(self, stacks: _Stacks, index: int, piece: Piece | None) -> Action:
        """Return the action that sets `piece` down at a point, or lifts the one there (None)."""
        stack = stacks[index]
        left = stack[:-1] if piece is None else (*stack, piece)
        sensors = self._sensors
        return Action(index, piece is None, sensors.reading(stack, index), sensors.reading(left, index))


def _is_same(steps: tuple[Step, ...], others: tuple[Step, ...]) -> bool:
    """Return whether the steps are the `others`, one by one."""
    return len(steps) == len(others) and all(a.text == b.text for a, b in zip(steps, others, strict=True))


def leaves(step: Step, index: int | None) -> bool:
    """Return whether the step takes a piece away from the point; from none if it is None."""
    return index == (None if step.origin is None else step.origin.index)


def lands(step: Step, index: int) -> bool:
    """Return whether the step sets a piece down on the point."""
    return step.target is not None and step.target.index == index
