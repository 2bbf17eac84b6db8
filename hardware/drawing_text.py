"""The wiring of a board, and its parts, as text: pin by pin, for the one who solders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from hardware.circuit import FREE, BoardPlan, Chip, Circuit, Kind, Net, circuit
from hardware.parts import PI_MODELS, current, led_name, parts
from hardware.pinout import HEADER


def wiring_text(plan: BoardPlan) -> str:
    """Every pin in use and what it is joined to; raises ConfigError where the plan cannot be wired."""
    made = circuit(plan)
    return "\n".join([*_header(made), *_muxes(plan, made), *_light(plan, made)]) + "\n"


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
    if net.kind is Kind.LOGIC:
        users = [("VCC of the muxes", bool(made.muxes)), ("the hall switches", made.halls)]
        return ", ".join(name for name, there in users if there) or "the resistors of the lines"
    if net.kind is Kind.SUPPLY:
        return "5 V supply, plus"
    if net.kind is Kind.GROUND:
        return "GND of supply, chips, sensors and strip"
    if net.kind is Kind.CONTACT:
        return f"{_sensor(made)} of {net}"
    ends = [
        f"{chip.name} pin {pin} ({chip.package.pins[pin - 1]})"
        for chip in (*made.muxes, made.shifter)
        for pin, other in enumerate(chip.nets, start=1)
        if other == net
    ]
    return f"{net}: {', '.join(ends)}"


def _sensor(made: Circuit) -> str:
    return "hall switch" if made.halls else "reed"


def _muxes(plan: BoardPlan, made: Circuit) -> Iterator[str]:
    for chip in made.muxes:
        yield ""
        yield f"{chip.name}: {chip.package.name}, 100 nF from VCC to GND"
        yield from _pins(made, chip)
    yield ""
    if made.halls:
        yield "Each hall switch also has 3.3 V and GND; two a point, facing opposite ways."
    else:
        yield "The other end of each reed goes to GND."
    if plan.wiring.pull_up:
        yield "The Pi's own resistors pull the signal lines up."
    else:
        yield "A resistor of 10 kOhm pulls each signal line up to 3.3 V."


def _pins(made: Circuit, chip: Chip) -> Iterator[str]:
    rows = [
        (str(pin), name, _comes_from(made, net))
        for pin, (name, net) in enumerate(zip(chip.package.pins, chip.nets, strict=True), start=1)
    ]
    yield from _table(rows)


def _comes_from(made: Circuit, net: Net) -> str:
    """What a chip's pin is joined to."""
    if net.kind is Kind.CONTACT:
        return f"{_sensor(made)} of {net}"
    if net.kind is Kind.STRIP:
        return "DIN of the LED strip, through 330 Ohm"
    if net not in made.header or net.kind in (Kind.FREE, Kind.GROUND, Kind.LOGIC, Kind.SUPPLY):
        return str(net)
    pin = made.header.index(net) + 1
    return f"{net}: header pin {pin} ({HEADER[pin - 1]})"


def _light(plan: BoardPlan, made: Circuit) -> Iterator[str]:
    yield ""
    yield f"{made.shifter.name}: {made.shifter.package.name}, 100 nF from VCC to GND"
    yield from _pins(made, made.shifter)
    yield ""
    yield f"LED strip: {plan.strip.leds} x {led_name(plan)}"
    rows = [
        ("DIN", f"level shifter pin {made.shifter.package.number('1Y')} (1Y), through 330 Ohm"),
        ("5V", "5 V supply, plus; 1000 uF from here to GND"),
        ("GND", "5 V supply, minus"),
    ]
    yield from _table(rows)
    yield ""
    yield "LEDs along the strip, from DIN on"
    points = zip(plan.wiring.layout.points, plan.places, strict=True)
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
    yield "The supply, for strip and Pi"
    rows = [(f"{draws.supply_a(model):g} A", f"Pi {model.name}") for model in PI_MODELS]
    yield from _table(rows)


def _table(rows: Sequence[Sequence[str]]) -> Iterable[str]:
    """Rows in columns, the first one set to the right."""
    widths = [max(len(row[n]) for row in rows) for n in range(len(rows[0]))]
    for row in rows:
        first, *rest = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield f"  {first.strip().rjust(widths[0])}  {'  '.join(rest)}".rstrip()
