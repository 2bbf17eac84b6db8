"""The reasons why a step of Mitsudomoe is illegal, as sentences for `IllegalStepError`."""

from __future__ import annotations

from collections.abc import Callable

from firmware_host.games.game import Outcome, Step
from firmware_host.games.layout import SQUARES, Point
from firmware_host.games.mitsudomoe.notation import BALLS, RINGS, kind
from firmware_host.games.mitsudomoe.rules import RAYS, STARTS, Due, MitsudomoeState, exposed
from firmware_host.games.morris.bitboard import bit

_NAMES = ("White", "Black")
_DUE = {
    Due.RING: "a ring has to be laid or moved first",
    Due.BALL: "a ball has to be moved now",
    Due.RELOCATION: "the balls that were vaulted have to be moved now",
}


def explain_illegal(state: MitsudomoeState, outcome: Outcome | None, step: Step) -> str:
    """Return why `step`, which must not be legal in `state`, is illegal."""
    if outcome is not None:
        return f"{step}: the game is over ({outcome.reason})"
    found = kind(step)
    if found is not state.due:
        return f"{step}: {_DUE[state.due]}"
    if step.target is None:
        return f"{step}: nothing leaves the board"
    of = state.black if found is not Due.RELOCATION else 1 - state.black
    if step.piece not in (None, (RINGS if found is Due.RING else BALLS)[of]):
        return f"{step}: it is a {'ring' if found is Due.RING else 'ball'} of {_NAMES[of]} that is moved"
    return f"{step}: {_TO[found](state, step.origin, step.target)}"


def _to_ring(state: MitsudomoeState, origin: Point | None, target: Point) -> str:
    mover = state.black
    if origin is None and not state.supply[mover]:
        return f"{_NAMES[mover]} has no rings in supply"
    if origin is not None and not bit(origin) & exposed(state, mover):
        return f"no ring of {_NAMES[mover]} lies open on {origin}"
    if origin is target:
        return "a ring does not return to the square that it left"
    if bit(target) & state.standing:
        return f"a ball stands on {target}"
    return "no ball could be moved after it"


def _to_ball(state: MitsudomoeState, origin: Point | None, target: Point) -> str:
    mover, goal = state.black, STARTS[1 - state.black]
    if origin is None or not bit(origin) & state.balls[mover]:
        return f"no ball of {_NAMES[mover]} stands on {origin}"
    if bit(origin) & goal:
        return f"the ball on {origin} stands in its goal and stays there"
    if bit(target) & state.standing:
        return f"a ball stands on {target}"
    between = _between(origin, target)
    if between is None:
        return f"{target} does not lie in a straight line from {origin}"
    for square in between:
        if not square & state.standing:
            return f"nothing to vault stands on {_name(square)}"
        if square & state.balls[1 - mover] & STARTS[mover]:
            return f"the ball on {_name(square)} stands in its goal and is not vaulted"
    if not bit(target) & state.tops[mover]:
        return f"no ring of {_NAMES[mover]} lies on top of {target}"
    return f"the balls that it vaults could go nowhere: no ring of {_NAMES[1 - mover]} lies open"


def _between(origin: Point, target: Point) -> tuple[int, ...] | None:
    """Return the squares between two, or None if no straight line joins them."""
    for ray in RAYS[bit(origin)]:
        if bit(target) in ray:
            return ray[: ray.index(bit(target))]
    return None


def _to_relocation(state: MitsudomoeState, origin: Point | None, target: Point) -> str:
    other = 1 - state.black
    if not bit(origin) & state.vaulted:
        return f"no ball on {origin} was vaulted and has to be moved"
    if bit(target) & state.standing:
        return f"a ball stands on {target}"
    return f"no ring of {_NAMES[other]} lies on top of {target}"


def _name(square: int) -> str:
    return SQUARES.points[square.bit_length() - 1].name


_TO: dict[Due, Callable[[MitsudomoeState, Point | None, Point], str]] = {
    Due.RING: _to_ring,
    Due.BALL: _to_ball,
    Due.RELOCATION: _to_relocation,
}
