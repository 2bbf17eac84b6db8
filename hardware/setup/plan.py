"""What a set-up can ask for next, by what was found so far and how many pieces there are.

Rules kept here: what one side began is gone on with as long as pieces last, so that hands keep their pace;
pieces of both colours are used up evenly; nothing that was put off is asked again before something was found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from firmware_host.games.layout import Layout
from firmware_host.settings import Strip
from hardware.setup.progress import BLACK, WHITE, Colour, Found, Side

Move = Literal["put", "lift", "either", "exchange"]
"""What hands are asked to do: `either` is to lift the piece, or to put one where none stands."""

MOST_LEDS = 120


@dataclass(frozen=True, slots=True)
class Plan:
    """A board that is to be found out: its points, its strip as it is configured, how many contacts a point
    has, whether the colour of a piece matters to them, in which order LEDs are sent colours until their own
    order is known, and the names of the kinds of pieces that linear sensors tell apart, the weaker first.
    """

    layout: Layout
    strip: Strip
    contacts: int
    coloured: bool
    guess: str = "GRB"
    kinds: tuple[str, ...] = ()

    def total(self, found: Found) -> int:
        """How many LEDs there are, as far as is known."""
        return self.strip.leds + found.extra

    def subject(self, found: Found) -> int | str:
        """The LED or the point that is asked for; with a half seat, either of what is known of it."""
        if found.half is not None:
            seat = found.seats[found.half]
            return seat.point if seat.point is not None else seat.leds[0]
        return found.queue(found.side)[0]

    def colours(self) -> tuple[Colour, ...]:
        """The colours that are told apart."""
        return (WHITE, BLACK) if self.coloured else (WHITE,)

    def in_hand(self, found: Found, colour: Colour) -> int | None:
        """How many pieces of a colour there are off the board; None: nobody knows."""
        pieces = found.pieces[colour]
        return None if pieces is None else max(0, pieces - found.standing(colour))

    def colour(self, found: Found) -> Colour:
        """Which piece is to be put now: of what there is, that of which fewer stand."""
        if found.half is not None:
            return found.seats[found.half].wires.index(None)
        there = [colour for colour in self.colours() if self.in_hand(found, colour) != 0]
        least = min(there or self.colours(), key=lambda colour: (found.standing(colour), colour))
        return least if self.contacts == 1 else 1 - least  # it will be exchanged for the other

    def move(self, found: Found, felt: Sequence[int]) -> Move:
        """What hands are to do with what is asked for; `felt` is what the wires feel."""
        if found.half is not None:
            held = found.seats[found.half].held
            return "put" if held is None or not felt[held] else "exchange"
        lift, put = self._can_lift(found, found.side), self._can_put(found)
        places = len(found.seats) == len(self.layout) and self.total(found) <= len(self.layout)
        if lift and places and all(s.stands is not None for s in found.seats if not s.knows(found.side)):
            put = False
        return "either" if lift and put else "lift" if lift else "put"

    def can(self, found: Found, side: Side) -> bool:
        """Whether anything can be found by this side now."""
        if side == "light" and not found.lit:
            return False
        if all(subject in found.later for subject in found.queue(side)):
            return False
        return self._can_put(found) or self._can_lift(found, side)

    def to_free(self, found: Found) -> str | None:
        """A point that all is known of, whose piece is needed elsewhere; None where that would not help."""
        queues = (found.points, found.leds if found.lit else ())
        if all(subject in found.later for queue in queues for subject in queue):
            return None
        done = (seat.point for seat in found.seats if seat.stands is not None and not found.lacks(seat))
        return next(done, None)

    def lacking_half(self, found: Found) -> int | None:
        """A seat that lacks one of its two contacts, and was not put off."""
        for number, seat in enumerate(found.seats):
            known = seat.point if seat.point is not None else seat.leds[0]
            if None in seat.wires and known not in found.later:
                return number
        return None

    def longer(self, found: Found) -> Found | None:
        """The same with an LED more than is configured, where points lack theirs."""
        if found.leds or found.ends or not found.lit or self.total(found) >= MOST_LEDS:
            return None
        without = any(seat.point is not None and not seat.leds for seat in found.seats)
        if not without and not found.extra:
            return None
        return replace(found, leds=(self.total(found),), extra=found.extra + 1, side="light")

    def without_led(self, found: Found) -> Found:
        """The same where the LED that is asked for does not shine."""
        led, *rest = found.leds
        if led >= self.strip.leds:
            return replace(found, leds=tuple(rest), extra=led - self.strip.leds, ends=True)
        return replace(found, leds=tuple(rest), dark=(*found.dark, led))

    def run_out(self, found: Found) -> Found:
        """The same where no piece is left of the colour that is asked for."""
        colour = self.colour(found)
        pieces = list(found.pieces)
        pieces[colour] = found.standing(colour)
        if found.half is not None:
            subject = self.subject(found)
            return replace(found, pieces=(pieces[0], pieces[1]), half=None, later=(*found.later, subject))
        return replace(found, pieces=(pieces[0], pieces[1]))

    def done(self, found: Found) -> tuple[int, int]:
        """How many lights, names and second contacts are known, and how many there are to know."""
        lights = len(found.dark) + sum(len(seat.leds) for seat in found.seats)
        names = sum(seat.point is not None for seat in found.seats)
        halves = sum(None not in seat.wires for seat in found.seats) if self.contacts == 2 else 0
        points = len(self.layout)
        of = points * self.contacts + (max(self.total(found), lights) if found.lit else 0)
        return lights + names + halves, of

    def _can_put(self, found: Found) -> bool:
        if found.standing() >= len(self.layout):
            return False
        hands = [self.in_hand(found, colour) != 0 for colour in self.colours()]
        return all(hands) if self.contacts == 2 else any(hands)

    def _can_lift(self, found: Found, side: Side) -> bool:
        return any(seat.stands is not None and not seat.knows(side) for seat in found.seats)
