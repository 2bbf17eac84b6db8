"""The wires of a board: each reaches from end to end, and the parts list has enough of them."""

from dataclasses import replace
from math import ceil, hypot

import pytest

from firmware_host.games.rulesets import rule_set
from hardware.case.assembly import assemble
from hardware.case.measures import ChipBoard, Measures
from hardware.case.sensor_types import SensorType
from hardware.wiring.bom import parts
from tests.support.hardware.plans import LINEAR, POLARITY, PRESENCE

MILL, SHRINE = rule_set("standard", ()), rule_set("mitsudomoe", ())
PLANS = {SensorType.REED: PRESENCE, SensorType.HALL: POLARITY, SensorType.LINEAR: LINEAR}
BOARDS = [
    *((MILL, sensor, board) for sensor in SensorType for board in ChipBoard),
    (SHRINE, SensorType.LINEAR, ChipBoard.STRIPBOARD),
]
EACH = pytest.mark.parametrize(("rules", "sensor", "electronics"), BOARDS)


def built(rules, sensor, electronics=ChipBoard.STRIPBOARD, **changes):
    made = Measures.recommended(rules.layout, rules.box, sensor=sensor, electronics=electronics)
    return assemble(rules.layout, replace(made, **changes))


def middle(made, name, point):
    prism = next(part.prism for part in made.named(name) if part.where == point)
    return prism.x, prism.y


def too_short(made):
    """The wires of the chain that don't reach through the plate, to the next LED and back through it."""
    name = "module's LED" if made.measures.has_modules else "LED's carrier"
    for run in made.wires.runs:
        ends = [end.partition("(")[2].rstrip(")") for end in (run.begin, run.end)]
        if all(ends):
            (x1, y1), (x2, y2) = (middle(made, name, point) for point in ends)
            if run.length_mm < hypot(x2 - x1, y2 - y1) + 2 * made.measures.lower_mm:
                yield run


@EACH
def test_wires_of_the_chain_reach_from_led_to_led(rules, sensor, electronics):
    assert not [*too_short(built(rules, sensor, electronics))]


def test_wires_of_60_mm_do_not_reach_between_points():
    made = built(MILL, SensorType.REED)
    chain = [run for run in made.wires.runs if run.begin.startswith("LED")]
    cut = [replace(run, length_mm=60.0) for run in chain]
    short = [*too_short(replace(made, wires=replace(made.wires, runs=tuple(cut))))]
    outer = [f"LED {number} " for number in range(16, 23)]
    far = {(run.net, run.begin) for run in chain if run.begin.startswith(tuple(outer))}
    assert len(far) == 3 * len(outer)
    assert far <= {(run.net, run.begin) for run in short}


@EACH
def test_wires_to_the_lid_reach_while_it_lies_beside_the_board(rules, sensor, electronics):
    made = built(rules, sensor, electronics)
    m, points = made.measures, {str(point): point for point in rules.layout.points}
    up_and_down = 2 * m.frame_height_mm + m.lower_mm + m.upper_mm  # over the frame, and to the table
    to_lid = [run for run in made.wires.runs if "board on the lid" in (run.begin, run.end)]
    assert len(to_lid) > len(points)
    for run in to_lid:
        end = run.begin if run.end == "board on the lid" else run.end
        name = end.partition("(")[2].rstrip(")") or end.partition(",")[0]
        front = m.edge_mm + points[name].y * m.pitch_mm - m.frame_mm
        assert run.length_mm > front + up_and_down, run


@pytest.mark.parametrize("electronics", ChipBoard)
@pytest.mark.parametrize("sensor", SensorType)
def test_the_parts_list_has_the_wire_of_the_loom(sensor, electronics):
    plan = PLANS[sensor]
    plan = replace(plan, sensors=replace(plan.sensors, boards=electronics is ChipBoard.CONTROLLER))
    listed = {part.what: part.count for part in parts(plan)}
    runs = built(MILL, sensor, electronics).wires.runs
    for thick, words in ((False, "metre of wire, 0.14 mm², stranded"), (True, "metre of wire, 0.5 mm², red")):
        cut = sum(run.length_mm for run in runs if run.thick is thick) / 1000
        (count,) = [count for what, count in listed.items() if what.startswith(words)]
        assert count == ceil(1.15 * cut)
    assert cut > 7


def test_a_wider_board_takes_longer_wires():
    usual, wide = (built(MILL, SensorType.REED, pitch_mm=pitch).wires for pitch in (40.0, 50.0))
    for thick in (False, True):
        assert wide.metres(thick=thick) > usual.metres(thick=thick)
