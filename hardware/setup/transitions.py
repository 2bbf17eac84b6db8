"""What a wire that changed means for what was found, and what is found by it.

Rules kept here: a wire answers where its place lacks what is asked for; it takes an answer back where it does
the reverse of what gave that answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hardware.setup.plan import Plan
from hardware.setup.progress import Colour, Found, Seat, Side


def seat(found: Found, wire: int) -> Seat | None:
    """The seat that has this wire."""
    number = found.seat_of(wire)
    return None if number is None else found.seats[number]


def answers(found: Found, wire: int, felt: int, *, extra: bool) -> bool:
    """Whether a change of `wire` says whose the asked light or name is; `extra`: points have several LEDs."""
    own = seat(found, wire)
    if own is None:
        return bool(felt)
    if found.half is not None:
        return False
    several = extra and found.side == "light" and bool(felt) and own.stands is None
    return not own.knows(found.side) or (several and not found.lacks(own))


def reverses(found: Found, wire: int, felt: int) -> bool:
    """Whether a change of `wire` takes back what the reverse change said."""
    number = found.seat_of(wire)
    if number is None or not found.seats[number].knows(found.side):
        return False
    own = found.seats[number]
    if number == found.last:
        return True
    if felt:
        return not found.lacks(own) and own.first != found.side
    return own.first == found.side and found.lacks(own)


def doubtful(found: Found, wire: int, felt: int) -> bool:
    """Whether lifting that piece may as well take back that it was set down last, by the other side."""
    number = found.seat_of(wire)
    if felt or number is None or number != found.last or found.seats[number].first == found.side:
        return False
    return sum(own.stands is not None and not own.knows(found.side) for own in found.seats) > 1


def other(side: Side) -> Side:
    """The other side."""
    return "name" if side == "light" else "light"


def answered(
    found: Found,
    plan: Plan,
    wire: int,
    felt: bool,
    colour: Colour,
    level: float | None,
    also: Sequence[int],
) -> Found:
    """The same once `wire` has answered; `colour` is that of the piece that was asked for."""
    if found.half is not None:
        return _other_contact(found, wire, colour)
    subject = plan.subject(found)
    rest = found.queued(found.side, found.queue(found.side)[1:])
    rest = replace(rest, later=())
    number = found.seat_of(wire)
    if number is None:
        own = Seat(wires=_wires(plan, wire, colour), first=found.side)
        number = len(found.seats)
        rest = replace(rest, seats=(*rest.seats, own))
    own = rest.seats[number]
    if felt and plan.contacts == 2:
        colour = own.wires.index(wire)
    levels = own.levels if level is None else (level, own.levels[1]) if not colour else (own.levels[0], level)
    told = _told(own, found.side, subject)
    rest = rest.with_seat(
        number,
        leds=told.leds,
        point=told.point,
        stands=colour if felt else None,
        levels=levels,
        also=tuple(also) if felt else own.also,
    )
    return replace(rest, last=number, half=number if felt and None in own.wires else None)


def _wires(plan: Plan, wire: int, colour: Colour) -> tuple[int | None, ...]:
    if plan.contacts == 1:
        return (wire,)
    return (wire, None) if colour == 0 else (None, wire)


def _told(own: Seat, side: str, subject: int | str) -> Seat:
    if side == "light":
        return replace(own, leds=(*own.leds, int(subject)))
    return replace(own, point=str(subject))


def _other_contact(found: Found, wire: int, colour: Colour) -> Found:
    number = found.half
    assert number is not None  # noqa: S101 - asked by its only caller
    wires = list(found.seats[number].wires)
    wires[colour] = wire
    return replace(
        found.with_seat(number, wires=tuple(wires), stands=colour, also=()), half=None, last=number, later=()
    )


def taken_back(found: Found, plan: Plan, wire: int) -> Found:
    """The same before `wire` answered: what it answered is asked next."""
    number = found.seat_of(wire)
    if number is None:
        return found
    own = found.seats[number]
    stood = own.stands is not None
    if stood and not found.lacks(own) and len(own.leds) > 1 and plan.total(found) > len(plan.layout):
        *kept, led = own.leds
        back = found.with_seat(number, leds=tuple(kept), stands=None)
        return replace(back, leds=(led, *found.leds), side="light", last=None, later=())
    if stood and not (own.leds and own.point):  # set down by its first side, and lifted again
        seats = tuple(seat for n, seat in enumerate(found.seats) if n != number)
        back = replace(found, seats=seats, half=None, last=None, later=())
        side = own.first
    else:  # lifted by its second side, and set down again; or the other way round
        side = other(own.first)
        colour = own.wires.index(wire) if len(own.wires) == 2 else 0
        lost: dict[str, object] = {"point": None} if side == "name" else {"leds": ()}
        back = found.with_seat(number, stands=None if stood else colour, **lost)
        back = replace(back, half=None, last=None, later=())
    asked: tuple[int | str, ...] = own.leds if side == "light" else (own.point,) if own.point else ()
    return replace(back.queued(side, (*asked, *back.queue(side))), side=side)


def put_off(found: Found, subject: int | str, felt: Sequence[int]) -> Found:
    """The same with what is asked for put at the end."""
    later = (*found.later, subject)
    if found.half is not None:
        held = found.seats[found.half].held
        if held is not None and not felt[held]:
            found = found.with_seat(found.half, stands=None)
        return replace(found, half=None, later=later)
    first, *rest = found.queue(found.side)
    return replace(found.queued(found.side, (*rest, first)), later=later)


def without_piece(found: Found, wire: int) -> Found:
    """The same where the piece that `wire` felt, its own or a neighbour's, is not felt any more."""
    number = found.seat_of(wire)
    if number is not None and found.seats[number].held == wire:
        return found.with_seat(number, stands=None)
    seats = tuple(replace(own, also=tuple(w for w in own.also if w != wire)) for own in found.seats)
    return replace(found, seats=seats)
