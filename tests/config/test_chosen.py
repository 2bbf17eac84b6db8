"""The settings that the page's workshop may change, and the file of those that were chosen there."""

from __future__ import annotations

import json

import pytest

from firmware_host.config.chosen import CHOOSABLE
from firmware_host.config.writer import template, with_settings
from firmware_host.settings import PREFERENCES, Lights, Link, Web
from tests.support.web.spoken import CONFIG_CATALOGUES

NEVER = {
    *("play.external", "play.external_options", "play.external_name"),
    *("store.path", "sensors.port", "sensors.i2c", "sensors.adc"),
    *(f"web.{name}" for name in Web.__dataclass_fields__),
    *(f"link.{name}" for name in Link.__dataclass_fields__),
    *(f"lights.{name}" for name in Lights.__dataclass_fields__ if "_ma" in name),
}
"""The settings that name programs, files or addresses, that let somebody in, and that bound currents."""


def test_no_setting_that_asks_for_trust_can_be_chosen_on_a_page() -> None:
    assert not NEVER & set(CHOOSABLE)


def test_a_text_that_can_be_chosen_is_one_of_few_or_hours() -> None:
    texts = {
        key for key, one in CHOOSABLE.items() if isinstance(one.default, str) and "among" not in one.metadata
    }
    assert texts == {"rest.night"}


def test_each_setting_has_one_place_where_it_is_changed() -> None:
    assert not {id(one) for one in CHOOSABLE.values()} & {id(one) for one in PREFERENCES.values()}


def test_pages_explain_settings_in_the_words_of_the_table() -> None:
    shown = {key: CONFIG_CATALOGUES["en"][f"config.setting.{key}"] for key in CHOOSABLE}
    assert shown == {key: one.metadata["about"] for key, one in CHOOSABLE.items()}


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_value_stands_below_its_explanation_and_goes_without_a_trace(end: str) -> None:
    before = template().replace("\n", end)
    values = {"lights.gamma": 2.0, "rest.night": "22:00-07:00", "store.keep": False}
    after = with_settings(before, values)
    for key, value in values.items():
        lines = after.split(end)
        at = lines.index(f"{key.partition('.')[2]} = {json.dumps(value)}")
        assert lines[at - 1].startswith(f"#{key.partition('.')[2]} = ")
    assert with_settings(after, dict.fromkeys(values)) == before


def test_a_value_in_a_file_without_explanations_replaces_the_former_one() -> None:
    text = "lights.gamma = 2.2 # mine\n[timing]\ndebounce_ms = 3\n"
    after = with_settings(text, {"lights.gamma": 1.5, "timing.debounce_ms": None, "timing.landing_ms": 9})
    assert after == "lights.gamma = 1.5 # mine\n[timing]\nlanding_ms = 9\n"


def test_what_looks_like_a_comment_in_a_text_of_several_lines_stays():
    before = "[play]\nexternal_name = '''\n[rest]\n#night = \"\"\n'''\n"
    after = with_settings(before, {"rest.night": "22:00-07:00"})
    assert after == f'{before}\n[rest]\nnight = "22:00-07:00"\n'
