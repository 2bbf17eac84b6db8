"""The parts list of a board, and the current that its supply must deliver.

Invariants: quantities follow from the plan alone, whatever its layout. A Pi's current is from the Pi's
documentation, that of LEDs from the light settings, that of sensors and chips from data sheets. Nothing was
measured.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil

from hardware.wiring.circuit import build_circuit
from hardware.wiring.netlist import SensorType
from hardware.wiring.pinout import AHCT125, NANO
from hardware.wiring.plan import BoardPlan


@dataclass(frozen=True)
class PartsRow:
    """A row of the parts list."""

    count: int
    what: str
    remark: str = ""


@dataclass(frozen=True)
class PiModel:
    """A model of the Pi: the current its own supply should give (USB devices included), and its own draw."""

    name: str
    recommended_ma: int
    alone_ma: int


PI_MODELS = (
    PiModel("Zero 2 W", 2000, 350),
    PiModel("3 B+", 2500, 500),
    PiModel("4 B", 3000, 600),
    PiModel("5", 5000, 800),
)
"""From "Power supply" in the Pi's documentation (raspberrypi.com/documentation).

The columns are "recommended PSU current capacity" and "typical bare-board active current consumption".
"""

_SENSOR_MA = {SensorType.REED: 0.1, SensorType.HALL: 2.7, SensorType.LINEAR: 6.0}
_SENSOR_AT_5_V_MA = {SensorType.REED: 0.3, SensorType.HALL: 4.4}
"""Typical current of a sensor, in mA.

A reed: what its pull-up lets through, 3.3 V over 50 kOhm or 5 V over 20. A hall switch: a DRV5023 2.7 mA
(SLIS151, Texas Instruments), an A3144 at 5 V 4.4 mA (27621, Allegro); a DRV5032 some uA alone. An SS49E: 6 mA
at 5 V (Honeywell).
"""

_NANO_MA = 19.0
"""From Arduino's specification of the Nano."""


@dataclass(frozen=True)
class Current:
    """Current of the strip, in mA: dark, at most by its budget, and with every LED white at full."""

    dark_ma: float
    budget_ma: float
    white_ma: float
    sensors_ma: float = 0.0
    """Current of the sensors, which come on top; a supply for a Pi with USB devices counts them as one."""

    def supply_a(self, model: PiModel) -> float:
        """Return the current that a 5 V supply for strip and Pi must give, in A, rounded up to halves.

        It suffices for a Pi with USB devices and the strip at its budget, and for a Pi alone with a white
        strip: a disturbed data line can turn the strip white whatever the program sends.
        """
        need_ma = max(model.recommended_ma + self.budget_ma, model.alone_ma + self.sensors_ma + self.white_ma)
        return ceil(need_ma / 500) / 2


def current(plan: BoardPlan) -> Current:
    """Return the current that the strip of this plan draws."""
    lights = plan.lights
    dark = plan.strip.leds * lights.idle_ma_per_led
    white = plan.strip.leds * len(plan.strip.order) * lights.full_ma_per_colour
    return Current(dark, min(max(lights.budget_ma, dark), white), white, sensors_ma(plan))


def sensors_ma(plan: BoardPlan) -> float:
    """Return the current of the sensors and of the board that reads them, in mA; mux chips draw some uA."""
    if plan.sensors.kind == "serial":
        return round(len(plan.contacts) * _SENSOR_AT_5_V_MA[plan.sensor] + _NANO_MA, 1)
    return round(len(plan.contacts) * _SENSOR_MA[plan.sensor], 1)


def parts(plan: BoardPlan) -> tuple[PartsRow, ...]:
    """Return every part that is wired, and the magnets; raises ConfigError if the plan cannot be wired."""
    return (*_electronics(plan), *_strip(plan))


def led_name(plan: BoardPlan) -> str:
    """Return the kind of LED that takes its colours in the configured order."""
    return "SK6812 RGBW" if "W" in plan.strip.order else "WS2812B"


_SENSORS = {
    SensorType.REED: ("reed switch, normally open", "10 to 20 AT; or an omnipolar hall switch for {volts}"),
    SensorType.HALL: ("unipolar hall switch for {volts}", "two a point, facing opposite ways"),
    SensorType.LINEAR: ("linear hall sensor SS49E", "works from 2.7 to 6.5 V, here at 3.3 V; one a point"),
}


def _electronics(plan: BoardPlan) -> Iterator[PartsRow]:
    circuit, contacts = build_circuit(plan), len(plan.contacts)
    yield PartsRow(1, "Raspberry Pi with a 40-pin header", "Zero 2 W, 3 B+, 4 B or 5")
    if circuit.front:
        if circuit.front.package is NANO:
            yield PartsRow(1, NANO.name, "with an ATmega328P at 16 MHz and 5 V, and its USB cable")
        else:
            yield PartsRow(1, circuit.front.package.name, "DIP; runs on 3.3 V")
    elif plan.sensors.kind == "serial":
        yield PartsRow(1, "board with a microcontroller", "of your own, with a firmware of your own")
    volts = "5 V" if plan.sensors.kind == "serial" else "3.3 V"
    if chips := [chip for chip in circuit.chips if chip.package.numbered]:
        yield PartsRow(len(chips), chips[0].package.name, f"DIP, or on a breakout; runs on {volts}")
    what, remark = _SENSORS[plan.sensor]
    yield PartsRow(contacts, what.format(volts=volts), remark.format(volts=volts))
    strengths = "; 10 x 3 mm for those that stand on others" if plan.sensors.alphabet == "pieces" else ""
    yield PartsRow(plan.pieces, "disc magnet, 8 x 3 mm, N42", f"one a piece{strengths}")
    if plan.resistors:
        yield PartsRow(plan.resistors, "resistor, 10 kOhm", "each from a signal line to 3.3 V")
    if small := sum(chip.package.numbered and chip.package is not NANO for chip in circuit.every_chip):
        yield PartsRow(
            small, "capacitor, 100 nF, ceramic", "across supply and ground of each chip, close to it"
        )


def _strip(plan: BoardPlan) -> Iterator[PartsRow]:
    yield PartsRow(plan.strip.leds, f"{led_name(plan)} LED", "5 V; cut from a strip, or a string of pixels")
    if not plan.lit_by_board:
        yield PartsRow(1, AHCT125.name, "lifts the data line from 3.3 V to 5 V")
    yield PartsRow(1, "resistor, 330 Ohm", "300 to 500 Ohm, in the data line at the first LED")
    yield PartsRow(
        1, "capacitor, 1000 uF, 6.3 V or more", "across 5 V and GND at the first LED; mind its poles"
    )
    least, most = (current(plan).supply_a(model) for model in (PI_MODELS[0], PI_MODELS[-1]))
    yield PartsRow(
        1,
        f"5 V supply, {least:g} A",
        f"with a Pi {PI_MODELS[0].name}; see below for others, up to {most:g} A",
    )
