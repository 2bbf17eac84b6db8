"""The text of a mill position, as Sanmill writes it: 17 fields with spaces between, written and read.

    inner8/middle8/outer8 side phase action whiteOnBoard whiteInHand blackOnBoard blackInHand
    whiteToRemove blackToRemove whiteMillFrom whiteMillTo blackMillFrom blackMillTo millsBits quiet fullmove

Older versions of Sanmill wrote fewer fields, which are read as well: 16 (without `millsBits`), 12 (without
the other four of mills either), or 11 (with one `toRemove`, that of the side to move). Its latest version
adds `ids:nodes`, which says how fields 11 to 15 count points.

A text is accepted if the rules could go on from it: the counts fit the board and the pieces of the rule set,
and a removal that is due can be made. Fields 11 to 15 are written 0 and ignored. The text does not contain
earlier positions, so repetition is counted from it.

Decisions where the source leaves room: the phase is `p` while either player has pieces in hand, although the
one to move may have none. The action is `p` while the player to move has some, and `s` is also accepted if it
may move as well. A finished position (phase `o`) has the action that would be next; `?` is also accepted.
"""

from __future__ import annotations

import re
import reprlib
from collections.abc import Sequence
from typing import NoReturn

from firmware_host.errors import NotationError
from firmware_host.games.game import Piece, Player, SetUpFault
from firmware_host.games.layout import MORRIS, Point
from firmware_host.games.morris.bitboard import ALL, bits, points_of
from firmware_host.games.morris.rules import MorrisMechanics, MorrisState
from firmware_host.games.options import MorrisOptions
from firmware_host.i18n import Message

_FIELDS = (
    "the board",
    "the side to move",
    "the phase",
    "the action",
    "White's pieces on the board",
    "White's pieces in hand",
    "Black's pieces on the board",
    "Black's pieces in hand",
    "White's removals due",
    "Black's removals due",
    *("White's last mill",) * 2,
    *("Black's last mill",) * 2,
    "the bits of mills",
    "the quiet steps",
    "the turn's number",
)
_START = "********/********/******** w p p 0 9 0 9 0 0 0 0 0 0 0 0 1"
_BOARD, _SIDE, _PHASE, _ACTION, _QUIET, _NUMBER = 0, 1, 2, 3, 15, 16
_ON_BOARD, _IN_HAND, _TO_REMOVE = (4, 6), (5, 7), (8, 9)
_SIDES, _MARKS, _EMPTY = "wb", "O@", "*"
_RING = 8
_POINT_NUMBERS = "ids:nodes"
_NO_MILLS = ["0"] * 5


def position_text(state: MorrisState, over: bool) -> str:
    """Return the text of a state; `over` says that the game has ended with it."""
    black = state.black
    mine, theirs = (state.mine, state.my_hand, state.due), (state.theirs, state.their_hand, 0)
    sides = (theirs, mine) if black else (mine, theirs)
    placing = state.my_hand or state.their_hand or state.placed_last
    phase = "o" if over else "p" if placing else "m"
    counts = [count for points, hand, _ in sides for count in (points.bit_count(), hand)]
    removals = [due for _, _, due in sides]
    numbers = (*counts, *removals, *(0,) * 5, state.quiet, state.number)
    rings = _rings(sides[0][0], sides[1][0])
    return " ".join((rings, _SIDES[black], phase, _action(state), *map(str, numbers)))


def _rings(white: int, black: int) -> str:
    marks = "".join(
        _MARKS[0] if white >> i & 1 else _MARKS[1] if black >> i & 1 else _EMPTY for i in range(3 * _RING)
    )
    return "/".join(marks[start : start + _RING] for start in range(0, len(marks), _RING))


def _action(state: MorrisState) -> str:
    return "r" if state.due else "p" if state.my_hand else "s"


def parse_position(text: str, mechanics: MorrisMechanics) -> tuple[MorrisState, bool]:
    """Return the state that `text` describes, and whether it says that the game is over.

    Raises NotationError, which names the field, the reason and the expected value.
    """
    texts = _fields(text)
    black = _one_of(texts, _SIDE, _SIDES)
    over = _one_of(texts, _PHASE, "rpmo") == "rpmo".index("o")
    boards = _boards(texts, mechanics)
    hands = [
        _hand(texts, side, boards[side].bit_count(), mechanics.options.pieces_of(side))
        for side in range(len(_SIDES))
    ]
    state = MorrisState(
        mine=boards[black],
        theirs=boards[1 - black],
        my_hand=hands[black],
        their_hand=hands[1 - black],
        due=_due(texts, black),
        black=black,
        quiet=_number(texts, _QUIET),
        number=_number(texts, _NUMBER, least=1),
    )
    _check_due(texts, state, mechanics)
    _check_phase(texts, state)
    _check_action(texts, state, over, mechanics.options.move_while_placing)
    placed_last = texts[_PHASE] in "rp" and not any(hands) and state.due > 0
    return state._replace(placed_last=placed_last), over


def _fields(text: str) -> list[str]:
    """Return the fields of a position as this version writes them, whichever version has written `text`."""
    texts = [field for field in text.split() if field != _POINT_NUMBERS]
    extra = texts[len(_FIELDS) :]
    if extra and all(":" in field for field in extra):
        raise NotationError(
            f"a position with {reprlib.repr(' '.join(extra))} is of rules that aren't played here: a piece "
            "may be taken without a mill, or at once"
        )
    before, after = texts[:-2], texts[-2:]
    match len(texts):
        case 17:
            return texts
        case 16:
            return [*before, "0", *after]
        case 12:
            return [*before, *_NO_MILLS, *after]
        case 11:
            due = [before.pop(), "0"]
            return [*before, *(reversed(due) if texts[_SIDE] == "b" else due), *_NO_MILLS, *after]
    raise NotationError(
        f"a position has {len(_FIELDS)} fields with spaces between (or 11, 12 or 16 in older versions of "
        f"Sanmill), this has {len(texts)}; the start is {_START}"
    )


def _fail(texts: list[str], index: int, expected: str) -> NoReturn:
    found = reprlib.repr(texts[index])
    raise NotationError(f"position, field {index + 1} ({_FIELDS[index]}) is {found}, expected {expected}")


def _one_of(texts: list[str], index: int, letters: str) -> int:
    if len(texts[index]) != 1 or texts[index] not in letters:
        _fail(texts, index, "one of " + " ".join(letters))
    return letters.index(texts[index])


def _number(texts: list[str], index: int, least: int = 0) -> int:
    if not re.fullmatch("[0-9]{1,6}", texts[index]) or int(texts[index]) < least:
        _fail(texts, index, f"a whole number from {least} to 999999")
    return int(texts[index])


def _boards(texts: list[str], mechanics: MorrisMechanics) -> tuple[int, int]:
    """Return the points of the white and of the black pieces."""
    if not re.fullmatch("[O@*]{8}/[O@*]{8}/[O@*]{8}", texts[_BOARD]):
        _fail(texts, _BOARD, "three rings of eight with / between, O white, @ black, * empty")
    marks = texts[_BOARD].replace("/", "")
    white, black = (sum(1 << i for i, mark in enumerate(marks) if mark == side) for side in _MARKS)
    outside = (white | black) & ALL & ~mechanics.graph.usable
    if outside:
        names = " ".join(point.name for point in points_of(outside))
        _fail(texts, _BOARD, f"nothing on {names}, which points={mechanics.options.points} does not use")
    return white, black


def _hand(texts: list[str], side: int, standing: int, pieces: int) -> int:
    if _number(texts, _ON_BOARD[side]) != standing:
        _fail(texts, _ON_BOARD[side], f"{standing}, as the board shows")
    if standing > pieces:
        _fail(texts, _ON_BOARD[side], f"at most {pieces}, which is what each player has")
    hand = _number(texts, _IN_HAND[side])
    if hand + standing > pieces:
        _fail(
            texts,
            _IN_HAND[side],
            f"at most {pieces - standing}, since {standing} of {pieces} are on the board",
        )
    return hand


def _due(texts: list[str], black: int) -> int:
    if _number(texts, _TO_REMOVE[1 - black]):
        _fail(texts, _TO_REMOVE[1 - black], "0, since only the player to move can owe a removal")
    return _number(texts, _TO_REMOVE[black])


def _check_due(texts: list[str], state: MorrisState, mechanics: MorrisMechanics) -> None:
    index = _TO_REMOVE[state.black]
    most = max((mechanics.closing(state.mine, one)[1] for one in bits(state.mine)), default=0)
    if state.due > most:
        _fail(texts, index, f"at most {most}; the mills on the board can have earned no more")
    if state.due and not mechanics.removable(state.theirs):
        _fail(texts, index, "0, since no piece can be removed")


def _check_phase(texts: list[str], state: MorrisState) -> None:
    hands = state.my_hand or state.their_hand
    if texts[_PHASE] == "m" and hands:
        _fail(texts, _PHASE, "p while there are pieces in hand")
    if texts[_PHASE] in "rp" and not hands and not state.due:
        _fail(texts, _PHASE, "m when there are no pieces in hand and no removal is due")


def _check_action(texts: list[str], state: MorrisState, over: bool, move_while_placing: bool) -> None:
    _one_of(texts, _ACTION, "psr?" if over else "psr")
    expected = _action(state)
    either = expected == "p" and move_while_placing and texts[_ACTION] == "s"
    if not over and not either and texts[_ACTION] != expected:
        reason = {"r": "a removal is due", "p": "the player to move has pieces in hand"}
        _fail(
            texts, _ACTION, f"{expected}, since {reason.get(expected, 'the player to move has none in hand')}"
        )


# ---- positions that are set up --------------------------------------------------------------------------
# Positions of the mill family that are set up: their text, and the faults of those that can't be played.


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
