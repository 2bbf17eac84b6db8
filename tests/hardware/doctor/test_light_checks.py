"""The findings from the operator's answers about the strip, and from the state of the Pi's supply."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.settings import Lights, Strip
from hardware.colour_order import NOTHING, ColourLook, looks_by, next_look
from hardware.doctor.findings import Verdict
from hardware.doctor.light_checks import (
    LightAnswers,
    SupplyRamp,
    check_light,
    check_supply,
    current_ma,
    within_budget,
)

PLACES = {f"p{n}": (n,) for n in range(24)}
BYTE = st.integers(0, 255)


def verdicts(eyes: LightAnswers, strip: Strip | None = None):
    return {finding.check: finding.verdict for finding in check_light(eyes, strip or Strip(), PLACES)}


@given(st.lists(st.tuples(BYTE, BYTE, BYTE), min_size=24, max_size=24), st.integers(100, 2000))
def test_what_is_lit_for_a_look_never_draws_more_than_the_budget(colours, budget):
    lights = Lights(budget_ma=budget)
    assert current_ma(within_budget(tuple(colours), lights), lights) <= budget + 1e-6


def test_where_nothing_lights_nothing_else_is_told():
    eyes = LightAnswers([(ColourLook("GRB", "R"), NOTHING)], "first", {"p3": "p4"})
    assert verdicts(eyes) == {"light": Verdict.FAULT}


def looked(order: str, *answers: str, any_size: bool = True) -> LightAnswers:
    """Return the answers of an operator who says these to one look after another."""
    seen, looks = [], looks_by(order, any_size=any_size)
    for answer in answers:
        look = next_look(seen, looks)
        assert look is not None
        seen.append((look, answer))
    assert next_look(seen, looks) is None
    return LightAnswers(seen)


@pytest.mark.parametrize(
    ("order", "answers", "right"),
    [
        ("GRB", ("green", "red"), "RGB"),
        ("GRB", ("red", "blue"), "BRG"),
        ("GRB", ("blue", "green"), "GBR"),
        ("RGB", ("green", "red"), "GRB"),
        ("GRBW", ("green", "red", "blue"), "RGBW"),
        ("GRBW", ("red", "green", "white"), "GRWB"),
        ("GRBW", ("other", "red", "green"), "GRB"),
        ("GRB", ("white", "red", "green", "blue"), "GRBW"),
    ],
)
def test_the_order_of_colours_that_is_right_is_named(order, answers, right):
    (finding,) = check_light(looked(order, *answers), Strip(order=order), PLACES)
    assert finding.fix.startswith(f'order = "{right}" in the section [strip]')


@pytest.mark.parametrize("answers", [("red", "red"), ("red", "other"), ("red", "none"), ("other", "other")])
def test_doctor_answers_that_fit_no_order_advise_none(answers):
    (finding,) = check_light(looked("GRB", *answers), Strip(), PLACES)
    assert finding.verdict is Verdict.FAULT
    assert "order =" not in finding.fix
    assert "74AHCT125" in finding.fix


def test_doctor_by_a_microcontroller_names_its_number_of_colours():
    (finding,) = check_light(looked("GRB", "other", any_size=False), Strip(), PLACES)
    assert "an LED takes 4 colours, and the board's firmware sends 3" in finding.fix


def test_lights_that_shone_where_they_should_pass():
    eyes = replace(looked("GRB", "red", "green"), dark="dark", shines={"p3": "p3"})
    assert verdicts(eyes) == dict.fromkeys(["colours", "first LED", "LED order"], Verdict.PASS)


def test_a_single_dark_led_is_told_from_the_end_of_the_chain():
    one = check_light(LightAnswers(shines={"p3": "p3", "p4": "nowhere", "p5": "p5"}), Strip(), PLACES)
    end = check_light(LightAnswers(shines={"p3": "p3", "p4": "nowhere", "p5": "nowhere"}), Strip(), PLACES)
    assert "these LEDs" in one[0].fix
    assert "from LED 3 to LED 4: DOUT to DIN" in end[0].fix


@pytest.mark.parametrize(
    ("steps", "verdict", "said"),
    [
        ([(0, 0), (250, 0), (500, 0)], Verdict.PASS, "up to 500 mA"),
        ([(0, 0), (250, 0), (500, 0x10001)], Verdict.FAULT, "under-voltage at 500 mA"),
        ([(0, 0x10001), (250, 0x10001)], Verdict.FAULT, "under-voltage without light"),
        ([(0, 0x10000), (500, 0x10000)], Verdict.WARNING, "under-voltage since the Pi started"),
        ([(0, 0x80008), (500, 0x80008)], Verdict.WARNING, "slowed down since"),
    ],
)
def test_the_supply_is_judged_by_what_the_pi_says_while_it_grows_brighter(steps, verdict, said):
    finding = check_supply(SupplyRamp(steps))
    assert finding.verdict is verdict
    assert said in finding.found
