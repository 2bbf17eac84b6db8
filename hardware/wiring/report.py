"""The wiring of a board and its parts as text, pin by pin, for soldering."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

from hardware.wiring import components as kinds
from hardware.wiring.bom import (
    PRICES_FROM,
    PiModel,
    current,
    fuse_a,
    larger_fuses,
    led_name,
    models,
    parts,
    sensors_ma,
    total_price,
)
from hardware.wiring.circuit import build_circuit
from hardware.wiring.netlist import (
    BUTTON,
    BUZZER,
    FREE,
    GROUND,
    LOGIC,
    POWER,
    STRIP,
    SUPPLY,
    BoardPart,
    Chip,
    Circuit,
    Crossing,
    Net,
    NetKind,
    SensorType,
)
from hardware.wiring.pinout import EXPANDER, EXPANDER_OUTPUTS, HEADER, PICO_SIGNALS
from hardware.wiring.plan import BoardPlan

# ---- the wires of circuit boards -----------------------------------------------------------------------


_OUTSIDE = (kinds.TERMINAL_2, kinds.TERMINAL_3, kinds.PINS_2, kinds.USB_C)
_HOLES = {"INLET": "plus of the supply", "DIN": "D", "END": "D", "BUZZER-": "minus of the buzzer"}


def boards_text(plan: BoardPlan, circuit: Circuit) -> str:
    """Return every wire that a board of circuit boards needs, and the parts that its variant leaves out."""
    lines = [
        "The controller stands on the Pi's header, a module at each point. Holes are named on both.",
        "",
        "Chain: 5V, D and GND from J10 to the first module's 5V, DIN and GND; from each module's DOUT on to",
        "the next; from the last module's 5V, DOUT and GND to J11, so that 5 V comes from both ends.",
        *_modules(plan),
        *_plugs(circuit),
        "",
        "Terminals and pins of the controller",
        *(f"  {part.ref:4} {_terminal(part)}" for part in circuit.parts if part.component in _OUTSIDE),
        "",
        _left_out(circuit),
    ]
    return "\n".join(lines) + "\n"


def _modules(plan: BoardPlan) -> Iterator[str]:
    points = zip(plan.layout.points, plan.places, strict=True)
    chain = sorted((min(leds), point.name) for point, leds in points)
    named = [f"{number:3} {name:4}" for number, name in chain]
    yield ""
    yield "Modules along the chain, by the numbers of their LEDs"
    yield from ("".join(named[start : start + 8]).rstrip() for start in range(0, len(named), 8))


def _plugs(circuit: Circuit) -> Iterator[str]:
    for part in circuit.parts:
        if part.component is not kinds.POINTS_PLUG:
            continue
        yield ""
        yield f"{part.ref}, {part.about}"
        for pad, net in part.pads:
            yield f"  {pad:>3}  {_sensor_wire(circuit.sensor, net)}"


def _sensor_wire(sensor: SensorType, net: Net) -> str:
    """Return the hole of the module that a wire from a plug leads to."""
    if net.kind is NetKind.CONTACT:
        point, *colour = net.which.split()
        return f"{'B' if colour == ['black'] else 'A'} of {point}"
    if net.kind is NetKind.LOGIC:
        return "open: reeds need no 3.3 V" if sensor is SensorType.REED else "3V of each of these points"
    if net.kind is NetKind.GROUND:
        return "GND of each of these points, from one to the next"
    return "open"


def _terminal(part: BoardPart) -> str:
    if part.component is kinds.USB_C:
        return "USB-C, 5 V and 3 A; not together with J9"
    wires = [_HOLES.get(str(net), str(net)) for _, net in part.pads]
    return f"{part.about}: {', '.join(wires)}"


def _left_out(circuit: Circuit) -> str:
    fitted = sum(part.component is kinds.MUX for part in circuit.parts)
    beside = "one of R5 to R10; not U8 and C8" if circuit.front is None else "U8 and C8; none of R5 to R10"
    return f"Fitted: {fitted} multiplexers, from U1 on, each with its capacitor; {beside}."


# ---- the wiring, pin by pin ----------------------------------------------------------------------------


_MUXES_UNSAID = 3
"""The number of mux chips that a Pico expects unless its board.json names more."""

_MAX_HEADER_MA = 50
"""Current that the 3.3 V pins of every Pi can deliver; not in the Pi's documentation since the B+."""


def wiring_text(plan: BoardPlan) -> str:
    """Return every pin in use and its connections; raises ConfigError if the plan cannot be wired."""
    circuit = build_circuit(plan)
    if circuit.parts:
        return boards_text(plan, circuit)
    parts = [*_header(circuit), *_chips(plan, circuit), *_light(plan, circuit), *_buzzer(circuit)]
    return "\n".join(parts).lstrip("\n") + "\n"


def parts_text(plan: BoardPlan) -> str:
    """Return the parts list and the current; raises ConfigError if the plan cannot be wired."""
    build_circuit(plan)
    bought = parts(plan)
    rows = [(str(part.count), part.what, str(part.price), part.remark) for part in bought]
    total = ("", "all of it, without wood", str(total_price(bought)), "")
    table = _table([("", "part", "euros", ""), *rows, total])
    return "\n".join(["Parts", *table, "", PRICES_FROM, "", *_current(plan)]) + "\n"


def _header(circuit: Circuit) -> Iterator[str]:
    if all(net is FREE for net in circuit.header):
        return
    yield "Pi header (pin 1 has a square pad; all GND are joined)"
    used = [
        (str(pin), HEADER[pin - 1].replace("V", " V"), _goes_to(net, circuit))
        for pin, net in enumerate(circuit.header, start=1)
        if net is not FREE
    ]
    yield from _table([("pin", "name", "goes to"), *used])


def _goes_to(net: Net, circuit: Circuit) -> str:
    """Return the pins of chips that a net of the header reaches; for power nets, the source or the users."""
    if net == LOGIC:
        chips = [chip.package.name for chip in circuit.sensing]
        users = [
            *dict.fromkeys(chips),
            *([f"the {circuit.sensor.plural}"] if circuit.sensor is not SensorType.REED else []),
        ]
        return ", ".join(users) or "the resistors of the lines"
    if net == SUPPLY:
        return "5 V supply, plus"
    if net == GROUND:
        return f"GND of supply, chips{'' if circuit.crossings else ', sensors'} and strip"
    if net == BUTTON:
        return "button, whose other end goes to GND"
    if net == BUZZER:
        return "1 kOhm, and through it the base of the buzzer's transistor"
    if net.kind is NetKind.CONTACT:
        return f"{circuit.sensor.value} of {net}"
    if net.kind in (NetKind.ROW, NetKind.COLUMN):
        return f"{net}: {_crossed(net, circuit)}"
    ends = [
        f"{chip.name} {_pin(chip, number)}"
        for chip in circuit.every_chip
        for number, other in enumerate(chip.nets, start=1)
        if other == net
    ]
    return f"{net}: {', '.join(ends) or 'free'}"


def _crossed(net: Net, circuit: Circuit) -> str:
    """Return the parts on a row or a column of a matrix."""
    parts = sum(net in (one.row, one.column) for one in circuit.crossings)
    many = "" if parts == 1 else "s"
    if not parts:
        return "free"
    return f"the band{many} of {parts} diode{many}" if net.kind is NetKind.ROW else f"{parts} reed{many}"


def _pin(chip: Chip, number: int) -> str:
    return (
        f"pin {number} ({chip.package.label(number)})"
        if chip.package.numbered
        else chip.package.pins[number - 1]
    )


def _chips(plan: BoardPlan, circuit: Circuit) -> Iterator[str]:
    for chip in circuit.sensing:
        yield ""
        yield f"{chip.name}: {chip.package.name}{_remark(chip)}"
        yield from _pins(circuit, chip)
    if circuit.crossings:
        yield ""
        yield "Matrix: from each column through a reed to a diode 1N4148, and from its band to the row"
        yield from _table([("row", "column", ""), *map(_crossing, circuit.crossings)])
    yield ""
    yield from _notes(plan, circuit)


def _crossing(crossing: Crossing) -> tuple[str, str, str]:
    return crossing.row.which, crossing.column.which, f"reed of {crossing.contact}"


def _remark(chip: Chip) -> str:
    """Return the remarks on a chip."""
    capacitor = chip.package.numbered and not chip.package.is_board
    remarks = (chip.remark, "100 nF from its supply to ground" if capacitor else "")
    return "".join(f", {remark}" for remark in remarks if remark)


def _notes(plan: BoardPlan, circuit: Circuit) -> Iterator[str]:
    """Yield notes on all sensors, and on the bus that reads them."""
    if circuit.crossings:
        yield "No reed goes to GND. The diode's band is the end that current leaves by: it goes to the row."
    elif circuit.sensor is SensorType.REED:
        yield "The other end of each reed goes to GND."
    else:
        two = "; two a point, facing opposite ways" if circuit.sensor is SensorType.HALL else ""
        yield f"Each {circuit.sensor.value} also has {_power_name(circuit)} and GND{two}."
    if plan.pico:
        yield from _pico_notes(plan)
        return
    match plan.sensors.kind:
        case "mux" | "direct" if plan.resistors:
            yield "A resistor of 10 kOhm pulls each signal line up to 3.3 V."
        case "mux" | "direct":
            yield "The Pi's own resistors pull the signal lines up."
        case "matrix" if plan.resistors:
            yield "A resistor of 10 kOhm pulls each column up to 3.3 V."
        case "matrix":
            yield "The Pi's own resistors pull the columns up."
        case "mcp23017":
            yield "The expanders' own resistors (100 kOhm) pull the contacts up."
            yield f"The bus is {plan.sensors.i2c}; `sudo raspi-config nonint do_i2c 0` switches I2C on."
        case "mcp3008":
            cs = plan.sensors.adc[-1]
            overlay = f"dtoverlay=spi1-{int(cs) + 1}cs"
            yield f"The bus is {plan.sensors.adc}: the line `{overlay}` in config.txt switches it on."
        case "serial":
            yield from _board_notes(plan, circuit)


def _power_name(circuit: Circuit) -> str:
    return "3.3 V" if circuit.power == LOGIC else f"5 V, of the {circuit.sensing[0].name}"


def _board_notes(plan: BoardPlan, circuit: Circuit) -> Iterator[str]:
    """Yield how the firmware is built for this board, and what must not be joined."""
    if circuit.front:
        lines = len({net for net in circuit.front.nets if net.kind is NetKind.SELECT})
        built = f"make CHIPS={len(circuit.chips)} SELECT_LINES={lines}"
        if plan.lit_by_board:
            built += f" LEDS={plan.strip.leds} COLOURS={len(plan.strip.order)}"
        yield "The Nano's own resistors pull the signal lines up."
        yield f"Its firmware, in hardware/firmware: `{built}`."
    yield "This board works at 5 V: nothing but the USB cable and GND joins it to the Pi."
    yield "A Raspberry Pi Pico is wired differently, at 3.3 V only: see `millwright wiring --pico direct`."


def _pico_notes(plan: BoardPlan) -> Iterator[str]:
    """Yield the settings of the Pico's front end, and a warning of 5 V."""
    settings: dict[str, object] = {} if plan.pico == "direct" else {"kind": plan.pico}
    chips = 1 + max(chip for chip, _ in plan.contacts.values())
    if plan.pico == "mux" and chips > _MUXES_UNSAID:
        settings["signal"] = list(PICO_SIGNALS[:chips])
    if plan.pico != "linear":
        yield "The Pico's own resistors pull its inputs up."
    yield f"Its board.json: {json.dumps(settings)}" if settings else "It needs no board.json."
    yield "Everything on its pins works at 3.3 V, and 5 V destroys them: leave VBUS (pin 40) and VSYS open."
    yield "How the program gets onto it: hardware/pico/README.md."


def _pins(circuit: Circuit, chip: Chip) -> Iterator[str]:
    rows = [
        (
            str(number) if chip.package.numbered else "",
            chip.package.label(number),
            _comes_from(circuit, chip, chip.package.pins[number - 1], net),
        )
        for number, net in enumerate(chip.nets, start=1)
        if not chip.package.is_board or net is not FREE
    ]
    yield from _table(rows)
    if chip.package.is_board:
        yield "  All other pins stay open."


def _comes_from(circuit: Circuit, chip: Chip, pin: str, net: Net) -> str:
    """Return what a chip's pin is connected to."""
    if net.kind is NetKind.CONTACT:
        return f"{circuit.sensor.value} of {net}"
    if net.kind in (NetKind.ROW, NetKind.COLUMN):
        return f"{net}: {_crossed(net, circuit)}"
    if net.kind is NetKind.STRIP:
        return "DIN of the LED strip, through 330 Ohm"
    if net.kind is NetKind.BOARD_SUPPLY:
        return _board_supply(circuit, chip)
    if chip.package is EXPANDER and pin in EXPANDER_OUTPUTS:
        return "open: not an input"
    if net is FREE or net.kind in POWER:
        return str(net)
    if net in circuit.header:
        number = circuit.header.index(net) + 1
        return f"{net}: header pin {number} ({HEADER[number - 1]})"
    ends = [
        f"{other.name} {_pin(other, other.nets.index(net) + 1)}"
        for other in circuit.every_chip
        if other is not chip and net in other.nets and circuit.front in (None, chip, other)
    ]
    return f"{net}: {', '.join(ends)}" if ends else str(net)


def _board_supply(circuit: Circuit, chip: Chip) -> str:
    """Return the users of the 5 V from a board's own regulator or cable."""
    if chip is not circuit.sensing[0]:
        return "5V of the Nano"
    users = [f"VCC of the {circuit.chips[0].package.name}s"] if circuit.front else []
    if circuit.sensor is not SensorType.REED:
        users.append(f"the {circuit.sensor.plural}")
    return ", ".join(users) or "free"


def _light(plan: BoardPlan, circuit: Circuit) -> Iterator[str]:
    if circuit.shifter:
        yield ""
        yield f"{circuit.shifter.name}: {circuit.shifter.package.name}, 100 nF from VCC to GND"
        yield from _pins(circuit, circuit.shifter)
        held = _pin(circuit.shifter, circuit.shifter.package.number("1A"))
        yield f"A resistor of 10 kOhm from {held} to GND holds the LEDs' data low while nothing drives it."
    yield ""
    yield f"LED strip: {plan.strip.leds} x {led_name(plan)}, lit by {plan.backend}"
    feed = circuit.strip_feed
    rows = [
        ("DIN", f"{feed.name} {_pin(feed, feed.nets.index(STRIP) + 1)}, through 330 Ohm"),
        ("5V", "5 V supply, plus; 1000 uF from here to GND"),
        ("GND", "5 V supply, minus"),
    ]
    yield from _table(rows)
    yield _protection(plan)
    yield ""
    yield "LEDs along the strip, from DIN on"
    points = zip(plan.layout.points, plan.places, strict=True)
    names = {led: point.name for point, leds in points for led in leds}
    bars = (("W", plan.strip.white_bar), ("B", plan.strip.black_bar))
    names |= {led: f"{side}{number}" for side, leds in bars for number, led in enumerate(leds, start=1)}
    each = [f"{led:3} {names.get(led, '-'):4}" for led in range(plan.strip.leds)]
    yield from ("".join(each[start : start + 8]).rstrip() for start in range(0, len(each), 8))
    if plan.strip.white_bar:
        yield "W1 on and B1 on are the bars at White's and Black's edge; the first of each goes out last"


def _buzzer(circuit: Circuit) -> Iterator[str]:
    """Yield the buzzer with the transistor that carries its current."""
    if BUZZER not in circuit.header:
        return
    pin = circuit.header.index(BUZZER) + 1
    yield ""
    yield "Buzzer: an active one for 5 V, with an NPN transistor (look up the order of its legs)"
    yield from _table(
        [
            ("base", f"1 kOhm, and through it header pin {pin} ({HEADER[pin - 1]})"),
            ("emitter", "GND"),
            ("collector", "the buzzer's minus"),
            ("plus", "the buzzer's: 5 V supply, plus"),
            ("diode", "1N4148 across a magnetic buzzer, its band at plus; a piezo buzzer needs none"),
        ]
    )


def _protection(plan: BoardPlan) -> str:
    """Return the parts that protect wires, strip and Pi."""
    smallest, *_ = models(plan)
    fuses = ", ".join(filter(None, (f"{fuse_a(plan, smallest):g} A", larger_fuses(plan))))
    return f"  The supply's plus goes through a fuse ({fuses}); behind it a TVS diode to GND."


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
    yield "The supply, for the strip" if plan.pico else "The supply, for strip and Pi"
    rows = [
        (f"{draws.supply_a(model):g} A", f"{_with(model)}fuse {fuse_a(plan, model):g} A")
        for model in models(plan)
    ]
    yield from _table(rows)


def _with(model: PiModel) -> str:
    return f"Pi {model.name}, " if model.name else ""


def _feeding(plan: BoardPlan) -> str:
    """Return where the sensors' current comes from."""
    if plan.pico:
        return "at 3.3 V, from the Pico, which gives 300 mA"
    if plan.sensors.kind == "serial":
        return "at 5 V, by USB from the Pi, the Nano's own included"
    if plan.sensors.kind == "matrix" and not plan.resistors:
        return "at 3.3 V, through the Pi's own resistors"
    if plan.sensors.boards:
        return "at 3.3 V, from the controller's regulator"
    if sensors_ma(plan) > _MAX_HEADER_MA:
        return "at 3.3 V; a regulator of its own, from 5 V, bears that better than the header's pin 1"
    return "at 3.3 V, from the header's pin 1"


def _table(rows: Sequence[Sequence[str]]) -> Iterable[str]:
    """Align rows in columns, the first one to the right."""
    widths = [max(len(row[n]) for row in rows) for n in range(len(rows[0]))]
    for row in rows:
        first, *rest = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield f"  {first.strip().rjust(widths[0])}  {'  '.join(rest)}".rstrip()
