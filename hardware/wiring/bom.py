"""The parts list of a board, and the current that its supply must deliver.

Invariants: quantities follow from the plan alone, whatever its layout. A Pi's current is from the Pi's
documentation, that of LEDs from the light settings, that of sensors and chips from data sheets. Nothing was
measured.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import ceil
from typing import NamedTuple

from firmware_host.frozen import frozen
from firmware_host.games.game import Piece, Player
from hardware.case.looms import Looms, looms
from hardware.case.measures import ChipBoard, Measures
from hardware.wiring.circuit import build_circuit
from hardware.wiring.netlist import BOARD_SUPPLY, Chip, Circuit, Component, SensorType
from hardware.wiring.pinout import AHCT125, NANO, PICO, PICO_COLUMNS, PICO_ROWS
from hardware.wiring.plan import BoardPlan

# ---- the parts of the circuit boards -------------------------------------------------------------------


BARE_CONTROLLERS, BARE_PANELS = 5, 5
"""The fewest that manufacturers make of a board, and of a panel with nine points."""

POINTS_ON_PANEL = 9
_BARE_EUROS, _PANEL_EUROS = (2.0, 25.0), (2.0, 30.0)

_DEAR = 2.5
"""Dearest price of a part over its estimate, in single quantities."""


def board_rows(circuit: Circuit, points: int) -> Iterator[tuple[int, str, str, float, float]]:
    """Yield count, part, remark and both prices of one: the bare boards first, then their parts."""
    yield 1, "controller board, bare", f"the fewest are {BARE_CONTROLLERS}; hardware/pcb", *_BARE_EUROS
    yield 1, "point boards, bare", f"panels of {POINTS_ON_PANEL}, the fewest are {BARE_PANELS}", *_PANEL_EUROS
    found: dict[Component, list[str]] = {}
    count: dict[Component, int] = {}
    for parts, times, prefix in ((circuit.parts, 1, ""), (circuit.module, points, "points' ")):
        for part in parts:
            if part.component.euros:  # wires and sensors are in rows of their own
                found.setdefault(part.component, []).append(f"{prefix}{part.ref}")
                count[part.component] = count.get(part.component, 0) + times
    for component, refs in found.items():
        low = component.euros
        yield count[component], component.order, ", ".join(refs), low * 0.6, low * _DEAR


# ---- the parts list ------------------------------------------------------------------------------------


class Price(NamedTuple):
    """The usual range of a price, in euros."""

    low: float
    high: float

    def times(self, count: int) -> Price:
        """Return the price of several."""
        return Price(self.low * count, self.high * count)

    def __str__(self) -> str:
        low, high = ceil(self.low), ceil(self.high)
        return f"{low}" if low == high else f"{low}-{high}"


PRICES_FROM = "Estimates for single orders in Europe in 2026, in euros, without shipping; not offers."


@frozen(slots=False)
class PartsRow:
    """A row of the parts list; `each` is the price of one piece."""

    count: int
    what: str
    remark: str
    each: Price

    @property
    def price(self) -> Price:
        """The price of all pieces of the row."""
        return self.each.times(self.count)


def total_price(rows: Iterable[PartsRow]) -> Price:
    """Return the price of all rows."""
    prices = [row.price for row in rows]
    return Price(sum(price.low for price in prices), sum(price.high for price in prices))


@frozen(slots=False)
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

NO_PI = PiModel("", 0, 0)
"""For a board with a Pico, which the computer's USB socket feeds."""

_SENSOR_MA = {SensorType.REED: 0.1, SensorType.HALL: 2.7, SensorType.LINEAR: 6.0}
_SENSOR_AT_5_V_MA = {SensorType.REED: 0.3, SensorType.HALL: 4.4}
"""Typical current of a sensor, in mA.

A reed: what its pull-up lets through, 3.3 V over 50 kOhm or 5 V over 20. A hall switch: a DRV5023 2.7 mA
(SLIS151, Texas Instruments), an A3144 at 5 V 4.4 mA (27621, Allegro); a DRV5032 some uA alone. An SS49E: 6 mA
at 5 V (Honeywell).
"""

_NANO_MA = 19.0
"""From Arduino's specification of the Nano."""


@frozen(slots=False)
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
    fed = 0.0 if plan.pico else sensors_ma(plan)
    return Current(dark, min(max(lights.budget_ma, dark), white), white, fed)


def models(plan: BoardPlan) -> tuple[PiModel, ...]:
    """Return the Pis that the supply may have to feed, the smallest first."""
    return (NO_PI,) if plan.pico else PI_MODELS


def sensors_ma(plan: BoardPlan) -> float:
    """Return the current of the sensors and of the board that reads them, in mA; mux chips draw some uA."""
    if plan.pico == "matrix" or plan.sensors.kind == "matrix":  # one row at a time
        columns = PICO_COLUMNS if plan.pico else plan.sensors.columns
        return round(len(columns) * _SENSOR_MA[plan.sensor], 1)
    if plan.pico:
        return round(len(plan.contacts) * _SENSOR_MA[plan.sensor], 1)
    if plan.sensors.kind == "serial":
        return round(len(plan.contacts) * _SENSOR_AT_5_V_MA[plan.sensor] + _NANO_MA, 1)
    return round(len(plan.contacts) * _SENSOR_MA[plan.sensor], 1)


def parts(plan: BoardPlan) -> tuple[PartsRow, ...]:
    """Return every part to buy but wood and tools; raises ConfigError if the plan cannot be wired."""
    return (
        *_electronics(plan),
        *_boards(plan),
        *_controls(plan),
        *_strip(plan),
        *_supply(plan),
        *_loom(plan),
    )


def _boards(plan: BoardPlan) -> Iterator[PartsRow]:
    """Yield the circuit boards, and what is soldered onto them, if the board is made of them."""
    if plan.sensors.boards:
        for count, what, remark, low, high in board_rows(build_circuit(plan), len(plan.layout)):
            yield PartsRow(count, what, remark, Price(low, high))


def led_name(plan: BoardPlan) -> str:
    """Return the kind of LED that takes its colours in the configured order."""
    return "SK6812 RGBW" if "W" in plan.strip.order else "WS2812B"


_SENSORS = {
    SensorType.REED: (
        "reed switch, normally open",
        "10 to 20 AT, glass 10 to 14 mm; or an omnipolar hall switch",
        Price(0.3, 1.5),
    ),
    SensorType.HALL: (
        "unipolar hall switch for {volts}",
        "two a point, facing opposite ways; {example}",
        Price(0.6, 1.5),
    ),
    SensorType.LINEAR: (
        "linear hall sensor for 3.3 V",
        "one a point; DRV5055A3, or SS49E: not a clone that needs 3.5 V",
        Price(0.8, 2.5),
    ),
}

_CHIPS = {
    "74HC4051": ("not a 74HCT4051 or CD4051B, which need more", Price(0.4, 1.2)),
    "CD74HC4067": ("or on a breakout board; not a CD74HCT4067", Price(1.5, 5)),
    "MCP23017": ("or on a breakout board; not an MCP23S17", Price(1.5, 3)),
}
"""A remark on each chip with contacts if it runs on 3.3 V, and its price."""

_OTHER_CHIP = ("", Price(0.5, 5))


def _electronics(plan: BoardPlan) -> Iterator[PartsRow]:
    circuit, contacts, wired = build_circuit(plan), len(plan.contacts), not plan.sensors.boards
    if plan.pico:
        remark = "with pins (H); a Pico W, 2 or 2 W as well; with its USB cable, to any computer"
        yield PartsRow(1, PICO.name, remark, Price(5, 15))
    else:
        yield PartsRow(
            1, "Raspberry Pi with a 40-pin header", "Zero 2 W (with pins), 3 B+, 4 B or 5", Price(18, 110)
        )
        yield PartsRow(1, "microSD card, 16 GB or more", "for Raspberry Pi OS", Price(6, 12))
    if circuit.front and not plan.pico and wired:
        if circuit.front.package is NANO:
            remark = "with an ATmega328P at 16 MHz and 5 V, and its USB cable"
            yield PartsRow(1, NANO.name, remark, Price(5, 25))
        else:
            yield PartsRow(1, circuit.front.package.name, "DIP; runs on 3.3 V", Price(2.5, 4.5))
    elif plan.sensors.kind == "serial" and not plan.pico:
        yield PartsRow(
            1, "board with a microcontroller", "of your own, with a firmware of your own", Price(5, 25)
        )
    volts = "5 V" if circuit.power == BOARD_SUPPLY else "3.3 V"
    if wired and (chips := [chip for chip in circuit.chips if chip.package.numbered]):
        warning, price = _CHIPS.get(chips[0].package.name, _OTHER_CHIP)
        warned = f"; {warning}" if warning and volts == "3.3 V" else ""
        yield PartsRow(len(chips), chips[0].package.name, f"DIP, runs on {volts}{warned}", price)
    yield _sensor_row(plan, circuit, volts)
    if circuit.crossings:
        yield PartsRow(contacts, "diode 1N4148", "one a reed, its band to the row", Price(0.02, 0.1))
    strengths = "; 10 x 3 mm for those that stand on others" if plan.sensors.alphabet == "pieces" else ""
    yield PartsRow(plan.pieces, "disc magnet, 8 x 3 mm, N42", f"one a piece{strengths}", Price(0.2, 0.5))
    if plan.resistors and wired:
        line = "column" if circuit.crossings else "signal line"
        yield PartsRow(plan.resistors, "resistor, 10 kOhm", f"each from a {line} to 3.3 V", Price(0.05, 0.2))
    if wired:
        soldered = [c for c in circuit.every_chip if c.package.numbered and not c.package.is_board]
        yield from _around_chips(soldered)


def _sensor_row(plan: BoardPlan, circuit: Circuit, volts: str) -> PartsRow:
    what, remark, price = _SENSORS[plan.sensor]
    if circuit.crossings:
        remark = "10 to 20 AT, glass 10 to 14 mm; no hall switch, which needs GND and not a row"
    if plan.sensors.boards and plan.sensor is SensorType.REED:
        remark = "10 to 20 AT, glass 10 or 11 mm, or 14 with an upper plate of 18 mm"
    example = "DRV5023" if volts == "3.3 V" else "A3144"
    return PartsRow(len(plan.contacts), what.format(volts=volts), remark.format(example=example), price)


def _controls(plan: BoardPlan) -> Iterator[PartsRow]:
    """Yield the parts beside the points."""
    if plan.button_gpio is not None:
        yield PartsRow(
            1, "push button, normally open", "for 3.3 V; any that closes while pressed", Price(0.5, 4)
        )
    if plan.buzzer_gpio is not None:
        yield PartsRow(1, "active buzzer", "5 V, 30 mA at most; it sounds on direct current", Price(0.5, 3))
        if plan.sensors.boards:
            return
        yield PartsRow(
            1, "NPN transistor", "2N3904 or BC547, which carries the buzzer's current", Price(0.1, 0.5)
        )
        yield PartsRow(1, "resistor 1 kOhm", "from the line to the transistor's base", Price(0.05, 0.2))
        yield PartsRow(1, "diode 1N4148", "across a magnetic buzzer, its band at plus", Price(0.05, 0.3))


def _around_chips(chips: Sequence[Chip]) -> Iterator[PartsRow]:
    """Yield what every chip in a socket needs next to it."""
    if chips:
        yield PartsRow(
            len(chips),
            "capacitor, 100 nF, ceramic",
            "across supply and ground of each chip, close to it",
            Price(0.1, 0.3),
        )
    sockets = Counter(len(chip.package.pins) for chip in chips)
    for pins, count in sorted(sockets.items()):
        yield PartsRow(count, f"socket, DIP-{pins}", "a chip in a socket can be replaced", Price(0.2, 1))


def _strip(plan: BoardPlan) -> Iterator[PartsRow]:
    if plan.sensors.boards:
        return
    remark = "5 V; each on a round board of 10 mm, or a strip with 144 a metre, to cut"
    yield PartsRow(plan.strip.leds, f"{led_name(plan)} LED", remark, Price(0.2, 0.6))
    if plan.pico or not plan.lit_by_board:
        remark = "lifts the data line from 3.3 V to 5 V; not a 74HC125"
        yield PartsRow(1, AHCT125.name, remark, Price(0.5, 1.5))
        remark = "10 kOhm, from its input to GND: holds the LEDs' data low without a Pi"
        yield PartsRow(1, "resistor at the level shifter", remark, Price(0.05, 0.2))
    yield PartsRow(
        1, "resistor, 330 Ohm", "300 to 500 Ohm, in the data line at the first LED", Price(0.05, 0.2)
    )
    yield PartsRow(
        1,
        "capacitor, 1000 uF, 6.3 V or more",
        "across 5 V and GND at the first LED; mind its poles",
        Price(0.3, 1),
    )


_FUSES_A = (3.0, 5.0, 6.3, 8.0, 10.0, 15.0, 20.0, 25.0, 32.0)
"""The fuses that are sold for holders of 5 x 20 mm, and above them for vehicles."""


def fuse_a(plan: BoardPlan, model: PiModel) -> float:
    """Return the fuse of the 5 V supply, in A: the smallest that bears the Pi's need and a white strip."""
    draws = current(plan)
    need = max(model.recommended_ma, model.alone_ma + draws.sensors_ma + draws.white_ma) / 1000
    return next((fuse for fuse in _FUSES_A if fuse >= need), _FUSES_A[-1])


def larger_fuses(plan: BoardPlan) -> str:
    """Return the fuses above that of the smallest model, and their models: `5 A with a Pi 4 B or 5`."""
    of_model = {model.name: fuse_a(plan, model) for model in models(plan)}
    larger = sorted({fuse for fuse in of_model.values() if fuse > min(of_model.values())})
    return ", ".join(
        f"{fuse:g} A with a Pi {' or '.join(name for name, one in of_model.items() if one == fuse)}"
        for fuse in larger
    )


def _supply(plan: BoardPlan) -> Iterator[PartsRow]:
    smallest, *_, largest = models(plan) * 2
    least, most = (current(plan).supply_a(model) for model in (smallest, largest))
    others = f"with a Pi {smallest.name}; see below for others, up to {most:g} A"
    yield PartsRow(
        1, f"5 V supply, {least:g} A", "for the strip alone" if plan.pico else others, Price(8, 25)
    )
    if plan.sensors.boards:
        return
    yield PartsRow(
        1,
        "jack, 5.5 x 2.1 mm, rated 5 A",
        "to fit the supply's plug; above 5 A, screw terminals",
        Price(0.5, 2),
    )
    larger = larger_fuses(plan)
    yield PartsRow(
        1,
        f"fuse, {fuse_a(plan, smallest):g} A, slow, with a holder",
        f"{larger}; the first part behind the plus of the jack".removeprefix("; "),
        Price(1, 4),
    )
    yield PartsRow(
        1,
        "TVS diode, P6KE6.8A",
        "across 5 V and GND behind the fuse, its band at plus",
        Price(0.3, 1),
    )


def _loom(plan: BoardPlan) -> Iterator[PartsRow]:
    wired = not plan.sensors.boards
    if wired:
        yield PartsRow(1, "stripboard, 100 x 160 mm", "for chips, sockets and terminals", Price(2, 5))
    if wired and (plan.sensors.kind != "serial" or not plan.lit_by_board):
        yield PartsRow(
            1,
            "ribbon cable with a 2 x 20 socket",
            "signals; 5 V and GND get wires of 0.5 mm² to the header",
            Price(2, 6),
        )
    yield PartsRow(
        _wires(plan).metres(thick=False),
        "metre of wire, 0.14 mm², stranded",
        "sensors and data; several colours",
        Price(0.1, 0.4),
    )
    yield PartsRow(
        _wires(plan).metres(thick=True),
        "metre of wire, 0.5 mm², red and black",
        "5 V and GND of the LEDs, 2.2 mm across at most",
        Price(0.2, 0.6),
    )
    small = "screw terminals, spacers of 5 mm" if wired else "spacers of 5, 11 and 12 mm for M2.5"
    yield PartsRow(
        1,
        "set of small parts",
        f"sleeves, cable ties, {small}, feet",
        Price(4, 10),
    )


def _wires(plan: BoardPlan) -> Looms:
    """Return the wires between points and electronics, as the model of the wood has them."""
    box = {Piece(Player.WHITE): plan.pieces}
    electronics = ChipBoard.CONTROLLER if plan.sensors.boards else ChipBoard.STRIPBOARD
    measures = Measures.recommended(plan.layout, box, sensor=plan.sensor, electronics=electronics)
    return looms(plan.layout, measures, matrix_lines=_matrix_lines(plan))


def _matrix_lines(plan: BoardPlan) -> int:
    """Return the rows and columns of a matrix; without one, each contact has a wire of its own."""
    if plan.pico == "matrix":
        return len(PICO_ROWS) + len(PICO_COLUMNS)
    return len(plan.sensors.rows) + len(plan.sensors.columns) if plan.sensors.kind == "matrix" else 0
