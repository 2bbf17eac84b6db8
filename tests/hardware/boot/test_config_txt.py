"""config.txt as the firmware reads it, and as it is after lines were added."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.boot.config_txt import ConfigTxt, settings_on, with_lines
from hardware.boot.models import MODELS, model_named

ZERO_2 = model_named("Raspberry Pi Zero 2 W Rev 1.0")
PI_4 = model_named("Raspberry Pi 4 Model B Rev 1.4")

STOCK = """\
# For more options and information see
# http://rptl.io/configtxt

# Uncomment some or all of these to enable the optional hardware interfaces
#dtparam=i2c_arm=on
#dtparam=spi=on

dtparam=audio=on
camera_auto_detect=1
dtoverlay=vc4-kms-v3d
arm_boost=1

[cm4]
otg_mode=1

[cm5]
dtoverlay=dwc2,dr_mode=host

[all]
"""
"""As Raspberry Pi OS ships it, in short."""


def values(text: str, model=PI_4) -> dict[str, str]:
    return settings_on(ConfigTxt(text), model).values


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("core_freq=250", True),
        ("  core_freq = 250   # for the LEDs", True),
        ("#core_freq=250", False),
        ("[pi4]\ncore_freq=250", True),
        ("[PI4]\ncore_freq=250", True),
        ("[pi3]\ncore_freq=250", False),
        ("[none]\ncore_freq=250", False),
        ("[pi3]\n[all]\ncore_freq=250", True),
        ("[pi3]\n[pi4]\ncore_freq=250", True),
        ("[gpio4=1]\ncore_freq=250", False),
        ("[gpio4=1]\n[pi4]\ncore_freq=250", False),
        ("[gpio4=1]\n[all]\ncore_freq=250", True),
        ("[0x12345678]\ncore_freq=250", False),
    ],
)
def test_settings_count_where_their_filters_hold(text, counts):
    assert (values(text).get("core_freq") == "250") is counts


def test_the_last_setting_counts():
    assert values("core_freq=400\ncore_freq=250\n[pi3]\ncore_freq=500") == {"core_freq": "250"}


def test_filters_of_a_zero_2_are_those_of_all_zeros_and_its_own():
    for name in ("pi0", "pi0w", "pi02"):
        assert values(f"[{name}]\ncore_freq=250", ZERO_2)
    assert not values("[pi3]\ncore_freq=250", ZERO_2)


@pytest.mark.parametrize(
    ("text", "is_on"),
    [
        ("dtparam=spi=on", True),
        ("dtparam=spi", True),
        ("dtparam=i2c_arm=on,spi=on", True),
        ("device_tree_param=spi=on", True),
        ("dtparam=spi=off", False),
        ("dtparam=spi=on\ndtparam=spi=off", False),
        ("#dtparam=spi=on", False),
        (STOCK, False),
    ],
)
def test_parameters_of_the_device_tree_are_on_or_off(text, is_on):
    assert settings_on(ConfigTxt(text), PI_4).is_on("spi") is is_on


def test_overlays_are_listed():
    assert settings_on(ConfigTxt(STOCK), PI_4).overlays == ["vc4-kms-v3d"]


def test_a_number_that_is_none_is_not_set():
    assert settings_on(ConfigTxt("core_freq=fast"), PI_4).number("core_freq", 500) == 500


@pytest.mark.parametrize(
    ("text", "more", "counts"),
    [
        ("include more.txt", "core_freq=250", True),
        ("include more.txt\ncore_freq=400", "core_freq=250", False),
        ("[pi3]\ninclude more.txt", "core_freq=250", False),
        ("[pi3]\ninclude more.txt", "[all]\ncore_freq=250", False),
        ("[pi4]\ninclude more.txt", "core_freq=250", True),
        ("include more.txt\ncore_freq=250", "[pi3]", False),
        ("include more.txt", "core_freq=250\ninclude more.txt", True),
        ("include another.txt", "core_freq=250", False),
    ],
)
def test_included_lines_count_where_they_are_included(text, more, counts):
    found = settings_on(ConfigTxt(text, {"more.txt": more}), PI_4).values
    assert (found.get("core_freq") == "250") is counts


def test_lines_after_an_included_file_get_the_filter_of_all():
    added = with_lines("include more.txt\n", ["dtparam=spi=on"])
    assert settings_on(ConfigTxt(added, {"more.txt": "[pi3]"}), PI_4).is_on("spi")


def test_lines_are_added_at_the_end_of_the_stock_file():
    added = with_lines(STOCK, ["dtparam=spi=on", "core_freq_min=500"])
    assert added == STOCK.rstrip("\n") + (
        "\n\n# Added by Millwright, for the board's wiring:\ndtparam=spi=on\ncore_freq_min=500\n"
    )


def test_lines_after_a_filter_get_the_filter_of_all():
    added = with_lines("[pi3]\nover_voltage=2", ["dtparam=spi=on"])
    assert added.startswith("[pi3]\nover_voltage=2\n\n[all]\n")
    assert settings_on(ConfigTxt(added), PI_4).is_on("spi")


def test_nothing_to_add_changes_nothing():
    assert with_lines("[pi3]\r\nodd", []) == "[pi3]\r\nodd"


FILTERS = ["", "[all]", "[pi3]", "[pi4]", "[none]", "[gpio4=1]", "[EDID=VSC-TD2220]"]
LINES = [*FILTERS, "core_freq=400", "dtparam=spi=off", "# note", "include more.txt", "dtoverlay=w1-gpio"]


@given(
    lines=st.lists(st.sampled_from(LINES)),
    more=st.lists(st.sampled_from(LINES)).map("\n".join),
    model=st.sampled_from(MODELS),
    ends=st.sampled_from(["", "\n"]),
)
def test_what_was_added_counts_on_every_model_and_the_rest_stays(lines, more, model, ends):
    text = "\n".join(lines) + ends
    added = with_lines(text, ["dtparam=spi=on", "core_freq=250"])
    settings = settings_on(ConfigTxt(added, {"more.txt": more}), model)
    assert settings.is_on("spi")
    assert settings.values["core_freq"] == "250"
    assert added.startswith(text.rstrip("\n"))
