"""The whole turns of Mitsudomoe and their beginnings, without playing them.

There may be thousands of turns, so they are made of sets of squares only.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from firmware_host.games.mitsudomoe.rules import (
    BallMove,
    Due,
    MitsudomoeState,
    ball_moves,
    exposed,
    ring_steps,
    tops_without,
)
from firmware_host.games.morris.bitboard import bits


class TurnSequence(NamedTuple):
    """A whole turn, or the rest of one: at most one ring step and one ball step, and the relocations."""

    ring: tuple[tuple[int, int], ...]
    ball: tuple[BallMove, ...]
    relocations: tuple[tuple[int, int], ...]


def turn_sequences(state: MitsudomoeState) -> Iterator[TurnSequence]:
    """Yield every whole turn, or rest of one, without playing it."""
    theirs, standing = 1 - state.black, state.standing
    if state.due is Due.RELOCATION:
        for rest in _relocations(state.vaulted, exposed(state, theirs)):
            yield TurnSequence((), (), rest)
        return
    possible = tuple(ball_moves(state))
    if state.due is Due.BALL:
        yield from _ball_runs((), possible, state.tops[state.black], state.tops[theirs] & ~standing)
        return
    for origin, targets in ring_steps(state):
        tops = tops_without(state, origin)
        for target in bits(targets):
            room = tops[theirs] & ~standing & ~target
            yield from _ball_runs(((origin, target),), possible, tops[state.black] | target, room)


def _ball_runs(
    ring: tuple[tuple[int, int], ...], possible: tuple[BallMove, ...], own: int, room: int
) -> Iterator[TurnSequence]:
    for way in possible:
        if way.target & own and not way.vaulted:
            yield TurnSequence(ring, (way,), ())
        elif way.target & own and room:
            for rest in _relocations(way.vaulted, room):
                yield TurnSequence(ring, (way,), rest)


def _relocations(vaulted: int, room: int) -> Iterator[tuple[tuple[int, int], ...]]:
    """Yield every order of moving the vaulted balls; each vacates its square for the next."""
    if not vaulted:
        yield ()
    for origin in bits(vaulted):
        for target in bits(room):
            for rest in _relocations(vaulted ^ origin, room ^ target | origin):
                yield ((origin, target), *rest)


def beginnings(state: MitsudomoeState, vacated: int, filled: int) -> Iterator[TurnSequence]:
    """Yield the shortest beginnings of turns that leave and land on all of these squares."""
    theirs, standing = 1 - state.black, state.standing
    if state.due is Due.RELOCATION:
        for rest in _relocated(state.vaulted, exposed(state, theirs), vacated, filled):
            yield TurnSequence((), (), rest)
        return
    possible = tuple(ball_moves(state))
    if state.due is Due.BALL:
        room = state.tops[theirs] & ~standing
        yield from _ball_beginnings((), possible, state.tops[state.black], room, vacated, filled)
        return
    for origin, targets in ring_steps(state):
        tops, from_there = tops_without(state, origin), vacated & ~origin
        if from_there & ~standing:
            continue  # only balls move after the ring
        for target in bits(targets):
            ring, to = ((origin, target),), filled & ~target
            if not from_there and not to:
                yield TurnSequence(ring, (), ())
                continue
            own, room = tops[state.black] | target, tops[theirs] & ~standing & ~target
            yield from _ball_beginnings(ring, possible, own, room, from_there, to)


def _ball_beginnings(
    ring: tuple[tuple[int, int], ...],
    possible: tuple[BallMove, ...],
    own: int,
    room: int,
    vacated: int,
    filled: int,
) -> Iterator[TurnSequence]:
    for way in possible:
        if way.target & own and (room or not way.vaulted):
            left, to = vacated & ~way.origin, filled & ~way.target
            for rest in _relocated(way.vaulted, room, left, to):
                yield TurnSequence(ring, (way,), rest)


def _relocated(vaulted: int, room: int, vacated: int, filled: int) -> Iterator[tuple[tuple[int, int], ...]]:
    """Yield each shortest way to move vaulted balls away from and onto all of these squares."""
    if not vacated and not filled:
        yield ()
        return
    if vacated & ~vaulted or filled & ~(room | vaulted):
        return
    for origin in bits(vaulted):
        for target in bits(room):
            after = vaulted ^ origin, room ^ target | origin, vacated & ~origin, filled & ~target
            for rest in _relocated(*after):
                yield ((origin, target), *rest)
