"""Counting the ways to play: the leaves that prove the rules.

The states that are counted are those that are played, made by the same `Mechanics`. Only on the last level
nothing is made: its steps are counted as bits, and what a mill closed there could take with it.

A position that is finished counts 0, and so does what would follow it; the step that finishes a game counts
like any other. Repetition and quiet draws finish it here too. Nothing is remembered from branch to branch.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce

from firmware_host.games.game import legal_turns
from firmware_host.games.mechanics import FEWEST, Mechanics, State
from firmware_host.games.morris import MorrisPosition
from firmware_host.games.wood import bits


def count(position: MorrisPosition, depth: int, turns: bool) -> int:
    """How many ways there are to play `depth` steps, or whole turns, from `position`; 1 for depth 0."""
    if position.outcome is not None:
        return 0
    return _leaves(position.rules.mechanics, position.state, depth, turns) if depth > 0 else 1


def divide(position: MorrisPosition, depth: int, turns: bool) -> Iterator[tuple[str, int]]:
    """The text of each first step, or turn, and how many leaves follow it; `depth` is at least 1."""
    if turns:
        firsts = [turn.steps for turn in legal_turns(position)]
    else:
        firsts = [(step,) for step in position.legal_steps()]
    for steps in firsts:
        after = reduce(MorrisPosition.play, steps, position)
        yield position.rules.turn_text(steps), 1 if depth == 1 else count(after, depth - 1, turns)


def _leaves(mechanics: Mechanics, state: State, depth: int, turns: bool) -> int:
    if mechanics.ending(state) is not None:
        return 0
    if depth == 1:
        return _turns(mechanics, state) if turns else _steps(mechanics, state)
    black = state.black
    return sum(
        _leaves(mechanics, after, depth - 1 if not turns or after.black != black else depth, turns)
        for after in mechanics.after_steps(state)
    )


def _steps(mechanics: Mechanics, state: State) -> int:
    """How many steps there are, none of them played."""
    if state.due:
        return mechanics.removable(state.theirs).bit_count() + (mechanics.switches.removal == "may")
    return sum(targets.bit_count() for _, targets in mechanics.landings(state))


def _turns(mechanics: Mechanics, state: State) -> int:
    """How many whole turns, or rests of one, there are, none of them played."""
    theirs, their_hand = state.theirs, state.their_hand
    if state.due:
        return _endings(mechanics, theirs, their_hand, state.due)
    found = 0
    for origin, targets in mechanics.landings(state):
        rest = state.mine ^ origin
        found += targets.bit_count()
        for target in bits(targets & mechanics.wood.completing(rest)):
            _, due = mechanics.closing(rest | target, target)
            found += _endings(mechanics, theirs, their_hand, due) - 1
    return found


def _endings(mechanics: Mechanics, theirs: int, their_hand: int, due: int) -> int:
    """In how many ways a turn can end with `due` removals earned: 1 where none of them can be made."""
    removable = mechanics.removable(theirs)
    if not removable or not due or theirs.bit_count() + their_hand < FEWEST:
        return 1
    declined = mechanics.switches.removal == "may"
    if due == 1:
        return removable.bit_count() + declined
    return declined + sum(
        _endings(mechanics, theirs ^ taken, their_hand, due - 1) for taken in bits(removable)
    )
