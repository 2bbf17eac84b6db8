"""The rules of Mitsudomoe once more, from their description alone and as plainly as can be.

Nothing of the program is used here. A board is a dict from the names of squares to texts, the lowest piece
first: `w` and `b` are rings, `W` and `B` balls. A turn is legal if trying out all of its steps finds it, so
that nothing here reasons about which steps can be completed.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import permutations

FILES, RANKS = "abcde", "12345"
SQUARES = [file + rank for rank in RANKS for file in FILES]
START = {"w": {"a1", "b1", "a2"}, "b": {"e5", "d5", "e4"}}
OTHER = {"w": "b", "b": "w"}
NAMES = {"w": "white", "b": "black"}

Board = dict[str, str]


@dataclass(frozen=True)
class StackMoment:
    """The board before a turn, who has to make it, and the boards that were seen before turns so far."""

    board: Board
    to_move: str
    number: int = 1
    outcome: tuple[str | None, str] | None = None
    repetition: int = 3
    """The number of times a position must occur to be a draw; 0: never."""
    seen: tuple[tuple[object, ...], ...] = field(default=(), repr=False)


def start(first: str, repetition: int = 3) -> StackMoment:
    """The position before the first turn."""
    board = dict.fromkeys(SQUARES, "")
    for side, squares in START.items():
        for square in squares:
            board[square] = side + side.upper()
    return StackMoment(board, first, repetition=repetition, seen=(_key(board, first),))


def _key(board: Board, to_move: str) -> tuple[object, ...]:
    return (*board.values(), to_move)


def shifted(square: str, across: int, up: int) -> str | None:
    """The square so far away, or None beyond the edge."""
    file, rank = FILES.index(square[0]) + across, RANKS.index(square[1]) + up
    return FILES[file] + RANKS[rank] if file in range(5) and rank in range(5) else None


def top(board: Board, square: str) -> str:
    """The uppermost piece of a square."""
    return board[square][-1:]


def moved(board: Board, origin: str, target: str) -> Board:
    """The board after the uppermost piece of one square came onto another."""
    return {**board, origin: board[origin][:-1], target: board[target] + top(board, origin)}


def ring_steps(board: Board, side: str) -> Iterator[tuple[str, Board]]:
    """Every ring step, whatever it leads to."""
    for target in SQUARES:
        if top(board, target).isupper():
            continue
        if "".join(board.values()).count(side) < 8:
            yield f"+{target}", {**board, target: board[target] + side}
        for origin in SQUARES:
            if origin != target and top(board, origin) == side:
                yield f"{origin}>{target}", moved(board, origin, target)


def ball_turns(board: Board, side: str) -> Iterator[tuple[str, Board]]:
    """Every ball step with what it obliges to."""
    goal = START[OTHER[side]]
    for origin in SQUARES:
        if top(board, origin) != side.upper() or origin in goal:
            continue
        for across in (-1, 0, 1):
            for up in (-1, 0, 1):
                if across or up:
                    yield from _in_a_line(board, side, origin, across, up)


def _in_a_line(board: Board, side: str, origin: str, across: int, up: int) -> Iterator[tuple[str, Board]]:
    other = OTHER[side]
    near = shifted(origin, across, up)
    over = []
    target = near
    while target is not None and top(board, target).isupper():
        over.append(target)
        target = shifted(target, across, up)
    if target is None or top(board, target) != side:
        return
    after = moved(board, origin, target)
    if not over:
        yield f"{origin}-{target}", after
        return
    theirs = [square for square in over if top(board, square) == other.upper()]
    if any(square in START[side] for square in theirs):
        return
    for order in permutations(theirs):
        for text, board_then in _relocated(after, other, order):
            yield f"{origin}^{target}{text}", board_then


def _relocated(board: Board, side: str, squares: tuple[str, ...]) -> Iterator[tuple[str, Board]]:
    if not squares:
        yield "", board
        return
    origin, *others = squares
    for target in SQUARES:
        if target != origin and top(board, target) == side:
            for text, after in _relocated(moved(board, origin, target), side, tuple(others)):
                yield f"/{origin}-{target}{text}", after


def turns(moment: StackMoment) -> dict[str, Board]:
    """Every whole turn by its text, with the board after it."""
    if moment.outcome is not None:
        return {}
    return _turns(moment.board, moment.to_move)


def _turns(board: Board, side: str) -> dict[str, Board]:
    return _turns_from(tuple(board.items()), side)


@functools.lru_cache(maxsize=16)
def _turns_from(board: tuple[tuple[str, str], ...], side: str) -> dict[str, Board]:
    return {
        f"{ring} {ball}": after
        for ring, between in ring_steps(dict(board), side)
        for ball, after in ball_turns(between, side)
    }


def play(moment: StackMoment, turn: str) -> StackMoment:
    """The position after a whole legal turn."""
    board, side = turns(moment)[turn], moment.to_move
    other = OTHER[side]
    number, seen = moment.number + (side == "b"), (*moment.seen, _key(board, other))
    after = StackMoment(board, other, number, None, moment.repetition, seen)
    if all(top(board, square) == side.upper() for square in START[other]):
        return replace(after, outcome=(NAMES[side], "goal"))
    if all(top(board, square).isupper() for square in START[side]):
        return replace(after, outcome=(NAMES[other], "start-covered"))
    if not _turns(board, other):
        return replace(after, outcome=(NAMES[side], "blocked"))
    if after.seen.count(after.seen[-1]) == after.repetition:
        return replace(after, outcome=(None, "repetition"))
    return after


def position_text(moment: StackMoment) -> str:
    """The position as the program writes it."""
    ranks = [",".join(moment.board[file + rank] or "-" for file in FILES) for rank in reversed(RANKS)]
    due = "ring" if moment.outcome is None else "over"
    return f"{'/'.join(ranks)} {moment.to_move} {due} {moment.number}"
