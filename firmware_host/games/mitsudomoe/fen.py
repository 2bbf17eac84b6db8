"""The text of a Mitsudomoe position: four fields with spaces between, written and read.

    -,-,-,bB,bB/-,-,-,-,bB/-,-,-,-,-/wW,-,-,-,-/wW,wW,-,-,- w ring 1

The board comes rank by rank from the fifth, each from file a: the pieces of a square from the lowest to the
top, `w` and `b` for rings, `W` and `B` for balls, `-` for none. Pieces that are not on the board are in
supply. Then come the player to move, the step that is due (`ring`, `ball`, the vaulted balls that have to be
moved as `/b2/c3`, or `over`), and the turn's number.

A text is accepted if the rules could go on from it. It does not contain earlier positions, so repetition is
counted from it.
"""

from __future__ import annotations

import itertools
import re
import reprlib
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NoReturn

from firmware_host.errors import NotationError
from firmware_host.games.game import Piece, Player, Reason, SetUpFault
from firmware_host.games.layout import SQUARES, Point
from firmware_host.games.mitsudomoe.rules import (
    BALLS,
    RINGS,
    STARTS,
    Due,
    MitsudomoeMechanics,
    MitsudomoeState,
    ball_steps,
    exposed,
    won_or_lost,
)
from firmware_host.games.morris.bitboard import bit, bits
from firmware_host.i18n import Message

_FIELDS = ("the board", "the side to move", "what is due", "the turn's number")
_BOARD, _SIDE, _DUE, _NUMBER = range(4)
_SIDES, _RING_MARKS, _BALL_MARKS = "wb", "wb", "WB"
_NAMES = ("White", "Black")
_OVER = "over"
_RANKS = range(5, 0, -1)
_FILES = "abcde"


def position_text(state: MitsudomoeState) -> str:
    """Return the text of a state."""
    board = "/".join(",".join(_stack(state, f"{file}{rank}") for file in _FILES) for rank in _RANKS)
    return " ".join((board, _SIDES[state.black], _due_text(state), str(state.number)))


def _stack(state: MitsudomoeState, name: str) -> str:
    index = SQUARES[name].index
    rings = "".join(_RING_MARKS[int(owner)] for owner in f"{state.rings[index]:b}"[1:])
    ball = "".join(_BALL_MARKS[player] for player in (0, 1) if state.balls[player] >> index & 1)
    return rings + ball or "-"


def _due_text(state: MitsudomoeState) -> str:
    if state.ended is not None:
        return _OVER
    if state.due is not Due.RELOCATION:
        return str(state.due.value)
    return "".join(f"/{SQUARES.points[one.bit_length() - 1]}" for one in bits(state.vaulted))


def parse_position(text: str, mechanics: MitsudomoeMechanics) -> tuple[MitsudomoeState, bool]:
    """Return the state that `text` describes, and whether it says that the game is over.

    Raises NotationError, which names the field, the reason and the expected value.
    """
    texts = text.split()
    if len(texts) != len(_FIELDS):
        raise NotationError(
            f"a position has {len(_FIELDS)} fields with spaces between, this has {len(texts)}; the start is "
            f"{position_text(mechanics.start(black=False))}"
        )
    if len(texts[_SIDE]) != 1 or texts[_SIDE] not in _SIDES:
        _fail(texts, _SIDE, "w or b")
    if not re.fullmatch("[1-9][0-9]{0,5}", texts[_NUMBER]):
        _fail(texts, _NUMBER, "a whole number from 1 to 999999")
    stacks = _parse_board(texts)
    _check_board(texts, stacks)
    state = _board_state(stacks)._replace(black=_SIDES.index(texts[_SIDE]), number=int(texts[_NUMBER]))
    over = texts[_DUE] == _OVER
    if over:
        return state._replace(ended=_decided(state, mechanics)), True
    return _with_due(texts, state, mechanics), False


def _decided(state: MitsudomoeState, mechanics: MitsudomoeMechanics) -> Reason | None:
    return won_or_lost(state, 1 - state.black) or mechanics.stuck_or_drawn(state)


def _fail(texts: list[str], index: int, expected: str) -> NoReturn:
    found = reprlib.repr(texts[index])
    raise NotationError(f"position, field {index + 1} ({_FIELDS[index]}) is {found}, expected {expected}")


_Stacks = dict[str, str]
"""The marks of each square that is not empty, the lowest piece first, by the square's name."""


def _parse_board(texts: list[str]) -> _Stacks:
    ranks = [rank.split(",") for rank in texts[_BOARD].split("/")]
    if len(ranks) != len(_RANKS) or any(len(rank) != len(_FILES) for rank in ranks):
        _fail(texts, _BOARD, "five ranks with / between, each of five squares with , between")
    names = [f"{file}{rank}" for rank in _RANKS for file in _FILES]
    stacks = dict(zip(names, itertools.chain.from_iterable(ranks), strict=True))
    for name, stack in stacks.items():
        if not re.fullmatch("-|[wb]*(w|b|wW|bB)", stack):
            _fail(texts, _BOARD, f"on {name} - or rings w and b, and a ball on its owner's ring only")
    return {name: stack for name, stack in stacks.items() if stack != "-"}


def _check_board(texts: list[str], stacks: _Stacks) -> None:
    """Raise NotationError if a player has too few balls or too many rings."""
    marks = "".join(stacks.values())
    for ring, ball, name in zip(_RING_MARKS, _BALL_MARKS, _NAMES, strict=True):
        if marks.count(ball) != BALLS:
            _fail(texts, _BOARD, f"{BALLS} balls of {name}")
        if marks.count(ring) > RINGS:
            _fail(texts, _BOARD, f"at most {RINGS} rings of {name}")


def _board_state(stacks: _Stacks) -> MitsudomoeState:
    """Return the state with these stacks, and the other rings in supply; White is to move."""
    marks = "".join(stacks.values())
    rings = {SQUARES[name].index: stack.rstrip(_BALL_MARKS) for name, stack in stacks.items()}
    return MitsudomoeState(
        balls=(_squares_ending(stacks, "W"), _squares_ending(stacks, "B")),
        rings=tuple(_ring_bits(rings.get(index, "")) for index in range(len(SQUARES))),
        black=0,
        tops=(_squares_ending(stacks, "wW"), _squares_ending(stacks, "bB")),
        supply=(RINGS - marks.count("w"), RINGS - marks.count("b")),
    )


def _ring_bits(marks: str) -> int:
    return int("1" + "".join(str(_RING_MARKS.index(mark)) for mark in marks), 2)


def _squares_ending(stacks: _Stacks, marks: str) -> int:
    """Return the squares whose top piece has one of these marks."""
    return sum(1 << SQUARES[name].index for name, stack in stacks.items() if stack[-1] in marks)


def _with_due(texts: list[str], state: MitsudomoeState, mechanics: MitsudomoeMechanics) -> MitsudomoeState:
    """Return `state` with the step that is due; raise NotationError if the rules could not go on from it."""
    _check_not_won(texts, state)
    if texts[_DUE] == Due.RING.value:
        return state._replace(ended=mechanics.stuck_or_drawn(state))
    if texts[_DUE] != Due.BALL.value:
        return state._replace(due=Due.RELOCATION, vaulted=_vaulted(texts, state))
    after = state._replace(due=Due.BALL)
    if not any(ball_steps(after)):
        _fail(texts, _DUE, "ring, since no ball can be moved")
    return after


def _check_not_won(texts: list[str], state: MitsudomoeState) -> None:
    for player, name in enumerate(_NAMES):
        vaulting = player == state.black and texts[_DUE].startswith("/")
        if state.balls[player] == STARTS[1 - player] and not vaulting:
            _fail(texts, _DUE, f"{_OVER}, since all balls of {name} stand in their goal")


def _vaulted(texts: list[str], state: MitsudomoeState) -> int:
    """Return the squares of the vaulted balls that have to be moved."""
    mover, other = state.black, 1 - state.black
    before, *names = texts[_DUE].split("/")
    if before or not names or any(name not in SQUARES.by_name for name in names):
        _fail(texts, _DUE, f"ring, ball, {_OVER}, or the balls that were vaulted, as /b2/c3")
    vaulted = sum({1 << SQUARES[name].index for name in names})
    if vaulted & ~(state.balls[other] & ~STARTS[mover]):
        _fail(texts, _DUE, f"balls of {_NAMES[other]} that do not stand in their goal")
    if not exposed(state, other):
        _fail(texts, _DUE, f"ring or ball, since no ring of {_NAMES[other]} lies open for a vaulted ball")
    return vaulted


# ---- positions that are set up --------------------------------------------------------------------------
# Positions of Mitsudomoe that are set up: their text, and the faults of those that can't be played.


_Standing = Sequence[tuple[Piece, ...]]


def text_of(stacks: _Standing, to_move: Player) -> str:
    """Return the text of the position with these pieces; see `Rules.set_up_text`."""
    ranks = ",".join("".join(map(_mark, stack)) or "-" for stack in stacks).split(",")
    rows = [",".join(ranks[start : start + 5]) for start in range(20, -5, -5)]
    return f"{'/'.join(rows)} {str(to_move)[0]} ring 1"


def _mark(piece: Piece) -> str:
    mark = str(piece.owner)[0]
    return mark if piece.flat else mark.upper()


def fault_of(stacks: _Standing) -> SetUpFault | None:
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


def _lacking_or_won(stacks: _Standing) -> SetUpFault | None:
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


def _squares_with(stacks: _Standing, player: Player, *, flat: bool) -> list[Point]:
    """Return the squares with rings, or balls, of `player`."""
    return [p for p in SQUARES.points if _has(stacks[p.index], player, flat=flat)]


def _has(stack: Iterable[Piece], player: Player, *, flat: bool) -> bool:
    return any(piece.owner is player and piece.flat == flat for piece in stack)
