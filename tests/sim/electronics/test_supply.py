"""The simulated supply, and what its Pi says of it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from firmware_host.settings import Lights
from sim.electronics.spi import SimulatedSpi
from sim.electronics.supply import SimulatedSupply

BYTE = st.integers(0, 255)


@given(st.lists(st.tuples(BYTE, BYTE, BYTE), min_size=24, max_size=24))
def test_the_strip_draws_what_its_light_costs_and_a_good_supply_bears_it(colours):
    spi = SimulatedSpi(24)
    spi.leds = tuple(colours)
    supply = SimulatedSupply(spi)
    assert 24 <= supply.draws_ma <= 24 + 24 * 60
    assert supply.throttled() == 0


def test_what_was_once_too_low_is_remembered_until_it_is_mended():
    spi = SimulatedSpi(24)
    supply = SimulatedSupply(spi, Lights())
    supply.bears_ma = 300
    assert supply.throttled() == 0
    spi.leds = ((60, 60, 60),) * 24
    assert supply.throttled() == 0x10001
    spi.leds = ((0, 0, 0),) * 24
    assert supply.throttled() == 0x10000
    supply.repair()
    assert supply.throttled() == 0
