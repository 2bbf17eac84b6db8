"""What the sensors say of a position, and which of them are not believed.

Rules kept here: a sensor that is masked says nothing, of what stands and of what should stand alike, so that
frames compare as if its point were not there: whatever the game says of it holds.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from firmware_host.games.game import Piece, Player, Position
from firmware_host.ports import (
    BLACK_PIECE,
    NOTHING,
    SOMETHING,
    WHITE_PIECE,
    Alphabet,
    Frame,
    Reading,
)


@cache
def reading_of(stack: tuple[Piece, ...], alphabet: Alphabet) -> Reading:
    """What a sensor of `alphabet` says of a point where `stack` stands, the lowest piece first.

    The only place that knows what is told of a stack: whether anything stands there, whose its uppermost
    piece is, or its pieces.
    """
    if not stack:
        return NOTHING
    if alphabet is Alphabet.PRESENCE:
        return SOMETHING
    if alphabet is Alphabet.POLARITY:
        return WHITE_PIECE if stack[-1].owner is Player.WHITE else BLACK_PIECE
    return Reading.of_stack([1 + 2 * piece.magnet + (piece.owner is Player.BLACK) for piece in stack])


@dataclass(frozen=True, slots=True)
class Sight:
    """What one board's sensors can tell; `masked` are the indexes of points whose sensor is not believed."""

    alphabet: Alphabet
    masked: frozenset[int] = frozenset()

    def felt(self, frame: Frame) -> Frame:
        """What of `frame` is believed."""
        if not self.masked:
            return frame
        masked = self.masked
        return tuple([NOTHING if i in masked else reading for i, reading in enumerate(frame)])

    def expected(self, position: Position) -> Frame:
        """What would be believed if the board stood exactly as `position`."""
        return self.felt(tuple([reading_of(stack, self.alphabet) for stack in position.stacks]))

    def reading(self, stack: tuple[Piece, ...], index: int) -> Reading:
        """What would be believed of the point of that index if `stack` stood there."""
        return NOTHING if index in self.masked else reading_of(stack, self.alphabet)

    def misses_some(self, stack: tuple[Piece, ...], reading: Reading) -> bool:
        """Whether `reading` is of what is left of `stack` when one piece or more are taken from its top."""
        return any(reading == reading_of(stack[:left], self.alphabet) for left in range(len(stack)))

    def may_miss(self, stacks: Sequence[tuple[Piece, ...]]) -> Iterator[int]:
        """The indexes of points where a piece may come or go and not be felt.

        Where the uppermost pieces of a high stack are alike, one more of them changes nothing.
        """
        for index, stack in enumerate(stacks):
            high = not reading_of(stack, self.alphabet).is_complete
            if high or index in self.masked:
                yield index

    def misses_all(self, position: Position) -> bool:
        """Whether something stands in `position`, and nothing of it is felt."""
        return bool(self.masked) and any(position.stacks) and not any(self.expected(position))

    def shown(self, reading: Reading, box: Collection[Piece]) -> tuple[Piece, ...]:
        """Which pieces of `box` a reading shows, the lowest first; none where a sensor cannot tell."""
        top = self.visible(reading, box) if reading != NOTHING else None
        return () if top is None else (*self.shown(reading.below, box), top)

    def visible(self, reading: Reading, box: Iterable[Piece]) -> Piece | None:
        """Which piece of `box` a reading shows uppermost; None where a sensor cannot tell."""
        if self.alphabet is Alphabet.PRESENCE:
            return None
        return next((piece for piece in box if reading_of((piece,), self.alphabet) == reading.top), None)
