"""The number of readings of hands at stacks, by the last frame alone.

A reading is a run of up to two legal turns from the agreed position, or of the last turn done in another way
and maybe one more, that touches no square whose reading never changed and ends with the last frame. The order
of changes is left out, so there may be fewer readings than are counted here, but never more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tests.fuzz.oracle import plain_mitsudomoe as plain
from tests.fuzz.oracle.felt import Felt
from tests.fuzz.oracle.plain_mitsudomoe import SQUARES, Board, StackMoment
from tests.fuzz.oracle.stack_words import told

_KINDS = "?wbWB"


@dataclass(frozen=True)
class AgreedStacks:
    """A position on which everybody agrees, and the one before the last turn."""

    now: StackMoment
    before: StackMoment | None = None


def words(frame: Mapping[str, int]) -> dict[str, str]:
    """The pieces that the numbers of a frame tell, the lowest of each square first."""
    return {square: _word(number) for square, number in frame.items()}


def stack_readings(agreed: AgreedStacks, felt: Felt) -> set[str]:
    """The texts of all positions in which hands may have left the board."""
    touched = {change.point for change in felt.changes}
    after = felt.after
    found = [agreed.now] if _stands(agreed.now.board, after) else []
    found += [moment for first in _firsts(agreed, touched) for moment in _played(first, touched, after)]
    return {plain.position_text(moment) for moment in found}


def _firsts(agreed: AgreedStacks, touched: set[str]) -> Iterator[StackMoment]:
    """The positions from which the last turn of a run may have been played."""
    yield agreed.now
    yield from _played(agreed.now, touched)
    if agreed.before is None:
        return
    changed = {square for square in SQUARES if agreed.before.board[square] != agreed.now.board[square]}
    if changed & touched:
        yield agreed.before
        yield from _played(agreed.before, touched | changed)


def _played(
    moment: StackMoment, touched: set[str], after: Mapping[str, str] | None = None
) -> Iterator[StackMoment]:
    """Every position after a turn that touches no other square, and leaves the frame `after`."""
    for text, board in plain.turns(moment).items():
        squares = {square for square in SQUARES if moment.board[square] != board[square]}
        if squares <= touched and (after is None or _stands(board, after)):
            yield plain.play(moment, text)


def _stands(board: Board, frame: Mapping[str, str]) -> bool:
    return all(told(board[square]) == frame[square] for square in SQUARES)


def _word(number: int) -> str:
    word = ""
    while number:
        number, kind = divmod(number, len(_KINDS))
        word = _KINDS[kind] + word
    return word
