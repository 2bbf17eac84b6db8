"""The doctor finds what is wrong with a board, and nothing else: boards with one fault each, real drivers."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from firmware_host.settings import COLOUR_ORDERS, Sensors, Strip
from hardware.doctor.findings import Verdict, exit_status
from tests.support.examples import few
from tests.support.hardware.doctoring import (
    NAMES,
    POINT_FAULTS,
    SENSORS,
    checks,
    elsewhere,
    examined,
    single_faults,
    wrong,
)
from tests.support.matrix import CI, sampled

KINDS = [kind for kind in SENSORS if kind != "linear"]


@pytest.mark.parametrize("kind", sampled(KINDS, others=CI))
def test_a_whole_board_passes_every_check(kind):
    findings = examined(sensors=SENSORS[kind])
    assert [finding for finding in findings if finding.verdict is not Verdict.PASS] == []
    assert len(findings) >= 11
    assert exit_status(findings) == 0


@pytest.mark.ci("examples")
@few(2, suppress_health_check=[HealthCheck.too_slow])
@given(single_faults(3, 3))
@example(({"wiring": "turned-left"}, "order"))  # partly as if two select lines were exchanged
@example(({"point": "d6", "kind": "chatter"}, "quiet contacts"))
@example(({"leds": "first-green"}, "first LED"))
@example(({"leds": "broken", "led": 1}, "LED order"))
def test_any_single_fault_is_found_and_no_other(fault_and_check):
    fault, check = fault_and_check
    assert checks(examined(fault)) == [check]


@pytest.mark.long
@settings(max_examples=300, deadline=None)
@given(single_faults(3, 3), st.integers(0, 99))
def test_any_single_fault_is_found_and_no_other_whatever_the_lot(fault_and_check, seed):
    fault, check = fault_and_check
    assert checks(examined(fault, seed=seed)) == [check]


@pytest.mark.long
@settings(max_examples=100, deadline=None)
@given(single_faults(6, 3), st.integers(0, 99))
def test_any_single_fault_of_a_board_that_tells_poles_apart_is_found(fault_and_check, seed):
    fault, check = fault_and_check
    assert checks(examined(fault, SENSORS["polarity"], seed=seed)) == [check]


@pytest.mark.long
@settings(max_examples=100, deadline=None)
@given(single_faults(2, 3), st.integers(0, 99))
def test_any_single_fault_of_a_board_with_larger_chips_is_found(fault_and_check, seed):
    fault, check = fault_and_check
    assert checks(examined(fault, SENSORS["two 4067"], seed=seed)) == [check]


@pytest.mark.parametrize(
    ("fault", "check", "evidence", "mend"),
    sampled(
        [
            (
                {"point": "d6", "kind": "stuck-on"},
                "open contacts",
                "d6 (mux 1, channel 0 (Y0, pin 13))",
                "sticks",
            ),
            ({"point": "d6", "kind": "stuck-off"}, "silent contacts", "d6 (mux 1, channel 0", "wire to GND"),
            ({"point": "a1", "kind": "chatter"}, "quiet contacts", "a1 (mux 2, channel 5", "loose"),
            ({"point": "a1", "kind": "faint"}, "resting pieces", "at a1 ", "nearer to the piece"),
            ({"point": "a1", "kind": "wrong-pole"}, "poles", "a1 (mux 2", "turn the hall switch round at a1"),
            (
                {"mux": 1, "kind": "dead"},
                "chips",
                "mux 1 is silent: none of its 8 contacts",
                "VCC (pin 16) of mux 1 to 3.3 V; GND (pin 8), E (pin 6) and VEE (pin 7) to GND; "
                "its signal line GPIO 24 (header pin 18)",
            ),
            ({"signal": 2, "kind": "slow"}, "settling", "wait 20 and 200 us differ", "settling_us = 200 "),
            (
                {"select": 0, "kind": "open"},
                "select lines",
                "select line A (GPIO 17, header pin 11) does not reach the chips: 24 contacts of 24",
                "the wire from select line A (GPIO 17, header pin 11) to A (pin 11) of the chips",
            ),
            (
                {"select": 2, "kind": "high", "mux": 1},
                "select lines",
                "select line C (GPIO 22, header pin 15) stays high at mux 1: 8 contacts of 24",
                "to C (pin 9) of mux 1, or a short of it to 3.3 V",
            ),
            (
                {"select": [0, 1], "kind": "swapped"},
                "select lines",
                "are exchanged at the chips: 12 contacts of 24",
                "select = [27, 17, 22]",
            ),
            (
                {"select": [0, 2], "kind": "shorted"},
                "select lines",
                "touch at the chips",
                "find where the wires",
            ),
            (
                {"wiring": "mirrored"},
                "order",
                "the board is mirrored left to right: so",
                "`millwright setup`",
            ),
            (
                {"wiring": "turned-right"},
                "order",
                "the board is rotated a quarter to the ",
                "`millwright setup`",
            ),
            (
                {"wiring": ["d6", "f6"]},
                "order",
                "d6 hangs on mux 1, channel 1 (Y1, pin 14) and f6 hangs on mux 1, channel 0",
                "`millwright setup`",
            ),
            ({"magnets": "strong"}, "neighbours", "shared the piece with others: on d5", "a weaker magnet"),
            ({"magnets": "weak"}, "resting pieces", "at d5 ", "a stronger magnet"),
            ({"leds": "unplugged"}, "light", "nothing answers on the SPI bus; is it plugged in?", ""),
            ({"leds": "reversed"}, "light", "nothing lit when 24 LEDs", "DIN and DOUT are easily exchanged"),
            ({"leds": "first-green"}, "first LED", "the first LED glowed", "74AHCT125"),
            ({"leds": "broken", "led": 8}, "LED order", "LED 8 (d6)", "from LED 7 to LED 8: DOUT to DIN"),
            ({"leds": "colours", "order": "RGB"}, "colours", "red looked green", 'order = "RGB" in'),
            ({"leds": "colours", "order": "GRBW"}, "colours", "several colours", 'order = "GRBW" in'),
            (
                {"supply": "sags"},
                "supply",
                "under-voltage at 306 mA of light (get_throttled 0x10001)",
                "supply",
            ),
        ],
        6,
        others=CI,
    ),
)
def test_each_fault_is_told_with_its_evidence_and_what_mends_it(fault, check, evidence, mend):
    (finding,) = wrong(examined(fault))
    assert finding.check == check
    assert evidence in finding.found
    assert mend in finding.fix


def test_a_line_without_a_resistor_follows_the_pis_own():
    (finding,) = wrong(examined({"signal": 1, "kind": "floating"}, SENSORS["resistors outside"]))
    assert finding.check == "signal lines"
    assert finding.found.startswith("GPIO 24 (header pin 18) floats: high under the Pi's pull-up and low")
    assert "10 kOhm from GPIO 24 (header pin 18) to 3.3 V" in finding.fix


@pytest.mark.parametrize("order", sampled(COLOUR_ORDERS, 7, others=CI))
@pytest.mark.parametrize("configured", ["GRB", "BRG", "GRBW"])
def test_doctor_passes_and_advises_only_the_true_order(configured, order):
    findings = examined(strip=Strip(order=order), thought_strip=Strip(order=configured))
    (colours,) = [finding for finding in findings if finding.check == "colours"]
    if order == configured:
        assert (colours.verdict, wrong(findings)) == (Verdict.PASS, [])
    else:
        assert colours.verdict is Verdict.FAULT
        assert colours.fix.startswith(f'order = "{order}" in the section [strip]')


@pytest.mark.parametrize("kind", sampled(["polarity", "one signal line", "two 4067"], others=CI))
@pytest.mark.parametrize(
    ("fault", "check"),
    [
        ({"select": 1, "kind": "open"}, "select lines"),
    ],
)
def test_the_same_is_found_behind_other_chips(kind, fault, check):
    found = [finding for finding in wrong(examined(fault, SENSORS[kind])) if finding.check != "levels"]
    assert [finding.check for finding in found] == [check]


@pytest.mark.parametrize("kind", sampled(["lines", "expanders"], others=CI))
@pytest.mark.parametrize("fault", sampled(POINT_FAULTS, others=CI))
def test_a_sensor_that_fails_is_found_behind_no_mux_too(kind, fault):
    (finding,) = wrong(examined({"point": "b4", "kind": fault}, SENSORS[kind]))
    assert finding.check == POINT_FAULTS[fault]
    assert "b4" in finding.found


def test_an_expander_that_does_not_answer_is_one_fault():
    findings = examined({"mux": 1, "kind": "dead"}, SENSORS["expanders"])
    assert checks(findings) == ["sensors"]
    assert [finding.check for finding in findings if finding.verdict is Verdict.SKIPPED] == ["walk"]


def test_a_contact_that_drops_out_is_seen_while_its_piece_rests_on_it():
    (finding,) = wrong(examined({"point": "c4", "kind": "weak"}, slow=700))
    assert finding.check == "resting pieces"
    assert "at c4 " in finding.found


@pytest.mark.parametrize("point", sampled(["d5", "f2", "a7"], others=CI))
def test_with_polarity_the_contact_that_lies_upside_down_is_named(point):
    (finding,) = wrong(examined({"point": point, "kind": "wrong-pole"}, SENSORS["polarity"]))
    assert (finding.check, f"{point} white" in finding.found) == ("poles", True)


@pytest.mark.ci("examples")
@settings(max_examples=2, deadline=None)
@given(st.permutations(NAMES))
def test_wires_in_any_disorder_are_one_fault_of_their_order(order):
    truth = elsewhere(Sensors(), dict(zip(NAMES, order, strict=True)))
    assert checks(examined(truth=truth)) == (["order"] if order != NAMES else [])


@settings(max_examples=2, deadline=None)
@given(st.permutations(range(24)))
def test_leds_in_any_disorder_are_one_fault_of_their_order(order):
    strip = Strip(points={name: (led,) for name, led in zip(NAMES, order, strict=True)})
    assert checks(examined(strip=strip)) == (["LED order"] if order != list(range(24)) else [])


def test_signal_lines_that_have_changed_places_are_told_as_chips():
    (finding,) = wrong(examined(sensors=Sensors(signal=(24, 23, 25)), truth=Sensors()))
    assert finding.check == "order"
    assert finding.found.startswith("chip 0 is read where 1 should be and chip 1 is read where 0 should be: ")


def test_where_pieces_stand_nobody_takes_them_for_contacts_that_stick():
    findings = {finding.check: finding for finding in examined(hands=False, stands="d6")}
    assert findings["open contacts"].verdict is Verdict.SKIPPED
    assert "closed are d6 (mux 1" in findings["open contacts"].found
    assert findings["settling"].verdict is Verdict.PASS


def test_where_the_board_is_said_to_be_empty_a_closed_contact_sticks():
    assert checks(examined(hands=False, stands="d6", empty=True)) == ["open contacts"]


def test_without_hands_only_what_needs_none_is_looked_at():
    findings = examined(hands=False)
    seen = {finding.check: finding.verdict for finding in findings}
    assert wrong(findings) == []
    assert {check for check, verdict in seen.items() if verdict is Verdict.SKIPPED} == {
        "settling",
        "light",
        "walk",
    }
    assert seen["supply"] is Verdict.PASS


def test_a_sagging_supply_is_found_without_hands():
    assert checks(examined({"supply": "sags"}, hands=False)) == ["supply"]
