"""Tests of the circuit, against tables of pins that were written down separately."""

import re
from dataclasses import replace

import pytest
from hypothesis import given

from firmware_host.errors import ConfigError
from firmware_host.ports import WHITE_PIECE
from hardware.wiring.circuit import build_circuit, ground_pin_beside
from hardware.wiring.netlist import FREE, GROUND, LOGIC, Chip, Circuit, NetKind, SensorType
from hardware.wiring.pinout import ADC, AHCT125, EXPANDER, HC4051, HC4067, HEADER, header_pin
from hardware.wiring.pinout import NANO as NANO_PACKAGE
from tests.support.examples import few
from tests.support.hardware.plans import EXPANDERS, LINEAR, MATRIX, NANO, POLARITY, PRESENCE, plans
from tests.support.paths import PROJECT

# From a pin-out chart of the 40-pin header: the pin of each GPIO, 0 to 27.
PIN_OF_GPIO = [27, 28, 3, 5, 7, 29, 31, 26, 24, 21, 19, 23, 32, 33, 8, 10, 36, 11, 12, 35, 38, 40, 15, 16, 18]
PIN_OF_GPIO += [22, 37, 13]
GROUND_PINS = {6, 9, 14, 20, 25, 30, 34, 39}

# From the data sheets' tables, channel by channel and select by select: the pins' numbers.
CHANNELS = {
    "74HC4051": [13, 14, 15, 12, 1, 5, 2, 4],
    "CD74HC4067": [9, 8, 7, 6, 5, 4, 3, 2, 23, 22, 21, 20, 19, 18, 17, 16],
}
SELECT = {"74HC4051": [11, 10, 9], "CD74HC4067": [10, 11, 14, 13]}
COMMON = {"74HC4051": 3, "CD74HC4067": 1}
ENABLE = {"74HC4051": 6, "CD74HC4067": 15}
GROUND_PINS_OF = {"74HC4051": [7, 8], "CD74HC4067": [12]}
SUPPLY = {"74HC4051": 16, "CD74HC4067": 24}

EXPANDER_PINS = [21, 22, 23, 24, 25, 26, 27, 28, 1, 2, 3, 4, 5, 6, 7, 8]

CONFIG_H = PROJECT / "hardware" / "firmware" / "config.h"


def at(chip: Chip, pin: int):
    return chip.nets[pin - 1]


def test_every_gpio_is_on_its_pin():
    assert [header_pin(gpio) for gpio in range(28)] == PIN_OF_GPIO
    assert {pin for pin, name in enumerate(HEADER, start=1) if name == "GND"} == GROUND_PINS
    assert [HEADER[pin - 1] for pin in (1, 17, 2, 4)] == ["3.3V", "3.3V", "5V", "5V"]
    assert len(HEADER) == 40


@pytest.mark.parametrize("package", [HC4051, HC4067])
def test_the_chips_pins_are_those_of_the_data_sheets(package):
    assert [package.number(name) for name in package.channels] == CHANNELS[package.name]
    assert [package.number(name) for name in package.select] == SELECT[package.name]
    assert package.number(package.common) == COMMON[package.name]
    assert package.number("E") == ENABLE[package.name]
    assert package.number("VCC") == SUPPLY[package.name] == len(package.pins) == len(set(package.pins))


def test_the_level_shifters_pins_are_those_of_the_data_sheet():
    ordered = ["1OE", "1A", "1Y", "2OE", "2A", "2Y", "GND", "3Y", "3A", "3OE", "4Y", "4A", "4OE", "VCC"]
    assert list(AHCT125.pins) == ordered


def test_the_recommended_wiring_is_on_these_pins():
    made = build_circuit(PRESENCE)
    used = {pin: str(net) for pin, net in enumerate(made.header, start=1) if net.kind is not NetKind.FREE}
    lines = {11: "select 0", 13: "select 1", 15: "select 2", 16: "signal 0", 18: "signal 1", 22: "signal 2"}
    assert used == lines | {1: "3.3 V", 2: "5 V", 4: "5 V", 6: "GND", 9: "GND", 20: "GND", 19: "data"}
    assert [str(net) for net in made.chips[2].nets] == [
        *("d1", "a4", "signal 2", "a7", "a1", "GND", "GND", "GND"),
        *("select 2", "select 1", "select 0", "g1", "d7", "g7", "g4", "3.3 V"),
    ]


def test_the_level_shifter_lets_the_data_through_and_no_input_floats():
    nets = [str(net) for net in build_circuit(POLARITY).shifter.nets]
    assert nets[:3] == ["GND", "data", "data at 5 V"]
    assert [nets[pin - 1] for pin in (4, 5, 7, 9, 10, 12, 13)] == ["GND"] * 7
    assert [nets[pin - 1] for pin in (6, 8, 11, 14)] == ["free"] * 3 + ["5 V"]


def test_the_expanders_pins_are_those_of_the_data_sheet():
    assert [EXPANDER.number(name) for name in EXPANDER.channels] == EXPANDER_PINS
    named = {9: "VDD", 10: "VSS", 12: "SCL", 13: "SDA", 15: "A0", 16: "A1", 17: "A2", 18: "RESET"}
    assert {pin: EXPANDER.pins[pin - 1] for pin in named} == named
    assert [EXPANDER.label(pin) for pin in (11, 14, 19, 20)] == ["NC", "NC", "INTB", "INTA"]


def test_the_adcs_pins_are_those_of_the_data_sheet():
    assert ADC.pins[:8] == tuple(f"CH{n}" for n in range(8))
    assert ADC.pins[8:] == ("DGND", "CS", "DIN", "DOUT", "CLK", "AGND", "VREF", "VDD")


def test_the_nanos_lines_are_those_of_its_firmware():
    """The firmware says them by the names that are printed on the Nano, whose pins are counted from D1."""
    told = CONFIG_H.read_text(encoding="utf-8")
    assert re.search(r"D2 D3 D4 \(D5\) .* select lines A, B, C \(and D\)", told)
    assert re.search(r"D6 .* data line of the strip", told)
    assert re.search(r"A0\.\.A5 .* signal line of each mux chip", told)
    made = build_circuit(NANO)
    used = {NANO_PACKAGE.pins[pin - 1]: str(net) for pin, net in enumerate(made.front.nets, start=1)}
    assert {name: net for name, net in used.items() if net not in ("free", "GND", "USB 5V")} == {
        **{f"D{2 + bit}": f"select {bit}" for bit in range(3)},
        **{f"A{chip}": f"signal {chip}" for chip in range(3)},
        "D6": "data at 5 V",
    }
    assert [NANO_PACKAGE.number(name) for name in ("D2", "D6", "D12", "A0", "A7", "5V")] == [
        5,
        9,
        15,
        19,
        26,
        27,
    ]
    assert {pin: net for pin, net in enumerate(made.header, start=1) if net is not FREE}.keys() == {2, 4, 6}
    assert made.shifter is None


def test_expanders_have_their_addresses_by_wire_and_are_not_held_in_reset():
    made = build_circuit(replace(EXPANDERS, sensors=replace(EXPANDERS.sensors, expanders=(0x25, 0x22))))
    assert [[str(at(chip, pin)) for pin in (15, 16, 17)] for chip in made.chips] == [
        ["3.3 V", "GND", "3.3 V"],
        ["GND", "3.3 V", "GND"],
    ]
    assert {str(at(chip, pin)) for chip in made.chips for pin in (9, 18)} == {"3.3 V"}
    assert (str(made.header[2]), str(made.header[4])) == ("I2C SDA", "I2C SCL")


def test_the_adc_hangs_on_the_second_spi_bus_away_from_the_strip():
    made = build_circuit(LINEAR)
    bus = {pin: str(net) for pin, net in enumerate(made.header, start=1) if net.kind is NetKind.SPI}
    assert bus == {12: "SPI1 CE0", 35: "SPI1 MISO", 38: "SPI1 MOSI", 40: "SPI1 SCLK"}
    assert [str(at(made.front, pin)) for pin in (10, 11, 12, 13)] == [
        *("SPI1 CE0", "SPI1 MOSI", "SPI1 MISO", "SPI1 SCLK")
    ]
    assert [str(at(made.front, pin)) for pin in (9, 14, 15, 16)] == ["GND", "GND", "3.3 V", "3.3 V"]
    assert made.header[18].kind is NetKind.DATA


@pytest.mark.parametrize(
    ("gpio", "ground"), [(10, 20), (18, 14), (12, 30), (13, 34), (21, 39), (4, 9), (26, 39)]
)
def test_a_ground_lies_beside_each_line_that_needs_one(gpio, ground):
    assert ground_pin_beside(gpio) == ground


@few(14)
@given(plans(kinds=("mux", "direct")))
def test_a_closed_contact_pulls_down_just_its_own_line_at_just_its_own_address(plan):
    made, sensors = build_circuit(plan), plan.sensors
    names = contact_names(plan, made)
    select = sensors.select if sensors.kind == "mux" else ()
    for address in range(1 << len(select)):
        for enabled in range(len(sensors.enable) or 1):
            reached = pins_reached(made, sensors, select, address, enabled)
            for contact, (chip, channel) in plan.contacts.items():
                chosen = address == channel and (not sensors.enable or enabled == chip)
                line = plan.signals[0 if sensors.enable else chip]
                assert reached.get(names[contact], set()) == ({PIN_OF_GPIO[line]} if chosen else set())


@few(14)
@given(plans(kinds=("matrix",)))
def test_each_contact_of_a_matrix_lies_between_the_lines_that_it_is_read_by(plan):
    made, sensors = build_circuit(plan), plan.sensors
    assert made.chips == ()
    found = {
        str(one.contact): (made.header.index(one.row) + 1, made.header.index(one.column) + 1)
        for one in made.crossings
    }
    assert found == {
        plan.layout.points[point].name: (
            PIN_OF_GPIO[sensors.rows[row]],
            PIN_OF_GPIO[sensors.columns[column]],
        )
        for (point, _), (row, column) in plan.contacts.items()
    }


def test_the_recommended_matrix_needs_ten_lines_and_leaves_those_that_other_parts_need():
    made = build_circuit(MATRIX)
    used = {gpio for gpio, pin in enumerate(PIN_OF_GPIO) if made.header[pin - 1] is not FREE}
    assert len(used) == 11, "ten, and the strip's"
    assert not used & {2, 3, 4, 12, 13, 14, 15, 18, 19, 21, 26}


@few(14)
@given(plans(kinds=("mcp23017", "mcp3008", "serial")))
def test_each_contact_is_on_the_channel_that_it_is_read_by(plan):
    made, names = build_circuit(plan), contact_names(plan, build_circuit(plan))
    for contact, (chip, channel) in plan.contacts.items():
        if not made.chips[0].package.numbered:
            package = made.chips[0].package
            assert str(made.chips[0].nets[package.pins.index(f"{chip}.{channel}")]) == names[contact]
            continue
        kind = made.chips[chip].package.name
        pin = EXPANDER_PINS[channel] if kind == "MCP23017" else CHANNELS[kind][channel]
        assert str(at(made.chips[chip], pin)) == names[contact]


@few(14)
@given(plans(kinds=("mcp3008", "serial")))
def test_what_the_chips_in_between_are_told_and_answer_comes_to_the_right_pins(plan):
    made = build_circuit(plan)
    for number, chip in enumerate(made.chips if made.front else ()):
        kind = chip.package.name
        answered = made.front.nets.index(at(chip, COMMON[kind])) + 1
        asked = [at(chip, pin) for pin in SELECT[kind]]
        if plan.sensors.kind == "mcp3008":
            assert answered == plan.sensors.inputs[number] + 1
            drivers = [PIN_OF_GPIO[gpio] for gpio in plan.sensors.select]
            assert [made.header.index(net) + 1 for net in asked if net is not GROUND] == drivers
        else:
            assert answered == 19 + number
            assert [made.front.nets.index(net) + 1 for net in asked] == list(range(5, 5 + len(asked)))


@few(9)
@given(plans())
def test_every_chip_has_power_and_none_of_its_inputs_floats(plan):
    made = build_circuit(plan)
    assert made.power == (LOGIC if plan.sensors.kind != "serial" else made.power)
    for chip in made.chips:
        kind = chip.package.name
        if kind not in SUPPLY:
            continue
        assert at(chip, SUPPLY[kind]) == made.power
        assert {at(chip, pin).kind for pin in GROUND_PINS_OF[kind]} == {NetKind.GROUND}
        by_enable = plan.sensors.kind == "mux" and plan.sensors.enable
        assert at(chip, ENABLE[kind]).kind is (NetKind.ENABLE if by_enable else NetKind.GROUND)
        assert {at(chip, pin).kind for pin in SELECT[kind]} <= {NetKind.SELECT, NetKind.GROUND}


@few(9)
@given(plans())
def test_nothing_of_a_board_at_5_volts_is_joined_to_the_header_but_ground(plan):
    made = build_circuit(plan)
    if plan.sensors.kind == "serial":
        joined = {net for chip in made.sensing for net in chip.nets} & set(made.header)
        assert joined <= {FREE, GROUND}
    strip = [net for chip in made.every_chip for net in chip.nets if net.kind is NetKind.STRIP]
    assert len(strip) == 1
    assert not [net for net in made.header if net.kind is NetKind.STRIP]


def contact_names(plan, made: Circuit) -> dict:
    """The net of each contact by its name, after a look that each is there once."""
    nets = [net for chip in made.chips for net in chip.nets] + list(made.header)
    found = [str(net) for net in nets if net.kind is NetKind.CONTACT]
    assert len(found) == len(set(found)) == len(plan.contacts)
    poles = ("white", "black") if made.sensor is SensorType.HALL else ()
    names = {}
    for point, reading in plan.contacts:
        pole = f" {poles[reading != WHITE_PIECE]}" if poles else ""
        names[point, reading] = f"{plan.layout.points[point]}{pole}"
    assert set(names.values()) == set(found)
    return names


def pins_reached(made: Circuit, sensors, select, address: int, enabled: int) -> dict[str, set[int]]:
    """For each contact the header's pins that it would pull down, while the Pi drives its lines so."""
    pins = {str(net): pin for pin, net in enumerate(made.header, start=1)}
    reached = {str(net): {pins[str(net)]} for net in made.header if net.kind is NetKind.CONTACT}
    high = {PIN_OF_GPIO[gpio] for bit, gpio in enumerate(select) if address >> bit & 1}
    high |= {PIN_OF_GPIO[gpio] for chip, gpio in enumerate(sensors.enable) if chip != enabled}
    for chip in made.chips:
        kind = chip.package.name
        if pins.get(str(at(chip, ENABLE[kind]))) in high:
            continue
        driven = [pins.get(str(at(chip, pin))) in high for pin in SELECT[kind]]
        chosen = sum(level << bit for bit, level in enumerate(driven))
        reached.setdefault(str(at(chip, CHANNELS[kind][chosen])), set()).add(
            pins[str(at(chip, COMMON[kind]))]
        )
    return reached


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"signal": (23, 24, 28)}, "no GPIO 28 for signal line 2: the header has GPIO 0-27"),
        ({"signal": (23, 24, 10)}, "GPIO 10 is assigned to both signal line 2 and MOSI of SPI"),
        ({"select": (17, 27, 22, 4, 5)}, "no mux chip drawn here has more than 4"),
        ({"signal": (23, 24)}, "24 sensors need 24 channels, but 2 chips x 8 channels give only 16"),
        ({"kind": "mcp3008", "select": (), "inputs": tuple(range(8))}, "8 chips x 1 channels give only 8"),
    ],
)
def test_what_cannot_be_wired_is_told(changes, words):
    with pytest.raises(ConfigError, match=words):
        build_circuit(replace(PRESENCE, sensors=replace(PRESENCE.sensors, **changes)))
