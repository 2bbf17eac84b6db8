"""What the sensors say of a position, and which of them are not believed.

Rules kept here: a sensor that is masked says nothing, of what stands and of what should stand alike, so that
frames compare as if its point were not there: whatever the game says of it holds.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from firmware_host.games.game import Piece, Position, Step
from firmware_host.ports import BLACK_PIECE, NOTHING, SOMETHING, WHITE_PIECE, Alphabet, Frame, Reading

_OWNERS = {"white": WHITE_PIECE, "black": BLACK_PIECE}


def reading_of(piece: Piece | None, alphabet: Alphabet) -> Reading:
    """What a sensor of `alphabet` says of a point where `piece` stands."""
    if piece is None:
        return NOTHING
    return SOMETHING if alphabet is Alphabet.PRESENCE else _OWNERS[piece.owner.value]


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
        return self.felt(tuple([reading_of(piece, self.alphabet) for piece in position.standing]))

    def reading(self, piece: Piece | None, index: int) -> Reading:
        """What would be believed of the point of that index if `piece` stood there."""
        return NOTHING if index in self.masked else reading_of(piece, self.alphabet)

    def misses_all(self, position: Position) -> bool:
        """Whether something stands in `position`, and nothing of it is felt."""
        return bool(self.masked) and any(position.standing) and not any(self.expected(position))

    def hides(self, step: Step) -> bool:
        """Whether something of `step` is done where it is not felt."""
        ends = (step.origin, step.target)
        return any(point is not None and point.index in self.masked for point in ends)

    def misses(self, step: Step) -> bool:
        """Whether nothing of `step`, which hands do, is felt."""
        ends = [point.index for point in (step.origin, step.target) if point is not None]
        return bool(ends) and all(index in self.masked for index in ends)

    def hides_origin(self, steps: Iterable[Step]) -> bool:
        """Whether one of `steps` takes a piece from a point where that is not felt to one where it is."""
        masked = self.masked
        return any(
            step.origin is not None
            and step.target is not None
            and step.origin.index in masked
            and step.target.index not in masked
            for step in steps
        )
