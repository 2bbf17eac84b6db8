"""The turns to choose from, each with its text and the position after it.

A position's own `turns()` plays every step through all checks; here the mechanics do, which is many times
faster, and a board with a slow processor has one second.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, TypeVar

from firmware_host.frozen import frozen
from firmware_host.games.game import Position, Step
from firmware_host.games.layout import SQUARES, Point
from firmware_host.games.mitsudomoe import notation as mitsudomoe_notation
from firmware_host.games.mitsudomoe.notation import TurnSequence, turn_sequences
from firmware_host.games.mitsudomoe.position import MitsudomoePosition
from firmware_host.games.mitsudomoe.rules import MitsudomoeMechanics, MitsudomoeState
from firmware_host.games.morris.bitboard import bits, point
from firmware_host.games.morris.position import MorrisPosition
from firmware_host.games.morris.rules import MorrisMechanics, MorrisState

P_co = TypeVar("P_co", bound=Position, covariant=True)


@frozen
class Candidate(Generic[P_co]):
    """A whole turn, or the rest of one."""

    text: str
    after: P_co
    closes_mill: bool


def mill_candidates(position: MorrisPosition) -> list[Candidate[MorrisPosition]]:
    """Return every whole turn, or rest of one, that leads to another position than those before it.

    The order is always the same. It is empty if the game is over.
    """
    rules, found = position.rules, dict[MorrisState, str]()
    if position.outcome is None:
        for text, after in _morris_turns(rules.mechanics, position.state):
            found.setdefault(after, text)
    return [
        Candidate(text, rules.reached(after, position.first), bool(after.closed))
        for after, text in found.items()
    ]


def _morris_turns(mechanics: MorrisMechanics, state: MorrisState) -> Iterator[tuple[str, MorrisState]]:
    for text, after in _morris_steps(mechanics, state):
        if after.black != state.black or mechanics.ending(after) is not None:
            yield text, after
        else:
            for rest, last in _morris_turns(mechanics, after):
                yield text + rest, last


def _morris_steps(mechanics: MorrisMechanics, state: MorrisState) -> Iterator[tuple[str, MorrisState]]:
    if state.due:
        for taken in bits(mechanics.removable(state.theirs)):
            yield f"x{point(taken)}", mechanics.remove(state, taken)
        if mechanics.options.removal == "may":
            yield "x-", mechanics.decline(state)
        return
    for origin, targets in mechanics.landings(state):
        before = f"{point(origin)}-" if origin else ""
        for target in bits(targets):
            yield f"{before}{point(target)}", mechanics.land(state, origin, target)


def mitsudomoe_candidates(position: MitsudomoePosition) -> list[Candidate[MitsudomoePosition]]:
    """Return the turns of a position of Mitsudomoe; see `mill_candidates`."""
    rules, known, found = position.rules, set(), []
    for run in turn_sequences(position.state) if position.outcome is None else ():
        after = _played(rules.mechanics, position.state, run)
        if after[:3] not in known:
            known.add(after[:3])
            text = mitsudomoe_notation.turn_text(tuple(_mitsudomoe_steps(run)))
            found.append(Candidate(text, rules.reached(after), closes_mill=False))
    return found


def _played(mechanics: MitsudomoeMechanics, state: MitsudomoeState, run: TurnSequence) -> MitsudomoeState:
    for ring in run.ring:
        state = mechanics.lay(state, *ring)
    for way in run.ball:
        state = mechanics.move_ball(state, way)
    for moved in run.relocations:
        state = mechanics.relocate(state, *moved)
    return state


def _mitsudomoe_steps(run: TurnSequence) -> Iterator[Step]:
    for origin, target in run.ring:
        yield mitsudomoe_notation.ring_step(None, _square(origin) if origin else None, _square(target))
    for way in run.ball:
        yield mitsudomoe_notation.ball_step(None, _square(way.origin), _square(way.target))
    for origin, target in run.relocations:
        yield mitsudomoe_notation.relocation(None, _square(origin), _square(target))


def _square(one: int) -> Point:
    return SQUARES.points[one.bit_length() - 1]
