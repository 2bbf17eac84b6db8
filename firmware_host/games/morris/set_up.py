"""Positions of the mill family that are set up: their text, and the faults of those that can't be played."""

from __future__ import annotations

from collections.abc import Sequence

from firmware_host.games.game import Piece, Player, SetUpFault
from firmware_host.games.layout import MORRIS, Point
from firmware_host.games.morris.bitboard import points_of
from firmware_host.games.morris.fen import position_text
from firmware_host.games.morris.rules import MorrisMechanics, MorrisState
from firmware_host.games.options import MorrisOptions
from firmware_host.i18n import Message


def text_of(
    options: MorrisOptions, stacks: Sequence[tuple[Piece, ...]], to_move: Player, *, placing: bool
) -> str:
    """Return the text of the position with these pieces; see `Rules.set_up_text`."""
    mine, theirs = (_standing(stacks, player) for player in (to_move, to_move.other))
    black = int(to_move is Player.BLACK)
    hands = [
        max(0, options.pieces_of(side) - len(points)) if placing else 0
        for side, points in ((black, mine), (1 - black, theirs))
    ]
    state = MorrisState(_bits(mine), _bits(theirs), my_hand=hands[0], their_hand=hands[1], due=0, black=black)
    return position_text(state, over=False)


def fault_of(mechanics: MorrisMechanics, stacks: Sequence[tuple[Piece, ...]]) -> SetUpFault | None:
    """Return why these pieces cannot stand so; see `Rules.set_up_fault`."""
    usable = set(points_of(mechanics.graph.usable))
    unused = frozenset(point for point in MORRIS.points if stacks[point.index] and point not in usable)
    if unused:
        return SetUpFault(unused, Message("set-up.unused", {"points": tuple(sorted(map(str, unused)))}))
    for black, player in enumerate(Player):
        due = mechanics.options.pieces_of(black)
        points = _standing(stacks, player)
        if len(points) > due:
            return SetUpFault(frozenset(points), Message(f"set-up.many.{player}", {"due": due}))
    return None


def _standing(stacks: Sequence[tuple[Piece, ...]], player: Player) -> list[Point]:
    """Return the points on which pieces of `player` stand."""
    return [p for p in MORRIS.points if stacks[p.index] and stacks[p.index][-1].owner is player]


def _bits(points: Sequence[Point]) -> int:
    return sum(1 << point.index for point in points)
