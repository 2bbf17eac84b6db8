"""What a board is made of and what it draws: the parts list, and the current of its supply.

Rules kept here: quantities follow from the plan alone. What a Pi draws is from the Pi's documentation, what
LEDs draw from the settings of the lights. Nothing was measured.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil

from firmware_host.ports import Alphabet
from hardware.circuit import BoardPlan
from hardware.pinout import AHCT125, mux_for


@dataclass(frozen=True)
class Part:
    """A line of the parts list."""

    count: int
    what: str
    remark: str = ""


@dataclass(frozen=True)
class PiModel:
    """A model of the Pi: what its own supply should give (USB devices included), what it draws alone."""

    name: str
    recommended_ma: int
    alone_ma: int


PI_MODELS = (
    PiModel("Zero 2 W", 2000, 350),
    PiModel("3 B+", 2500, 500),
    PiModel("4 B", 3000, 600),
    PiModel("5", 5000, 800),
)
"""From the table of power supplies in the Pi's documentation."""


@dataclass(frozen=True)
class Current:
    """What the strip draws, in mA: dark, at most by its budget, and if everything were white at full."""

    dark_ma: float
    budget_ma: float
    white_ma: float

    def supply_a(self, model: PiModel) -> float:
        """What a 5 V supply for strip and Pi must give, in A, rounded up to halves.

        It bears a Pi with USB devices and the strip at its budget, and a Pi alone while the strip is white: a
        disturbed data line can make it so whatever the program sends.
        """
        need_ma = max(model.recommended_ma + self.budget_ma, model.alone_ma + self.white_ma)
        return ceil(need_ma / 500) / 2


def current(plan: BoardPlan) -> Current:
    """What the strip of this plan draws."""
    lights = plan.lights
    dark = plan.strip.leds * lights.idle_ma_per_led
    white = plan.strip.leds * len(plan.strip.order) * lights.full_ma_per_colour
    return Current(dark, min(max(lights.budget_ma, dark), white), white)


def parts(plan: BoardPlan) -> tuple[Part, ...]:
    """Everything with a wire on it, and the magnets."""
    return tuple(_parts(plan))


def led_name(plan: BoardPlan) -> str:
    """What kind of LED takes its colours in the order that is set."""
    return "SK6812 RGBW" if "W" in plan.strip.order else "WS2812B"


def _parts(plan: BoardPlan) -> Iterator[Part]:
    wiring = plan.wiring
    chips, contacts = wiring.chips if wiring.select else 0, len(wiring.contacts)
    yield Part(1, "Raspberry Pi with a 40-pin header", "Zero 2 W, 3 B+, 4 B or 5")
    if chips:
        yield Part(chips, mux_for(len(wiring.select)).name, "DIP, or on a breakout; runs on 3.3 V")
    if wiring.alphabet is Alphabet.PRESENCE:
        yield Part(
            contacts, "reed switch, normally open", "10 to 20 AT; or an omnipolar hall switch for 3.3 V"
        )
    else:
        yield Part(contacts, "unipolar hall switch for 3.3 V", "two a point, facing opposite ways")
    yield Part(2 * 9, "disc magnet, 8 x 3 mm, N42", "one a piece; lasker has 20 pieces, twelve has 24")
    yield Part(plan.strip.leds, f"{led_name(plan)} LED", "5 V; cut from a strip, or a string of pixels")
    yield Part(1, AHCT125.name, "lifts the data line from 3.3 V to 5 V")
    yield Part(1, "resistor, 330 Ohm", "300 to 500 Ohm, in the data line at the first LED")
    if not wiring.pull_up:
        yield Part(len(wiring.signals), "resistor, 10 kOhm", "each from a signal line to 3.3 V")
    yield Part(1, "capacitor, 1000 uF, 6.3 V or more", "across 5 V and GND at the first LED; mind its poles")
    yield Part(chips + 1, "capacitor, 100 nF, ceramic", "across VCC and GND of each chip, close to it")
    least, most = (current(plan).supply_a(model) for model in (PI_MODELS[0], PI_MODELS[-1]))
    yield Part(
        1,
        f"5 V supply, {least:g} A",
        f"with a Pi {PI_MODELS[0].name}; see below for others, up to {most:g} A",
    )
