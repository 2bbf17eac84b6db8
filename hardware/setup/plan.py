"""The next question of a set-up, by its findings so far and the number of pieces.

Invariants: a side that was begun is gone on with as long as pieces last, so that hands keep their rhythm;
pieces of both colours are used up evenly; a question that was put off is not asked again before something was
found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from firmware_host.frozen import frozen
from firmware_host.games.layout import Layout
from firmware_host.settings import NO_LINE, Gpio, Strip
from hardware.setup.progress import BLACK, SIDES, WHITE, Colour, SetupFindings, Side

Move = Literal["put", "lift", "either", "exchange"]
"""A request to hands: `either` is to lift the piece, or to put one where none stands."""

MAX_LEDS = 120


@frozen
class SetupPlan:
    """A board whose wiring is to be found, and the rules by which the next question is chosen.

    `contacts` is the number of contacts of a point, and `coloured` tells whether the colour of a piece
    matters to them. `guess` is the order in which LEDs are sent colours until their own order is known, and
    `any_colours` tells whether another number of colours can be sent.
    `kinds` are the names of the kinds of pieces that linear sensors tell apart, the weaker magnets first.
    `button` and `buzzer` are the lines on which these are asked for, or NO_LINE.
    """

    layout: Layout
    strip: Strip
    contacts: int
    coloured: bool
    guess: str = "GRB"
    any_colours: bool = True
    kinds: tuple[str, ...] = ()
    button: Gpio = NO_LINE
    buzzer: Gpio = NO_LINE

    def total(self, found: SetupFindings) -> int:
        """Return the number of LEDs, as far as it is known."""
        return self.strip.leds + found.extra

    def subject(self, found: SetupFindings) -> int | str:
        """Return the LED or the point of the question; for a second contact, what is known of its seat."""
        if found.half is not None:
            return found.seats[found.half].subject
        return found.queue(found.side)[0]

    def colours(self) -> tuple[Colour, ...]:
        """Return the colours that are told apart."""
        return (WHITE, BLACK) if self.coloured else (WHITE,)

    def in_hand(self, found: SetupFindings, colour: Colour) -> int | None:
        """Return the number of pieces of a colour that are off the board; None while it is unknown."""
        pieces = found.pieces[colour]
        return None if pieces is None else max(0, pieces - found.standing(colour))

    def colour(self, found: SetupFindings) -> Colour:
        """Return the colour to put now: of the colours at hand, the one of which fewer pieces stand.

        With two contacts a point, it is the other one, which will be exchanged for this.
        """
        if found.half is not None:
            return found.seats[found.half].wires.index(None)
        at_hand = [colour for colour in self.colours() if self.in_hand(found, colour) != 0]
        fewest = min(at_hand or self.colours(), key=lambda colour: (found.standing(colour), colour))
        return fewest if self.contacts == 1 else 1 - fewest

    def move(self, found: SetupFindings, stable: Sequence[int]) -> Move:
        """Return the request to hands; `stable` has 1, 0 or -1 for each wire."""
        if found.half is not None:
            held = found.seats[found.half].piece_wire
            return "put" if held is None or not stable[held] else "exchange"
        lift = self._can_lift(found, found.side)
        put = self._can_put(found) and not (lift and self._all_stand(found))
        if lift:
            return "either" if put else "lift"
        return "put"

    def has_question(self, found: SetupFindings, side: Side) -> bool:
        """Return whether a side has a question that was not put off."""
        if side == "light" and not found.lit:
            return False
        return any(subject not in found.later for subject in found.queue(side))

    def can_ask(self, found: SetupFindings, side: Side) -> bool:
        """Return whether anything can be found by this side now."""
        return self.has_question(found, side) and (self._can_put(found) or self._can_lift(found, side))

    def point_to_free(self, found: SetupFindings) -> str | None:
        """Return a point of which all is known and whose piece is needed elsewhere; None where none is."""
        if not any(self.has_question(found, side) for side in SIDES):
            return None
        complete = (seat.point for seat in found.seats if seat.stands is not None and not found.lacks(seat))
        return next(complete, None)

    def incomplete_seat(self, found: SetupFindings) -> int | None:
        """Return a seat that lacks one of its two contacts and was not put off."""
        for number, seat in enumerate(found.seats):
            if None in seat.wires and seat.subject not in found.later:
                return number
        return None

    def with_longer_strip(self, found: SetupFindings) -> SetupFindings | None:
        """Return the findings with one LED more than is configured; None where no point lacks its LED."""
        if found.leds or found.ends or not found.lit or self.total(found) >= MAX_LEDS:
            return None
        unlit = any(seat.point is not None and not seat.leds for seat in found.seats)
        if not unlit and not found.extra:
            return None
        return replace(found, leds=(self.total(found),), extra=found.extra + 1, side="light")

    def without_led(self, found: SetupFindings) -> SetupFindings:
        """Return the findings once the LED of the question was seen not to shine."""
        led, *rest = found.leds
        if led >= self.strip.leds:
            return replace(found, leds=tuple(rest), extra=led - self.strip.leds, ends=True)
        return replace(found, leds=tuple(rest), dark=(*found.dark, led))

    def without_pieces(self, found: SetupFindings) -> SetupFindings:
        """Return the findings once no piece is left of the colour of the question."""
        colour = self.colour(found)
        pieces = list(found.pieces)
        pieces[colour] = found.standing(colour)
        white, black = pieces
        if found.half is None:
            return replace(found, pieces=(white, black))
        later = (*found.later, self.subject(found))
        return replace(found, pieces=(white, black), half=None, later=later)

    def progress(self, found: SetupFindings) -> tuple[int, int]:
        """Return the number of lights, names and second contacts found, and the number there is to find."""
        lights = len(found.dark) + sum(len(seat.leds) for seat in found.seats)
        names = sum(seat.point is not None for seat in found.seats)
        halves = sum(None not in seat.wires for seat in found.seats) if self.contacts == 2 else 0
        to_find = len(self.layout) * self.contacts
        if found.lit:
            to_find += max(self.total(found), lights)
        return lights + names + halves, to_find

    def _all_stand(self, found: SetupFindings) -> bool:
        """Return whether all seats are known, and a piece stands on each that the question may be for."""
        if len(found.seats) != len(self.layout) or self.total(found) > len(self.layout):
            return False
        return all(seat.stands is not None or seat.knows(found.side) for seat in found.seats)

    def _can_put(self, found: SetupFindings) -> bool:
        if found.standing() >= len(self.layout):
            return False
        at_hand = [self.in_hand(found, colour) != 0 for colour in self.colours()]
        return all(at_hand) if self.contacts == 2 else any(at_hand)

    def _can_lift(self, found: SetupFindings, side: Side) -> bool:
        return any(seat.stands is not None and not seat.knows(side) for seat in found.seats)
