"""Words for stacks: what a sensor tells of them, what pieces are called, and the parts of a turn.

A sensor tells the uppermost three pieces of its stack.
"""

from __future__ import annotations

import itertools

from tests.fuzz.oracle import plain_mitsudomoe as plain
from tests.fuzz.oracle.plain_mitsudomoe import SQUARES, Board

TOLD = 3

Action = tuple[str, str, str]
"""An action of hands at a square: `lift` or `put`, the square, and the piece as the plain rules write it."""


def told(stack: str) -> str:
    """Return a sensor's reading of a stack."""
    return stack[-TOLD:]


def is_readable(stack: str) -> bool:
    """Return whether sensors can tell the stack: a ball on a ring of the other reads as what is nearest."""
    return not stack[-1:].isupper() or stack[-2:-1] in ("", stack[-1].lower())


def is_surely_read(stack: str) -> bool:
    """Return whether sensors can tell the stack whatever stands around it.

    They reckon with one piece more than they tell. Deeper ones and those on the squares around can bring the
    level of a stack to the middle between two others.
    """
    return len(stack) <= TOLD + 1 and is_readable(stack)


def name_of(piece: str) -> str:
    """Return the name of a piece in commands."""
    return f"{plain.NAMES[piece.lower()]}-{'ball' if piece.isupper() else 'ring'}"


def board_of(position: str) -> Board:
    """Return the pieces on each square, from a position text."""
    ranks = [rank.split(",") for rank in position.split()[0].split("/")]
    stacks = [stack.replace("-", "") for rank in reversed(ranks) for stack in rank]
    return dict(zip(SQUARES, stacks, strict=True))


def single(steps: list[str]) -> list[str]:
    """The ring step, the ball step and each relocation by itself."""
    return [
        f"/{part}" if number or not head else part
        for step in steps
        for head, *_ in [step.split("/")]
        for number, part in enumerate(step.split("/"))
        if part
    ]


def same(one: Action, other: Action) -> bool:
    """Return whether both are done to the same piece, as far as one has to leave before it lands."""
    return one[0] == "lift" and other[0] == "put" and one[2] == other[2]


def common(one: str, other: str) -> int:
    """Return the number of pieces that two stacks have in common, from the wood up."""
    alike = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    return sum(1 for _ in alike)


def actions_of(step: str, mover: str) -> list[Action]:
    """Return the actions of hands for one step of `mover`."""
    if step.startswith("+"):
        return [("put", step[1:], mover)]
    piece = mover if ">" in step else mover.upper()
    if step.startswith("/"):
        piece = plain.OTHER[mover].upper()
    return [("lift", step.lstrip("/")[:2], piece), ("put", step[-2:], piece)]
