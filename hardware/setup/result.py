"""The settings that follow from the findings of a set-up.

Invariants: whatever was not found is reported; where only one place is left for it, it goes there, and
otherwise it is a guess, reported as one, so that the board can be used in any case; settings that only repeat
the recommended wiring are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from statistics import median
from typing import TypeVar

from firmware_host.config.wiring_map import ADC_MAX, led_positions
from firmware_host.frozen import frozen
from firmware_host.i18n import Message
from firmware_host.settings import NO_LINE, Gpio, Sensors, Strip
from hardware.scanner import Level, Wire
from hardware.setup.calibration import levels_of_kinds, odd_places
from hardware.setup.plan import SetupPlan
from hardware.setup.point_names import likeness
from hardware.setup.progress import Seat, SetupFindings
from hardware.wiring.contacts import MuxWiring, contacts_of

_T = TypeVar("_T")

_USUAL_SWING = 100
"""The swing that is assumed of linear sensors where none was measured."""

_OWN_ORDER = Message("setup.wired.own-order")


@frozen
class SetupResult:
    """The settings, with notes on them; `guesses` are the notes on parts that are not known.

    `button` and `buzzer` are the lines of these; None where they were not asked for.
    """

    sensors: Sensors
    strip: Strip
    notes: tuple[Message, ...] = ()
    guesses: tuple[Message, ...] = ()
    button: Gpio | None = None
    buzzer: Gpio | None = None


def result(plan: SetupPlan, sensors: Sensors, wires: Sequence[Wire], found: SetupFindings) -> SetupResult:
    """Return the settings of a board whose scanner has `wires`; `sensors` are those that set-up read."""
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
    notes += _controls(found)
    notes += _neighbours(found)
    if plan.kinds:
        notes += _strengths(plan, found)
    return SetupResult(wired, strip, tuple(notes), tuple(guesses), found.button, found.buzzer)


def _seats(plan: SetupPlan, found: SetupFindings, guesses: list[Message]) -> dict[str, Seat]:
    """Return the seat of each point; those for which no sensor answered have no wires."""
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
    seats: Mapping[str, Seat], found: SetupFindings, wires: int, guesses: list[Message]
) -> dict[str, list[int]]:
    """Return the wires of each point, free ones for those that did not answer."""
    free = _free_wires(found, wires)
    silent = tuple(name for name, seat in seats.items() if None in seat.wires)
    if silent:
        lacking = sum(seat.wires.count(None) for seat in seats.values())
        certain = lacking == len(free) == 1
        args = {"points": silent}
        guesses.append(Message("setup.silent.last", args) if certain else Message("setup.silent.guess", args))
    spare = iter(free)
    return {
        name: [wire if wire is not None else next(spare) for wire in seat.wires]
        for name, seat in seats.items()
    }


def _free_wires(found: SetupFindings, wires: int) -> list[int]:
    """Return the wires of no seat, the likelier sensors first."""
    taken = {wire for seat in found.seats for wire in seat.wires}
    # A wire that sensed something on the empty board is more likely a sensor than one that never did.
    ordered = dict.fromkeys([*found.stuck, *range(wires)])
    return [wire for wire in ordered if wire not in taken]


def _wired(
    plan: SetupPlan, sensors: Sensors, contacts: Mapping[str, Sequence[Wire]]
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


def _strengths(plan: SetupPlan, found: SetupFindings) -> Iterator[Message]:
    """Yield notes on strengths of magnets that were guessed or are odd."""
    if None in found.kinds or len(found.kinds) < len(plan.kinds):
        yield Message("setup.measure.guess")
    if odd := odd_places(found):
        yield Message("setup.measure.odd", {"points": odd})


def _levels(seats: Mapping[str, Seat], rests: Mapping[str, Level]) -> dict[str, tuple[Level, ...]]:
    """Return the reading of each sensor at rest and under a white and a black piece."""
    away = [abs(level - rests[name]) for name, seat in seats.items() for level in seat.levels if level]
    usual = round(median(away)) if away else _USUAL_SWING
    return {name: _levels_of(seat, rests[name], usual) for name, seat in seats.items()}


def _levels_of(seat: Seat, rest: Level, usual: int) -> tuple[Level, ...]:
    """Return the readings of one sensor; colours that were not measured swing as far to the other side."""
    rest = min(max(rest, 1), ADC_MAX - 1)
    white, black = (None if level is None else round(level) for level in seat.levels)
    if white is None:
        white = rest + usual if black is None else 2 * rest - black
    if black is None:
        black = 2 * rest - white
    return rest, _within(white), _within(black)


def _within(level: Level) -> Level:
    return min(max(level, 0), ADC_MAX)


def _strip(
    plan: SetupPlan, seats: Mapping[str, Seat], found: SetupFindings, guesses: list[Message]
) -> tuple[Strip, Message | None]:
    """Return the settings of the strip, and their likeness to the recommended ones."""
    if not found.lit:
        return plan.strip, None
    order = found.order or plan.strip.order
    lights = _lights(plan, seats, found, guesses)
    if lights is None:
        return replace(plan.strip, order=order), None
    default = dict(zip(lights, led_positions(Strip(), plan.layout), strict=True))
    strip = replace(plan.strip, order=order, leds=plan.total(found))
    return replace(strip, points={} if lights == default else lights), likeness(plan.layout, lights, default)


def _lights(
    plan: SetupPlan, seats: Mapping[str, Seat], found: SetupFindings, guesses: list[Message]
) -> dict[str, tuple[int, ...]] | None:
    """Return the LEDs of each point, free ones for those without; None where there are too few."""
    known = {led for seat in found.seats for led in seat.leds}
    free = [led for led in range(plan.total(found)) if led not in known]
    dark = tuple(name for name, seat in seats.items() if not seat.leds)
    args = {"points": dark}
    if len(dark) > len(free):
        guesses.append(Message("setup.too-few-leds", args))
        return None
    if dark:
        certain = len(dark) == len(free) == 1
        guesses.append(Message("setup.unlit.last", args) if certain else Message("setup.unlit.guess", args))
    spare = iter(free)
    return {name: seat.leds or (next(spare),) for name, seat in seats.items()}


def _controls(found: SetupFindings) -> Iterator[Message]:
    """Yield notes on the button and the buzzer, where there are any."""
    if found.button not in (None, NO_LINE):
        yield Message("setup.wired.button", {"number": found.button})
    if found.buzzer not in (None, NO_LINE):
        yield Message("setup.wired.buzzer", {"number": found.buzzer})


def _neighbours(found: SetupFindings) -> Iterator[Message]:
    """Yield notes on points whose pieces other sensors sensed as well."""
    names = {wire: seat.point for seat in found.seats for wire in seat.wires}
    for seat in found.seats:
        if seat.point is None:
            continue
        own, others = (seat.point,), [names.get(wire) for wire in seat.also]
        if known := tuple(sorted(name for name in others if name)):
            yield Message("setup.neighbours", {"points": own, "others": known})
        if None in others:
            yield Message("setup.neighbours.unknown", {"points": own})
