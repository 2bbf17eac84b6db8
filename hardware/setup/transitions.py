"""Steps from findings to findings: a wire that changed answers a question, or takes an earlier answer back.

Invariants: a wire answers where its seat lacks what is asked for; it takes an answer back where it does the
reverse of what gave that answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hardware.setup.plan import SetupPlan
from hardware.setup.progress import WHITE, Colour, Seat, SetupFindings, Side


def seat_with(found: SetupFindings, wire: int) -> Seat | None:
    """Return the seat that has this wire."""
    number = found.seat_of(wire)
    return None if number is None else found.seats[number]


def other_side(side: Side) -> Side:
    """Return the other side."""
    return "name" if side == "light" else "light"


def may_answer(found: SetupFindings, wire: int, sensed: int, *, extra: bool) -> bool:
    """Return whether a change of `wire` may answer the question.

    With `extra` there are more LEDs than points, so that a point may have several.
    """
    own = seat_with(found, wire)
    if own is None:
        return bool(sensed)
    if found.half is not None:
        return False
    if not own.knows(found.side):
        return True
    another_led = extra and found.side == "light" and bool(sensed) and own.stands is None
    return another_led and not found.lacks(own)


def takes_back(found: SetupFindings, wire: int, sensed: int) -> bool:
    """Return whether a change of `wire` takes back the answer that the reverse change gave."""
    number = found.seat_of(wire)
    if number is None or not found.seats[number].knows(found.side):
        return False
    if number == found.last:
        return True
    own = found.seats[number]
    if sensed:
        return not found.lacks(own) and own.first != found.side
    return own.first == found.side and found.lacks(own)


def is_doubtful(found: SetupFindings, wire: int, sensed: int) -> bool:
    """Return whether a piece was lifted that may, as the last one set down, have been a mistake."""
    number = found.seat_of(wire)
    if sensed or number is None or number != found.last or found.seats[number].first == found.side:
        return False
    return sum(own.stands is not None and not own.knows(found.side) for own in found.seats) > 1


def answered(
    found: SetupFindings,
    plan: SetupPlan,
    wire: int,
    sensed: bool,
    colour: Colour,
    level: float | None,
    also: Sequence[int],
) -> SetupFindings:
    """Return the findings once `wire` has answered the question.

    `sensed` tells whether a piece was set down; `colour` is that of the piece that was asked for, `level` the
    reading of a linear sensor under it, and `also` are other wires that sensed it.
    """
    if found.half is not None:
        return _other_contact(found, found.half, wire, colour)
    subject = plan.subject(found)
    number = found.seat_of(wire)
    after = replace(found.with_queue(found.side, found.queue(found.side)[1:]), later=())
    if number is None:
        number = len(found.seats)
        own = Seat(wires=_wires(plan, wire, colour), first=found.side)
        after = replace(after, seats=(*after.seats, own))
    own = after.seats[number]
    if sensed and plan.contacts == 2:
        colour = own.wires.index(wire)
    light = found.side == "light"
    after = after.with_seat(
        number,
        leds=(*own.leds, int(subject)) if light else own.leds,
        point=own.point if light else str(subject),
        stands=colour if sensed else None,
        levels=own.levels if level is None else _with_level(own, colour, level),
        also=tuple(also) if sensed else own.also,
    )
    return replace(after, last=number, half=number if sensed and None in own.wires else None)


def taken_back(found: SetupFindings, plan: SetupPlan, wire: int) -> SetupFindings:
    """Return the findings before `wire` answered, with its question as the next one."""
    number = found.seat_of(wire)
    if number is None:
        return found
    own = found.seats[number]
    if own.stands is not None:
        extra = plan.total(found) > len(plan.layout)
        if extra and len(own.leds) > 1 and not found.lacks(own):
            return _without_last_led(found, number)
        if not (own.leds and own.point):
            return _without_seat(found, number)
    return _without_second_side(found, number, wire)


def put_off(found: SetupFindings, subject: int | str, stable: Sequence[int]) -> SetupFindings:
    """Return the findings with the question for `subject` at the end."""
    later = (*found.later, subject)
    if found.half is not None:
        held = found.seats[found.half].piece_wire
        if held is not None and not stable[held]:
            found = found.with_seat(found.half, stands=None)
        return replace(found, half=None, later=later)
    first, *rest = found.queue(found.side)
    return replace(found.with_queue(found.side, (*rest, first)), later=later)


def without_piece(found: SetupFindings, wire: int) -> SetupFindings:
    """Return the findings once `wire` no longer senses the piece of its own seat, or of a neighbour."""
    number = found.seat_of(wire)
    if number is not None and found.seats[number].piece_wire == wire:
        return found.with_seat(number, stands=None)
    seats = tuple(replace(own, also=tuple(w for w in own.also if w != wire)) for own in found.seats)
    return replace(found, seats=seats)


def _wires(plan: SetupPlan, wire: int, colour: Colour) -> tuple[int | None, ...]:
    if plan.contacts == 1:
        return (wire,)
    return (wire, None) if colour == WHITE else (None, wire)


def _with_level(own: Seat, colour: Colour, level: float) -> tuple[float | None, float | None]:
    white, black = own.levels
    return (level, black) if colour == WHITE else (white, level)


def _other_contact(found: SetupFindings, number: int, wire: int, colour: Colour) -> SetupFindings:
    """Return the findings once the second contact of a seat was found."""
    wires = list(found.seats[number].wires)
    wires[colour] = wire
    found = found.with_seat(number, wires=tuple(wires), stands=colour, also=())
    return replace(found, half=None, last=number, later=())


def _without_last_led(found: SetupFindings, number: int) -> SetupFindings:
    """Return the findings once the piece was lifted again that had answered for a further LED."""
    *kept, led = found.seats[number].leds
    found = found.with_seat(number, leds=tuple(kept), stands=None)
    return _ask_again(found, "light", (led,), half=found.half)


def _without_seat(found: SetupFindings, number: int) -> SetupFindings:
    """Return the findings once the piece was lifted again that had been the first on its seat."""
    own = found.seats[number]
    seats = tuple(seat for n, seat in enumerate(found.seats) if n != number)
    return _ask_again(replace(found, seats=seats), own.first, _subjects(own, own.first))


def _without_second_side(found: SetupFindings, number: int, wire: int) -> SetupFindings:
    """Return the findings once the piece was moved back by which the second side of its seat was found."""
    own = found.seats[number]
    side = other_side(own.first)
    colour = own.wires.index(wire) if len(own.wires) == 2 else WHITE
    stands = colour if own.stands is None else None
    if side == "name":
        found = found.with_seat(number, stands=stands, point=None)
    else:
        found = found.with_seat(number, stands=stands, leds=())
    return _ask_again(found, side, _subjects(own, side))


def _subjects(own: Seat, side: Side) -> tuple[int | str, ...]:
    """Return the questions by which a side of the seat was found."""
    if side == "light":
        return own.leds
    return (own.point,) if own.point else ()


def _ask_again(
    found: SetupFindings, side: Side, subjects: tuple[int | str, ...], half: int | None = None
) -> SetupFindings:
    found = found.with_queue(side, (*subjects, *found.queue(side)))
    return replace(found, side=side, half=half, last=None, later=())
