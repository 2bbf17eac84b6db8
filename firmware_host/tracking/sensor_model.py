"""The frames that sensors report for a position, with some of the sensors masked.

Invariants: a masked sensor reports nothing, in expected and actual frames alike, so that frames compare as if
its point did not exist: the game is right about it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache

from firmware_host.frozen import frozen
from firmware_host.games.game import Piece, Player, Position
from firmware_host.ports import (
    BLACK_PIECE,
    NOTHING,
    SOMETHING,
    WHITE_PIECE,
    Frame,
    Reading,
    SensorKind,
)


@cache
def reading_of(stack: tuple[Piece, ...], alphabet: SensorKind) -> Reading:
    """Return the reading of a sensor of that kind for a stack, the lowest piece first.

    The only place that knows how much of a stack a sensor reports: its presence, the owner of its top piece,
    or its top pieces.
    """
    if not stack:
        return NOTHING
    if alphabet is SensorKind.PRESENCE:
        return SOMETHING
    if alphabet is SensorKind.POLARITY:
        return WHITE_PIECE if stack[-1].owner is Player.WHITE else BLACK_PIECE
    return Reading.of_stack([1 + 2 * piece.magnet + (piece.owner is Player.BLACK) for piece in stack])


@frozen
class SensorModel:
    """The abilities of one board's sensors; `masked` are the indexes of points whose sensor is ignored."""

    alphabet: SensorKind
    masked: frozenset[int] = frozenset()

    def observe(self, frame: Frame) -> Frame:
        """Return `frame` without the readings of masked sensors."""
        if not self.masked:
            return frame
        masked = self.masked
        return tuple([NOTHING if i in masked else reading for i, reading in enumerate(frame)])

    def expected(self, position: Position) -> Frame:
        """Return the frame of a board that matches `position` exactly."""
        return self.observe(tuple([reading_of(stack, self.alphabet) for stack in position.stacks]))

    def reading(self, stack: tuple[Piece, ...], index: int) -> Reading:
        """Return the reading of the point at `index` if `stack` stands there."""
        return NOTHING if index in self.masked else reading_of(stack, self.alphabet)

    def shows_part_of(self, stack: tuple[Piece, ...], reading: Reading) -> bool:
        """Return whether `reading` is that of `stack` after one or more pieces were taken from its top."""
        return any(reading == reading_of(stack[:left], self.alphabet) for left in range(len(stack)))

    def unobservable_points(self, stacks: Sequence[tuple[Piece, ...]]) -> Iterator[int]:
        """Yield the indexes of points where a piece may come or go unobserved.

        If the top pieces of a high stack are alike, one more of them changes nothing.
        """
        for index, stack in enumerate(stacks):
            is_high = not reading_of(stack, self.alphabet).is_complete
            if is_high or index in self.masked:
                yield index

    def is_blind_to(self, position: Position) -> bool:
        """Return whether pieces stand in `position` and no sensor can see any of them."""
        return bool(self.masked) and any(position.stacks) and not any(self.expected(position))

    def shown(self, reading: Reading, box: Collection[Piece]) -> tuple[Piece, ...]:
        """Return the pieces of `box` that a reading shows, the lowest first; none if a sensor cannot tell."""
        top = self.visible(reading, box) if reading != NOTHING else None
        return () if top is None else (*self.shown(reading.below, box), top)

    def visible(self, reading: Reading, box: Iterable[Piece]) -> Piece | None:
        """Return the top piece that a reading shows, of those in `box`; None if a sensor cannot tell."""
        if self.alphabet is SensorKind.PRESENCE:
            return None
        return next((piece for piece in box if reading_of((piece,), self.alphabet) == reading.top), None)
