"""Tests of opening the LEDs' strip, and of its errors."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from firmware_host.errors import StripError
from firmware_host.i18n import translate
from firmware_host.settings import Strip
from hardware.bus.spi import SpiBus
from hardware.factory import open_strip

PLACES = [(n,) for n in range(24)]


@pytest.fixture
def dev(tmp_path: Path) -> Path:
    """The folder of devices of a Pi, which has none yet."""
    firmware = tmp_path / "proc" / "device-tree"
    firmware.mkdir(parents=True)
    (firmware / "model").write_text("Raspberry Pi 5 Model B Rev 1.0\0")
    (tmp_path / "dev").mkdir()
    return tmp_path / "dev"


def test_a_strip_of_a_machine_that_is_no_pi_says_so(tmp_path):
    with pytest.raises(StripError, match=r"so this isn't a Raspberry Pi; `millwright sim` plays"):
        open_strip(Strip(), PLACES, print, dev=tmp_path)


@pytest.mark.parametrize("files", [[], ["pio0"]])
def test_auto_never_takes_another_line_than_that_of_spi(dev, files):
    for name in files:
        (dev / name).touch()
    said: list[str] = []
    with pytest.raises(StripError, match=r"there is no .*/spidev0\.0: switch SPI on .*do_spi 0"):
        open_strip(Strip(backend="auto"), PLACES, said.append, dev=dev)
    assert said == []


def test_a_bus_that_is_not_there_says_how_to_switch_it_on(dev):
    said: list[str] = []
    with pytest.raises(StripError, match=r"there is no .*/spidev0\.0: switch SPI on"):
        open_strip(Strip(backend="spi"), PLACES, said.append, dev=dev)
    assert said == []


@pytest.mark.parametrize(
    ("device", "strip", "words"),
    [
        ("spidev1.0", Strip(backend="pwm", gpio=18), "GPIO 18 is assigned to both the strip and CE0 of SPI1"),
        (
            "spidev0.0",
            Strip(backend="pio", gpio=10),
            "GPIO 10 is assigned to both the strip and MOSI of SPI0",
        ),
        ("i2c-1", Strip(backend="pio", gpio=2), "GPIO 2 is assigned to both the strip and SDA of I2C"),
        ("pio0", Strip(backend="pio", gpio=1), "GPIO 1 is assigned to both the strip and ID_SC, which"),
    ],
)
def test_a_line_that_a_bus_has_is_refused_before_it_is_driven(tmp_path, device, strip, words):
    (tmp_path / device).touch()
    with pytest.raises(StripError, match=words) as refused:
        open_strip(strip, PLACES, lambda _: None, dev=tmp_path)
    assert refused.value.message is not None
    assert translate(refused.value.message, "de") != str(refused.value)
    assert words not in translate(refused.value.message, "de")


def test_a_line_that_this_model_has_not_is_refused_before_it_is_driven(tmp_path):
    (tmp_path / "dev").mkdir()
    (tmp_path / "proc/device-tree").mkdir(parents=True)
    (tmp_path / "proc/device-tree/model").write_text("Raspberry Pi Model B Rev 2\0")
    with pytest.raises(StripError, match="there is no GPIO 12 for the strip: the header has GPIO 2-4, 7-11"):
        open_strip(Strip(backend="pwm", gpio=12), PLACES, lambda _: None, dev=tmp_path / "dev")


@pytest.mark.parametrize(
    ("model", "backend", "words"),
    [
        ("Raspberry Pi 5 Model B Rev 1.0", "pwm", r"can't be driven by PWM on a Raspberry Pi 5: .*pio"),
        ("Raspberry Pi Compute Module 5 Rev 1.0", "pwm", "by PWM on a Raspberry Pi Compute Module 5"),
        ("Raspberry Pi 4 Model B Rev 1.4", "pio", "by PIO on a Raspberry Pi 4, only on a Raspberry Pi 5"),
    ],
)
def test_a_way_that_this_model_lacks_is_refused_with_another(tmp_path, model, backend, words):
    (tmp_path / "dev").mkdir()
    (tmp_path / "proc/device-tree").mkdir(parents=True)
    (tmp_path / "proc/device-tree/model").write_text(f"{model}\0")
    with pytest.raises(StripError, match=words):
        open_strip(Strip(backend=backend, gpio=18), PLACES, lambda _: None, dev=tmp_path / "dev")


def test_a_bus_that_does_not_know_its_settings_is_a_strip_error_and_is_closed(tmp_path):
    (tmp_path / "spidev0.0").touch()
    before = len(list(Path("/proc/self/fd").iterdir()))
    with pytest.raises(StripError, match=r"cannot open the LED strip: .*Inappropriate ioctl"):
        open_strip(Strip(), PLACES, lambda _: None, dev=tmp_path)
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_a_machine_that_is_no_pi_has_no_line_for_leds():
    code = (
        "from firmware_host.settings import Strip\nfrom firmware_host.errors import StripError\n"
        "from hardware.factory import open_strip\n"
        "try: open_strip(Strip(backend='pwm'), [(n,) for n in range(24)], print)\n"
        "except StripError as error: print(error)"
    )
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.startswith("cannot open the LED strip on GPIO 18: ")
    assert done.stdout.count("\n") == 1


def test_spi_bus_writes_bytes_and_may_be_closed_twice(tmp_path):
    file = tmp_path / "spidev0.0"
    file.touch()
    bus = SpiBus(file)
    bus.write(b"\xc0\xf0")
    bus.close()
    bus.close()
    assert file.read_bytes() == b"\xc0\xf0"


def test_a_strip_has_one_program_at_a_time(tmp_path):
    file = tmp_path / "spidev0.0"
    file.touch()
    first = SpiBus(file)
    with pytest.raises(StripError, match="in use by another Millwright"):
        SpiBus(file)
    first.close()
    SpiBus(file).close()


def test_a_folder_is_no_bus(tmp_path):
    with pytest.raises(StripError, match="cannot be opened: Is a directory"):
        SpiBus(tmp_path)
