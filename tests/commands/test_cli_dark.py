"""Turning the LEDs off, whoever left them on."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware_host.cli import main


@pytest.mark.skipif(Path("/dev/spidev0.0").exists(), reason="there is an SPI bus here")
def test_without_a_strip_it_says_what_is_wrong() -> None:
    result = CliRunner().invoke(main, ["dark"])
    assert result.exit_code == 2
    assert "do_spi" in result.output


@pytest.mark.parametrize("strip", ["", '[strip]\nbackend = "serial"\n'])
def test_a_board_on_a_serial_line_is_left_to_itself(tmp_path: Path, strip: str) -> None:
    file = tmp_path / "millwright.toml"
    file.write_text(f'[sensors]\nkind = "serial"\nport = "/dev/nowhere"\n{strip}')
    result = CliRunner().invoke(main, ["dark", "--config", str(file)])
    assert result.exit_code == 0, result.output
    assert "goes dark by itself" in result.output


def test_bad_settings_do_not_leave_the_light_on(tmp_path: Path) -> None:
    file = tmp_path / "millwright.toml"
    file.write_text('[strip]\nbackend = "spy"\n')
    result = CliRunner().invoke(main, ["dark", "--config", str(file)])
    assert f"{file}:2 strip.backend" in result.output
    assert "default settings of the strip" in result.output
