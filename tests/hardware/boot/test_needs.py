"""The lines that a board needs in config.txt, by model and wiring."""

from __future__ import annotations

import pytest

from firmware_host.settings import Sensors, Strip
from hardware.boot.config_txt import ConfigTxt, with_lines
from hardware.boot.needs import core_clock_line, find_config_txt, needed_lines, read_config_txt

ZERO_W, ZERO_2, PI_3 = "Raspberry Pi Zero W Rev 1.1", "Raspberry Pi Zero 2 W", "Raspberry Pi 3 Model B Plus"
PI_4, CM_4, PI_5 = "Raspberry Pi 4 Model B", "Raspberry Pi Compute Module 4", "Raspberry Pi 5 Model B"
SPI = "dtparam=spi=on"


def missing(model: str, text: str, sensors: Sensors | None = None, strip: Strip | None = None) -> list[str]:
    lines = needed_lines(model, ConfigTxt(text), sensors or Sensors(), strip or Strip())
    return [line.text for line in lines if not line.is_there]


@pytest.mark.parametrize(
    ("model", "lines"),
    [
        (ZERO_W, [SPI, "core_freq=250"]),
        (ZERO_2, [SPI, "core_freq=250"]),
        (PI_3, [SPI, "core_freq=250"]),
        (PI_4, [SPI, "core_freq_min=500"]),
        (CM_4, [SPI, "core_freq_min=500"]),
        (PI_5, [SPI]),
        ("Raspberry Pi 2 Model B", [SPI]),
        ("", []),
    ],
)
def test_a_strip_on_spi_needs_what_its_model_does(model, lines):
    assert missing(model, "") == lines
    assert missing(model, with_lines("", lines)) == []


@pytest.mark.parametrize(
    ("model", "text", "is_steady"),
    [
        (ZERO_2, "core_freq=250", True),
        (ZERO_2, "force_turbo=1", True),
        (ZERO_2, "force_turbo=0", False),
        (ZERO_2, "core_freq_min=400", True),
        (ZERO_2, "gpu_freq=250", True),
        (ZERO_2, "core_freq=300", False),
        (ZERO_2, "[pi3]\ncore_freq=250", False),
        (PI_4, "core_freq_min=500", True),
        (PI_4, "core_freq=250", False),
        (PI_4, "core_freq=550\ncore_freq_min=500", False),
        (PI_4, "force_turbo=1", True),
    ],
)
def test_the_core_clock_is_steady_where_its_bounds_meet(model, text, is_steady):
    line = core_clock_line(model, ConfigTxt(text), Sensors(), Strip())
    assert line is not None
    assert line.is_there is is_steady


@pytest.mark.parametrize(
    ("sensors", "strip"),
    [(Sensors(), Strip(backend="pwm")), (Sensors(kind="serial"), Strip())],
)
def test_a_strip_that_is_not_on_spi_needs_no_line(sensors, strip):
    assert core_clock_line(ZERO_2, ConfigTxt(""), sensors, strip) is None
    assert missing(ZERO_2, "", sensors, strip) == []


@pytest.mark.parametrize(
    ("sensors", "line", "as_good"),
    [
        (Sensors(kind="mcp23017"), "dtparam=i2c_arm=on", "dtparam=i2c=on"),
        (Sensors(kind="mcp3008"), "dtoverlay=spi1-1cs", "dtoverlay=spi1-3cs,cs0_pin=16"),
        (Sensors(kind="mcp3008", adc="/dev/spidev1.1"), "dtoverlay=spi1-2cs", "dtoverlay=spi1-2cs"),
    ],
)
def test_the_sensors_bus_is_needed_too(sensors, line, as_good):
    assert missing(PI_5, SPI, sensors) == [line]
    assert missing(PI_5, f"{SPI}\n{as_good}", sensors) == []


def test_an_overlay_with_too_few_chips_is_not_enough():
    sensors = Sensors(kind="mcp3008", adc="/dev/spidev1.1")
    assert missing(PI_5, f"{SPI}\ndtoverlay=spi1-1cs", sensors) == ["dtoverlay=spi1-2cs"]


def test_another_i2c_bus_is_the_makers_own():
    assert missing(PI_5, SPI, Sensors(kind="mcp23017", i2c="/dev/i2c-4")) == []


def test_the_file_is_the_one_that_the_firmware_reads(tmp_path):
    assert find_config_txt(tmp_path) is None
    (tmp_path / "boot/firmware").mkdir(parents=True)
    (tmp_path / "boot/config.txt").touch()
    assert find_config_txt(tmp_path) == tmp_path / "boot/config.txt"
    (tmp_path / "boot/firmware/config.txt").touch()
    assert find_config_txt(tmp_path) == tmp_path / "boot/firmware/config.txt"


def test_included_files_are_read_from_the_same_folder(tmp_path):
    (tmp_path / "config.txt").write_text("include usercfg.txt\n#include old.txt\ninclude lost.txt\n")
    (tmp_path / "usercfg.txt").write_bytes(b"# \xff\ninclude more/spi.txt\n")
    (tmp_path / "more").mkdir()
    (tmp_path / "more/spi.txt").write_text("dtparam=spi=on\ninclude usercfg.txt\n")
    config = read_config_txt(tmp_path / "config.txt")
    assert config.included.keys() == {"usercfg.txt", "more/spi.txt"}
    assert SPI in [line.text for line in needed_lines(PI_5, config, Sensors(), Strip()) if line.is_there]
