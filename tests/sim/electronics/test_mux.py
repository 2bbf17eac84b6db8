"""Simulated multiplexers on mock pins."""

from __future__ import annotations

import pytest

from firmware_host.games.layout import MORRIS
from firmware_host.ports import SensorKind
from hardware.wiring.contacts import MuxWiring
from sim.clock import VirtualClock
from sim.electronics.mux import MuxBank, open_select, pi_with, shorted_select, swapped_select
from sim.scheduler import Scheduler
from tests.support.hardware.mux_opening import mux_sensors

WIRING = MuxWiring.in_order(MORRIS, SensorKind.PRESENCE, select=(17, 27, 22), signals=(23, 24, 25))
RISE_US = 7


class Chips:
    """Three chips on a Pi whose select pins are outputs."""

    def __init__(self, pull: str = "up") -> None:
        self.clock = VirtualClock()
        self.agenda = Scheduler()
        self.bank = MuxBank(self.clock, self.agenda, 3, RISE_US)
        self.pi = pi_with(self.bank, WIRING)
        for gpio in WIRING.select:
            self.pi.pin(gpio).function = "output"
        for gpio in WIRING.signals:
            self.pi.pin(gpio).pull = pull

    def choose(self, channel: int) -> None:
        for bit, gpio in enumerate(WIRING.select):
            self.pi.pin(gpio).state = bool(channel >> bit & 1)

    def level(self, chip: int) -> int:
        return int(self.pi.pin(WIRING.signals[chip]).state)


def test_a_line_is_low_while_a_closed_contact_is_chosen():
    chips = Chips()
    chips.bank.close_contact((1, 5), closed=True)
    levels = []
    for channel in range(8):
        chips.choose(channel)
        chips.clock.sleep(RISE_US / 1e6)
        levels.append((chips.level(0), chips.level(1), chips.level(2)))
    assert levels == [(1, int(channel != 5), 1) for channel in range(8)]


def test_a_line_falls_at_once_and_takes_its_time_to_rise():
    chips = Chips()
    chips.bank.close_contact((0, 1), closed=True)
    chips.choose(1)
    assert chips.level(0) == 0
    chips.choose(0)
    chips.clock.sleep(6e-6)
    assert chips.level(0) == 0
    chips.clock.sleep(1e-6)
    assert chips.level(0) == 1


def test_an_address_on_the_way_pulls_its_line_down_too():
    chips = Chips()
    chips.bank.close_contact((0, 1), closed=True)
    chips.choose(0)
    chips.clock.sleep(1e-3)
    chips.choose(3)  # over 1, since the lines change one after the other
    assert chips.level(0) == 0
    chips.clock.sleep(RISE_US / 1e6)
    assert chips.level(0) == 1


@pytest.mark.parametrize(("pull", "level"), [("up", 1), ("down", 0)])
def test_a_dead_chips_line_goes_where_it_is_pulled(pull, level):
    chips = Chips(pull)
    chips.bank.close_contact((2, 0), closed=True)
    assert chips.level(2) == 0
    chips.bank.fail(2, dead=True)
    assert chips.level(2) == level
    chips.bank.fail(2, dead=False)
    assert chips.level(2) == 0


def test_a_select_line_that_is_pulled_up_chooses_before_it_is_written():
    bank = MuxBank(VirtualClock(), Scheduler(), 1, RISE_US)
    bank.close_contact((0, 2), closed=True)
    pi = pi_with(bank, MuxWiring.in_order(MORRIS, SensorKind.PRESENCE, select=(17, 2), signals=(23,)))
    assert pi.pin(23).state == 0  # GPIO 2 has a resistor of its own


def test_what_is_due_on_the_agenda_has_happened_when_a_pin_is_read():
    chips = Chips()
    chips.agenda.enter(50, lambda _: chips.bank.close_contact((0, 0), closed=True))
    assert chips.level(0) == 1
    chips.clock.reach(50)
    assert chips.level(0) == 0


def test_scanning_for_ever_keeps_no_history():
    chips = Chips()
    pins = [chips.pi.pin(gpio) for gpio in (*WIRING.select, *WIRING.signals)]
    with mux_sensors(WIRING, chips.pi, sleep=chips.clock.sleep) as sensors:
        before = [len(pin.states) for pin in pins]
        for _ in range(100):
            sensors.read()
        assert [len(pin.states) for pin in pins] == before


@pytest.mark.parametrize(
    ("hears", "closed", "read"),
    [
        (open_select(0), 0, {0, 1}),
        (open_select(0), 1, set()),
        (open_select(2, high=True), 5, {1, 5}),
        (open_select(2, high=True), 1, set()),
        (swapped_select(0, 1), 1, {2}),
        (swapped_select(0, 1), 4, {4}),
        (shorted_select(0, 2), 0, {0, 1, 4}),
        (shorted_select(0, 2), 5, {5}),
        (shorted_select(0, 2), 1, set()),
    ],
)
def test_a_chip_whose_select_lines_are_wrong_is_read_at_other_addresses(hears, closed, read):
    chips = Chips()
    chips.bank.close_contact((0, closed), closed=True)
    chips.bank.close_contact((1, closed), closed=True)
    chips.bank.map_addresses(hears, 0)
    found = {0: set(), 1: set()}
    for channel in range(8):
        chips.choose(channel)
        chips.clock.sleep(RISE_US / 1e6)
        for chip, at in found.items():
            at.update({channel} if chips.level(chip) == 0 else ())
    assert found == {0: read, 1: {closed}}
    chips.bank.repair()
    chips.choose(closed)
    assert chips.level(0) == 0


@pytest.mark.parametrize(("pull", "level"), [("up", 1), ("down", 0), ("floating", 0)])
def test_a_line_that_came_off_follows_the_pi_alone(pull, level):
    chips = Chips(pull)
    chips.bank.resistor = True
    chips.bank.close_contact((2, 0), closed=True)
    assert [chips.level(0), chips.level(2)] == [1, 0]
    chips.bank.loosen(0)
    chips.bank.loosen(2)
    assert [chips.level(0), chips.level(2)] == [level, level]


def test_a_slow_line_takes_longer_to_rise_than_others():
    chips = Chips()
    for chip in (0, 1):
        chips.bank.close_contact((chip, 1), closed=True)
    chips.bank.slow(1, 100)
    chips.choose(1)
    chips.choose(0)
    chips.clock.sleep(50e-6)
    assert [chips.level(0), chips.level(1)] == [1, 0]
    chips.clock.sleep(50e-6)
    assert chips.level(1) == 1


def test_wires_that_change_places_take_their_closed_contacts_along():
    chips = Chips()
    chips.bank.close_contact((0, 0), closed=True)
    chips.bank.rewire({(0, 0): (1, 3), (1, 3): (0, 0)})
    assert chips.level(0) == 1
    chips.choose(3)
    assert chips.level(1) == 0
    chips.bank.close_contact((0, 0), closed=False)
    chips.clock.sleep(1e-3)
    assert chips.level(1) == 1
    chips.bank.rewire({})
    chips.bank.close_contact((0, 0), closed=True)
    chips.choose(0)
    assert chips.level(0) == 0
