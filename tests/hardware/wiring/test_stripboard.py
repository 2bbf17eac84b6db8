"""The plan of the stripboard: read back from its strips, cuts and links, it is the circuit."""

from dataclasses import replace

import pytest

from firmware_host.errors import ConfigError
from hardware.wiring.circuit import build_circuit
from hardware.wiring.netlist import FREE, GROUND, LOGIC, SUPPLY
from hardware.wiring.stripboard import COLUMNS, ROWS, plan_faults, stripboard_plan
from tests.support.hardware.plans import POLARITY, PRESENCE

CIRCUIT = build_circuit(PRESENCE)
PLAN = stripboard_plan(CIRCUIT)


def faults(**changes):
    return "\n".join(plan_faults(replace(PLAN, **changes), CIRCUIT))


def test_the_plan_has_the_nets_of_the_circuit():
    assert not faults()
    assert {*PLAN.buses} >= {GROUND, LOGIC, SUPPLY}


def test_everything_of_the_plan_lies_on_the_board():
    spots = [*PLAN.cuts, *PLAN.leads, *(spot for link in PLAN.links for spot in (link.begin, link.end))]
    spots += [seat.pin(number) for seat in PLAN.seats for number in range(1, len(seat.chip.nets) + 1)]
    assert all(0 <= row < ROWS and 0 <= column < COLUMNS for row, column in spots)


def beside(cut):
    """The nets of the pins to the left and to the right of a cut."""
    pins = {seat.pin(n): net for seat in PLAN.seats for n, net in enumerate(seat.chip.nets, start=1)}
    row, at = cut
    left = max(((column, net) for (own, column), net in pins.items() if own == row and column < at))
    right = min(((c, net) for (own, c), net in pins.items() if own == row and c > at), default=(0, FREE))
    return left[1], right[1]


NEEDED = [cut for cut in sorted(PLAN.cuts) if FREE not in beside(cut) and len({*beside(cut)}) == 2]


@pytest.mark.parametrize("cut", NEEDED)
def test_a_strip_that_was_not_cut_is_found(cut):
    assert len(NEEDED) > 40
    assert "joined: " in faults(cuts=PLAN.cuts - {cut})


@pytest.mark.parametrize("number", [n for n, link in enumerate(PLAN.links) if not link.part])
def test_a_link_that_is_missing_is_found(number):
    links = (*PLAN.links[:number], *PLAN.links[number + 1 :])
    assert f"split: {PLAN.links[number].net}" in faults(links=links)


def test_two_wires_in_a_hole_and_one_in_a_cut_are_found():
    first, *others = PLAN.links
    at = next(iter(sorted(PLAN.cuts)))
    assert f"a wire in cut {at}" in faults(links=(*PLAN.links, replace(first, end=at)))
    assert "two wires in hole" in faults(links=(*PLAN.links, replace(others[0], begin=first.begin)))


def test_a_resistor_holds_the_data_line_low_and_joins_nothing():
    (hold,) = [link for link in PLAN.links if link.part == "10 kOhm"]
    assert hold.begin[0] == PLAN.buses[GROUND]
    assert "joined: " in faults(links=(*PLAN.links, replace(hold, part="")))


def test_boards_with_other_chips_have_no_plan():
    with pytest.raises(ConfigError, match="up to three 74HC4051"):
        stripboard_plan(build_circuit(POLARITY))
