"""Drawings and tables: they say what the circuit is, once, and can be read."""

from dataclasses import replace
from itertools import combinations, pairwise

import pytest
from hypothesis import example, given

from firmware_host.games.layout import MORRIS, Layout, Point
from firmware_host.settings import Controls, Sound, Strip
from hardware.drawing.wiring import wiring_svg
from hardware.wiring.circuit import build_circuit
from hardware.wiring.netlist import POWER as POWER_KINDS
from hardware.wiring.netlist import NetKind
from hardware.wiring.plan import PICO_KINDS, BoardPlan, contact_name
from hardware.wiring.report import parts_text, wiring_text
from tests.support.examples import costly
from tests.support.hardware.paper import POWER, Paper, assert_readable
from tests.support.hardware.plans import DIRECT, EXPANDERS, LINEAR, NANO, POLARITY, PRESENCE, plans


def on_any_plan(test):
    """Run a test on random plans, and on each board with a Pico."""
    for kind in PICO_KINDS:
        test = example(BoardPlan.with_pico(MORRIS, kind))(test)
    return costly(5)(given(plans())(test))


def test_the_same_board_is_drawn_the_same():
    assert wiring_svg(PRESENCE) == wiring_svg(PRESENCE)
    assert wiring_svg(PRESENCE) != wiring_svg(POLARITY)


@pytest.mark.parametrize("plan", [PRESENCE, POLARITY, LINEAR, EXPANDERS, BoardPlan.with_pico(MORRIS, "mux")])
def test_whoever_reads_drawing_text_or_list_holds_the_data_low(plan):
    drawn = {text.words for text in Paper(wiring_svg(plan)).texts}
    assert "10 kOhm from pin 2 to GND" in drawn
    assert "A resistor of 10 kOhm from pin 2 (1A) to GND holds the LEDs' data low" in wiring_text(plan)
    assert "1  resistor at the level shifter" in parts_text(plan)


@pytest.mark.ci("examples")
@on_any_plan
def test_no_text_lies_on_another_or_under_a_wire_or_beyond_the_edge(plan):
    assert_readable(Paper(wiring_svg(plan)))


@pytest.mark.ci("examples")
@on_any_plan
def test_who_follows_the_drawn_wires_finds_the_circuit(plan):
    made, paper = build_circuit(plan), Paper(wiring_svg(plan))
    found: dict[str, set[str]] = {}
    for nets, pins in paper.joined():
        (net,) = nets
        assert net not in found or net in (*POWER, "data at 5 V")  # which has the resistor in it
        found.setdefault(net, set()).update(pins)
    wanted: dict[str, set[str]] = {}
    for pin, net in enumerate(made.header, start=1):
        if net.kind not in (*POWER_KINDS, NetKind.FREE):
            wanted.setdefault(str(net), set()).add(f"header {pin}")
    for chip in made.every_chip:
        for pin, net in enumerate(chip.nets, start=1):
            if net.kind is not NetKind.FREE and f"{chip.name} {pin}" in paper.pins:
                wanted.setdefault(str(net), set()).add(f"{chip.name} {pin}")
    wanted["data at 5 V"] |= {"strip DIN"}
    wanted.setdefault("5 V", set()).update({"supply +", "strip 5V"})
    wanted.setdefault("GND", set()).update({"supply -", "strip GND"})
    assert {net: pins for net, pins in found.items() if pins} == wanted
    for chip in made.sensing:
        shown = [
            pin
            for pin, net in enumerate(chip.nets, start=1)
            if not chip.package.is_board
            or (net.kind is not NetKind.FREE and (chip.name == "Nano" or net.kind not in POWER_KINDS))
        ]
        assert {f"{chip.name} {pin}" for pin in shown} <= paper.pins.keys()


@pytest.mark.ci("examples")
@on_any_plan
def test_wires_of_different_nets_never_lie_on_each_other_and_joints_lie_on_their_own(plan):
    paper = Paper(wiring_svg(plan))
    lying = [
        (net, axis, at, min(ends), max(ends))
        for net, places in paper.wires
        for a, b in pairwise(places)
        for axis, at, ends in ((0, a[0], (a[1], b[1])), (1, a[1], (a[0], b[0])))
        if a[axis] == b[axis] and ends[0] != ends[1]
    ]
    for (net, axis, at, begins, ends), other in combinations(lying, 2):
        if net != other[0] and (axis, at) == other[1:3]:
            assert ends < other[3] or other[4] < begins, (net, other)
    for net, (x, y) in paper.joints:
        through = {one for one, axis, at, a, b in lying if (x, y)[axis] == at and a <= (x, y)[1 - axis] <= b}
        assert through == {net}


@pytest.mark.ci("examples")
@on_any_plan
def test_every_contact_has_its_name_once_on_the_height_of_its_wire(plan):
    paper = Paper(wiring_svg(plan))
    names = sorted(contact_name(plan, contact) for contact in plan.contacts)
    ends = {net: places[-1] for net, places in paper.wires if net in names}
    assert sorted(ends) == names
    for name, (x, y) in ends.items():
        beside = [text for text in paper.texts if text.words == name and text.left > x and text.line - 5 == y]
        assert len(beside) == 1


@on_any_plan
def test_the_table_has_each_contact_once_and_each_led_in_its_place(plan):
    text = wiring_text(plan)
    sensor = f"{build_circuit(plan).sensor.value} of "
    told = [line.partition(sensor)[2] for line in text.splitlines() if sensor in line]
    assert sorted(told) == sorted(contact_name(plan, contact) for contact in plan.contacts)
    along = text.partition("from DIN on\n")[2].split()
    names = dict(zip(map(int, along[::2]), along[1::2], strict=True))
    assert list(names) == list(range(plan.strip.leds))
    for point, leds in zip(plan.layout.points, plan.places, strict=True):
        assert {names[led] for led in leds} == {point.name}
    assert sum(name == "-" for name in names.values()) == plan.strip.leds - sum(map(len, plan.places))


def test_the_table_says_for_each_pin_of_a_chip_where_it_goes():
    lines = wiring_text(PRESENCE).splitlines()
    begins = lines.index("mux 1: 74HC4051, 100 nF from its supply to ground")
    assert lines[begins + 1 : begins + 17] == [
        "   1  Y4   reed of d2",
        "   2  Y6   reed of b4",
        "   3  Z    signal 1: header pin 18 (GPIO24)",
        "   4  Y7   reed of b6",
        "   5  Y5   reed of b2",
        "   6  E    GND",
        "   7  VEE  GND",
        "   8  GND  GND",
        "   9  C    select 2: header pin 15 (GPIO22)",
        "  10  B    select 1: header pin 13 (GPIO27)",
        "  11  A    select 0: header pin 11 (GPIO17)",
        "  12  Y3   reed of f2",
        "  13  Y0   reed of d6",
        "  14  Y1   reed of f6",
        "  15  Y2   reed of f4",
        "  16  VCC  3.3 V",
    ]


@pytest.mark.ci("examples")
@on_any_plan
def test_the_board_is_mirrored_since_it_is_seen_from_below(plan):
    paper = Paper(wiring_svg(plan))
    board = {text.words: text for text in paper.texts if text.top > paper.height - 700}
    points = plan.layout.points
    assert {point.name for point in points} <= board.keys()
    for one, other in combinations(points, 2):
        a, b = board[one.name], board[other.name]
        assert (a.left < b.left) == (one.x > other.x)
        assert (a.top < b.top) == (one.y > other.y)
    assert {f"LED {leds[0]}" for leds in plan.places if len(leds) == 1} <= board.keys()


def test_parts_and_current_are_listed():
    text = parts_text(PRESENCE)
    assert "   3  74HC4051" in text
    assert "  24  reed switch" in text
    assert "   500 mA  the strip at most" in text


def test_the_table_says_what_each_form_of_wiring_needs():
    sharing = replace(PRESENCE.sensors, signal=(23,), enable=(24, 25, 5))
    shared, alone = wiring_text(replace(PRESENCE, sensors=sharing)), wiring_text(DIRECT)
    assert "signal 0: mux 0 pin 3 (Z), mux 1 pin 3 (Z), mux 2 pin 3 (Z)" in shared
    assert "   6  E    enable 1: header pin 22 (GPIO25)" in shared
    assert "   40  GPIO21  reed of " in alone
    assert "3.3 V" not in alone
    pulled = replace(DIRECT, sensors=replace(DIRECT.sensors, pull_up=False))
    assert "3.3 V   the resistors of the lines" in wiring_text(pulled)
    assert "3.3 V   74HC4051, the hall switches" in wiring_text(POLARITY)


def test_the_table_says_how_each_kind_of_sensors_is_reached():
    expanders, linear, nano = map(wiring_text, (EXPANDERS, LINEAR, NANO))
    assert "expander 1: MCP23017, address 0x21, 100 nF" in expanders
    assert "  15  A0     3.3 V" in expanders
    assert "  28  GPA7   open: not an input" in expanders
    assert "dtoverlay=spi1-1cs" in linear
    assert "   1  CH0   signal 0: mux 0 pin 3 (Z)" in linear
    assert "make CHIPS=3 SELECT_LINES=3 LEDS=24 COLOURS=3" in nano
    assert "nothing but the USB cable and GND joins it to the Pi" in nano
    assert "level shifter" not in nano
    assert "  DIN  Nano pin 9 (D6), through 330 Ohm" in nano


def test_the_button_is_drawn_and_told_on_its_line():
    plan = replace(PRESENCE, controls=Controls(button=26))
    paper = Paper(wiring_svg(plan))
    assert_readable(paper)
    joined = {net: pins for nets, pins in paper.joined() for net in nets}
    assert joined["button"] == {"header 37"}
    assert "   37  GPIO26  button, whose other end goes to GND" in wiring_text(plan)
    assert "   39  GND     GND of supply" in wiring_text(plan)
    assert "   1  push button, normally open" in parts_text(plan)
    assert "button" not in wiring_text(PRESENCE)


def test_the_buzzer_is_drawn_with_its_transistor_and_told_on_its_line():
    plan = replace(PRESENCE, controls=Controls(button=26), sound=Sound(buzzer=12))
    paper = Paper(wiring_svg(plan))
    assert_readable(paper)
    joined = {net: pins for nets, pins in paper.joined() for net in nets}
    assert joined["buzzer"] == {"header 32"}
    assert "   32  GPIO12  1 kOhm, and through it the base of the buzzer's transistor" in wiring_text(plan)
    assert "   30  GND     GND of supply" in wiring_text(plan)
    assert "  collector  the buzzer's minus" in wiring_text(plan)
    for part in ("active buzzer", "NPN transistor", "resistor 1 kOhm", "diode 1N4148"):
        assert f"   1  {part}" in parts_text(plan)
    assert "buzzer" not in wiring_text(PRESENCE)


LINES = tuple(gpio for gpio in range(2, 28) if gpio != 12)


@pytest.mark.ci("examples")
@pytest.mark.parametrize(
    ("lines", "chips"),
    [
        ({"select": (), "signal": LINES[:24]}, 0),
        ({"select": (), "signal": LINES[:1], "enable": LINES[1:25]}, 24),
        ({"select": LINES[:1], "signal": LINES[1:13]}, 12),
    ],
)
def test_chips_with_fewer_select_lines_than_they_could_have_are_drawn_too(lines, chips):
    sensors = replace(PRESENCE.sensors, **lines)
    plan = replace(PRESENCE, sensors=sensors, strip=Strip(backend="pwm", gpio=12))
    assert_readable(Paper(wiring_svg(plan)))
    text = wiring_text(plan)
    assert text.count("reed of ") == 24
    assert text.count(": 74HC4051") == chips


def test_another_layout_is_drawn_by_its_own_points():
    points = tuple(Point(f"{'abcde'[n % 5]}{1 + n // 5}", n, n % 5, n // 5) for n in range(25))
    square = Layout("five by five", points, tuple(points[n : n + 5] for n in range(0, 25, 5)))
    plan = BoardPlan.recommended(square, pieces=24)
    sensors = replace(plan.sensors, select=(17, 27, 22, 4), signal=(23, 24))
    plan = replace(plan, sensors=sensors)
    assert_readable(Paper(wiring_svg(plan)))
    text = wiring_text(plan)
    assert "mux 1: CD74HC4067" in text
    assert "reed of e5" in text
    assert "  24  disc magnet" in parts_text(plan)
    assert "   2  CD74HC4067" in parts_text(plan)


def with_bars(plan):
    strip = replace(plan.strip, leds=40, white_bar=tuple(range(24, 32)), black_bar=tuple(range(32, 40)))
    return replace(plan, strip=strip)


@pytest.mark.parametrize("plan", [PRESENCE, POLARITY, NANO], ids=["presence", "polarity", "nano"])
def test_side_bars_are_drawn_and_listed_with_their_leds(plan):
    plan = with_bars(plan)
    paper = Paper(wiring_svg(plan))
    assert_readable(paper)
    text = wiring_text(plan)
    assert "LED strip: 40 x WS2812B" in text
    assert " 24 W1   25 W2" in text
    assert " 32 B1   33 B2" in text
    assert "the first of each goes out last" in text
    for number, led in enumerate(range(24, 32), start=1):
        (mark,) = (one for one in paper.texts if one.words == f"W{number}" and one.top > paper.height - 200)
        assert any(one.words == f"LED {led}" and abs(one.left - mark.left) < 30 for one in paper.texts)
    assert "40" in parts_text(plan)
