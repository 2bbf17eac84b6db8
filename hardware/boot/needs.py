"""The lines of config.txt that a board needs, by its model and its wiring.

Invariants: the doctor, the start of the program and `millwright boot` all ask here. A line that is needed on
one model only is needed nowhere else. Without a Raspberry Pi, nothing is needed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from firmware_host.config.gpio import adc_bus, strip_backend
from firmware_host.frozen import frozen
from firmware_host.settings import Sensors, Strip
from hardware.boot.config_txt import ConfigTxt, FirmwareSettings, includes, settings_on
from hardware.boot.models import Model, model_named

_FILES = ("boot/firmware/config.txt", "boot/config.txt")
"""The paths of the file in Raspberry Pi OS: since Bookworm, the second one only refers to the first."""


@frozen
class BootLine:
    """A line of config.txt: its text, its purpose, and whether the file has it or something as good."""

    text: str
    purpose: str
    is_there: bool


def find_config_txt(root: Path = Path("/")) -> Path | None:
    """Return the path of this machine's config.txt, or None if there is none."""
    return next((root / name for name in _FILES if (root / name).exists()), None)


def read_config_txt(path: Path) -> ConfigTxt:
    """Read the file, and the files that it includes as far as they can be read; raises OSError.

    Bytes of any encoding come back as they were, since the firmware doesn't mind what is in comments.
    """
    text = _text(path)
    included: dict[str, str] = {}
    pending = includes(text)
    while pending:
        name = pending.pop()
        # Names are relative to the folder, the firmware's own partition.
        file = path.parent / name.lstrip("/")
        if name not in included and file.is_file():
            included[name] = _text(file)
            pending += includes(included[name])
    return ConfigTxt(text, included)


def needed_lines(model_name: str, config: ConfigTxt, sensors: Sensors, strip: Strip) -> tuple[BootLine, ...]:
    """Return the lines that a board with these settings needs in its config.txt."""
    model = model_named(model_name)
    return () if model is None else tuple(_needed(model, settings_on(config, model), sensors, strip))


def core_clock_line(model_name: str, config: ConfigTxt, sensors: Sensors, strip: Strip) -> BootLine | None:
    """Return the one that keeps the LEDs' timing steady, or None if this model or this strip needs none."""
    lines = needed_lines(model_name, config, sensors, strip)
    return next((line for line in lines if line.text.startswith("core_freq")), None)


def core_clock_line_here(sensors: Sensors, strip: Strip, root: Path = Path("/")) -> BootLine | None:
    """Return that line for this machine, or None if it has no config.txt that can be read."""
    try:
        name = (root / "proc/device-tree/model").read_text("utf-8")
        file = find_config_txt(root)
        config = None if file is None else read_config_txt(file)
    except OSError:
        return None
    return None if config is None else core_clock_line(name, config, sensors, strip)


def is_core_steady(model: Model, settings: FirmwareSettings) -> bool:
    """Return whether the core clock stays put, and SPI's with it."""
    if settings.number("force_turbo", 0):
        return True
    highest = settings.number("core_freq", settings.number("gpu_freq", model.core_mhz))
    lowest = settings.number("core_freq_min", settings.number("gpu_freq_min", model.core_min_mhz))
    return highest <= lowest


def _needed(model: Model, settings: FirmwareSettings, sensors: Sensors, strip: Strip) -> Iterator[BootLine]:
    if _is_on_spi(sensors, strip):
        yield BootLine("dtparam=spi=on", "SPI drives the LEDs", settings.is_on("spi"))
        if model.steady:
            purpose = "SPI follows the core clock, which has to stay the same"
            yield BootLine(model.steady, purpose, is_core_steady(model, settings))
    if sensors.kind == "mcp23017" and sensors.i2c == "/dev/i2c-1":
        is_on = any(settings.is_on(name) for name in ("i2c_arm", "i2c", "i2c1"))
        yield BootLine("dtparam=i2c_arm=on", "I2C reads the expanders", is_on)
    if sensors.kind == "mcp3008":
        yield from _for_adc(settings, sensors)


def _for_adc(settings: FirmwareSettings, sensors: Sensors) -> Iterator[BootLine]:
    bus, select = adc_bus(sensors) or (0, 0)
    if bus == 1:
        overlays = [re.match(r"spi1-([123])cs\b", overlay) for overlay in settings.overlays]
        is_there = any(found and int(found[1]) > select for found in overlays)
        yield BootLine(f"dtoverlay=spi1-{select + 1}cs", "the second SPI bus reads the ADC", is_there)


def _is_on_spi(sensors: Sensors, strip: Strip) -> bool:
    return strip_backend(sensors, strip) == "spi"


def _text(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "surrogateescape")
