"""Perft: counting the leaves of the game tree, which proves the rules.

The states that are counted are those that are played, made by the same mechanics. Only on the last level no
state is made: there the mechanics count the steps or turns.

A position that is finished counts 0, and so does everything after it; the step that finishes a game counts
like any other. Draws by the rules also finish a game here. Nothing is cached between branches.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce
from typing import Protocol, TypeVar

from firmware_host.games.game import Position, Reason, Step

State = TypeVar("State")


class Mechanics(Protocol[State]):
    """The steps of a game and their results, as far as counting needs them."""

    def ending(self, state: State) -> Reason | None:
        """Return why the game is over, or None while it goes on."""

    def after_steps(self, state: State) -> Iterable[State]:
        """Return the state after each possible step."""

    def after_turns(self, state: State) -> Iterable[State]:
        """Return the state after each possible turn, or rest of one."""

    def count_steps(self, state: State) -> int:
        """Return the number of steps."""

    def count_turns(self, state: State) -> int:
        """Return the number of whole turns, or rests of one."""


def count(position: Position, depth: int, turns: bool) -> int:
    """Return the number of ways to play `depth` steps, or whole turns, from `position`; 1 for depth 0."""
    if position.outcome is not None:
        return 0
    return position.leaves(depth, turns) if depth > 0 else 1


def divide(position: Position, depth: int, turns: bool) -> Iterator[tuple[str, int]]:
    """Yield the text of each first step, or turn, and the number of its leaves; `depth` is at least 1."""
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
    """Return `count` for a state of a game's own mechanics and a `depth` of at least 1."""
    if mechanics.ending(state) is not None:
        return 0
    if depth == 1:
        return mechanics.count_turns(state) if turns else mechanics.count_steps(state)
    after = mechanics.after_turns(state) if turns else mechanics.after_steps(state)
    return sum(leaves(mechanics, one, depth - 1, turns) for one in after)
