"""A kept game told step by step: as a board drawn in letters, or as what hands must do on a simulated one.

Rules kept here: White is O, Black @ and a free point a dot, as in the texts of positions, and a flat piece on
which others may stand o or a; of a stack the uppermost is drawn, and behind it how many lie there; hands
do what the headless board (sim/README.md) takes, and wait so long after each step that it counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from firmware_host.games.game import Game, Piece, Player, Position, Step
from firmware_host.games.layout import Layout

_SIGNS = {Player.WHITE: "O", Player.BLACK: "@"}
_FLAT = {Player.WHITE: "o", Player.BLACK: "a"}
_WIDTH = 3
"""Columns from file to file."""
_SETTLES_S = 1.5


def drawn(layout: Layout, position: Position) -> str:
    """The board with what stands on it."""
    columns = max(point.x for point in layout.points) * _WIDTH + 2
    rows = max(point.y for point in layout.points) + 1
    grid = [[" "] * columns for _ in range(rows)]
    for line in layout.lines:
        for one, other in pairwise(line):
            if one.y == other.y:
                for column in range(min(one.x, other.x) * _WIDTH, max(one.x, other.x) * _WIDTH):
                    grid[one.y][column] = "-"
            elif one.x == other.x:
                for row in range(min(one.y, other.y), max(one.y, other.y)):
                    grid[row][one.x * _WIDTH] = "|"
    for point, stack in zip(layout.points, position.stacks, strict=True):
        grid[point.y][point.x * _WIDTH] = _sign(stack[-1] if stack else None)
        if len(stack) > 1:
            grid[point.y][point.x * _WIDTH + 1] = str(len(stack))
    files = (" " * (_WIDTH - 1)).join("abcdefghijklmnop"[: (columns - 1) // _WIDTH + 1])
    lines = [f"{row + 1} {''.join(grid[row]).rstrip()}" for row in reversed(range(rows))]
    return "\n".join([*lines, f"  {files}"])


def _sign(piece: Piece | None) -> str:
    if piece is None:
        return "."
    return (_FLAT if piece.flat else _SIGNS)[piece.owner]


def hands(game: Game) -> Iterator[dict[str, Any]]:
    """What hands must do to play `game` on the headless board."""
    name, *switches = game.rules.describe().split()
    yield {"do": "new-game", "rules": name, "set": dict(switch.split("=", 1) for switch in switches)}
    for step in game.steps:
        yield from _deeds(step)
        yield {"wait": _SETTLES_S}


def _deeds(step: Step) -> Iterator[dict[str, Any]]:
    if step.origin is None and step.target is None:
        yield {"do": "decline"}
    elif step.origin is None:
        yield {"put": str(step.target), "piece": str(step.piece)}
    else:
        yield {"lift": str(step.origin)}
        yield {"box": True} if step.target is None else {"put": str(step.target)}
