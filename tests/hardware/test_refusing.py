"""Tests that conflicting settings are refused before a line is driven or a bus opened."""

from dataclasses import replace

import pytest

from firmware_host.errors import ConfigError
from firmware_host.games.layout import MORRIS
from firmware_host.settings import Sensors, Strip
from hardware.factory import open_scanner, open_sensors

WIDE = tuple(range(2, 26))


class Untouched:
    """A machine whose lines and buses nobody may ask for."""

    def __getattr__(self, name):
        raise AssertionError(f"{name} was asked for")


REFUSED = [
    (Sensors(select=(17, 27, 23)), Strip(), "GPIO 23 is assigned to both select line 2 and signal line 0"),
    (
        Sensors(signal=(23, 24, 9)),
        Strip(),
        "GPIO 9 is assigned to both signal line 2 and MISO of SPI",
    ),
    (Sensors(signal=(23, 24, 40)), Strip(), "there is no GPIO 40 for signal line 2"),
    (Sensors(signal=(23, 24, 1)), Strip(), "GPIO 1 is assigned to both signal line 2 and ID_SC"),
    (Sensors(kind="direct", signal=WIDE), Strip(), "GPIO 7 is assigned to both signal line 5 and CE1 of SPI"),
    (
        Sensors(kind="direct", signal=WIDE),
        Strip(backend="pwm"),
        "GPIO 18 is assigned to both the strip and signal",
    ),
    (
        Sensors(kind="mcp23017"),
        Strip(backend="pio", gpio=3),
        "GPIO 3 is assigned to both the strip and SCL of I2C",
    ),
    (Sensors(kind="mcp3008", select=(17, 27, 21)), Strip(), "GPIO 21 is assigned to both select line 2 and"),
    (Sensors(kind="mcp3008"), Strip(backend="pwm", gpio=19), "GPIO 19 is assigned to both the strip and"),
    (
        Sensors(kind="serial", port="/dev/serial0"),
        Strip(backend="pio", gpio=15),
        "GPIO 15 is assigned to both the str",
    ),
]


@pytest.mark.parametrize(("sensors", "strip", "words"), REFUSED)
def test_sensors_are_not_opened_where_a_line_has_two_users(sensors, strip, words):
    with pytest.raises(ConfigError, match=words):
        open_sensors(MORRIS, sensors, strip, Untouched())


@pytest.mark.parametrize(
    "sensors",
    [
        Sensors(select=(17, 27, 23)),
        Sensors(kind="direct", signal=(4, 4)),
        Sensors(kind="mcp23017", i2c="/dev/i2c-0"),
        Sensors(kind="mcp3008", select=(17, 27, 21)),
    ],
)
def test_nor_are_their_wires_for_who_looks_at_the_board(sensors):
    with pytest.raises(ConfigError, match="is assigned to both"):
        open_scanner(sensors, machine=Untouched())


def test_a_sensor_on_a_line_of_no_header_is_refused_with_the_lines_that_there_are():
    with pytest.raises(ConfigError, match="there is no GPIO 28 for select line 0: the header has GPIO 0-27"):
        open_scanner(replace(Sensors(), select=(28, 27, 22)), machine=Untouched())
