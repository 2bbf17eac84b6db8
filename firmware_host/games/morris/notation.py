"""The texts of steps and turns of the mill family: `d6`, `d6-d5`, `xa1`, `x-`, and runs of them.

Each reader has its writer, and raises nothing but NotationError. A text does not name the owner of the piece,
so a step that was read has no piece; `MorrisPosition.legal_step` returns the one that has.
"""

from __future__ import annotations

import re
import reprlib
from collections.abc import Iterable, Mapping

from firmware_host.errors import NotationError
from firmware_host.games.game import Numbering, Piece, Player, Step
from firmware_host.games.layout import MORRIS, Point

PLAYERS = (Player.WHITE, Player.BLACK)
PIECES = (Piece(Player.WHITE), Piece(Player.BLACK))
DECLINE = Step("x-", None, None, None)
"""The step that declines a removal; it needs no action on the board."""


def _numbering(points: Iterable[Point]) -> Numbering:
    return {str(number): point.name for number, point in enumerate(points, 1)}


_RING = 8
_BY_ROWS = sorted(MORRIS.points, key=lambda point: (-point.y, point.x))
_INWARDS = [MORRIS.points[start : start + _RING] for start in (2 * _RING, _RING, 0)]
NUMBERINGS: Mapping[str, Numbering] = {
    "rows": _numbering(_BY_ROWS),
    "rings": _numbering(point for ring in _INWARDS for point in (ring[-1], *ring[:-1])),
}
"""Points by numbers from 1 to 24, from the top left: row by row from left to right, as PlayOK writes lists of
turns, or ring by ring from the outside, each clockwise, as many programs number them."""


def landing(piece: Piece | None, origin: Point | None, target: Point) -> Step:
    """Return the step that sets `piece` down on `target`, from `origin` or (None) from the hand."""
    return Step(f"{origin}-{target}" if origin else str(target), piece, origin, target)


def removal(piece: Piece | None, origin: Point) -> Step:
    """Return the step that takes `piece` off the board."""
    return Step(f"x{origin}", piece, origin, None)


def parse_step(text: str) -> Step:
    """Return the step that `text` names, without its piece; raise NotationError with the reason."""
    if text == DECLINE.text:
        return DECLINE
    if text.startswith("x"):
        return removal(None, _point(text[1:], text))
    names = text.split("-")
    if len(names) > 2:
        raise NotationError(f"step {reprlib.repr(text)}: a move has one origin and one target, as d6-d5")
    *origins, target = (_point(name, text) for name in names)
    return landing(None, origins[0] if origins else None, target)


def _point(name: str, text: str) -> Point:
    if name not in MORRIS.by_name:
        raise NotationError(
            f"step {reprlib.repr(text)}: {reprlib.repr(name)} is not a point of this board; name "
            "a file from a to g and a rank from 1 to 7, such as d6"
        )
    return MORRIS[name]


def turn_text(steps: tuple[Step, ...]) -> str:
    """Return a turn, or a part of one, as one text."""
    return "".join(step.text for step in steps)


def parse_turn(text: str) -> tuple[Step, ...]:
    """Return the steps of a turn or of the rest of one; raise NotationError, which names the wrong step."""
    if not text:
        raise NotationError("a turn has at least one step, as d6")
    return tuple(parse_step(step) for step in re.findall("x[^x]*|[^x]+", text))
