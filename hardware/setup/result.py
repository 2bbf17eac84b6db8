"""The settings that follow from what set-up found.

Rules kept here: what was not found is told; where only one place is left for it, it goes there, else it is a
guess, so that the board can be used all the same, and told as one; settings that say no more than the
recommended wiring are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import TypeVar

from firmware_host.config.wiring_map import ADC_MOST, places
from firmware_host.i18n import Message
from firmware_host.settings import Sensors, Strip
from hardware.scanner import Wire
from hardware.setup.calibration import levels_of_kinds, odd_places
from hardware.setup.plan import Plan
from hardware.setup.point_names import likeness
from hardware.setup.progress import Found, Seat
from hardware.wiring.contacts import MuxWiring, contacts_of

_T = TypeVar("_T")

_USUAL_SWING = 100
_OWN_ORDER = Message("setup.wired.own-order")


@dataclass(frozen=True, slots=True)
class Result:
    """The settings, and what is to be said of them; `guesses` says what in them is not known."""

    sensors: Sensors
    strip: Strip
    notes: tuple[Message, ...] = ()
    guesses: tuple[Message, ...] = ()


def result(plan: Plan, sensors: Sensors, wires: Sequence[Wire], found: Found) -> Result:
    """The settings of a board whose scanner has `wires`; `sensors` are those it was looked at with."""
    guesses: list[Message] = []
    seats = _seats(plan, found, guesses)
    contacts = _contacts(seats, found, len(wires), guesses)
    wired, sensors_note = _wired(
        plan, sensors, {name: [wires[n] for n in own] for name, own in contacts.items()}
    )
    if found.rests is not None:
        rests = {name: found.rests[own[0]] for name, own in contacts.items()}
        levels = levels_of_kinds(found, seats, rests) if plan.kinds else _levels(seats, rests)
        wired = replace(wired, levels=levels)
    strip, strip_note = _strip(plan, seats, found, guesses)
    notes = [Message("setup.wired.sensors", {"how": sensors_note or _OWN_ORDER})]
    if found.lit:
        notes.append(Message("setup.wired.leds", {"how": strip_note or _OWN_ORDER}))
    notes += _neighbours(found)
    if plan.kinds:
        notes += _strengths(plan, found)
    return Result(wired, strip, tuple(notes), tuple(guesses))


def _seats(plan: Plan, found: Found, guesses: list[Message]) -> dict[str, Seat]:
    """The seat of each point; those that no sensor answered for have no wires."""
    seats = {seat.point: seat for seat in found.seats if seat.point is not None}
    nameless = [seat for seat in found.seats if seat.point is None]
    left = [point.name for point in plan.layout.points if point.name not in seats]
    if len(nameless) > 1:
        guesses.append(Message("setup.nameless", {"points": tuple(left)}))
    for name, seat in zip(left, nameless, strict=False):
        seats[name] = replace(seat, point=name)
    for name in left[len(nameless) :]:
        seats[name] = Seat(wires=(None,) * plan.contacts, point=name)
    return {point.name: seats[point.name] for point in plan.layout.points}


def _contacts(
    seats: Mapping[str, Seat], found: Found, wires: int, guesses: list[Message]
) -> dict[str, list[int]]:
    """The wires of each point, the free ones for those that did not answer."""
    taken = {wire for seat in found.seats for wire in seat.wires}
    # What felt something on the empty board is rather a sensor than what never felt anything.
    free = [*found.stuck, *(wire for wire in range(wires) if wire not in found.stuck)]
    free = [wire for wire in dict.fromkeys(free) if wire not in taken]
    silent = [name for name, seat in seats.items() if None in seat.wires]
    lacking = sum(seat.wires.count(None) for seat in seats.values())
    if silent:
        certain = lacking == 1 and len(free) == 1
        slots = {"points": tuple(silent)}
        guesses.append(
            Message("setup.silent.last", slots) if certain else Message("setup.silent.guess", slots)
        )
    spare = iter(free)
    return {
        name: [wire if wire is not None else next(spare) for wire in seat.wires]
        for name, seat in seats.items()
    }


def _wired(
    plan: Plan, sensors: Sensors, contacts: Mapping[str, Sequence[Wire]]
) -> tuple[Sensors, Message | None]:
    default: dict[str, list[Wire]] = {point.name: [] for point in plan.layout.points}
    for (index, _), wire in sorted(contacts_of(plan.layout, replace(sensors, points={})).items()):
        default[plan.layout.points[index].name].append(wire)
    note = likeness(plan.layout, {name: list(own) for name, own in contacts.items()}, default)
    points: dict[str, tuple[tuple[int, ...], ...]] = {name: tuple(own) for name, own in contacts.items()}
    if sensors.kind == "direct":
        lines = MuxWiring.bare(sensors).signals
        points = {name: tuple((lines[chip],) for chip, _ in own) for name, own in contacts.items()}
    regular = contacts == default and not (sensors.kind == "direct" and sensors.points)
    return replace(sensors, points={} if regular else points), note


def _strengths(plan: Plan, found: Found) -> Iterator[Message]:
    """What is odd about the strengths of magnets."""
    if None in found.kinds or len(found.kinds) < len(plan.kinds):
        yield Message("setup.measure.guess")
    if odd := odd_places(found):
        yield Message("setup.measure.odd", {"points": odd})


def _levels(seats: Mapping[str, Seat], rests: Mapping[str, int]) -> dict[str, tuple[int, ...]]:
    """What each sensor reads at rest and under either colour, which is the same on the other side of rest."""
    away = [abs(level - rests[name]) for name, seat in seats.items() for level in seat.levels if level]
    usual = round(median(away)) if away else _USUAL_SWING
    levels: dict[str, tuple[int, ...]] = {}
    for name, seat in seats.items():
        rest = min(max(rests[name], 1), ADC_MOST - 1)
        white, black = (None if level is None else round(level) for level in seat.levels)
        if white is None:
            white = rest + usual if black is None else 2 * rest - black
        if black is None:
            black = 2 * rest - white
        levels[name] = rest, _within(white), _within(black)
    return levels


def _within(level: int) -> int:
    return min(max(level, 0), ADC_MOST)


def _strip(
    plan: Plan, seats: Mapping[str, Seat], found: Found, guesses: list[Message]
) -> tuple[Strip, Message | None]:
    if not found.lit:
        return plan.strip, None
    lights = {name: seat.leds for name, seat in seats.items()}
    dark = [name for name, leds in lights.items() if not leds]
    known = {led for seat in found.seats for led in seat.leds}
    free = [led for led in range(plan.total(found)) if led not in known]
    order = found.order or plan.strip.order
    if len(dark) > len(free):
        guesses.append(Message("setup.too-few-leds", {"points": tuple(dark)}))
        return replace(plan.strip, order=order), None
    if dark:
        certain = len(dark) == len(free) == 1
        slots = {"points": tuple(dark)}
        guesses.append(Message("setup.unlit.last", slots) if certain else Message("setup.unlit.guess", slots))
    spare = iter(free)
    lights = {name: leds or (next(spare),) for name, leds in lights.items()}
    default = dict(zip(lights, places(Strip(), plan.layout), strict=True))
    strip = replace(plan.strip, order=order, leds=plan.total(found))
    note = likeness(plan.layout, lights, default)
    return replace(strip, points={} if lights == default else lights), note


def _neighbours(found: Found) -> Iterator[Message]:
    """Which points' pieces other sensors felt, too."""
    names = {wire: seat.point for seat in found.seats for wire in seat.wires}
    for seat in found.seats:
        if seat.point is None:
            continue
        own, others = (seat.point,), [names.get(wire) for wire in seat.also]
        if known := tuple(sorted(name for name in others if name)):
            yield Message("setup.neighbours", {"points": own, "others": known})
        if None in others:
            yield Message("setup.neighbours.unknown", {"points": own})
