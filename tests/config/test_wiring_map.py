"""Sensors, strip and pins in the configuration: any wiring that can be soldered, and no other."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from firmware_host.config.gpio import gpio_conflicts, gpio_uses
from firmware_host.config.loader import Config, load
from firmware_host.config.wiring_map import LedCounts, led_positions
from firmware_host.config.writer import settings_listing
from firmware_host.errors import ConfigError
from firmware_host.games.layout import MORRIS
from firmware_host.i18n import to_english
from firmware_host.settings import COLOUR_ORDERS, Sensors, Strip
from hardware.wiring.contacts import MuxWiring, contacts_of
from tests.support.examples import few
from tests.support.matrix import CI, sampled

NAMES = [point.name for point in MORRIS.points]
CHANNELS = [(chip, channel) for chip in range(3) for channel in range(8)]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "millwright.toml"


def written(file: Path, text: str) -> Config:
    file.write_text(text)
    return load(file)


def faults(file: Path, text: str) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        written(file, text)
    return [line.removeprefix(f"{file}:") for line in str(caught.value).split("\n")]


def mapped(section: str, values: dict[str, object]) -> str:
    return f"\n[{section}.points]\n" + "\n".join(f"{name} = {value}" for name, value in values.items())


@pytest.mark.ci("examples")
@few(9, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    channels=st.permutations(CHANNELS),
    gpios=st.permutations([4, 5, 6, 12, 13, 16, 17, 19, 20, 21, 22, 23, 24, 25, 26, 27]),
    leds=st.permutations(range(24)),
)
def test_however_the_wires_lie_they_are_read_and_written_back(file, channels, gpios, leds):
    text = f"[sensors]\nselect = {gpios[:3]}\nsignal = {gpios[3:6]}\n"
    text += mapped("sensors", {n: list(at) for n, at in zip(NAMES, channels, strict=True)})
    text += mapped("strip", dict(zip(NAMES, leds, strict=True)))
    config = written(file, text)
    assert config.sensors.select == tuple(gpios[:3])
    assert dict(config.sensors.points) == {n: (at,) for n, at in zip(NAMES, channels, strict=True)}
    assert dict(config.strip.points) == {n: (led,) for n, led in zip(NAMES, leds, strict=True)}
    again = written(file, settings_listing(config))
    assert (again.sensors, again.strip) == (config.sensors, config.strip)


def test_polarity_gives_each_point_a_contact_for_white_and_one_for_black(file):
    wires = {n: [[k // 8, k % 8], [3 + k // 8, k % 8]] for k, n in enumerate(NAMES)}
    text = '[sensors]\nalphabet = "polarity"\nsignal = [23, 24, 25, 5, 6, 16]' + mapped("sensors", wires)
    config = written(file, text)
    assert config.sensors.points["d5"] == ((0, 0), (3, 0))
    assert written(file, settings_listing(config)).sensors == config.sensors


def test_direct_lines_are_named_point_by_point(file):
    lines = [*range(2, 18), *range(19, 27)]
    text = '[sensors]\nkind = "direct"\n' + mapped("sensors", dict(zip(NAMES, lines, strict=True)))
    text += '\n[strip]\nbackend = "pwm"\n'
    config = written(file, text)
    assert config.sensors.points["d5"] == ((2,),)
    assert written(file, settings_listing(config)).sensors == config.sensors


def test_direct_lines_may_be_named_in_the_order_of_the_points(file):
    lines = [*range(2, 18), *range(19, 27)]
    text = f'[sensors]\nkind = "direct"\nsignal = {lines}\n[strip]\nbackend = "pwm"\n'
    wiring = MuxWiring.of(MORRIS, written(file, text).sensors)
    assert wiring.signals == tuple(lines)
    assert [wiring.contacts[n, 1] for n in range(24)] == [(n, 0) for n in range(24)]


@pytest.mark.parametrize("kind", sampled(["mcp23017", "serial", "mcp3008"], others=CI))
@few(4, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    channels=st.permutations([(chip, channel) for chip in range(2) for channel in (*range(7), *range(8, 13))])
)
def test_sensors_of_every_kind_are_mapped_by_chip_and_channel(file, kind, channels):
    text = f'[sensors]\nkind = "{kind}"\nselect = [4, 17, 27, 22]\n'
    text += mapped("sensors", {n: list(at) for n, at in zip(NAMES, channels, strict=True)})
    if kind == "mcp3008":
        text += "\n[sensors.levels]\n" + "\n".join(
            f"{n} = [500, {600 + k}, 400]" for k, n in enumerate(NAMES)
        )
    config = written(file, text)
    contacts = contacts_of(MORRIS, config.sensors)
    assert [contacts[n, 1] for n in range(24)] == channels
    assert written(file, settings_listing(config)).sensors == config.sensors


def test_sensors_of_a_matrix_are_mapped_by_row_and_column_or_go_row_after_row(file):
    regular = contacts_of(MORRIS, written(file, '[sensors]\nkind = "matrix"').sensors)
    assert [regular[n, 1] for n in range(24)] == [divmod(n, 6) for n in range(24)]
    crossings = [(row, column) for column in range(6) for row in range(4)]
    text = '[sensors]\nkind = "matrix"\n'
    config = written(
        file, text + mapped("sensors", {n: list(at) for n, at in zip(NAMES, crossings, strict=True)})
    )
    assert [contacts_of(MORRIS, config.sensors)[n, 1] for n in range(24)] == crossings
    assert written(file, settings_listing(config)).sensors == config.sensors


def test_sensors_of_expanders_hang_in_order_on_the_pins_that_can_be_read(file):
    sensors = written(file, '[sensors]\nkind = "mcp23017"').sensors
    contacts = contacts_of(MORRIS, sensors)
    pins = [*range(7), *range(8, 15)]
    assert [contacts[n, 1] for n in range(24)] == [(0, pin) for pin in pins] + [(1, pin) for pin in pins[:10]]


def test_a_linear_sensor_serves_both_poles_of_its_point(file):
    text = '[sensors]\nkind = "mcp3008"\nalphabet = "polarity"\n'
    assert len(contacts_of(MORRIS, written(file, text).sensors)) == 24


def test_a_point_may_have_several_leds(file):
    text = "[strip]\nleds = 50" + mapped("strip", {n: [2 * k, 2 * k + 1] for k, n in enumerate(NAMES)})
    config = written(file, text)
    assert config.strip.points["e5"] == (2, 3)
    assert written(file, settings_listing(config)).strip == config.strip


WIRED = {n: list(at) for n, at in zip(NAMES, CHANNELS, strict=True)}
LIT = {n: k for k, n in enumerate(NAMES)}


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (
            '[sensors]\nkind = "muks"',
            '2 sensors.kind: cannot be "muks"; known are direct, matrix, mcp23017, mcp3008, mux, serial',
        ),
        (
            '[sensors]\nalphabet = "polarity"',
            "1 sensors.signal: 48 sensors need 48 channels, but 3 chips x 8 channels give only 24: "
            "name a line for each chip",
        ),
        (
            "[sensors]\nselect = [17, 27, true]",
            "2 sensors.select: must be a list of numbers, as [17, 27, 22], not [17, 27, true]",
        ),
        (
            "[sensors]\nenable = [5, 6, 16]",
            "2 sensors.enable: is for chips that share one signal line: name only one as signal",
        ),
        (
            "[sensors]\nselect = [4, 5, 6, 12, 13, 16]",
            "2 sensors.select: names 6 lines: no mux chip drawn here has more than 4",
        ),
        (
            "[sensors]\nselect = [17, 27, 23]",
            "1 sensors.signal: GPIO 23 is assigned to both select line 2 and signal line 0: "
            "each needs its own",
        ),
        (
            "[sensors]\nsignal = [23, 24, 10]",
            "2 sensors.signal: GPIO 10 is assigned to both signal line 2 and MOSI of SPI, "
            "which lights the strip: each needs its own",
        ),
        (
            "[sensors]\nsignal = [23, 24, 1]",
            "2 sensors.signal: GPIO 1 is assigned to both signal line 2 and ID_SC, which the Pi reads to "
            "identify an add-on board: each needs its own",
        ),
        (
            "[sensors]\nselect = [17, 27, 28]",
            "2 sensors.select: there is no GPIO 28 for select line 2: the header has GPIO 0-27",
        ),
        (
            '[sensors]\nkind = "direct"',
            "1 sensors.signal: 24 sensors need a line each: name them all, or give a map of points",
        ),
        (
            '[strip]\nbackend = "pwm"\ngpio = 17',
            "1 sensors.select: GPIO 17 is assigned to both the strip and select line 0: each needs its own",
        ),
        ("[strip]\nleds = 23", "2 strip.leds: 23 LEDs are too few for 24 points"),
        ("[strip]\nleds = 121", "2 strip.leds: 121 is out of range: it must be 1 to 120"),
        (
            "[strip]\nleds = 120\n[lights]\nbudget_ma = 110",
            "4 lights.budget_ma: leaves no light: 120 LEDs draw 120 mA when they are dark",
        ),
        (
            '[strip]\norder = "GRG"',
            f'2 strip.order: cannot be "GRG"; known are {", ".join(sorted(COLOUR_ORDERS))}',
        ),
        (
            '[sensors]\nkind = "matrix"\ncolumns = [24, 25, 5, 6, 16]',
            "3 sensors.columns: 24 sensors need 24 crossings, but 4 rows x 5 columns give only 20: "
            "name more lines for rows or columns",
        ),
        (
            '[sensors]\nkind = "matrix"\nalphabet = "polarity"',
            "3 sensors.alphabet: a matrix has one reed a point, which closes for either colour: presence",
        ),
        (
            '[sensors]\nkind = "matrix"\ncolumns = [24, 25, 5, 6, 16, 22]',
            "3 sensors.columns: GPIO 22 is assigned to both row 2 of the matrix and column 5 of the matrix: "
            "each needs its own",
        ),
        (
            '[sensors]\nkind = "matrix"\n[sensors.points]\nd6 = [4, 0]',
            "4 sensors.points.d6: there is no row 4: the lines named lead to 0 to 3",
        ),
        (
            '[sensors]\nkind = "matrix"\n[sensors.points]\nd6 = [0, 6]',
            "4 sensors.points.d6: there is no column 6: the lines named lead to 0 to 5",
        ),
        (
            '[sensors]\nkind = "matrix"\n[sensors.points]\nd6 = 5',
            "4 sensors.points.d6: must be its row and its column, as [0, 3]",
        ),
        (
            '[sensors]\nkind = "matrix"\n[sensors.points]\nd6 = [0, 3]\nf6 = [0, 3]',
            "5 sensors.points.f6: column 3 of row 0 has the sensor of d6 already",
        ),
        (
            '[sensors]\nkind = "mcp23017"\nexpanders = [0x20, 0x19]',
            "3 sensors.expanders: no MCP23017 has the address 25: they have 32 to 39 (0x20 to 0x27)",
        ),
        (
            '[sensors]\nkind = "mcp23017"\nexpanders = [0x20, 0x20]',
            "3 sensors.expanders: address 32 is named 2 times: each chip needs its own",
        ),
        (
            '[sensors]\nkind = "mcp23017"\nexpanders = [0x20]',
            "3 sensors.expanders: 24 sensors need 24 channels, but 1 chips x 14 channels give only 14: "
            "name an address for each chip",
        ),
        (
            '[sensors]\nkind = "mcp23017"\n[sensors.points]\nd6 = [1, 15]',
            "4 sensors.points.d6: GPB7 of an MCP23017 is not an input (data sheet of 2022): use another",
        ),
        (
            '[sensors]\nkind = "mcp23017"\n[sensors.points]\nd6 = [0, 7]',
            "4 sensors.points.d6: GPA7 of an MCP23017 is not an input (data sheet of 2022): use another",
        ),
        (
            '[sensors]\nkind = "mcp3008"\nadc = "/dev/spidev0.1"',
            "3 sensors.adc: the LEDs hear all that this bus says, whoever it is for: take /dev/spidev1.0",
        ),
        (
            '[sensors]\nkind = "mcp3008"\nadc = "spi"',
            "3 sensors.adc: must be a bus as the kernel names it, as /dev/spidev1.0, not spi",
        ),
        (
            '[sensors]\nkind = "mcp3008"\ninputs = [0, 1, 8]',
            "3 sensors.inputs: an MCP3008 has no input 8: it has 0 to 7",
        ),
        (
            '[sensors]\nkind = "mcp3008"\nselect = [17, 27, 18]',
            "1 sensors.adc: GPIO 18 is assigned to both select line 2 and CE0 of the ADC's SPI: "
            "each needs its own",
        ),
        (
            '[sensors]\nkind = "mcp3008"\n[sensors.levels]\nd6 = [512, 700, 600]',
            "4 sensors.levels.d6: White and Black must read on either side of 512, which it reads at rest",
        ),
        (
            '[sensors]\nkind = "mcp3008"\n[sensors.levels]\nd6 = [512, 1700, 600]',
            "4 sensors.levels.d6: must be three numbers of 0 to 1023: at rest, white, black; "
            "as [512, 700, 324]",
        ),
        (
            '[strip]\nbackend = "serial"',
            '2 strip.backend: serial is for LEDs on a board that reads the sensors, too: kind = "serial"',
        ),
        (
            "[sensors]\npoints = 3",
            "2 sensors.points: must be a map, written [section.points] on a line of its own, not 3",
        ),
    ],
)
def test_what_cannot_be_wired_is_refused_and_says_what_would_be_right(file, text, fault):
    assert fault in faults(file, text)


@pytest.mark.parametrize(
    ("point", "value", "fault"),
    [
        ("d5", [0, 1], "channel 1 of chip 0 has the sensor of d5 already"),
        ("d5", [3, 0], "there is no chip 3: the lines named lead to 0 to 2"),
        ("d5", [0, 8], "there is no channel 8: 3 select lines reach 0 to 7"),
        ("d5", [0], "must be a chip and its channel, as [0, 3]"),
        ("d5", "true", "must be a chip and its channel, as [0, 3]"),
        ("d5", [[0, 0]], "must be a chip and its channel, as [0, 3]"),
        ("dd5", [0, 0], "is no point; did you mean d5?"),
    ],
)
def test_a_map_of_sensors_has_each_point_on_a_channel_of_its_own(file, point, value, fault):
    told = faults(file, mapped("sensors", {**WIRED, point: value}))
    assert any(line.endswith(f": {fault}") for line in told)


@pytest.mark.parametrize(
    ("point", "value", "fault"),
    [
        ("e5", 0, "LED 0 is named twice: d5 has it already"),
        ("d5", [0, 0], "LED 0 is named twice: d5 has it already"),
        ("d5", 24, "there is no LED 24: the strip has 0 to 23"),
        ("d5", [], "must be the number of an LED, or a list of them, as [0, 1]"),
        ("d5", '"x"', "must be the number of an LED, or a list of them, as [0, 1]"),
    ],
)
def test_a_map_of_leds_has_each_led_for_one_point(file, point, value, fault):
    told = faults(file, mapped("strip", {**LIT, point: value}))
    assert any(line.endswith(f"strip.points.{point}: {fault}") for line in told)


def test_a_map_that_leaves_points_out_names_them(file):
    short = {name: at for name, at in WIRED.items() if name not in ("e4", "a7")}
    assert faults(file, mapped("sensors", short)) == [
        "2 sensors.points: leaves out e4, a7: a map must have every point, or none"
    ]


def test_faults_of_several_sections_are_told_together(file):
    text = '[sensors]\nsettling_us = -1\npoints.d5 = 1\n[strip]\norder = "x"\npoints.d5 = "y"\n'
    assert [fault.split()[1] for fault in faults(file, text)] == [
        "sensors.settling_us:",
        "sensors.points.d5:",
        "strip.order:",
        "strip.points.d5:",
    ]


def test_one_wrong_value_does_not_hide_what_is_wrong_with_the_others(file):
    text = "[sensors]\nsettling_us = -1\nsignal = [23, 24, 17]" + mapped("sensors", {**WIRED, "d5": [0, 1]})
    assert [fault.split(" ", 2)[:2] for fault in faults(file, text)] == [
        ["2", "sensors.settling_us:"],
        ["3", "sensors.signal:"],
        ["6", "sensors.points.e5:"],
    ]


def test_lines_of_a_bus_are_free_until_it_is_switched_on():
    sensors = Sensors(select=(2, 3, 4), signal=(14, 15, 17))
    assert not list(gpio_conflicts(gpio_uses(sensors, Strip())))
    told = [
        to_english(what)
        for _, what in gpio_conflicts(gpio_uses(sensors, Strip(), ["I2C", "the serial port"]))
    ]
    assert told == [
        "GPIO 2 is assigned to both select line 0 and SDA of I2C: each needs its own",
        "GPIO 3 is assigned to both select line 1 and SCL of I2C: each needs its own",
        "GPIO 14 is assigned to both signal line 0 and TXD of the serial port: each needs its own",
        "GPIO 15 is assigned to both signal line 1 and RXD of the serial port: each needs its own",
    ]


def test_the_lines_of_spi_are_free_where_the_strip_is_elsewhere():
    sensors = Sensors(signal=(7, 8, 9))
    assert len(list(gpio_conflicts(gpio_uses(sensors, Strip(backend="auto"))))) == 3
    assert not list(gpio_conflicts(gpio_uses(sensors, Strip(backend="pwm"))))


def test_each_point_has_the_led_of_its_number_unless_a_map_says_otherwise():
    assert led_positions(Strip(), MORRIS) == tuple((n,) for n in range(24))
    backwards = Strip(points={name: (23 - n,) for n, name in enumerate(NAMES)})
    assert led_positions(backwards, MORRIS) == tuple((23 - n,) for n in range(24))


BARS = "[strip]\nleds = 40\n"


def test_side_bars_have_leds_of_the_strip(file):
    text = BARS + f"white_bar = {list(range(24, 32))}\nblack_bar = {list(range(39, 31, -1))}"
    file.write_text(text, encoding="utf-8")
    strip = load(file).strip
    assert (strip.white_bar, strip.black_bar) == (tuple(range(24, 32)), tuple(range(39, 31, -1)))
    counts = LedCounts.of(strip, MORRIS)
    assert (sum(counts.points), counts.bar, counts.spare) == (24, 8, 0)


@pytest.mark.parametrize(
    ("bars", "faults"),
    [
        ("white_bar = [24, 25]", ["1 strip.black_bar: has 0 LEDs, and white_bar 2"]),
        (
            "white_bar = [23, 24]\nblack_bar = [24, 40]",
            [
                "3 strip.white_bar: LED 23 is named twice: a7 has it already",
                "4 strip.black_bar: LED 24 is named twice: white_bar has it already",
                "4 strip.black_bar: there is no LED 40: the strip has 0 to 39",
            ],
        ),
        ('white_bar = "all"', ['3 strip.white_bar: must be a list of numbers, as [17, 27, 22], not "all"']),
    ],
)
def test_all_faults_of_side_bars_are_named_at_once(file, bars, faults):
    file.write_text(BARS + bars, encoding="utf-8")
    with pytest.raises(ConfigError) as refused:
        load(file)
    found = [line.partition(":")[2] for line in str(refused.value).splitlines()]
    assert found == faults
