"""The text of a Mitsudomoe position: four fields with spaces between, written and read.

    -,-,-,bB,bB/-,-,-,-,bB/-,-,-,-,-/wW,-,-,-,-/wW,wW,-,-,- w ring 1

The board comes rank by rank from the fifth, each from file a: what lies on a square from the lowest piece to
the uppermost, `w` and `b` for rings, `W` and `B` for balls, `-` for nothing. What is not on the board is in
supply. Then who is to move, what is due (`ring`, `ball`, the vaulted balls that have to be moved as `/b2/c3`,
or `over`), and the turn's number.

What is read is what the rules could go on from. The text does not hold the positions that came before, so a
repetition is counted from it afresh.
"""

from __future__ import annotations

import re
import reprlib
from typing import NoReturn

from firmware_host.errors import NotationError
from firmware_host.games.game import Reason
from firmware_host.games.layout import SQUARES
from firmware_host.games.mitsudomoe.rules import (
    BALLS,
    RINGS,
    STARTS,
    Due,
    Mechanics,
    State,
    ball_steps,
    exposed,
    won_or_lost,
)
from firmware_host.games.morris.bitboard import bits

_FIELDS = ("the board", "the side to move", "what is due", "the turn's number")
_BOARD, _SIDE, _DUE, _NUMBER = range(4)
_SIDES, _RING_MARKS, _BALL_MARKS = "wb", "wb", "WB"
_NAMES = ("White", "Black")
_OVER = "over"
_RANKS = range(5, 0, -1)
_FILES = "abcde"


def position_text(state: State) -> str:
    """The text of a state."""
    board = "/".join(",".join(_stack(state, f"{file}{rank}") for file in _FILES) for rank in _RANKS)
    return " ".join((board, _SIDES[state.black], _due_text(state), str(state.number)))


def _stack(state: State, name: str) -> str:
    index = SQUARES[name].index
    rings = "".join(_RING_MARKS[int(owner)] for owner in f"{state.rings[index]:b}"[1:])
    ball = "".join(_BALL_MARKS[player] for player in (0, 1) if state.balls[player] >> index & 1)
    return rings + ball or "-"


def _due_text(state: State) -> str:
    if state.ended is not None:
        return _OVER
    if state.due is not Due.RELOCATION:
        return str(state.due.value)
    return "".join(f"/{SQUARES.points[one.bit_length() - 1]}" for one in bits(state.vaulted))


def parse_position(text: str, mechanics: Mechanics) -> tuple[State, bool]:
    """The state that `text` describes, and whether it says that the game is over.

    Raises NotationError, which names the field, what is wrong with it and what is expected.
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
    state = _board(texts)._replace(black=_SIDES.index(texts[_SIDE]), number=int(texts[_NUMBER]))
    over = texts[_DUE] == _OVER
    if over:
        return state._replace(ended=_decided(state, mechanics)), True
    return _with_due(texts, state, mechanics), False


def _decided(state: State, mechanics: Mechanics) -> Reason | None:
    return won_or_lost(state, 1 - state.black) or mechanics.stuck_or_drawn(state)


def _fail(texts: list[str], index: int, expected: str) -> NoReturn:
    found = reprlib.repr(texts[index])
    raise NotationError(f"position, field {index + 1} ({_FIELDS[index]}) is {found}, expected {expected}")


def _board(texts: list[str]) -> State:
    ranks = [rank.split(",") for rank in texts[_BOARD].split("/")]
    if len(ranks) != len(_RANKS) or any(len(rank) != len(_FILES) for rank in ranks):
        _fail(texts, _BOARD, "five ranks with / between, each of five squares with , between")
    rings, tops, balls = [1] * len(SQUARES), [0, 0], [0, 0]
    for rank, squares in zip(_RANKS, ranks, strict=True):
        for file, stack in zip(_FILES, squares, strict=True):
            if not re.fullmatch("-|[wb]*(w|b|wW|bB)", stack):
                _fail(
                    texts, _BOARD, f"on {file}{rank} - or rings w and b, and a ball on its owner's ring only"
                )
            index = SQUARES[f"{file}{rank}"].index
            for mark in stack.strip("-"):
                if mark in _BALL_MARKS:
                    balls[_BALL_MARKS.index(mark)] |= 1 << index
                else:
                    rings[index] = rings[index] << 1 | _RING_MARKS.index(mark)
            if rings[index] > 1:
                tops[rings[index] & 1] |= 1 << index
    supply = [RINGS - texts[_BOARD].count(mark) for mark in _RING_MARKS]
    for player, name in enumerate(_NAMES):
        if balls[player].bit_count() != BALLS:
            _fail(texts, _BOARD, f"{BALLS} balls of {name}")
        if supply[player] < 0:
            _fail(texts, _BOARD, f"at most {RINGS} rings of {name}")
    return State((balls[0], balls[1]), tuple(rings), 0, (tops[0], tops[1]), (supply[0], supply[1]))


def _with_due(texts: list[str], state: State, mechanics: Mechanics) -> State:
    mover, other = state.black, 1 - state.black
    for player, name in enumerate(_NAMES):
        vaulting = player == mover and texts[_DUE].startswith("/")
        if state.balls[player] == STARTS[1 - player] and not vaulting:
            _fail(texts, _DUE, f"{_OVER}, since all balls of {name} stand in their goal")
    if texts[_DUE] == Due.RING.value:
        return state._replace(ended=mechanics.stuck_or_drawn(state))
    if texts[_DUE] == Due.BALL.value:
        after = state._replace(due=Due.BALL)
        if not any(ball_steps(after)):
            _fail(texts, _DUE, "ring, since no ball can be moved")
        return after
    names = texts[_DUE].split("/")
    if len(names) < 2 or names[0] or any(name not in SQUARES.by_name for name in names[1:]):
        _fail(texts, _DUE, f"ring, ball, {_OVER}, or the balls that were vaulted, as /b2/c3")
    vaulted = sum({1 << SQUARES[name].index for name in names[1:]})
    if vaulted & ~(state.balls[other] & ~STARTS[mover]):
        _fail(texts, _DUE, f"balls of {_NAMES[other]} that do not stand in their goal")
    if not exposed(state, other):
        _fail(texts, _DUE, f"ring or ball, since no ring of {_NAMES[other]} lies open for a vaulted ball")
    return state._replace(due=Due.RELOCATION, vaulted=vaulted)
