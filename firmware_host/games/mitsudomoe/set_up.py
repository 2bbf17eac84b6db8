"""Positions of Mitsudomoe that are set up: their text, and the faults of those that can't be played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from firmware_host.games.game import Piece, Player, SetUpFault
from firmware_host.games.layout import SQUARES, Point
from firmware_host.games.mitsudomoe.rules import BALLS, RINGS, STARTS
from firmware_host.games.morris.bitboard import bit
from firmware_host.i18n import Message

_Stacks = Sequence[tuple[Piece, ...]]


def text_of(stacks: _Stacks, to_move: Player) -> str:
    """Return the text of the position with these pieces; see `Rules.set_up_text`."""
    ranks = ",".join("".join(map(_mark, stack)) or "-" for stack in stacks).split(",")
    rows = [",".join(ranks[start : start + 5]) for start in range(20, -5, -5)]
    return f"{'/'.join(rows)} {str(to_move)[0]} ring 1"


def _mark(piece: Piece) -> str:
    mark = str(piece.owner)[0]
    return mark if piece.flat else mark.upper()


def fault_of(stacks: _Stacks) -> SetUpFault | None:
    """Return why these pieces cannot stand so; see `Rules.set_up_fault`."""
    loose = frozenset(point for point in SQUARES.points if not _can_stand(stacks[point.index]))
    if loose:
        return SetUpFault(loose, Message("set-up.stacks", {"points": tuple(sorted(map(str, loose)))}))
    counts = Counter(piece for stack in stacks for piece in stack)
    for player in Player:
        balls = _squares_with(stacks, player, flat=False)
        if len(balls) > BALLS:
            return SetUpFault(frozenset(balls), Message(f"set-up.many-balls.{player}", {"due": BALLS}))
        if sum(count for piece, count in counts.items() if piece.owner is player and piece.flat) > RINGS:
            rings = _squares_with(stacks, player, flat=True)
            return SetUpFault(frozenset(rings), Message(f"set-up.many-rings.{player}", {"due": RINGS}))
    return _lacking_or_won(stacks)


def _lacking_or_won(stacks: _Stacks) -> SetUpFault | None:
    for player in Player:
        balls = _squares_with(stacks, player, flat=False)
        if len(balls) < BALLS:
            missing = {"count": BALLS - len(balls), "due": BALLS}
            return SetUpFault(frozenset(), Message(f"set-up.few-balls.{player}", missing))
        if sum(map(bit, balls)) == STARTS[player is Player.WHITE]:
            return SetUpFault(frozenset(balls), Message("set-up.over"))
    return None


def _can_stand(stack: tuple[Piece, ...]) -> bool:
    """Return whether it has rings only, or rings and on top a ball on one of its owner's."""
    *lower, top = stack or (None,)
    if top is None or top.flat:
        return all(piece.flat for piece in stack)
    return bool(lower) and all(piece and piece.flat for piece in lower) and stack[-2].owner is top.owner


def _squares_with(stacks: _Stacks, player: Player, *, flat: bool) -> list[Point]:
    """Return the squares with rings, or balls, of `player`."""
    return [p for p in SQUARES.points if _has(stacks[p.index], player, flat=flat)]


def _has(stack: Iterable[Piece], player: Player, *, flat: bool) -> bool:
    return any(piece.owner is player and piece.flat == flat for piece in stack)
