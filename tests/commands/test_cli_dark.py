"""Turning the LEDs off, whoever left them on."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from firmware_host.cli import main
from firmware_host.errors import StripError
from firmware_host.i18n import Message
from firmware_host.settings import Strip


@pytest.mark.skipif(Path("/dev/spidev0.0").exists(), reason="there is an SPI bus here")
def test_without_a_strip_it_says_what_is_wrong() -> None:
    result = CliRunner().invoke(main, ["dark"])
    assert result.exit_code == 2
    assert "there is no /dev/spidev0.0" in result.output


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


class ClosableDriver:
    """A strip or a buzzer that notes that it was closed."""

    def __init__(self) -> None:
        self.closed = False

    def close(self) -> None:
        self.closed = True


@pytest.mark.parametrize("strip_works", [True, False])
def test_the_buzzer_is_silenced_whatever_the_strip_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, strip_works: bool
) -> None:
    strip, buzzer = ClosableDriver(), ClosableDriver()

    def open_leds(_strip: Strip) -> ClosableDriver:
        if not strip_works:
            raise StripError(Message("fault.unfit", {"text": "it is gone"}))
        return strip

    electronics = SimpleNamespace(open_leds=open_leds, open_buzzer=lambda _sound: buzzer)
    monkeypatch.setattr("hardware.electronics.PiElectronics", lambda: electronics)
    file = tmp_path / "millwright.toml"
    file.write_text("[sound]\nbuzzer = 12\n")
    CliRunner().invoke(main, ["dark", "--config", str(file)])
    assert (strip.closed, buzzer.closed) == (strip_works, True)
