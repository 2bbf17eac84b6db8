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
        return (
            fault(
                "light",
                f"nothing lit when {count(strip.leds, 'LED')} were set to {eyes.seen[0][0].name}",
                "the data wire to DIN, which is the end that the arrows point away from (DIN and DOUT are "
                "easily exchanged); 5 V and GND at the strip; 5 V at the level shifter",
            ),
        )
    return (*_colours(eyes, strip), *_darkness(eyes), *_shining(eyes, places, modules=modules))


def _colours(eyes: LightAnswers, strip: Strip) -> Iterator[Finding]:
    if not eyes.seen:
        return
    looks = [
        f"{look.name} looked {_LOOKS.get(what, what)}"
        for look, what in eyes.seen
        if look.order == strip.order
    ]
    found = f'{" and ".join(looks)} with order = "{strip.order}"'
    match eyes.orders:
        case (strip.order,):
            yield passed("colours", found)
        case (order,):
            also = "" if len(order) == len(strip.order) else ": an LED takes another number of colours"
            yield fault("colours", found, f'order = "{order}" in the section [strip]{also}')
        case ():
            yield fault(
                "colours",
                f"{found}, which LEDs of no order would do",
                "look again where it is dark. If it stays so, the data is misread on its way (a 74AHCT125 "
                "between the Pi and DIN, GND of Pi and strip joined), or LEDs are broken or of another type",
            )
        case (order, *_):  # only a board with a microcontroller can't send the other number
            yield fault(
                "colours",
                found,
                f"an LED takes {len(order)} colours, and the board's firmware sends {len(strip.order)}: set "
                f"COLOURS (Nano) or colours (Pico) to {len(order)}, order to one with as many letters, and "
                "run this again",
            )


_LOOKS = {OTHER: "like several colours or something else", NOTHING: "dark"}


def _darkness(eyes: LightAnswers) -> Iterator[Finding]:
    match eyes.dark:
        case "dark":
            yield passed("first LED", "dark when all were set to dark")
        case "first" | "some":
            which = "the first LED glowed" if eyes.dark == "first" else "LEDs glowed or flickered"
            yield fault(
                "first LED",
                f"{which} when all were set to dark: the data is misread on its way",
                "a 74AHCT125 between the Pi and DIN, with 5 V at its VCC; GND of Pi and strip joined; 300 to "
                "500 Ohm before DIN, 1000 uF at the strip; core_freq in config.txt",
            )


def _shining(eyes: LightAnswers, places: Mapping[str, Sequence[int]], *, modules: bool) -> Iterator[Finding]:
    if not eyes.shines:
        return
    wrong = {point: where for point, where in eyes.shines.items() if where != point}
    if not wrong:
        yield passed("LED order", f"{count(len(eyes.shines), 'light')} shone on the points where they should")
        return
    dark = sorted(
        (point for point, where in wrong.items() if where == NOWHERE), key=lambda point: min(places[point])
    )
    if dark:
        yield _broken(dark, eyes, places, Chain(places) if modules else None)
    if len(dark) < len(wrong):
        misplaced = [f"that of {point} on {where}" for point, where in wrong.items() if where != NOWHERE]
        yield fault(
            "LED order",
            f"{count(len(misplaced), 'light')} shone elsewhere: {several(misplaced, 4)}",
            "`millwright setup` finds the order and writes it into the configuration",
        )


def _broken(
    dark: Sequence[str], eyes: LightAnswers, places: Mapping[str, Sequence[int]], chain: Chain | None
) -> Finding:
    leds = [min(places[point]) for point in dark]
    first = leds[0]
    behind = [point for point in eyes.shines if min(places[point]) >= first]
    found = f"dark: {several([f'LED {led} ({point})' for led, point in zip(leds, dark, strict=True)])}"
    if len(leds) == len(behind) and first > 0:
        wires = f"the wires from LED {first - 1} to LED {first}: DOUT to DIN, 5 V and GND"
        return fault(
            "LED order",
            f"{found}, and none behind them shone",
            f"{chain.link(dark[0]) if chain else wires}; or LED {first} itself",
        )
    where = "these LEDs"
    if chain:
        where = several([f"D1 of {chain.module(one)} ({one}), {chain.neighbours(one)}" for one in dark], 3)
    return fault("LED order", found, f"{where}, and their 5 V and GND")


def check_supply(ramp: SupplyRamp) -> Finding:
    """Check that the supply can power the light."""
    (_, before), *lit = ramp.steps
    low = next(((ma, bits) for ma, bits in lit if bits & UNDER_VOLTAGE), None)
    fix = (
        "a stronger 5 V supply, thicker wires to Pi and strip; or a smaller budget_ma in the section [lights]"
    )
    if before & UNDER_VOLTAGE:
        return fault("supply", f"under-voltage without light (get_throttled 0x{before:x})", fix)
    if low is not None:
        return fault("supply", f"under-voltage at {low[0]:.0f} mA of light (get_throttled 0x{low[1]:x})", fix)
    peak = max(ma for ma, _ in ramp.steps)
    after = ramp.steps[-1][1]
    if after & (UNDER_VOLTAGE_ONCE | SLOWED | SLOWED_ONCE):
        what = "under-voltage" if after & UNDER_VOLTAGE_ONCE else "slowed down"
        return warning(
            "supply",
            f"{what} since the Pi started, though not at {peak:.0f} mA of light (get_throttled 0x{after:x})",
            fix,
        )
    return passed("supply", f"no under-voltage up to {peak:.0f} mA of light (get_throttled 0x{after:x})")


def supply_skipped() -> Finding:
    """Return the finding for a Pi that does not report its supply."""
    return skipped("supply", "vcgencmd, which reports under-voltage, is not installed here")
