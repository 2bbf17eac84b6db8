"""The wiring of a board's points in a configuration: parsing, and checks that it can be built.

Invariants: every point has its sensor and its LED, and no two share one. A fault names the setting to change
and the remedy. Faults of the Pi's lines are found in `gpio`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from firmware_host.config.gpio import PWM_LINES, adc_bus
from firmware_host.errors import did_you_mean
from firmware_host.frozen import frozen
from firmware_host.games.layout import Layout
from firmware_host.settings import Sensors, Strip

_T = TypeVar("_T")

ADC_MAX = 1023
"""The highest reading of an MCP3008: 3.3 V."""

EXPANDERS = range(0x20, 0x28)
"""The addresses that an MCP23017 can have, by its pins A0 to A2."""

EXPANDER_INPUTS = (*range(7), *range(8, 15))
"""The usable pins of an MCP23017: not GPA7 and GPB7, by its data sheet since revision D of 2022."""

ConfigFault = tuple[str, str]
"""The setting, as `section.key`, and the fault."""

CONTACT_NAMES: Mapping[str, tuple[str, ...]] = {
    "presence": ("",),
    "polarity": ("white ", "black "),
    "pieces": ("",),
}
"""The contacts of a point for each kind of sensors, each by the adjective before the word sensor."""

_ONE_WIRE, _TWO_WIRES = (
    "a chip and its channel, as [0, 3]",
    "a chip and its channel for white and for black, as [[0, 3], [3, 3]]",
)
_NOTATIONS = {
    ("mux", "presence"): _ONE_WIRE,
    ("mux", "polarity"): _TWO_WIRES,
    ("direct", "presence"): "the GPIO number of its line, as 5",
    ("direct", "polarity"): "the GPIO numbers of its lines for white and black, as [5, 6]",
    ("matrix", "presence"): "its row and its column, as [0, 3]",
    ("mcp23017", "presence"): "an expander and its pin (0 to 6 for A, 8 to 14 for B), as [0, 3]",
    ("mcp23017", "polarity"): "an expander and its pin for white and for black, as [[0, 3], [1, 3]]",
    ("mcp3008", "presence"): _ONE_WIRE,
    ("mcp3008", "polarity"): _ONE_WIRE,
    ("mcp3008", "pieces"): _ONE_WIRE,
    ("serial", "presence"): _ONE_WIRE,
    ("serial", "polarity"): _TWO_WIRES,
}


def _notation(sensors: Sensors) -> str:
    """Return the notation of a point's wires; only linear sensors identify pieces."""
    return _NOTATIONS.get((sensors.kind, sensors.alphabet)) or _NOTATIONS[sensors.kind, "presence"]


def contact_names(sensors: Sensors) -> tuple[str, ...]:
    """Return the sensors of each point, by the adjective before the word sensor; a linear one reads all."""
    return ("",) if sensors.is_linear else CONTACT_NAMES[sensors.alphabet]


def points_of(key: str, table: Any, read: Callable[[Any], _T], faults: list[ConfigFault]) -> Mapping[str, _T]:
    """Return the map of points under the setting `key`, with each value converted by `read`.

    A ValueError of `read` is added to `faults`.
    """
    points = {}
    for point, value in table.items() if isinstance(table, dict) else ():
        try:
            points[point] = read(value)
        except ValueError as error:
            faults.append((f"{key}.{point}", str(error)))
    return points


def sensor_reader(sensors: Sensors) -> Callable[[Any], tuple[tuple[int, ...], ...]]:
    """Return the parser of one point's wires: chip and channel of each contact, or its line."""
    contacts, width = len(contact_names(sensors)), 1 if sensors.kind == "direct" else 2

    def read(value: Any) -> tuple[tuple[int, ...], ...]:
        values = value if contacts > 1 else [value]
        wires = [_int_list(wire if width > 1 else [wire]) for wire in values] if _is_list(values) else []
        if [len(wire) for wire in wires] != [width] * contacts:
            raise ValueError(f"must be {_notation(sensors)}")
        return tuple(wires)

    return read


def level_reader(sensors: Sensors) -> Callable[[Any], tuple[int, ...]]:
    """Return the parser of the levels of one point's linear sensor."""
    return _read_stack_levels if sensors.alphabet == "pieces" else _read_levels


def _read_levels(value: Any) -> tuple[int, ...]:
    levels = _int_list(value)
    if len(levels) != 3 or not all(0 <= level <= ADC_MAX for level in levels):
        raise ValueError(
            f"must be three numbers of 0 to {ADC_MAX}: at rest, white, black; as [512, 700, 324]"
        )
    rest, white, black = levels
    if not (white < rest < black or black < rest < white):
        raise ValueError(f"White and Black must read on either side of {rest}, which it reads at rest")
    return levels


def _read_stack_levels(value: Any) -> tuple[int, ...]:
    levels = _int_list(value)
    if len(levels) != 5 or not all(0 <= level <= ADC_MAX for level in levels):
        raise ValueError(
            f"must be five numbers of 0 to {ADC_MAX}: at rest, under a white and a black piece with the "
            "weaker magnet, and with the stronger one; as [512, 657, 367, 747, 277]"
        )
    rest, *away = levels[0], *(level - levels[0] for level in levels[1:])
    white, black, white_strong, black_strong = away
    if not (0 < white < white_strong and 0 > black > black_strong) and not (
        0 > white > white_strong and 0 < black < black_strong
    ):
        raise ValueError(
            f"White and Black must read on either side of {rest}, which it reads at rest, and the stronger "
            "magnets further away from it than the weaker"
        )
    return levels


def read_leds(value: Any) -> tuple[int, ...]:
    """Return the LEDs of one point; raise ValueError if `value` is not a number or a list of them."""
    leds = _int_list(value if _is_list(value) else [value])
    if not leds:
        raise ValueError("must be the number of an LED, or a list of them, as [0, 1]")
    return leds


def sensor_faults(sensors: Sensors, layout: Layout) -> Iterator[ConfigFault]:
    """Yield the faults of the wires between points and chips."""
    yield from _name_faults("sensors", sensors.points, layout)
    yield from _name_faults("sensors", sensors.levels, layout, key="levels")
    needed = len(layout) * len(contact_names(sensors))
    if sensors.alphabet == "pieces" and not sensors.is_linear:
        yield "sensors.alphabet", 'only linear sensors can tell all kinds of pieces apart: kind = "mcp3008"'
        return
    if sensors.kind == "direct":
        if not sensors.points and needed > len(sensors.signal):
            yield (
                "sensors.signal",
                f"{needed} sensors need a line each: name them all, or give a map of points",
            )
        return
    if sensors.kind in ("mux", "mcp3008") and len(sensors.select) > 4:
        yield "sensors.select", f"names {len(sensors.select)} lines: no mux chip drawn here has more than 4"
        return
    if own := list(_KIND_FAULTS.get(sensors.kind, lambda _: ())(sensors)):
        yield from own
        return
    if (size := chips_and_channels(sensors)) is None:
        yield from _contact_faults(sensors, None)
        return
    chips, each = size[0], len(channels(sensors))
    if not sensors.points and needed > chips * each:
        chip, channel = _parts(sensors)
        needs = f"{needed} sensors need {needed} {channel if sensors.kind != 'matrix' else 'crossing'}s"
        gives = f"{chips} {chip}s x {each} {channel}s give only {chips * each}"
        yield _CHIPS_KEY[sensors.kind](sensors), f"{needs}, but {gives}: name {_REMEDIES[sensors.kind]}"
    yield from _contact_faults(sensors, size)


def _parts(sensors: Sensors) -> tuple[str, str]:
    """Return the words for the two numbers that locate a contact."""
    return ("row", "column") if sensors.kind == "matrix" else ("chip", "channel")


def chips_and_channels(sensors: Sensors) -> tuple[int, int] | None:
    """Return the number of chips and that of their channels; None if only a microcontroller knows it."""
    match sensors.kind:
        case "mux":
            return len(sensors.enable or sensors.signal), 1 << len(sensors.select)
        case "mcp3008":
            return len(sensors.inputs), 1 << len(sensors.select)
        case "mcp23017":
            return len(sensors.expanders), 16
        case "matrix":
            return len(sensors.rows), len(sensors.columns)
    return None


def channels(sensors: Sensors) -> Sequence[int]:
    """Return the channels of each chip that can have a sensor; none if only a microcontroller knows it."""
    if sensors.kind == "mcp23017":
        return EXPANDER_INPUTS
    size = chips_and_channels(sensors)
    return range(size[1]) if size else ()


def _mux_faults(sensors: Sensors) -> Iterator[ConfigFault]:
    if sensors.enable and len(sensors.signal) != 1:
        yield "sensors.enable", "is for chips that share one signal line: name only one as signal"


def _matrix_faults(sensors: Sensors) -> Iterator[ConfigFault]:
    if sensors.alphabet != "presence":
        yield (
            "sensors.alphabet",
            "a matrix has one reed a point, which closes for either colour: presence",
        )


def _expander_faults(sensors: Sensors) -> Iterator[ConfigFault]:
    for address in sensors.expanders:
        if address not in EXPANDERS:
            span = f"{EXPANDERS[0]} to {EXPANDERS[-1]} (0x20 to 0x27)"
            yield "sensors.expanders", f"no MCP23017 has the address {address}: they have {span}"
    yield from _duplicate_faults("sensors.expanders", "address", sensors.expanders)


def _adc_faults(sensors: Sensors) -> Iterator[ConfigFault]:
    for given in sensors.inputs:
        if given not in range(8):
            yield "sensors.inputs", f"an MCP3008 has no input {given}: it has 0 to 7"
    yield from _duplicate_faults("sensors.inputs", "input", sensors.inputs)
    bus = adc_bus(sensors)
    if bus is None:
        yield "sensors.adc", f"must be a bus as the kernel names it, as /dev/spidev1.0, not {sensors.adc}"
    elif bus[0] == 0:
        yield "sensors.adc", "the LEDs hear all that this bus says, whoever it is for: take /dev/spidev1.0"


_KIND_FAULTS: Mapping[str, Callable[[Sensors], Iterator[ConfigFault]]] = {
    "mux": _mux_faults,
    "matrix": _matrix_faults,
    "mcp23017": _expander_faults,
    "mcp3008": _adc_faults,
}
_CHIPS_KEY: Mapping[str, Callable[[Sensors], str]] = {
    "mux": lambda sensors: f"sensors.{'enable' if sensors.enable else 'signal'}",
    "matrix": lambda _: "sensors.columns",
    "mcp23017": lambda _: "sensors.expanders",
    "mcp3008": lambda _: "sensors.inputs",
}
_SETTING_NAMES = {"mux": "lines", "matrix": "lines", "mcp23017": "addresses", "mcp3008": "inputs"}
_PORTS = ("GPA", "GPB")
_REMEDIES = {
    "mux": "a line for each chip",
    "matrix": "more lines for rows or columns",
    "mcp23017": "an address for each chip",
    "mcp3008": "an input for each chip",
}


def _duplicate_faults(key: str, what: str, values: Iterable[int]) -> Iterator[ConfigFault]:
    for value, count in Counter(values).items():
        if count > 1:
            yield key, f"{what} {value} is named {count} times: each chip needs its own"


def strip_faults(strip: Strip, layout: Layout) -> Iterator[ConfigFault]:
    """Yield the faults of the points' LEDs."""
    yield from _name_faults("strip", strip.points, layout)
    if strip.backend == "pwm" and strip.gpio not in PWM_LINES:
        yield "strip.gpio", f"pwm cannot use GPIO {strip.gpio}: it has {', '.join(map(str, PWM_LINES))}"
    if not strip.points and strip.leds < len(layout):
        yield "strip.leds", f"{strip.leds} LEDs are too few for {len(layout)} points"
    owners: dict[int, str] = {}
    for point, leds in strip.points.items():
        for led in leds:
            owner = owners.setdefault(led, point)
            if not 0 <= led < strip.leds:
                yield f"strip.points.{point}", f"there is no LED {led}: the strip has 0 to {strip.leds - 1}"
            elif leds.count(led) > 1 or owner != point:
                yield f"strip.points.{point}", f"LED {led} is named twice: {owner} has it already"


def bar_faults(strip: Strip, layout: Layout) -> Iterator[ConfigFault]:
    """Yield the faults of the side bars' LEDs."""
    if len(strip.white_bar) != len(strip.black_bar):
        yield "strip.black_bar", f"has {len(strip.black_bar)} LEDs, and white_bar {len(strip.white_bar)}"
    places = strip.points or {point.name: (point.index,) for point in layout.points}
    owners = {led: point for point, leds in places.items() for led in leds}
    for key, leds in (("white_bar", strip.white_bar), ("black_bar", strip.black_bar)):
        for led in leds:
            if not 0 <= led < strip.leds:
                yield f"strip.{key}", f"there is no LED {led}: the strip has 0 to {strip.leds - 1}"
            elif led in owners:
                yield f"strip.{key}", f"LED {led} is named twice: {owners[led]} has it already"
            owners.setdefault(led, key)


def bar_positions(strip: Strip) -> tuple[tuple[int, ...], ...]:
    """Return the LED of each place of the side bars, White's first."""
    return tuple((led,) for led in (*strip.white_bar, *strip.black_bar))


@frozen
class LedCounts:
    """The numbers of a strip's LEDs: of each point (empty: one), of each side bar, and of neither."""

    points: tuple[int, ...] = ()
    bar: int = 0
    spare: int = 0

    @classmethod
    def of(cls, strip: Strip, layout: Layout) -> LedCounts:
        """Return those of a strip."""
        points, bar = tuple(map(len, led_positions(strip, layout))), len(strip.white_bar)
        return cls(points, bar, strip.leds - sum(points) - 2 * bar)


def led_positions(strip: Strip, layout: Layout) -> tuple[tuple[int, ...], ...]:
    """Return the LEDs of each point, in the layout's order, by their numbers along the strip."""
    if not strip.points:
        return tuple((point.index,) for point in layout.points)
    return tuple(strip.points[point.name] for point in layout.points)


def _contact_faults(sensors: Sensors, size: tuple[int, int] | None) -> Iterator[ConfigFault]:
    """Yield the faults of single contacts; `size` is the number of chips and channels, if known."""
    owners: dict[tuple[int, ...], str] = {}
    one, other = _parts(sensors)
    for point, wires in sensors.points.items():
        for wire, name in zip(wires, contact_names(sensors), strict=True):
            key, (chip, channel) = f"sensors.points.{point}", wire
            owner = owners.setdefault(wire, f"the {name}sensor of {point}")
            if chip < 0 or (size and chip >= size[0]):
                named = f"the {_SETTING_NAMES.get(sensors.kind)} named lead to"
                yield key, f"there is no {one} {chip}: {_range_text(size and size[0], named)}"
            elif channel < 0 or (size and channel >= size[1]):
                reach = _range_text(size and size[1], _channel_source(sensors))
                yield key, f"there is no {other} {channel}: {reach}"
            elif size and channel not in channels(sensors):
                name = f"{_PORTS[channel >> 3]}7"
                yield (
                    key,
                    f"{name} of an MCP23017 is not an input (data sheet of 2022): use another",
                )
            elif owner != f"the {name}sensor of {point}":
                yield key, f"{other} {channel} of {one} {chip} has {owner} already"


def _channel_source(sensors: Sensors) -> str:
    sources = {"mcp23017": "each has", "matrix": "the lines named lead to"}
    return sources.get(sensors.kind, f"{len(sensors.select)} select lines reach")


def _range_text(count: int | None, what: str) -> str:
    return "they are counted from 0" if count is None else f"{what} {_span(count)}"


def _name_faults(
    section: str, points: Mapping[str, Any], layout: Layout, key: str = "points"
) -> Iterator[ConfigFault]:
    for name in points:
        if name not in layout.by_name:
            yield f"{section}.{key}.{name}", f"is no point; {_suggestion(name, layout)}"
    if points and (missing := [name for name in layout.by_name if name not in points]):
        yield f"{section}.{key}", f"leaves out {', '.join(missing)}: a map must have every point, or none"


def _suggestion(name: str, layout: Layout) -> str:
    return did_you_mean(name, layout.by_name)


def _span(count: int) -> str:
    return f"0 to {count - 1}" if count > 1 else "0 only" if count else "none"


def _is_list(value: Any) -> bool:
    return isinstance(value, list)


def _int_list(values: Any) -> tuple[int, ...]:
    """Return the whole numbers of a list; empty if it is not a list or has anything else."""
    numbers: Iterable[Any] = values if _is_list(values) else ()
    kept = tuple(n for n in numbers if isinstance(n, int) and not isinstance(n, bool))
    return kept if _is_list(values) and len(kept) == len(values) else ()
