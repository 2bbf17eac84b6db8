"""What set-up has found out so far, as values: they are kept in a file, and an older one can be gone back to.

A seat is a place on the board of which something is known: the wires of its contacts, its LEDs, its point.
It is complete when light and name are known, one of them told by a piece set down and one by a piece lifted.

Rules kept here: a seat's wires are numbers of the scanner's wires; nothing here knows what comes next.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal

Side = Literal["light", "name"]
"""What a seat is told by: its light, or the name of its point."""

Colour = int
"""Of a piece: WHITE or BLACK; where colours do not matter all pieces are white."""
WHITE: Colour = 0
BLACK: Colour = 1


@dataclass(frozen=True, slots=True)
class Seat:
    """What is known of one place on the board.

    `wires` has the wire of each contact: one, or White's and Black's. `stands` is the colour of the piece
    that stands there, None for none. `first` is by which side the seat came to be known. `levels` is what a
    linear sensor read under a white and under a black piece. `also` are other wires that felt its piece.
    """

    wires: tuple[int | None, ...]
    leds: tuple[int, ...] = ()
    point: str | None = None
    stands: Colour | None = None
    first: Side = "light"
    levels: tuple[float | None, float | None] = (None, None)
    also: tuple[int, ...] = ()

    def knows(self, side: Side) -> bool:
        """Whether its light, or its name, is known."""
        return bool(self.leds) if side == "light" else self.point is not None

    @property
    def held(self) -> int | None:
        """The wire that feels the piece that stands there."""
        return None if self.stands is None else self.wires[self.stands % len(self.wires)]


@dataclass(frozen=True, slots=True)
class Found:
    """All that is known, and what is to be found yet: LEDs and points, the next one first.

    `lit` is whether there is light at all, `order` that of the LEDs' colours. `dark` are LEDs that nobody
    sees shine; `extra` LEDs were tried beyond those configured, and `ends` is whether the strip was found to
    end there. `later` are LEDs and points that were put off since something was found last. `pieces` is how
    many white and black pieces there are, as soon as one has run out of them. `half` is the seat whose other
    contact is looked for. `stuck` are wires that felt something on the empty board, `rests` what linear
    sensors read there. `scale` is the seat where kinds of pieces are measured, and `kinds` what it read under
    each so far (None: that one could not be measured).
    """

    leds: tuple[int, ...] = ()
    points: tuple[str, ...] = ()
    seats: tuple[Seat, ...] = ()
    side: Side = "light"
    half: int | None = None
    last: int | None = None
    lit: bool = True
    order: str | None = None
    dark: tuple[int, ...] = ()
    extra: int = 0
    ends: bool = False
    later: tuple[int | str, ...] = ()
    pieces: tuple[int | None, int | None] = (None, None)
    stuck: tuple[int, ...] = ()
    rests: tuple[int, ...] | None = None
    scale: int | None = None
    kinds: tuple[float | None, ...] = ()

    def queue(self, side: Side) -> tuple[int | str, ...]:
        """What is to be found by this side."""
        return self.leds if side == "light" else self.points

    def queued(self, side: Side, queue: Sequence[Any]) -> Found:
        """The same with another queue."""
        return replace(self, leds=tuple(queue)) if side == "light" else replace(self, points=tuple(queue))

    def seat_of(self, wire: int) -> int | None:
        """Which seat has this wire."""
        return next((n for n, seat in enumerate(self.seats) if wire in seat.wires), None)

    def with_seat(self, number: int, **changes: Any) -> Found:
        """The same with one seat changed."""
        seats = list(self.seats)
        seats[number] = replace(seats[number], **changes)
        return replace(self, seats=tuple(seats))

    def standing(self, colour: Colour | None = None) -> int:
        """How many pieces stand, of one colour or of all."""
        return sum(s.stands is not None and colour in (None, s.stands) for s in self.seats)

    def expected(self) -> frozenset[int]:
        """The wires that should feel a piece."""
        wires = (wire for s in self.seats if s.stands is not None for wire in (s.held, *s.also))
        return frozenset(wire for wire in wires if wire is not None)

    def lacks(self, seat: Seat) -> bool:
        """Whether anything is still to be found of `seat` that can be told by a piece on it."""
        return seat.point is None or (self.lit and not seat.leds)


@dataclass(frozen=True, slots=True)
class Progress:
    """What was found, and the wiring it was found with."""

    wiring: Mapping[str, Any] = field(default_factory=dict)
    found: Found = field(default_factory=Found)

    def as_text(self) -> str:
        """As it is kept in a file."""
        document = {"version": 1, "wiring": self.wiring, "found": self.found}
        return json.dumps(document, default=_as_object) + "\n"

    @classmethod
    def parse(cls, text: str) -> Progress:
        """Read what `as_text` wrote; raises ValueError where it is anything else."""
        try:
            document = json.loads(text)
            if document["version"] != 1:
                raise ValueError(f"version {document['version']} is not known")
            kept = {f.name: _frozen(document["found"][f.name]) for f in fields(Found)}
            seats = tuple(Seat(**{name: _frozen(value) for name, value in s.items()}) for s in kept["seats"])
            return cls(document["wiring"], Found(**{**kept, "seats": seats}))
        except (KeyError, TypeError, AttributeError, RecursionError) as error:
            raise ValueError(f"it is not what set-up writes: {error!r}") from error


def _as_object(value: Found | Seat) -> dict[str, Any]:
    """As JSON has it; `asdict` would copy all that is in it, too, which took most of the time of a set-up."""
    return {one.name: getattr(value, one.name) for one in fields(value)}


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
