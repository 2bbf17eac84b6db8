"""What is joined to what: against tables of pins that were written down apart, and by playing electricity."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from plans import POLARITY, PRESENCE, plans

from firmware_host.errors import ConfigError
from hardware.circuit import Chip, Circuit, Kind, circuit
from hardware.pinout import AHCT125, HC4051, HC4067, HEADER, header_pin

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
GROUND = {"74HC4051": [7, 8], "CD74HC4067": [12]}
SUPPLY = {"74HC4051": 16, "CD74HC4067": 24}


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
    made = circuit(PRESENCE)
    used = {pin: str(net) for pin, net in enumerate(made.header, start=1) if net.kind is not Kind.FREE}
    lines = {11: "select 0", 13: "select 1", 15: "select 2", 16: "signal 0", 18: "signal 1", 22: "signal 2"}
    assert used == lines | {1: "3.3 V", 2: "5 V", 4: "5 V", 6: "GND", 9: "GND", 20: "GND", 19: "data"}
    assert [str(net) for net in made.muxes[2].nets] == [
        *("d1", "a4", "signal 2", "a7", "a1", "GND", "GND", "GND"),
        *("select 2", "select 1", "select 0", "g1", "d7", "g7", "g4", "3.3 V"),
    ]


def test_the_level_shifter_lets_the_data_through_and_no_input_floats():
    nets = [str(net) for net in circuit(POLARITY).shifter.nets]
    assert nets[:3] == ["GND", "data", "data at 5 V"]
    assert [nets[pin - 1] for pin in (4, 5, 7, 9, 10, 12, 13)] == ["GND"] * 7
    assert [nets[pin - 1] for pin in (6, 8, 11, 14)] == ["free"] * 3 + ["5 V"]


@settings(max_examples=40)
@given(plans())
def test_a_closed_contact_pulls_down_just_its_own_line_at_just_its_own_address(plan):
    made, wiring = circuit(plan), plan.wiring
    names = {contact: str(net) for contact, net in contact_nets(plan, made).items()}
    assert sorted(names) == sorted(wiring.contacts)
    for address in range(1 << len(wiring.select)):
        for enabled in range(len(wiring.enables) or 1):
            reached = pins_reached(made, wiring, address, enabled)
            for contact, (chip, channel) in wiring.contacts.items():
                chosen = address == channel and (not wiring.enables or enabled == chip)
                line = wiring.signals[0 if wiring.enables else chip]
                assert reached.get(names[contact], set()) == ({PIN_OF_GPIO[line]} if chosen else set())


@settings(max_examples=25)
@given(plans())
def test_every_chip_has_power_and_none_of_its_inputs_floats(plan):
    for chip in circuit(plan).muxes:
        kind = chip.package.name
        assert at(chip, SUPPLY[kind]).kind is Kind.LOGIC
        assert {at(chip, pin).kind for pin in GROUND[kind]} == {Kind.GROUND}
        assert at(chip, ENABLE[kind]).kind is (Kind.ENABLE if plan.wiring.enables else Kind.GROUND)
        assert {at(chip, pin).kind for pin in SELECT[kind]} <= {Kind.SELECT, Kind.GROUND}


def contact_nets(plan, made: Circuit):
    """The net of each contact, by the name that its point and its pole have."""
    nets = [net for chip in made.muxes for net in chip.nets] + list(made.header)
    found = [net for net in nets if net.kind is Kind.CONTACT]
    assert len(found) == len(set(found)) == len(plan.wiring.contacts)
    poles = {1: " white", 2: " black"} if made.halls else {1: ""}
    names = {(p.index, r): f"{p}{poles[r]}" for p in plan.wiring.layout.points for r in poles}
    return {contact: net for contact in names for net in found if net.which == names[contact]}


def pins_reached(made: Circuit, wiring, address: int, enabled: int) -> dict[str, set[int]]:
    """For each contact the header's pins that it would pull down, while the Pi drives its lines so."""
    pins = {str(net): pin for pin, net in enumerate(made.header, start=1)}
    reached = {str(net): {pins[str(net)]} for net in made.header if net.kind is Kind.CONTACT}
    high = {PIN_OF_GPIO[gpio] for bit, gpio in enumerate(wiring.select) if address >> bit & 1}
    high |= {PIN_OF_GPIO[gpio] for chip, gpio in enumerate(wiring.enables) if chip != enabled}
    for chip in made.muxes:
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
        ({"signals": (23, 24, 28)}, "GPIO 28 is not on the Pi's header"),
        ({"signals": (23, 24, 10)}, "GPIO 10 is for signal 2 and for data"),
        ({"select": (17, 27, 22, 4, 5)}, "no chip for 5 select lines"),
        ({"signals": (23, 24)}, "on chip 2: there are 2, counted from 0"),
    ],
)
def test_what_cannot_be_wired_is_told(changes, words):
    with pytest.raises(ConfigError, match=words):
        circuit(replace(PRESENCE, wiring=replace(PRESENCE.wiring, **changes)))
