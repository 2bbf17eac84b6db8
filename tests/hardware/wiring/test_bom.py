"""The parts list, and what a board draws."""

from dataclasses import replace

import pytest
from hypothesis import given, settings

from firmware_host.settings import Lights
from hardware.wiring.bom import PI_MODELS, current, fuse_a, larger_fuses, parts, sensors_ma, total_price
from hardware.wiring.circuit import build_circuit
from hardware.wiring.report import wiring_text
from tests.support.hardware.plans import EXPANDERS, LINEAR, NANO, POLARITY, PRESENCE, plans


def counts(plan):
    return {part.what: part.count for part in parts(plan)}


def test_presence_takes_three_small_chips_and_a_reed_a_point():
    listed = counts(PRESENCE)
    assert listed["74HC4051"] == 3
    assert listed["reed switch, normally open"] == 24
    assert listed["capacitor, 100 nF, ceramic"] == 4
    assert "resistor, 10 kOhm" not in listed


def test_polarity_takes_two_hall_switches_a_point():
    assert counts(POLARITY)["unipolar hall switch for 3.3 V"] == 48
    assert counts(POLARITY)["74HC4051"] == 6


def test_each_kind_of_sensors_has_its_chips():
    assert counts(EXPANDERS)["MCP23017"] == 2
    assert (counts(LINEAR)["MCP3008"], counts(LINEAR)["linear hall sensor for 3.3 V"]) == (1, 24)
    assert (counts(NANO)["Arduino Nano"], counts(NANO)["74HC4051"]) == (1, 3)
    assert "74AHCT125" not in counts(NANO)


def test_linear_sensors_draw_what_their_data_sheet_says():
    assert sensors_ma(LINEAR) == 24 * 6
    assert sensors_ma(PRESENCE) < 5
    assert sensors_ma(POLARITY) == pytest.approx(48 * 2.7)
    assert sensors_ma(NANO) == pytest.approx(19 + 24 * 0.3)


def test_24_leds_draw_what_the_lights_say():
    draws = current(PRESENCE)
    assert (draws.dark_ma, draws.budget_ma, draws.white_ma) == (24, 500, 1440)


def test_a_budget_above_all_white_is_never_drawn():
    assert current(replace(PRESENCE, lights=Lights(budget_ma=5000))).budget_ma == 1440


def test_the_supply_bears_the_pi_and_the_strip():
    draws = current(PRESENCE)
    assert {model.name: draws.supply_a(model) for model in PI_MODELS} == {
        "Zero 2 W": 2.5,
        "3 B+": 3.0,
        "4 B": 3.5,
        "5": 5.5,
    }


def test_the_fuse_bears_what_the_supply_is_chosen_for_without_usb_devices():
    assert [fuse_a(PRESENCE, model) for model in PI_MODELS] == [3, 3, 3, 5]
    assert counts(PRESENCE)["fuse, 3 A, slow, with a holder"] == 1
    assert counts(PRESENCE)["TVS diode, P6KE6.8A"] == 1


def test_fuses_with_side_bars_name_each_model_that_needs_more():
    board = replace(PRESENCE, strip=replace(PRESENCE.strip, leds=40))
    assert [fuse_a(board, model) for model in PI_MODELS] == [3, 3, 5, 5]
    assert larger_fuses(board) == "5 A with a Pi 4 B or 5"
    assert "fuse (3 A, 5 A with a Pi 4 B or 5);" in wiring_text(board)
    assert any("5 A with a Pi 4 B or 5; the first" in row.remark for row in parts(board))


def test_a_long_strip_takes_a_larger_fuse():
    strip = replace(PRESENCE.strip, leds=120)
    assert [fuse_a(replace(PRESENCE, strip=strip), model) for model in PI_MODELS] == [8, 8, 8, 10]


def test_a_socket_is_listed_for_each_chip_by_its_pins():
    listed = counts(LINEAR)
    assert (listed["socket, DIP-16"], listed["socket, DIP-14"]) == (
        4,
        1,
    )  # three muxes and the ADC; the shifter
    assert counts(EXPANDERS)["socket, DIP-28"] == 2


def test_more_contacts_take_more_wire():
    def metres(plan):
        return next(part.count for part in parts(plan) if "0.14 mm²" in part.what)

    assert metres(POLARITY) > metres(PRESENCE) > 5


@settings(max_examples=25)
@given(plans())
def test_every_part_has_a_price_and_they_add_up(plan):
    rows = parts(plan)
    assert all(0 < part.each.low <= part.each.high for part in rows)
    total = total_price(rows)
    assert sum(part.count * part.each.low for part in rows) == pytest.approx(total.low)
    assert total.low < total.high


@settings(max_examples=25)
@given(plans())
def test_the_list_counts_what_the_wiring_has(plan):
    made, listed = build_circuit(plan), counts(plan)
    chips = [chip.package.name for chip in made.every_chip if chip.package.numbered and chip.name != "Nano"]
    for name in ("74HC4051", "CD74HC4067", "MCP23017", "MCP3008", "74AHCT125"):
        assert listed.get(name, 0) == chips.count(name)
    assert listed.get("capacitor, 100 nF, ceramic", 0) == len(chips)
    assert listed["WS2812B LED" if plan.strip.order == "GRB" else "SK6812 RGBW LED"] == plan.strip.leds
    assert listed.get("resistor, 10 kOhm", 0) == plan.resistors
    assert len(plan.contacts) in listed.values()
    assert listed.get("diode 1N4148", 0) == len(made.crossings)
    draws = current(plan)
    for model in PI_MODELS:
        amperes = draws.supply_a(model)
        assert amperes * 1000 >= model.recommended_ma + draws.budget_ma
        assert amperes * 1000 >= model.alone_ma + draws.sensors_ma + draws.white_ma
        assert amperes * 2 == int(amperes * 2)
