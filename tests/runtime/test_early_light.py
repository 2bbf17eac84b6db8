"""One LED glows before the program's imports, and a failure of it keeps the program from nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware_host.cli import main
from firmware_host.config.paths import FOUND_NAME
from firmware_host.errors import PageError
from firmware_host.ports import DARK
from firmware_host.runtime.early_light import glow
from sim.electronics.spi import SimulatedSpi


class CountedSpi(SimulatedSpi):
    """A bus with three LEDs that counts how often it was opened and closed."""

    def __init__(self, order: str = "GRB") -> None:
        super().__init__(3, order)
        self.opened = self.closed = 0

    def open(self) -> CountedSpi:
        self.opened += 1
        return self

    def close(self) -> None:
        self.closed += 1


def config(folder: Path, text: str) -> str:
    file = folder / "board.toml"
    file.write_text(text)
    return str(file)


@pytest.mark.parametrize("text", ["", '[strip]\nbackend = "spi"\n', '[strip]\norder = "RGB"\nleds = 3\n'])
def test_the_first_led_glows_and_the_bus_is_free_again(tmp_path: Path, text: str) -> None:
    bus = CountedSpi("RGB" if "RGB" in text else "GRB")
    assert glow(config(tmp_path, text), bus.open)
    assert bus.leds == ((24, 24, 24), DARK, DARK)
    assert (bus.opened, bus.closed) == (1, 1)
    assert glow(config(tmp_path, text), bus.open, colour=DARK)
    assert bus.leds == (DARK,) * 3


@pytest.mark.parametrize("found", ['[strip]\norder = "RGBW"\n', "[strip", None])
def test_the_led_glows_by_the_wiring_that_set_up_found(tmp_path: Path, found: str | None) -> None:
    if found is not None:
        (tmp_path / FOUND_NAME).write_text(found)
    has_white = found == '[strip]\norder = "RGBW"\n'
    bus = CountedSpi("RGBW" if has_white else "GRB")
    environ = {"STATE_DIRECTORY": str(tmp_path), "HOME": str(tmp_path)}
    assert glow(None, bus.open, environ=environ)
    assert bus.leds == ((24, 24, 24), DARK, DARK)


@pytest.mark.parametrize(
    "text",
    [
        '[strip]\nbackend = "pwm"\n',
        '[sensors]\nkind = "serial"\n',
        "[lights]\nbrightness = 0\n",
        "[strip\n",
        "strip = 3\n",
        '[strip]\norder = "XYZ"\n',
        '[strip]\nreset_us = "long"\n',
    ],
)
def test_what_has_no_such_led_or_makes_no_sense_stays_dark(tmp_path: Path, text: str) -> None:
    bus = CountedSpi()
    assert not glow(config(tmp_path, text), bus.open)
    assert bus.leds == (DARK,) * 3
    assert bus.closed == bus.opened


def test_a_file_or_a_bus_that_is_not_there_is_left_to_the_program(tmp_path: Path) -> None:
    bus = CountedSpi()
    assert not glow(str(tmp_path / "none.toml"), bus.open)
    bus.plugged = False
    assert not glow(config(tmp_path, ""), bus.open)
    assert bus.closed == bus.opened == 1


def test_the_led_goes_out_if_the_program_cannot_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bus = CountedSpi()
    monkeypatch.setattr("firmware_host.runtime.early_light.SpiBus", bus.open)
    lit = []

    def refuse(_process: object) -> int:
        lit.append(bus.leds[0])
        raise PageError("the port is taken")

    monkeypatch.setattr("firmware_host.runtime.run.BoardProcess.go", refuse)
    done = CliRunner().invoke(main, ["run", "--config", config(tmp_path, "")])
    assert "the port is taken" in done.output
    assert (lit, bus.leds[0]) == ([(24, 24, 24)], DARK)


LATER = ("cattrs", "uvicorn", "starlette", "sqlite3", "firmware_host.runtime.run")
START = f"""
import sys
from firmware_host.runtime import early_light
def glow(given):
    sys.exit(f"{{given}} {{[name for name in {LATER} if name in sys.modules]}}")
early_light.glow = glow
from firmware_host.cli import main
main(["run", "--config", "mine.toml"])
"""


def test_the_led_glows_before_anything_slow_is_imported() -> None:
    done = subprocess.run([sys.executable, "-c", START], capture_output=True, text=True)  # noqa: S603
    assert done.stderr.splitlines()[-1] == "mine.toml []"
