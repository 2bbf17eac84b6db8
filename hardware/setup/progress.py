"""The findings of a set-up, as values: they are kept in a file, and earlier ones can be returned to.

A seat is a place on the board of which something is known: the wires of its contacts, its LEDs or its point.
It is complete when its light and its name are known, one of them found by a piece that was set down and one
by a piece that was lifted.

Invariants: the wires of a seat are indices into the scanner's wires; nothing here knows what is asked next.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import field, fields, replace
from typing import Any, Literal, get_args, get_origin, get_type_hints

from firmware_host.frozen import frozen
from firmware_host.settings import Gpio
from firmware_host.state_files import json_object

Side = Literal["light", "name"]
"""A way to ask for a seat: by its light, or by the name of its point."""
SIDES: tuple[Side, Side] = ("light", "name")

Colour = int
"""The colour of a piece, WHITE or BLACK; where colours do not matter all pieces are white."""
WHITE: Colour = 0
BLACK: Colour = 1


@frozen
class Seat:
    """The findings about one place on the board.

    `wires` has the wire of each contact: one, or White's and Black's. `stands` is the colour of the piece
    that stands there, None for none. `first` is the side by which the seat came to be known. `levels` are the
    readings of a linear sensor under a white and under a black piece. `also` are other wires that sensed its
    piece.
    """

    wires: tuple[int | None, ...]
    leds: tuple[int, ...] = ()
    point: str | None = None
    stands: Colour | None = None
    first: Side = "light"
    levels: tuple[float | None, float | None] = (None, None)
    also: tuple[int, ...] = ()

    def knows(self, side: Side) -> bool:
        """Return whether its light, or its name, is known."""
        return bool(self.leds) if side == "light" else self.point is not None

    @property
    def subject(self) -> int | str:
        """Its point, or its first LED while it has no name."""
        return self.leds[0] if self.point is None else self.point

    @property
    def piece_wire(self) -> int | None:
        """The wire that senses the piece that stands there."""
        return None if self.stands is None else self.wires[self.stands % len(self.wires)]


@frozen
class SetupFindings:
    """All findings, and the LEDs and points that are still to be asked for, the next one first.

    `side` is the way to ask, `last` the seat that was found last, and `half` the seat whose other contact is
    looked for. `lit` tells whether there is light at all; `order` is that of the LEDs' colours. `dark` are
    LEDs that nobody sees shine; `extra` LEDs were tried beyond those configured, and `ends` tells whether the
    strip was found to end there. `later` are LEDs and points that were put off since something was found.
    `pieces` is the number of white and of black pieces, once a maker has run out of them. `stuck` are wires
    that sensed something on the empty board, and `rests` the readings of linear sensors there. `scale` is the
    seat where kinds of pieces are measured, and `kinds` are its readings under each kind so far (None for one
    that could not be measured). `button` and `buzzer` are the lines of these, NO_LINE where there is none and
    None until they are asked for.
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
    button: Gpio | None = None
    buzzer: Gpio | None = None

    def queue(self, side: Side) -> tuple[int | str, ...]:
        """Return the LEDs or the points that are still to be asked for by this side."""
        return self.leds if side == "light" else self.points

    def with_queue(self, side: Side, queue: Sequence[Any]) -> SetupFindings:
        """Return the findings with another queue."""
        return replace(self, leds=tuple(queue)) if side == "light" else replace(self, points=tuple(queue))

    def seat_of(self, wire: int) -> int | None:
        """Return the number of the seat that has this wire."""
        return next((n for n, seat in enumerate(self.seats) if wire in seat.wires), None)

    def with_seat(self, number: int, **changes: Any) -> SetupFindings:
        """Return the findings with one seat changed."""
        seats = list(self.seats)
        seats[number] = replace(seats[number], **changes)
        return replace(self, seats=tuple(seats))

    def standing(self, colour: Colour | None = None) -> int:
        """Return the number of pieces that stand, of one colour or of all."""
        return sum(s.stands is not None and colour in (None, s.stands) for s in self.seats)

    def expected(self) -> frozenset[int]:
        """Return the wires that should sense a piece."""
        wires = (wire for s in self.seats if s.stands is not None for wire in (s.piece_wire, *s.also))
        return frozenset(wire for wire in wires if wire is not None)

    def lacks(self, seat: Seat) -> bool:
        """Return whether anything about `seat` is still to be found by a piece on it."""
        return seat.point is None or (self.lit and not seat.leds)


@frozen
class SetupProgress:
    """Findings, and the wiring they were made with.

    `base` identifies what the configuration said about the wiring when its form was chosen, if one was.
    """

    wiring: Mapping[str, Any] = field(default_factory=dict)
    found: SetupFindings = field(default_factory=SetupFindings)
    base: str = ""

    def as_bytes(self) -> bytes:
        """Return the file that keeps them."""
        document = {"version": 1, "wiring": self.wiring, "found": self.found, "base": self.base}
        return json.dumps(document, default=_as_object).encode() + b"\n"

    @classmethod
    def parse(cls, data: bytes) -> SetupProgress:
        """Read the text that `as_bytes` wrote; anything else raises an exception of any type."""
        document = json_object(data)
        if document["version"] != 1:
            raise ValueError(f"version {document['version']} is not known")
        base = document.get("base", "")
        if not isinstance(document["wiring"], dict) or not isinstance(base, str):
            raise ValueError("its wiring is not an object")
        kept = {f.name: _frozen(document["found"][f.name]) for f in fields(SetupFindings)}
        seats = tuple(Seat(**{name: _frozen(value) for name, value in s.items()}) for s in kept["seats"])
        found = SetupFindings(**{**kept, "seats": seats})
        for seat in seats:
            _check_types(seat)
        _check_types(found)
        if any(number is not None and not 0 <= number < len(seats) for number in _seat_numbers(found)):
            raise ValueError("it refers to a place that it doesn't have")
        return cls(document["wiring"], found, base)


def _seat_numbers(found: SetupFindings) -> tuple[int | None, ...]:
    return found.half, found.last, found.scale


def _check_types(value: SetupFindings | Seat) -> None:
    """Raise ValueError for a member that isn't of the type with which it is declared."""
    hints = get_type_hints(type(value))
    for one in fields(value):
        if not _is_of(getattr(value, one.name), hints[one.name]):
            raise ValueError(f"{one.name} can't be {getattr(value, one.name)!r}")


def _is_of(value: object, hint: Any) -> bool:
    """Return whether a value is of a type, which may be a tuple, a union or a few literals."""
    parts = get_args(hint)
    if get_origin(hint) is tuple:
        if not isinstance(value, tuple):
            return False
        each = [parts[0]] * len(value) if parts[-1] is ... else parts
        return len(each) == len(value) and all(map(_is_of, value, each))
    if get_origin(hint) is Literal:
        return value in parts
    if parts:
        return any(_is_of(value, part) for part in parts)
    return type(value) is hint or (hint is float and type(value) is int)


def _as_object(value: SetupFindings | Seat) -> dict[str, Any]:
    """Return a value as a JSON object; the deep copy of `asdict` took most of the time of a set-up."""
    return {one.name: getattr(value, one.name) for one in fields(value)}


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
