"""The doctor's words for a board of circuit boards: plugs of the controller and modules, not only wires."""

from dataclasses import replace

import pytest

from firmware_host.games.layout import MORRIS
from firmware_host.i18n import to_english
from firmware_host.ports import BLACK_PIECE, SOMETHING
from firmware_host.settings import Sensors, Strip
from hardware.doctor.findings import Verdict
from hardware.doctor.light_checks import NOWHERE, LightAnswers, check_light
from hardware.doctor.part_names import Chain, part_names
from hardware.doctor.walk_checks import Visit, Walk, check_walk
from hardware.wiring.contacts import every_wire
from tests.support.hardware.plans import LINEAR, POLARITY

SENSORS = Sensors(boards=True)
LEDS = {point.name: (point.index,) for point in MORRIS.points}
NAMES = part_names(MORRIS, SENSORS, LEDS)


def walk_without(*silent: str):
    """Return the faults of a walk in which the sensors of some points are silent."""
    points = {MORRIS.points[point].name: (point, wire) for (point, _), wire in NAMES.contacts.items()}
    visits = [
        Visit((point, SOMETHING), frozenset(() if name in silent else {wire}))
        for name, (point, wire) in points.items()
    ]
    findings = check_walk(Walk(every_wire(SENSORS), tuple(visits)), NAMES)
    return [finding for finding in findings if finding.verdict is Verdict.FAULT]


def dark(*points: str, modules: bool = True):
    """Return the faults of a chain in which some points stay dark."""
    shines = {point.name: NOWHERE if point.name in points else point.name for point in MORRIS.points}
    found = check_light(LightAnswers(shines=shines), Strip(), LEDS, modules=modules)
    return [finding for finding in found if finding.verdict is Verdict.FAULT]


def test_a_silent_point_is_named_by_module_and_plug():
    (finding,) = walk_without("f2")
    assert "f2 (module 11, between f4 and d2; J3 pin 4)" in finding.found
    assert "the wire from J3 pin 4 to A of module 11 (f2), and GND there" in finding.fix


def test_a_silent_mux_is_named_by_its_chip_and_plug():
    (finding,) = walk_without(*(point.name for point in MORRIS.points[8:16]))
    assert finding.found.startswith("mux 1 (U2, plug J3) is silent")
    assert "R6, to GPIO 24 (header pin 18)" in finding.fix
    assert "3.3 V at pin 10 of J3" in finding.fix


def test_a_broken_chain_is_named_between_its_modules():
    behind = [point.name for point in MORRIS.points[5:]]
    (finding,) = dark(*behind)
    assert "DOUT and GND of module 4 (d3) to 5V, DIN and GND of module 5 (c3)" in finding.fix
    (finding,) = dark(*behind, modules=False)
    assert "module" not in finding.fix


def test_single_dark_points_are_named_by_module():
    (finding,) = dark("c3")
    assert finding.fix == "D1 of module 5 (c3), between d3 and c4, and their 5 V and GND"


def test_the_first_module_hangs_on_the_controller():
    link = to_english(Chain(LEDS).link("d5"))
    assert link.startswith("the wires from the controller's J10 to 5V, DIN and GND of module 0")
    assert to_english(Chain(LEDS).neighbours("d5")) == "at an end of the chain"


def test_a_chain_in_another_order_has_other_neighbours():
    turned = {name: (23 - led,) for name, (led,) in LEDS.items()}
    assert to_english(Chain(turned).module("d3")) == "module 19 (d3)"
    assert to_english(Chain(turned).neighbours("d3")) == "between c3 and e3"


def test_the_second_sensor_of_a_point_is_at_hole_b():
    sensors = replace(POLARITY.sensors, boards=True)
    names = part_names(MORRIS, sensors, LEDS)
    wire = names.contacts[4, BLACK_PIECE]
    assert to_english(names.wire(wire)) == "d3 black (module 4, between e3 and c3; J5 pin 5)"
    assert "J5 pin 5 to B of module 4 (d3), and 3V and GND there" in to_english(names.feeds([wire]))


@pytest.mark.parametrize("plan", [POLARITY, LINEAR])
def test_hand_wired_boards_have_no_modules(plan):
    names = part_names(MORRIS, plan.sensors, LEDS)
    told = [to_english(names.wire(wire)) for wire in names.contacts.values()]
    assert not [text for text in told if "module" in text or "J" in text]


def test_linear_sensors_are_read_through_the_adc():
    names = part_names(MORRIS, replace(LINEAR.sensors, boards=True), LEDS)
    assert to_english(names.line_of(1)) == "pin 3 of U2 to CH1 of U8"
