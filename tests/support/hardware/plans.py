"""Plans of boards as Hypothesis draws them: sensors and strip of every kind; lines, contacts and LEDs in any
order."""

from collections.abc import Sequence
from dataclasses import replace

from hypothesis import strategies as st

from firmware_host.config.wiring_map import CONTACT_NAMES, EXPANDER_INPUTS
from firmware_host.games.layout import MORRIS
from firmware_host.settings import Lights, Sensors, Strip
from hardware.wiring.plan import SPI_DATA_GPIO, BoardPlan

PRESENCE = BoardPlan.recommended(MORRIS)
POLARITY = BoardPlan.recommended(MORRIS, "polarity")
EXPANDERS = BoardPlan.recommended(MORRIS, kind="mcp23017")
LINEAR = BoardPlan.recommended(MORRIS, "polarity", kind="mcp3008")
NANO = BoardPlan.recommended(MORRIS, kind="serial")
DIRECT = BoardPlan.recommended(MORRIS, kind="direct")

MATRIX = BoardPlan.recommended(MORRIS, kind="matrix")

KINDS = ("mux", "direct", "matrix", "mcp23017", "mcp3008", "serial")

_SPI = (7, 8, 9, SPI_DATA_GPIO, 11)
_ADC = (18, 19, 20, 21)


@st.composite
def plans(draw: st.DrawFn, kinds: Sequence[str] = KINDS) -> BoardPlan:
    """A board that can be wired."""
    kind = draw(st.sampled_from(kinds))
    told = [alphabet for alphabet in CONTACT_NAMES if alphabet != "pieces" or kind == "mcp3008"]
    alphabet = "presence" if kind in ("direct", "matrix") else draw(st.sampled_from(told))
    strip = draw(strips(kind))
    taken = {0, 1} | set(_ADC if kind == "mcp3008" else (2, 3) if kind == "mcp23017" else ())
    on_line = strip.backend in ("pio", "pwm")
    taken |= set(_SPI) if strip.backend in ("auto", "spi") else set()
    free = [gpio for gpio in range(28) if gpio not in taken and not (on_line and gpio == strip.gpio)]
    lines = draw(st.permutations(free))
    sensors = draw(_SENSORS[kind](Sensors(kind=kind, alphabet=alphabet), lines))
    leds = draw(st.permutations(range(strip.leds)))
    places = [[led] for led in leds[: len(MORRIS)]]
    for led in leds[len(MORRIS) :]:
        if draw(st.booleans()):
            places[led % len(MORRIS)].append(led)
    names = [point.name for point in MORRIS.points]
    strip = replace(strip, points={name: tuple(own) for name, own in zip(names, places, strict=True)})
    lights = Lights(budget_ma=draw(st.integers(200, 5000)))
    return BoardPlan(MORRIS, sensors, tuple(map(tuple, places)), strip, lights)


@st.composite
def strips(draw: st.DrawFn, kind: str) -> Strip:
    """A strip that leaves enough lines to the sensors."""
    ways = {"direct": ["pio", "pwm"], "serial": ["auto", "spi", "pio", "pwm", "serial"]}
    backend = draw(st.sampled_from(ways.get(kind, ["auto", "spi", "pio", "pwm"])))
    gpios = {"pwm": (12, 13), "pio": (4, 5, 6, 12, 13, 16, 26)}.get(backend, (12, 13, 18))
    return Strip(
        backend=backend,
        leds=len(MORRIS) + draw(st.integers(0, 6)),
        order=draw(st.sampled_from(["GRB", "RGBW"])),
        gpio=draw(st.sampled_from(gpios)),
    )


def _mapped(draw: st.DrawFn, sensors: Sensors, wires: Sequence[tuple[int, ...]]) -> Sensors:
    """The sensors with contacts on some of `wires`, in any order."""
    contacts = 1 if sensors.kind == "mcp3008" else len(CONTACT_NAMES[sensors.alphabet])
    drawn = iter(draw(st.permutations(list(wires))))
    points = {point.name: tuple(next(drawn) for _ in range(contacts)) for point in MORRIS.points}
    return replace(sensors, points=points)


@st.composite
def _mux(draw: st.DrawFn, sensors: Sensors, lines: Sequence[int]) -> Sensors:
    contacts = len(MORRIS) * len(CONTACT_NAMES[sensors.alphabet])
    select = draw(st.sampled_from([3, 4] if contacts > 24 else [2, 3, 4]))
    least = -(-contacts >> select)
    chips = draw(st.integers(least, least + 1))
    by_enables = draw(st.booleans())
    signals = 1 if by_enables else chips
    sensors = replace(
        sensors,
        select=tuple(lines[:select]),
        signal=tuple(lines[select : select + signals]),
        enable=tuple(lines[select + 1 : select + 1 + chips]) if by_enables else (),
        pull_up=draw(st.booleans()),
    )
    return _mapped(draw, sensors, [divmod(n, 1 << select) for n in range(chips << select)])


@st.composite
def _direct(draw: st.DrawFn, sensors: Sensors, lines: Sequence[int]) -> Sensors:
    sensors = replace(sensors, pull_up=draw(st.booleans()))
    if draw(st.booleans()):
        return replace(sensors, signal=tuple(lines[: len(MORRIS) + draw(st.integers(0, 1))]))
    return _mapped(draw, sensors, [(gpio,) for gpio in lines])


@st.composite
def _matrix(draw: st.DrawFn, sensors: Sensors, lines: Sequence[int]) -> Sensors:
    rows, columns = draw(st.sampled_from([(4, 6), (6, 4), (3, 8), (2, 12), (5, 5), (5, 7), (12, 2)]))
    if rows * columns < len(MORRIS) or rows + columns > len(lines):
        rows, columns = 4, 6
    sensors = replace(
        sensors,
        rows=tuple(lines[:rows]),
        columns=tuple(lines[rows : rows + columns]),
        pull_up=draw(st.booleans()),
    )
    return _mapped(draw, sensors, [divmod(n, columns) for n in range(rows * columns)])


@st.composite
def _expanders(draw: st.DrawFn, sensors: Sensors, lines: Sequence[int]) -> Sensors:
    contacts = len(MORRIS) * len(CONTACT_NAMES[sensors.alphabet])
    least = -(-contacts // len(EXPANDER_INPUTS))
    count = draw(st.integers(least, least + 1))
    addresses = draw(st.permutations(range(0x20, 0x28)))[:count]
    sensors = replace(
        sensors, expanders=tuple(addresses), i2c=draw(st.sampled_from(["/dev/i2c-1", "/dev/i2c-3"]))
    )
    return _mapped(draw, sensors, [(chip, pin) for chip in range(count) for pin in EXPANDER_INPUTS])


@st.composite
def _adc(draw: st.DrawFn, sensors: Sensors, lines: Sequence[int]) -> Sensors:
    select = draw(st.sampled_from([2, 3, 4]))
    least = -(-len(MORRIS) >> select)
    inputs = draw(st.permutations(range(8)))[: draw(st.integers(least, min(8, least + 1)))]
    free = [gpio for gpio in lines if gpio not in (16, 17)]
    sensors = replace(
        sensors,
        select=tuple(free[:select]),
        inputs=tuple(inputs),
        adc=draw(st.sampled_from(["/dev/spidev1.0", "/dev/spidev1.1"])),
    )
    return _mapped(draw, sensors, [divmod(n, 1 << select) for n in range(len(inputs) << select)])


@st.composite
def _serial(draw: st.DrawFn, sensors: Sensors, lines: Sequence[int]) -> Sensors:
    form = draw(st.sampled_from([None, (3, 8), (6, 8), (4, 16), (9, 20)]))
    if form is None:
        return sensors
    chips, channels = form
    if chips * channels < len(MORRIS) * len(CONTACT_NAMES[sensors.alphabet]):
        chips, channels = 4, 16
    return _mapped(draw, sensors, [divmod(n, channels) for n in range(chips * channels)])


_SENSORS = {
    "mux": _mux,
    "direct": _direct,
    "matrix": _matrix,
    "mcp23017": _expanders,
    "mcp3008": _adc,
    "serial": _serial,
}
