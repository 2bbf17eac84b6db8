"""The texts of steps and turns of Mitsudomoe: `+c3`, `c2>c3`, `a1-b2`, `a1^c3`, `/b2-d4`, and turns of them.

Each reader has its writer, and raises nothing but NotationError. A text gives the kind of the piece but not
its owner, so a step that was read has no piece; `MitsudomoePosition.legal_step` returns the one that has.
"""

from __future__ import annotations

import re
import reprlib

from firmware_host.errors import NotationError
from firmware_host.games.game import Piece, Player, Step
from firmware_host.games.layout import SQUARES, Point
from firmware_host.games.mitsudomoe.rules import Due

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
