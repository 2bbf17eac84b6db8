"""What one may set about a board, as values with defaults; units are in the names.

`config.py` fills these from a file; nothing here reads one. A field's metadata says what it is about and, for
a number, its least and greatest value, which the reader checks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field, dataclass, field
from typing import Any, NamedTuple

Microseconds = int
"""Time is whole microseconds since the program started: exact, so that 10 ms are two frames at 200 Hz."""

Gpio = int
"""A line of the Pi's 40-pin header by its BCM number, which is not that of the pin."""


def _number(default: float, least: float, most: float, about: str) -> Any:
    return field(default=default, metadata={"least": least, "most": most, "about": about})


def _choice(default: object, about: str, *among: str) -> Any:
    return field(default=default, metadata={"about": about, **({"among": among} if among else {})})


def _map(about: str) -> Any:
    return field(default_factory=dict, metadata={"about": about})


_UNITS = {
    "_hz": "Hz",
    "_us": "us",
    "_ms": "ms",
    "_ma": "mA",
    "_ma_per_led": "mA",
    "_ma_per_colour": "mA",
}


def bounds(setting: Field[Any]) -> str:
    """The least and the greatest value of a number, with its unit."""
    unit = next((f" {unit}" for suffix, unit in _UNITS.items() if setting.name.endswith(suffix)), "")
    return f"{setting.metadata['least']} to {setting.metadata['most']}{unit}"


@dataclass(frozen=True, slots=True)
class Timing:
    """How often the board looks, and how long it waits before it believes; each is used by one module."""

    frame_rate_hz: int = _number(200, 20, 1000, "how often all sensors are read")
    debounce_ms: int = _number(10, 0, 200, "a sensor has changed when it has said the same for so long")
    landing_ms: int = _number(40, 0, 2000, "a landing where the lifted piece has no other legal one")
    sliding_landing_ms: int = _number(240, 0, 5000, "a landing where a slide could go on")
    removal_ms: int = _number(300, 0, 5000, "a removal; longer than a weak sensor drops out")
    put_back_ms: int = _number(1000, 0, 10000, "a removed piece that is back within this time was put back")
    illegal_landing_ms: int = _number(150, 0, 5000, "an illegal landing, before it is shown")
    mismatch_ms: int = _number(500, 0, 10000, "anything else that is wrong, before it is shown")
    take_back_rest_ms: int = _number(1000, 0, 10000, "a board that stands as it did some turns ago")
    cleared_ms: int = _number(3000, 500, 60000, "an empty board, before it means a new game")
    cleared_forgives_ms: int = _number(
        10000, 0, 60000, "take-backs so long before the board was cleared were part of clearing it"
    )


@dataclass(frozen=True, slots=True)
class Lights:
    """How the light looks and what it may draw."""

    theme: str = _choice("harbour", "the colours and patterns of the lights")
    brightness: float = _number(0.6, 0.0, 1.0, "the share of the LEDs' light")
    gamma: float = _number(2.2, 1.0, 4.0, "the exponent that makes even steps of brightness look even")
    budget_ma: int = _number(500, 100, 20000, "what the whole strip may draw")
    idle_ma_per_led: float = _number(1.0, 0.0, 5.0, "what an LED draws when it is dark")
    full_ma_per_colour: float = _number(20.0, 1.0, 60.0, "what one colour of an LED draws at its brightest")
    hints: bool = _choice(default=True, about="whether legal moves are lit; all else always is")


@dataclass(frozen=True, slots=True)
class Play:
    """What the board allows besides the rules."""

    rules: str = _choice("standard", "the rule set that a new game is played by")
    switches: tuple[str, ...] = _choice((), 'switches set over it, each "name=value"')
    take_back: bool = _choice(
        default=True, about="whether turns older than the last can be taken back by moving back"
    )


@dataclass(frozen=True, slots=True)
class Sensors:
    """How the sensors are wired.

    `points` has the wires of each point: for each of its contacts (presence one, polarity white and black;
    a linear sensor is one for all) its chip and channel, or behind no chips its line alone. An empty map
    means that contact after contact, in the order of the board's points, hangs on channel after channel, chip
    after chip. `levels` has what each linear sensor reads at rest, under a white piece and under a black one;
    with pieces, whose magnets have two strengths, also under the stronger ones.
    """

    kind: str = _choice(
        "mux",
        "what reads them: mux chips, lines of the Pi, expanders, an ADC (linear sensors), a microcontroller",
        "mux",
        "direct",
        "mcp23017",
        "mcp3008",
        "serial",
    )
    alphabet: str = _choice("presence", "what a sensor can tell", "presence", "polarity", "pieces")
    select: tuple[Gpio, ...] = _choice(
        (17, 27, 22), "mux, mcp3008: the lines to A, B, C (and D) of all mux chips"
    )
    signal: tuple[Gpio, ...] = _choice(
        (23, 24, 25), "mux: the line from each chip, or one from all of them; direct: the lines"
    )
    enable: tuple[Gpio, ...] = _choice((), "mux: the line to each chip's E, where all share one signal line")
    pull_up: bool = _choice(
        default=True, about="mux, direct: whether the Pi's own resistors pull the signals up"
    )
    settling_us: int = _number(
        20, 0, 1000, "mux, mcp3008: how long a signal takes to follow the select lines"
    )
    expanders: tuple[int, ...] = _choice((0x20, 0x21), "mcp23017: the I2C address of each, 32 to 39")
    i2c: str = _choice("/dev/i2c-1", "mcp23017: their bus")
    inputs: tuple[int, ...] = _choice((0, 1, 2), "mcp3008: its input for each mux chip, 0 to 7")
    adc: str = _choice("/dev/spidev1.0", "mcp3008: its bus, another than the strip's, which would hear it")
    port: str = _choice("", "serial: where the board is plugged in, as /dev/serial/by-id/...; empty: find it")
    points: Mapping[str, tuple[tuple[int, ...], ...]] = _map(
        "where each point is wired: [chip, channel], with polarity two (white, black); direct: its line"
    )
    levels: Mapping[str, tuple[int, ...]] = _map(
        "mcp3008: what each point reads at rest, under White and Black, as [512, 700, 324]; pieces: two more"
    )


@dataclass(frozen=True, slots=True)
class Strip:
    """How the LEDs are wired. An empty map means that each point has the LED of its own number."""

    backend: str = _choice("auto", "how its bytes leave the Pi", "auto", "spi", "pio", "pwm", "serial")
    leds: int = _number(24, 1, 120, "how many there are along the strip")
    order: str = _choice("GRB", "in which order an LED takes its colours", "GRB", "RGB", "GRBW", "RGBW")
    gpio: int = _number(18, 0, 27, "the data line of pio and pwm; that of spi is 10")
    points: Mapping[str, tuple[int, ...]] = _map("the LED of each point, or a list of them, counted from 0")


@dataclass(frozen=True, slots=True)
class Store:
    """Where games are kept."""

    keep: bool = _choice(
        default=True, about="whether games are kept, and the last one goes on after a power cut"
    )
    path: str = _choice("", "the file they are kept in; empty: games.db where the system keeps such things")


_THIS_MACHINE = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Web:
    """Where the page is served, unless a service manager has opened the place for it."""

    host: str = _choice(_THIS_MACHINE, "the address; 127.0.0.1 is for browsers on this machine alone")
    port: int = _number(8765, 0, 65535, "the port; 0 takes any that is free")
    listen: bool = _choice(
        default=False, about="whether others in the house may look, at all addresses if host names no other"
    )

    def at(self, host: str | None = None, port: int | None = None, *, listen: bool = False) -> Address:
        """Where the page is, or where a command line says instead."""
        listen = listen or self.listen
        named = self.host if host is None else host
        everywhere = listen and host is None and self.host == _THIS_MACHINE
        return Address("" if everywhere else named, self.port if port is None else port, listen)


class Address(NamedTuple):
    """Where a page is served: the host (empty: all addresses), the port, and whether others may reach it."""

    host: str
    port: int
    listen: bool = False
