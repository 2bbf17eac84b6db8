"""The legal steps of positions, and the positions after them, cached for the search of explanations.

Invariants: positions are values, known by their identity; a cache that has grown large is emptied.
"""

from __future__ import annotations

from collections.abc import Iterator

from firmware_host.games.game import Piece, Position, Step

_CACHE_SIZE = 2000

_Stacks = tuple[tuple[Piece, ...], ...]


class Moves:
    """The legal steps of positions and the positions after them, cached."""

    def __init__(self) -> None:
        """Begin with nothing cached."""
        self._steps: dict[int, tuple[Position, tuple[Step, ...]]] = {}
        self._after: dict[tuple[int, str], tuple[Position, Position]] = {}
        self._stacks: dict[int, tuple[Position, _Stacks]] = {}
        self._lifted: dict[tuple[int, frozenset[int]], tuple[Position, bool]] = {}
        self._replies: dict[tuple[int, int, int, int], tuple[Position, Step | None]] = {}

    def steps(self, position: Position) -> tuple[Step, ...]:
        """Return the legal steps from `position`."""
        known = self._steps.get(id(position))
        if known is None or known[0] is not position:
            if len(self._steps) > _CACHE_SIZE:
                self._steps.clear()
                self._after.clear()
                self._stacks.clear()
                self._lifted.clear()
                self._replies.clear()
            known = self._steps[id(position)] = position, position.legal_steps()
        return known[1]

    def stacks(self, position: Position) -> _Stacks:
        """Return the pieces on each point of `position`."""
        known = self._stacks.get(id(position))
        if known is None or known[0] is not position:
            known = self._stacks[id(position)] = position, position.stacks
        return known[1]

    def play(self, position: Position, step: Step) -> Position:
        """Return the position after `step`."""
        key = id(position), step.text
        known = self._after.get(key)
        if known is None or known[0] is not position:
            known = self._after[key] = position, position.play(step)
        return known[1]

    def may_have_lifted(self, position: Position, points: frozenset[int]) -> bool:
        """Return whether one legal turn can have lifted a piece from each point, and done nothing else."""
        key = id(position), points
        known = self._lifted.get(key)
        if known is None or known[0] is not position:
            known = self._lifted[key] = position, any(self._ways_to_lift(position, points))
        return known[1]

    def reply(self, position: Position, mine: int, theirs: int, landed: int) -> Step | None:
        """Return the reply from `theirs` to `landed`, after a turn that moves the piece of `mine`."""
        key = id(position), mine, theirs, landed
        known = self._replies.get(key)
        if known is None or known[0] is not position:
            turn = (step for step in self.steps(position) if leaves(step, mine))
            after = (self.play(position, step) for step in turn if not _lands(step, landed))
            found = (reply for one in after for reply in self._replies_to(position, one, theirs, landed))
            known = self._replies[key] = position, next(found, None)
        return known[1]

    def _replies_to(self, begun: Position, after: Position, theirs: int, landed: int) -> Iterator[Step]:
        """Yield that reply to a turn from `begun`, of which one step, or more, has led to `after`."""
        for step in self.steps(after):
            if after.to_move is not begun.to_move:
                if leaves(step, theirs) and _lands(step, landed):
                    yield step
            elif step.target is None and not leaves(step, theirs):
                yield from self._replies_to(begun, self.play(after, step), theirs, landed)

    def _ways_to_lift(self, position: Position, points: frozenset[int]) -> Iterator[bool]:
        """Yield whether a legal step can be the first of such a turn; a removal may be taken early."""
        stacks = self.stacks(position)
        if position.outcome is not None or not all(stacks[index] for index in points):
            return
        only_removals = all(stacks[index][-1].owner is not position.to_move for index in points)
        for step in self.steps(position):
            rest = points if step.origin is None else points - {step.origin.index}
            if not rest:
                yield True
            elif len(rest) < len(points) or (only_removals and step.target is not None):
                after = self.play(position, step)
                same_turn = after.to_move is position.to_move
                if same_turn and (len(rest) < len(points) or after.removal_due):
                    yield self.may_have_lifted(after, rest)


def leaves(step: Step, index: int) -> bool:
    """Return whether the step takes a piece away from the point."""
    return step.origin is not None and step.origin.index == index


def _lands(step: Step, index: int) -> bool:
    return step.target is not None and step.target.index == index
