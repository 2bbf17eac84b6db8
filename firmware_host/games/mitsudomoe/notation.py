"""The texts of steps and turns of Mitsudomoe: `+c3`, `c2>c3`, `a1-b2`, `a1^c3`, `/b2-d4`, and turns of them.

Each reader has its writer, and raises nothing but NotationError. A text gives the kind of the piece but not
its owner, so a step that was read has no piece; `MitsudomoePosition.legal_step` returns the one that has.
"""

from __future__ import annotations

import re
import reprlib
from collections.abc import Iterator
from typing import NamedTuple

from firmware_host.errors import NotationError
from firmware_host.games.game import Piece, Player, Step
from firmware_host.games.layout import SQUARES, Point
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

RINGS = (Piece(Player.WHITE, "ring", flat=True), Piece(Player.BLACK, "ring", flat=True))
BALLS = (Piece(Player.WHITE, "ball", magnet=1), Piece(Player.BLACK, "ball", magnet=1))

_STEP = re.compile(r"(?P<before>[+/]?)(?P<origin>[^+/>^-]*)(?P<between>[>^-]?)(?P<target>.*)", re.DOTALL)
_FORMS = {
    ("+", ""): Due.RING,
    ("", ">"): Due.RING,
    ("", "-"): Due.BALL,
    ("", "^"): Due.BALL,
    ("/", "-"): Due.RELOCATION,
}


def ring_step(piece: Piece | None, origin: Point | None, target: Point) -> Step:
    """Return the step that lays a ring on `target`, from `origin` or (None) from the supply."""
    return Step(f"{origin}>{target}" if origin else f"+{target}", piece, origin, target)


def ball_step(piece: Piece | None, origin: Point, target: Point) -> Step:
    """Return the step that moves a ball: to a neighbouring square, or farther away as a vault."""
    near = max(abs(origin.x - target.x), abs(origin.y - target.y)) <= 1
    return Step(f"{origin}{'-' if near else '^'}{target}", piece, origin, target)


def relocation(piece: Piece | None, origin: Point, target: Point) -> Step:
    """Return the step that moves a ball which was vaulted."""
    return Step(f"/{origin}-{target}", piece, origin, target)


def kind(step: Step) -> Due:
    """Return the kind of a step."""
    if step.text.startswith("/"):
        return Due.RELOCATION
    return Due.RING if step.origin is None or ">" in step.text else Due.BALL


def parse_step(text: str) -> Step:
    """Return the step that `text` names, without its piece; raise NotationError with the reason."""
    parts = _STEP.fullmatch(text)
    form = None if parts is None else _FORMS.get((parts["before"], parts["between"]))
    if parts is None or form is None or (parts["before"] == "+" and parts["target"]):
        raise NotationError(
            f"step {reprlib.repr(text)} is none; a ring is laid as +c3 or moved as c2>c3, a ball is moved as "
            "a1-b2, vaults as a1^c3, and what it vaulted is moved as /b2-d4"
        )
    origin = _point(parts["origin"], text)
    if parts["before"] == "+":
        return ring_step(None, None, origin)
    target = _point(parts["target"], text)
    if form is Due.RING:
        return ring_step(None, origin, target)
    step = (ball_step if form is Due.BALL else relocation)(None, origin, target)
    if step.text != text:
        raise NotationError(
            f"step {reprlib.repr(text)}: {origin} and {target} are "
            f"{'neighbours' if '^' in text else 'no neighbours'}, so that it is written {step.text}"
        )
    return step


def _point(name: str, text: str) -> Point:
    if name not in SQUARES.by_name:
        raise NotationError(
            f"step {reprlib.repr(text)}: {reprlib.repr(name)} is not a square of this board; name "
            "a file from a to e and a rank from 1 to 5, such as c3"
        )
    return SQUARES[name]


def turn_text(steps: tuple[Step, ...]) -> str:
    """Return a turn, or a part of one, as one text."""
    return re.sub(" (?=/)", "", " ".join(step.text for step in steps))


def parse_turn(text: str) -> tuple[Step, ...]:
    """Return the steps of a turn or of a part of one; raise NotationError, which names the wrong step."""
    texts = re.findall(r"/[^/\s]*|[^/\s]+", text)
    if not texts:
        raise NotationError("a turn has at least one step, as +c3")
    return tuple(map(parse_step, texts))


# ---- whole turns ----------------------------------------------------------------------------------------
# The whole turns of Mitsudomoe and their beginnings, without playing them.
#
# There may be thousands of turns, so they are made of sets of squares only.


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
