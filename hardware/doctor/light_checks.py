"""Checks of the strip, by the operator's answers and the supply flags.

Invariants: only the evidence decides. If nothing lights at all, nothing else is reported of LEDs. Test frames
stay within the current budget.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from firmware_host.frozen import frozen
from firmware_host.i18n import Message
from firmware_host.ports import Colour, LedFrame
from firmware_host.settings import Lights, Strip
from hardware.colour_order import (
    BLUE,
    GREEN,
    NOTHING,
    OTHER,
    RED,
    WHITE,
    ColourLook,
    Sighting,
    possible_orders,
)
from hardware.doctor.findings import Finding, fault, passed, skipped, warning
from hardware.doctor.part_names import Chain, count, several
from hardware.doctor.prompts import Question

NOWHERE = "nowhere"

UNDER_VOLTAGE, UNDER_VOLTAGE_ONCE = 1 << 0, 1 << 16
SLOWED, SLOWED_ONCE = 0b1110, 0b1110 << 16
"""Bits of `vcgencmd get_throttled`, from the Pi's documentation: now, and since the Pi started."""

IN_PART = "some"
"""The answer that only some LEDs show the colour they should, and the others none."""

DARKNESS: Mapping[str, Message] = {
    "dark": Message("setup.doctor.dark.all"),
    "first": Message("setup.doctor.dark.first"),
    "some": Message("setup.doctor.dark.some"),
}
"""The possible looks of a strip that should be dark."""


@frozen
class LightAnswers:
    """The operator's answers.

    `seen` has the looks at the whole strip and their answers, and `dark` is a key of DARKNESS. `shines` has,
    for each point lit alone, the point where the light was, or NOWHERE.
    """

    seen: Sequence[Sighting] = ()
    dark: str = ""
    shines: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_dark(self) -> bool:
        """True if nothing was lit at all."""
        return bool(self.seen) and self.seen[0][1] == NOTHING

    @property
    def orders(self) -> tuple[str, ...]:
        """The orders of colours that the strip can have."""
        return possible_orders(self.seen)


@frozen
class SupplyRamp:
    """The supply flags while the strip grew brighter.

    `steps` has the calculated current, in mA, and the bits of `get_throttled`; the first is without light.
    """

    steps: Sequence[tuple[float, int]]


def within_budget(frame: LedFrame, lights: Lights) -> LedFrame:
    """Return the frame, dimmed if need be to stay within the budget."""
    idle_ma = len(frame) * lights.idle_ma_per_led
    draws_ma = current_ma(frame, lights) - idle_ma
    share = max(0.0, min(1.0, (lights.budget_ma - idle_ma) / draws_ma)) if draws_ma else 1.0
    return tuple((int(red * share), int(green * share), int(blue * share)) for red, green, blue in frame)


def current_ma(frame: LedFrame, lights: Lights) -> float:
    """Return the current of LEDs that show this frame, in mA, by the settings."""
    return len(frame) * lights.idle_ma_per_led + sum(map(sum, frame)) / 255 * lights.full_ma_per_colour


def solid_frame(colour: Colour, leds: int) -> LedFrame:
    """Return the whole strip in one colour."""
    return (colour,) * leds


def look_question(look: ColourLook, *, is_expected: bool) -> Question:
    """Return the question for the look of a strip; `is_expected`: all of it should have the colour sent."""
    if not is_expected:
        return Question(Message("setup.doctor.look"), _MEANINGS)
    own = {look.name: _MEANINGS[look.name], IN_PART: Message("setup.doctor.in-part")}
    return Question(_EXPECTED[look.name], {**own, **_MEANINGS})


_EXPECTED = {
    RED: Message("setup.doctor.look.red"),
    GREEN: Message("setup.doctor.look.green"),
    BLUE: Message("setup.doctor.look.blue"),
}
_MEANINGS: Mapping[str, Message] = {
    RED: Message("setup.doctor.all.red"),
    GREEN: Message("setup.doctor.all.green"),
    BLUE: Message("setup.doctor.all.blue"),
    WHITE: Message("setup.doctor.all.white"),
    OTHER: Message("setup.something-else"),
    NOTHING: Message("setup.no-light"),
}


def check_light(
    eyes: LightAnswers, strip: Strip, places: Mapping[str, Sequence[int]], *, modules: bool = False
) -> tuple[Finding, ...]:
    """Check the strip; `places` has the LEDs of each point. `modules`: they are on circuit boards."""
    if eyes.is_dark:
        leds, shade = count(strip.leds, "led"), eyes.seen[0][0].name
        found = Message("doctor.light.none", {"leds": leds, "colour": Message(f"doctor.shade.{shade}")})
        return (fault("light", found, Message("doctor.light.none.fix")),)
    return (*_colours(eyes, strip), *_darkness(eyes), *_shining(eyes, places, modules=modules))


def _colours(eyes: LightAnswers, strip: Strip) -> Iterator[Finding]:
    if not eyes.seen:
        return
    looks = several([_looked(look, what) for look, what in eyes.seen if look.order == strip.order])
    found = Message("doctor.colours", {"looks": looks, "order": strip.order})
    match eyes.orders:
        case (strip.order,):
            yield passed("colours", found)
        case (order,) if len(order) == len(strip.order):
            yield fault("colours", found, Message("doctor.colours.fix", {"order": order}))
        case (order,):
            yield fault("colours", found, Message("doctor.colours.fix.size", {"order": order}))
        case ():
            odd = Message("doctor.colours.odd", {"looks": looks, "order": strip.order})
            yield fault("colours", odd, Message("doctor.colours.odd.fix"))
        case (order, *_):  # only a board with a microcontroller can't send the other number
            due, sent = len(order), len(strip.order)
            yield fault("colours", found, Message("doctor.colours.fix.firmware", {"due": due, "sent": sent}))


def _looked(look: ColourLook, shade: str) -> Message:
    sent = Message(f"doctor.shade.{look.name}")
    return Message("doctor.colours.looked", {"sent": sent, "seen": Message(f"doctor.shade.{shade}")})


def _darkness(eyes: LightAnswers) -> Iterator[Finding]:
    match eyes.dark:
        case "dark":
            yield passed("first-led", Message("doctor.dark.good"))
        case "first":
            yield fault("first-led", Message("doctor.dark.first"), Message("doctor.dark.fix"))
        case "some":
            yield fault("first-led", Message("doctor.dark.some"), Message("doctor.dark.fix"))


def _shining(eyes: LightAnswers, places: Mapping[str, Sequence[int]], *, modules: bool) -> Iterator[Finding]:
    if not eyes.shines:
        return
    wrong = {point: where for point, where in eyes.shines.items() if where != point}
    if not wrong:
        yield passed(
            "led-order", Message("doctor.led-order.good", {"lights": count(len(eyes.shines), "light")})
        )
        return
    dark = sorted(
        (point for point, where in wrong.items() if where == NOWHERE), key=lambda point: min(places[point])
    )
    if dark:
        yield _broken(dark, eyes, places, Chain(places) if modules else None)
    if len(dark) < len(wrong):
        misplaced = [
            Message("doctor.led-order.there", {"point": point, "there": where})
            for point, where in wrong.items()
            if where != NOWHERE
        ]
        lights = count(len(misplaced), "light")
        yield fault(
            "led-order",
            Message("doctor.led-order.elsewhere", {"lights": lights, "places": several(misplaced, 4)}),
            Message("doctor.order.fix"),
        )


def _broken(
    dark: Sequence[str], eyes: LightAnswers, places: Mapping[str, Sequence[int]], chain: Chain | None
) -> Finding:
    leds = [min(places[point]) for point in dark]
    first = leds[0]
    behind = [point for point in eyes.shines if min(places[point]) >= first]
    named = several(
        [
            Message("doctor.led-order.led", {"led": led, "point": point})
            for led, point in zip(leds, dark, strict=True)
        ]
    )
    if len(leds) == len(behind) and first > 0:
        wires = (
            chain.link(dark[0])
            if chain
            else Message("doctor.led-order.wires", {"led": first, "before": first - 1})
        )
        return fault(
            "led-order",
            Message("doctor.led-order.behind", {"leds": named}),
            Message("doctor.led-order.behind.fix", {"wires": wires, "led": first}),
        )
    found = Message("doctor.led-order.broken", {"leds": named})
    if chain is None:
        return fault("led-order", found, Message("doctor.led-order.broken.fix"))
    modules = several(
        [
            Message("doctor.led-order.module", {"module": chain.module(p), "between": chain.neighbours(p)})
            for p in dark
        ],
        3,
    )
    return fault("led-order", found, Message("doctor.led-order.broken.fix.modules", {"modules": modules}))


def check_supply(ramp: SupplyRamp) -> Finding:
    """Check that the supply can power the light."""
    (_, before), *lit = ramp.steps
    low = next(((ma, bits) for ma, bits in lit if bits & UNDER_VOLTAGE), None)
    fix = Message("doctor.supply.fix")
    if before & UNDER_VOLTAGE:
        return fault("supply", Message("doctor.supply.dark", {"bits": f"0x{before:x}"}), fix)
    if low is not None:
        current, bits = f"{low[0]:.0f} mA", f"0x{low[1]:x}"
        return fault("supply", Message("doctor.supply.lit", {"current": current, "bits": bits}), fix)
    current = f"{max(ma for ma, _ in ramp.steps):.0f} mA"
    after = ramp.steps[-1][1]
    bits = f"0x{after:x}"
    if after & UNDER_VOLTAGE_ONCE:
        return warning("supply", Message("doctor.supply.once", {"current": current, "bits": bits}), fix)
    if after & (SLOWED | SLOWED_ONCE):
        return warning("supply", Message("doctor.supply.slowed", {"current": current, "bits": bits}), fix)
    return passed("supply", Message("doctor.supply.good", {"current": current, "bits": bits}))


def supply_skipped() -> Finding:
    """Return the finding for a Pi that does not report its supply."""
    return skipped("supply", Message("doctor.supply.unknown"))
