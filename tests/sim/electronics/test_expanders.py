"""Simulated expanders, register by register."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.clock import VirtualClock
from sim.electronics.expanders import Expander, SimulatedI2c
from sim.scheduler import Scheduler

IODIRA, IPOLA, IOCON, GPPUA, GPIOA, GPIOB, OLATA = 0x00, 0x02, 0x0A, 0x0C, 0x12, 0x13, 0x14
WORD = st.integers(0, 0xFFFF)


@pytest.fixture
def chip():
    return Expander()


def both(word: int) -> bytes:
    return word.to_bytes(2, "little")


def test_after_power_on_all_pins_are_inputs_without_a_pull(chip):
    assert chip.read(0, 22)[:2] == b"\xff\xff"
    assert set(chip.read(2, 16)) == {0}


@given(pulled=WORD, closed=WORD)
def test_a_pin_is_low_while_its_contact_is_closed_else_as_it_is_pulled(pulled, closed):
    chip = Expander()
    chip.write(GPPUA, both(0xFFFF))
    chip.write(GPPUA, both(pulled))
    for pin in range(16):
        chip.close_contact(pin, bool(closed >> pin & 1))
    assert chip.read(GPIOA, 2) == both(0xFFFF & ~closed)
    for pin in range(16):
        chip.close_contact(pin, closed=False)
    assert chip.read(GPIOA, 2) == both(0xFFFF & ~(closed & ~pulled)), "what floats stays as it was"


@given(outputs=WORD, latch=WORD, inverted=WORD)
def test_outputs_are_driven_and_what_is_read_can_be_inverted(outputs, latch, inverted):
    chip = Expander()
    chip.write(GPPUA, both(0xFFFF))
    chip.write(OLATA, both(latch))
    chip.write(IODIRA, both(0xFFFF & ~outputs))
    chip.write(IPOLA, both(inverted))
    assert chip.read(GPIOA, 2) == both(((0xFFFF & ~outputs) | latch & outputs) ^ inverted)


def test_writing_the_port_writes_the_latch(chip):
    chip.write(GPIOB, b"\x5a")
    assert chip.read(OLATA, 2) == b"\x00\x5a"


def test_numbers_count_on_over_both_ports_and_begin_again(chip):
    chip.write(IODIRA, bytes(range(1, 11)))
    assert chip.read(IODIRA, 10) == bytes(range(1, 11))
    assert chip.read(0x15, 2) == b"\x00\x01"


def test_with_bank_1_the_registers_of_a_port_follow_each_other(chip):
    chip.write(IOCON, b"\x80")
    chip.write(0x00, b"\x12")
    chip.write(0x10, b"\x34")
    assert chip.read(0x05, 1) == chip.read(0x15, 1) == b"\x80"
    chip.write(0x05, b"\x00")
    assert chip.read(IODIRA, 2) == b"\x12\x34"


def test_without_counting_on_a_pair_is_read_in_turn(chip):
    chip.write(IODIRA, b"\x12\x34")
    chip.write(IOCON, b"\x20")
    assert chip.read(IODIRA, 5) == b"\x12\x34\x12\x34\x12"


def test_a_reset_forgets_everything_but_what_hangs_on_the_pins(chip):
    chip.write(GPPUA, both(0xFFFF))
    chip.write(IODIRA, both(0))
    chip.close_contact(9, closed=True)
    chip.reset()
    assert chip.read(IODIRA, 2) == b"\xff\xff"
    assert chip.read(GPPUA, 2) == b"\x00\x00"
    assert not chip.read(GPIOB, 1)[0] & 0b10


@pytest.mark.parametrize("address", [0x20, 0x22])
def test_an_address_without_a_living_chip_is_not_acknowledged(address):
    bus = SimulatedI2c(VirtualClock(), Scheduler(), (0x20, 0x21))
    bus.fail(0, dead=True)
    with pytest.raises(OSError, match="Remote I/O error"):
        bus.reading(address, GPIOA, 2)()
    with pytest.raises(OSError, match="Remote I/O error"):
        bus.write(address, IODIRA, b"\0")
    bus.reading(0x21, GPIOA, 2)()


def test_a_chip_without_supply_forgets_what_it_was_told():
    bus = SimulatedI2c(VirtualClock(), Scheduler(), (0x20,))
    bus.write(0x20, GPPUA, b"\x7f\x7f")
    bus.fail(0, dead=True)
    bus.repair()
    assert bus.reading(0x20, GPPUA, 2)() == b"\0\0"
