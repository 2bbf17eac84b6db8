"""In which orders hands can do a turn on stacks, and which of them look like something else."""

from __future__ import annotations

from random import Random

from tests.fuzz.oracle import plain_mitsudomoe as plain
from tests.fuzz.oracle.plain_mitsudomoe import SQUARES, Board, StackMoment
from tests.fuzz.oracle.stack_words import Action, same, told


def in_some_order(actions: list[Action], luck: Random) -> list[Action]:
    """The same in any order: at one square they keep theirs, and a piece leaves before it lands."""
    done: list[Action] = []
    waiting = list(enumerate(actions))
    while waiting:
        free = [
            (n, action)
            for n, action in waiting
            if not any(m < n and (other[1] == action[1] or same(other, action)) for m, other in waiting)
        ]
        chosen = luck.choice(free)
        waiting.remove(chosen)
        done.append(chosen[1])
    return done


def could_be_thought_over(before: StackMoment, board: Board, actions: list[Action]) -> bool:
    """Return whether some of `actions`, done first on `board`, could be the turn from `before`, done in
    another way.

    That is so of the other's ball which was vaulted and just moved, or of the own one which the other had
    vaulted and put there: the appearance counts. The actions with other pieces may be a reply.
    """
    if not any(before.board[square] != board[square] for kind, square, _ in actions if kind == "lift"):
        return False
    wholes = [[told(after[square]) for square in SQUARES] for after in plain.turns(before).values()]
    now = dict(board)
    for kind, square, piece in actions[:-1]:
        now[square] = now[square][:-1] if kind == "lift" else now[square] + piece
        if [told(now[square]) for square in SQUARES] in wholes:
            return True
        if kind == "put" and piece.isupper() and now[square] == before.board[square]:
            return True  # a vaulted ball is back, and must be relocated again
    alone = [after_actions(board, [one for one in actions if one[2] == piece]) for piece in "wbWB"]
    return any([told(stacks[square]) for square in SQUARES] in wholes for stacks in alone)


def exchanges(actions: list[Action]) -> bool:
    """Return whether a piece comes to where one like it has just left, which is still in hand.

    That looks like one piece that was straightened.
    """
    for number, (kind, square, piece) in enumerate(actions):
        if kind == "lift":
            puts = (place for kind, place, put in actions[number:] if (kind, put) == ("put", piece))
            if next(puts, "") == square:
                return True
    return False


def after_actions(board: Board, actions: list[Action]) -> Board:
    """Return the stacks after some actions, as far as these can be done without the others."""
    now = dict(board)
    for kind, square, piece in actions:
        now[square] = now[square].removesuffix(piece) if kind == "lift" else now[square] + piece
    return now
