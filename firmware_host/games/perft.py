"""Counting the ways to play: the leaves that prove the rules.

The states that are counted are those that are played, made by the same mechanics. Only on the last level
nothing need be made: there the mechanics say how many steps or turns there are.

A position that is finished counts 0, and so does what would follow it; the step that finishes a game counts
like any other. Draws by the rules finish it here too. Nothing is remembered from branch to branch.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce
from typing import Protocol, TypeVar

from firmware_host.games.game import Position, Reason, Step

State = TypeVar("State")


class Mechanics(Protocol[State]):
    """What may be done in a game and what comes of it, as far as counting needs it."""

    def ending(self, state: State) -> Reason | None:
        """Why the game is over, or None while it goes on."""

    def after_steps(self, state: State) -> Iterable[State]:
        """The state after each step that could be next."""

    def after_turns(self, state: State) -> Iterable[State]:
        """The state after each turn, or rest of one, that could be next."""

    def count_steps(self, state: State) -> int:
        """How many steps there are."""

    def count_turns(self, state: State) -> int:
        """How many whole turns, or rests of one, there are."""


def count(position: Position, depth: int, turns: bool) -> int:
    """How many ways there are to play `depth` steps, or whole turns, from `position`; 1 for depth 0."""
    if position.outcome is not None:
        return 0
    return position.leaves(depth, turns) if depth > 0 else 1


def divide(position: Position, depth: int, turns: bool) -> Iterator[tuple[str, int]]:
    """The text of each first step, or turn, and how many leaves follow it; `depth` is at least 1."""
    firsts: Iterable[tuple[Step, ...]]
    if turns:
        firsts = [turn.steps for turn in position.turns()]
    else:
        firsts = [(step,) for step in position.legal_steps()]
    for steps in firsts:
        after = reduce(_played, steps, position)
        yield position.rules.turn_text(steps), 1 if depth == 1 else count(after, depth - 1, turns)


def _played(position: Position, step: Step) -> Position:
    return position.play(step)


def leaves(mechanics: Mechanics[State], state: State, depth: int, turns: bool) -> int:
    """The same as `count` for a state of a game's own mechanics and a `depth` of at least 1."""
    if mechanics.ending(state) is not None:
        return 0
    if depth == 1:
        return mechanics.count_turns(state) if turns else mechanics.count_steps(state)
    after = mechanics.after_turns(state) if turns else mechanics.after_steps(state)
    return sum(leaves(mechanics, one, depth - 1, turns) for one in after)
