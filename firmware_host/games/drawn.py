"""Boards, pieces and positions as pages and walls draw them, by the names of points and kinds of pieces.

Everything that shows a game draws it from here: the board's page, its status, and the walls and spectators of
games between boards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from firmware_host.errors import RequestError
from firmware_host.games.game import Game, Piece, Position
from firmware_host.games.layout import Layout
from firmware_host.i18n import Message


def end_of(game: Game, turns: int) -> int:
    """Return the ply after this number of turns; raise RequestError if the game has fewer."""
    ends = _ends(game)
    if turns >= len(ends):
        raise RequestError(Message("refused.no-such-turn", {"count": turns}))
    return ends[turns]


def _ends(game: Game) -> tuple[int, ...]:
    """Return the ply at which each turn ended, of an unfinished one the last; the first is the start."""
    return (*game.turn_starts, *((game.ply,) if game.mid_turn else ()))


def position_after(game: Game, turns: int) -> dict[str, Any]:
    """Return the position of `game` after this number of turns; raise RequestError if it has fewer."""
    end_of(game, turns)
    ends = _ends(game)
    began = ends[turns - 1] if turns else 0
    position = game.positions[ends[turns]]
    is_end = game.outcome is not None and ends[turns] == game.ply
    standing = zip(game.rules.layout.points, position.standing, strict=True)
    steps = game.steps[began : ends[turns]]
    return {
        "after": turns,
        "of": len(ends) - 1,
        "turn": game.turn_texts()[turns - 1] if turns else None,
        "to_move": None if is_end else str(position.to_move),
        "by": str(game.positions[began].to_move) if turns else None,
        "standing": {point.name: str(piece) for point, piece in standing if piece is not None},
        "beneath": beneath(position, game.rules.layout),
        "landed": sorted({str(step.target) for step in steps if step.target is not None}),
        "captured": captured(game, position),
        "in_hand": {str(piece): count for piece, count in position.supply.items()},
    }


def beneath(
    position: Position, layout: Layout, tops: Mapping[str, str] | None = None
) -> dict[str, list[str]]:
    """Return the kinds of the pieces under each top piece, the lowest first, by point.

    With `tops`, the top pieces that are really there, leave out the stacks that they don't match: the
    position does not describe those.
    """
    return {
        point.name: [str(piece) for piece in stack[:-1]]
        for point, stack in zip(layout.points, position.stacks, strict=True)
        if len(stack) > 1 and (tops is None or tops.get(point.name) == str(stack[-1]))
    }


def captured(game: Game, position: Position) -> dict[str, int]:
    """Return how many pieces of each kind were captured: those that neither wait nor stand on the board."""
    standing = Counter(piece for stack in position.stacks for piece in stack)
    waiting = position.supply
    return {
        str(piece): count - waiting.get(piece, 0) - standing[piece] for piece, count in game.rules.box.items()
    }


def drawn_layout(layout: Layout) -> dict[str, Any]:
    """Return the board that a page draws: its name, the coordinates of its points, and its lines."""
    return {
        "name": layout.name,
        "points": {point.name: [point.x, point.y] for point in layout.points},
        "lines": [[point.name for point in line] for line in layout.lines],
    }


def kinds_of(pieces: Iterable[Piece]) -> dict[str, Any]:
    """Return what pieces of each kind are like: their player, their form, and whether they carry others."""
    return {
        str(piece): {"player": str(piece.owner), "form": piece.kind or "disc", "flat": piece.flat}
        for piece in pieces
    }
