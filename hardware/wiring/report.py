"""The wiring of a board, and its parts, as text: pin by pin, for the one who solders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from hardware.wiring.bom import PI_MODELS, current, led_name, parts, sensors_ma
from hardware.wiring.circuit import circuit
from hardware.wiring.netlist import (
    FREE,
    GROUND,
    LOGIC,
    POWER,
    STRIP,
    SUPPLY,
    Chip,
    Circuit,
    Kind,
    Net,
    Sensor,
)
from hardware.wiring.pinout import EXPANDER, EXPANDER_OUTPUTS, HEADER, NANO
from hardware.wiring.plan import BoardPlan

_MUCH_MA = 50
"""What the 3.3 V pins of every Pi bear; the Pi's documentation has no figure for those since the B+."""


def wiring_text(plan: BoardPlan) -> str:
    """Every pin in use and what it is joined to; raises ConfigError where the plan cannot be wired."""
    made = circuit(plan)
    return "\n".join([*_header(made), *_chips(plan, made), *_light(plan, made)]) + "\n"


def parts_text(plan: BoardPlan) -> str:
    """The parts list, and what the board draws; raises ConfigError where the plan cannot be wired."""
    circuit(plan)
    rows = [(str(part.count), part.what, part.remark) for part in parts(plan)]
    return "\n".join(["Parts", *_table(rows), "", *_current(plan)]) + "\n"


def _header(made: Circuit) -> Iterator[str]:
    yield "Pi header (pin 1 has a square pad; all GND are joined)"
    used = [
        (str(pin), HEADER[pin - 1].replace("V", " V"), _goes_to(net, made))
        for pin, net in enumerate(made.header, start=1)
        if net is not FREE
    ]
    yield from _table([("pin", "name", "goes to"), *used])


def _goes_to(net: Net, made: Circuit) -> str:
    """The pins of chips that a net of the header reaches; for the power nets, where they come from or go."""
    if net == LOGIC:
        chips = [chip.package.name for chip in made.sensing]
        users = [
            *dict.fromkeys(chips),
            *([f"the {made.sensor.plural}"] if made.sensor is not Sensor.REED else []),
        ]
        return ", ".join(users) or "the resistors of the lines"
    if net == SUPPLY:
        return "5 V supply, plus"
    if net == GROUND:
        return "GND of supply, chips, sensors and strip"
    if net.kind is Kind.CONTACT:
        return f"{made.sensor.value} of {net}"
    ends = [
        f"{chip.name} {_pin(chip, number)}"
        for chip in made.every_chip
        for number, other in enumerate(chip.nets, start=1)
        if other == net
    ]
    return f"{net}: {', '.join(ends) or 'free'}"


def _pin(chip: Chip, number: int) -> str:
    return (
        f"pin {number} ({chip.package.label(number)})"
        if chip.package.numbered
        else chip.package.pins[number - 1]
    )


def _chips(plan: BoardPlan, made: Circuit) -> Iterator[str]:
    for chip in made.sensing:
        yield ""
        yield f"{chip.name}: {chip.package.name}{_remark(chip)}"
        yield from _pins(made, chip)
    yield ""
    yield from _notes(plan, made)


def _remark(chip: Chip) -> str:
    """What else is to be known of a chip."""
    capacitor = chip.package.numbered and chip.package is not NANO
    remarks = (chip.remark, "100 nF from its supply to ground" if capacitor else "")
    return "".join(f", {remark}" for remark in remarks if remark)


def _notes(plan: BoardPlan, made: Circuit) -> Iterator[str]:
    """What holds of all sensors, and of the bus that reads them."""
    if made.sensor is Sensor.REED:
        yield "The other end of each reed goes to GND."
    else:
        two = "; two a point, facing opposite ways" if made.sensor is Sensor.HALL else ""
        yield f"Each {made.sensor.value} also has {_power_name(made)} and GND{two}."
    match plan.sensors.kind:
        case "mux" | "direct" if plan.resistors:
            yield "A resistor of 10 kOhm pulls each signal line up to 3.3 V."
        case "mux" | "direct":
            yield "The Pi's own resistors pull the signal lines up."
        case "mcp23017":
            yield "The expanders' own resistors (100 kOhm) pull the contacts up."
            yield f"The bus is {plan.sensors.i2c}; `sudo raspi-config nonint do_i2c 0` switches I2C on."
        case "mcp3008":
            cs = plan.sensors.adc[-1]
            overlay = f"dtoverlay=spi1-{int(cs) + 1}cs"
            yield f"The bus is {plan.sensors.adc}: the line `{overlay}` in config.txt switches it on."
        case "serial":
            yield from _board_notes(plan, made)


def _power_name(made: Circuit) -> str:
    return "3.3 V" if made.power == LOGIC else f"5 V, of the {made.sensing[0].name}"


def _board_notes(plan: BoardPlan, made: Circuit) -> Iterator[str]:
    """How the firmware is built for this board, and what must not be joined."""
    if made.front:
        lines = len({net for net in made.front.nets if net.kind is Kind.SELECT})
        built = f"make CHIPS={len(made.chips)} SELECT_LINES={lines}"
        if plan.lit_by_board:
            built += f" LEDS={plan.strip.leds} COLOURS={len(plan.strip.order)}"
        yield "The Nano's own resistors pull the signal lines up."
        yield f"Its firmware, in hardware/firmware: `{built}`."
    yield "This board works at 5 V: nothing but the USB cable and GND joins it to the Pi."


def _pins(made: Circuit, chip: Chip) -> Iterator[str]:
    rows = [
        (
            str(number) if chip.package.numbered else "",
            chip.package.label(number),
            _comes_from(made, chip, chip.package.pins[number - 1], net),
        )
        for number, net in enumerate(chip.nets, start=1)
        if chip.package is not NANO or net is not FREE
    ]
    yield from _table(rows)
    if chip.package is NANO:
        yield "  All other pins stay open."


def _comes_from(made: Circuit, chip: Chip, pin: str, net: Net) -> str:
    """What a chip's pin is joined to."""
    if net.kind is Kind.CONTACT:
        return f"{made.sensor.value} of {net}"
    if net.kind is Kind.STRIP:
        return "DIN of the LED strip, through 330 Ohm"
    if net.kind is Kind.BOARD_SUPPLY:
        return _board_supply(made, chip)
    if chip.package is EXPANDER and pin in EXPANDER_OUTPUTS:
        return "open: it is no input"
    if net is FREE or net.kind in POWER:
        return str(net)
    if net in made.header:
        number = made.header.index(net) + 1
        return f"{net}: header pin {number} ({HEADER[number - 1]})"
    ends = [
        f"{other.name} {_pin(other, other.nets.index(net) + 1)}"
        for other in made.every_chip
        if other is not chip and net in other.nets and made.front in (None, chip, other)
    ]
    return f"{net}: {', '.join(ends)}" if ends else str(net)


def _board_supply(made: Circuit, chip: Chip) -> str:
    """The 5 V that come out of a board's own regulator or cable."""
    if chip is not made.sensing[0]:
        return "5V of the Nano"
    users = [f"VCC of the {made.chips[0].package.name}s"] if made.front else []
    if made.sensor is not Sensor.REED:
        users.append(f"the {made.sensor.plural}")
    return ", ".join(users) or "free"


def _light(plan: BoardPlan, made: Circuit) -> Iterator[str]:
    if made.shifter:
        yield ""
        yield f"{made.shifter.name}: {made.shifter.package.name}, 100 nF from VCC to GND"
        yield from _pins(made, made.shifter)
    yield ""
    yield f"LED strip: {plan.strip.leds} x {led_name(plan)}, lit by {plan.backend}"
    feed = made.strip_feed
    rows = [
        ("DIN", f"{feed.name} {_pin(feed, feed.nets.index(STRIP) + 1)}, through 330 Ohm"),
        ("5V", "5 V supply, plus; 1000 uF from here to GND"),
        ("GND", "5 V supply, minus"),
    ]
    yield from _table(rows)
    yield ""
    yield "LEDs along the strip, from DIN on"
    points = zip(plan.layout.points, plan.places, strict=True)
    names = {led: point.name for point, leds in points for led in leds}
    each = [f"{led:3} {names.get(led, '-'):4}" for led in range(plan.strip.leds)]
    yield from ("".join(each[start : start + 8]).rstrip() for start in range(0, len(each), 8))


def _current(plan: BoardPlan) -> Iterator[str]:
    draws = current(plan)
    yield "Current at 5 V (calculated, not measured)"
    yield from _table(
        [
            (f"{draws.dark_ma:g} mA", "the strip, dark"),
            (f"{draws.budget_ma:g} mA", "the strip at most, by lights.budget_ma"),
            (
                f"{draws.white_ma:g} mA",
                "the strip if every LED were white at full, which the program prevents",
            ),
        ]
    )
    yield ""
    yield "Current of chips and sensors (calculated, not measured)"
    yield from _table([(f"{sensors_ma(plan):g} mA", _feeding(plan))])
    yield ""
    yield "The supply, for strip and Pi"
    rows = [(f"{draws.supply_a(model):g} A", f"Pi {model.name}") for model in PI_MODELS]
    yield from _table(rows)


def _feeding(plan: BoardPlan) -> str:
    """What the sensors' current comes from."""
    if plan.sensors.kind == "serial":
        return "at 5 V, by USB from the Pi, the Nano's own included"
    if sensors_ma(plan) > _MUCH_MA:
        return "at 3.3 V; a regulator of its own, from 5 V, bears that better than the header's pin 1"
    return "at 3.3 V, from the header's pin 1"


def _table(rows: Sequence[Sequence[str]]) -> Iterable[str]:
    """Rows in columns, the first one set to the right."""
    widths = [max(len(row[n]) for row in rows) for n in range(len(rows[0]))]
    for row in rows:
        first, *rest = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield f"  {first.strip().rjust(widths[0])}  {'  '.join(rest)}".rstrip()
