"""Where the points of a board are wired, as a configuration says it: read, and held to what can be soldered.

Rules kept here: every point has its sensor and its LED, and no two share one; a fault names the setting that
is to be changed and says what would be right. What is wrong with lines of the Pi, `pins` says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

from firmware_host.errors import did_you_mean
from firmware_host.games.layout import Layout
from firmware_host.pins import PWM_LINES
from firmware_host.settings import Sensors, Strip

_T = TypeVar("_T")

Fault = tuple[str, str]
"""The setting, as `section.key`, and what is wrong with it."""

READINGS: Mapping[str, tuple[str, ...]] = {"presence": ("",), "polarity": ("white ", "black ")}
"""For each alphabet the contacts that a point has, each with how it is called before the word sensor."""

_FORMS = {
    ("mux", "presence"): "a chip and its channel, as [0, 3]",
    ("mux", "polarity"): "a chip and its channel for white and for black, as [[0, 3], [3, 3]]",
    ("direct", "presence"): "the GPIO number of its line, as 5",
    ("direct", "polarity"): "the GPIO numbers of its lines for white and black, as [5, 6]",
}


def points_of(section: str, table: Any, read: Callable[[Any], _T], faults: list[Fault]) -> Mapping[str, _T]:
    """The map of a section by what `read` makes of each value; it raises ValueError where it cannot."""
    points = {}
    for point, value in table.items() if isinstance(table, dict) else ():
        try:
            points[point] = read(value)
        except ValueError as error:
            faults.append((f"{section}.points.{point}", str(error)))
    return points


def sensor_reader(kind: str, alphabet: str) -> Callable[[Any], tuple[tuple[int, ...], ...]]:
    """What reads the wires of one point: for each of its contacts chip and channel, or its line."""
    contacts, width = len(READINGS[alphabet]), 2 if kind == "mux" else 1

    def read(value: Any) -> tuple[tuple[int, ...], ...]:
        several = value if contacts > 1 else [value]
        wires = [_numbers(wire if width > 1 else [wire]) for wire in several] if _is_list(several) else []
        if [len(wire) for wire in wires] != [width] * contacts:
            raise ValueError(f"must be {_FORMS[kind, alphabet]}")
        return tuple(wires)

    return read


def read_leds(value: Any) -> tuple[int, ...]:
    """The LEDs of one point."""
    leds = _numbers(value if _is_list(value) else [value])
    if not leds:
        raise ValueError("must be the number of an LED, or a list of them, as [0, 1]")
    return leds


def sensor_faults(sensors: Sensors, layout: Layout) -> Iterator[Fault]:
    """What is wrong with the wires between points and chips."""
    yield from _named("sensors", sensors.points, layout)
    if sensors.kind == "direct":
        if not sensors.points:
            yield "sensors.points", "direct lines need a map: each point with the GPIO number of its line"
        return
    if len(sensors.select) > 5:
        yield "sensors.select", f"names {len(sensors.select)} lines: no mux chip has more than 5"
    if sensors.enable and len(sensors.signal) != 1:
        yield "sensors.enable", "is for chips that share one signal line: name only one as signal"
        return
    chips = len(sensors.enable or sensors.signal)
    channels = 1 << len(sensors.select)
    needed = len(layout) * len(READINGS[sensors.alphabet])
    if not sensors.points and needed > chips * channels:
        short = f"{needed} sensors need as many channels, and {chips} chips of {channels} have too few"
        yield f"sensors.{'enable' if sensors.enable else 'signal'}", f"{short}: name a line for each chip"
    yield from _contact_faults(sensors, chips, channels)


def strip_faults(strip: Strip, layout: Layout) -> Iterator[Fault]:
    """What is wrong with the LEDs of the points."""
    yield from _named("strip", strip.points, layout)
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


def places(strip: Strip, layout: Layout) -> tuple[tuple[int, ...], ...]:
    """The LEDs of each point, in the layout's order, by their numbers along the strip."""
    if not strip.points:
        return tuple((point.index,) for point in layout.points)
    return tuple(strip.points[point.name] for point in layout.points)


def _contact_faults(sensors: Sensors, chips: int, channels: int) -> Iterator[Fault]:
    owners: dict[tuple[int, ...], str] = {}
    for point, wires in sensors.points.items():
        for wire, name in zip(wires, READINGS[sensors.alphabet], strict=True):
            key, (chip, channel) = f"sensors.points.{point}", wire
            owner = owners.setdefault(wire, f"the {name}sensor of {point}")
            if not 0 <= chip < chips:
                yield key, f"there is no chip {chip}: the lines named lead to {_span(chips)}"
            elif not 0 <= channel < channels:
                lines = len(sensors.select)
                yield key, f"there is no channel {channel}: {lines} select lines reach {_span(channels)}"
            elif owner != f"the {name}sensor of {point}":
                yield key, f"channel {channel} of chip {chip} has {owner} already"


def _named(section: str, points: Mapping[str, Any], layout: Layout) -> Iterator[Fault]:
    for name in points:
        if name not in layout.by_name:
            yield f"{section}.points.{name}", f"is no point; {_closest(name, layout)}"
    if points and (missing := [name for name in layout.by_name if name not in points]):
        yield f"{section}.points", f"leaves out {', '.join(missing)}: a map must have every point, or none"


def _closest(name: str, layout: Layout) -> str:
    return did_you_mean(name, layout.by_name)


def _span(count: int) -> str:
    return f"0 to {count - 1}" if count > 1 else "0 only" if count else "none"


def _is_list(value: Any) -> bool:
    return isinstance(value, list)


def _numbers(values: Any) -> tuple[int, ...]:
    """The whole numbers of a list; empty where it is none or has anything else."""
    numbers: Iterable[Any] = values if _is_list(values) else ()
    kept = tuple(n for n in numbers if isinstance(n, int) and not isinstance(n, bool))
    return kept if _is_list(values) and len(kept) == len(values) else ()
