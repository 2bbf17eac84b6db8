"""The simulated SPI bus and the LEDs on it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.ports import DARK
from sim.electronics.spi import SimulatedSpi

BYTE = st.integers(0, 255)
COLOURS = st.lists(st.tuples(BYTE, BYTE, BYTE), max_size=40)


def encode(colours) -> bytes:
    """Return the bytes for `colours`, as in the data sheet: green, red, blue, highest bit first."""
    bits = "".join(f"{g:08b}{r:08b}{b:08b}" for r, g, b in colours)
    return bytes(0xF0 if bit == "1" else 0xC0 for bit in bits)


def bus(leds: int = 4, hz: int = 6_400_000) -> SimulatedSpi:
    spi = SimulatedSpi(leds)
    spi.configure(hz)
    return spi


@given(COLOURS, st.integers(0, 40), st.integers(0, 100))
def test_leds_show_the_colours_that_were_sent_and_those_beyond_stay_as_they_are(colours, leds, pause):
    spi = bus(leds)
    before = tuple((n, n, n) for n in range(leds))
    spi.write(encode(before))
    spi.write(bytes(pause) + encode(colours) + bytes(pause))
    assert spi.leds == (*colours[:leds], *before[len(colours) :])


def test_before_anything_is_sent_all_is_dark():
    assert SimulatedSpi(3).leds == (DARK,) * 3


def test_a_pause_alone_changes_nothing():
    spi = bus(1)
    spi.write(encode([(1, 2, 3)]))
    spi.write(bytes(64))
    assert spi.leds == ((1, 2, 3),)


def test_an_led_waits_for_all_its_bits():
    spi = bus(2)
    spi.write(encode([(1, 2, 3), (4, 5, 6)])[:-1])
    assert spi.leds == ((1, 2, 3), DARK)


def test_at_half_the_speed_every_bit_is_too_long_and_all_is_white():
    spi = bus(1, hz=3_200_000)
    spi.write(encode([(0, 0, 0)]))
    assert spi.leds == ((255, 255, 255),)


def test_an_unplugged_strip_is_dark_and_cannot_be_written():
    spi = bus(2)
    spi.write(encode([(1, 2, 3), (4, 5, 6)]))
    spi.plugged = False
    assert spi.leds == (DARK, DARK)
    with pytest.raises(OSError, match="nothing answers"):
        spi.write(encode([(7, 8, 9)]))
    spi.plugged = True
    assert spi.leds == (DARK, DARK)
    spi.write(encode([(7, 8, 9)]))
    assert spi.leds == ((7, 8, 9), DARK)


@pytest.mark.parametrize("order", ["GRB", "RGB", "GRBW", "RGBW"])
def test_leds_take_their_colours_in_their_own_order(order):
    spi = SimulatedSpi(2, order)
    spi.configure(6_400_000)
    values = {"R": 10, "G": 20, "B": 30, "W": 0}
    bits = "".join(f"{values[colour]:08b}" for colour in order) * 2
    spi.write(bytes(0xF0 if bit == "1" else 0xC0 for bit in bits))
    assert spi.leds == ((10, 20, 30),) * 2


def test_a_white_led_shines_in_all_colours():
    spi = SimulatedSpi(1, "GRBW")
    spi.configure(6_400_000)
    spi.write(bytes(0xF0 if bit == "1" else 0xC0 for bit in f"{0:024b}{77:08b}"))
    assert spi.leds == ((77, 77, 77),)


def test_behind_a_break_all_is_dark_and_stays_so_until_it_is_mended():
    spi = bus(3)
    spi.write(encode([(1, 2, 3)] * 3))
    spi.reach(1)
    assert spi.leds == ((1, 2, 3), DARK, DARK)
    spi.write(encode([(4, 5, 6)] * 3))
    assert spi.leds == ((4, 5, 6), DARK, DARK)
    spi.repair()
    spi.write(encode([(7, 8, 9)] * 3))
    assert spi.leds == ((7, 8, 9),) * 3


def test_a_first_led_that_mishears_is_green_whatever_is_sent():
    spi = bus(2)
    spi.first_is_green = True
    spi.write(encode([(1, 2, 3), (4, 5, 6)]))
    assert spi.leds == ((0, 60, 0), (4, 5, 6))
