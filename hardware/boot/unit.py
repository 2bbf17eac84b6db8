"""The devices that the board's service may use, by its wiring, as a drop-in of its unit.

Invariants: the unit as installed allows the devices of every kind of wiring. The drop-in allows those of one
configuration, and nothing but its text decides, so that it can be compared with a configuration later.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from firmware_host.config.gpio import strip_backend
from firmware_host.settings import NO_LINE, Controls, Sensors, Sound, Strip

DROP_IN = Path("/etc/systemd/system/millwright.service.d/zz-devices.conf")
"""The path of the drop-in; its name sorts last."""

_GPIO, _SPI, _I2C, _PIO = "char-gpiochip", "char-spi", "char-i2c", "/dev/pio0"
_ON_LINES = ("mux", "direct", "matrix", "mcp3008")
"""The kinds of sensors that are read on lines of the header."""
_USB = ("char-ttyACM", "char-ttyUSB")
_HEADER = ("char-ttyAMA", "char-ttyS")
_TEXT = """\
# Written by `millwright config unit --write`, from the configuration. Without this file, the service may use
# the devices of every kind of wiring.
[Service]
DeviceAllow=
{lines}
"""


def needed_devices(
    sensors: Sensors, strip: Strip, controls: Controls | None = None, sound: Sound | None = None
) -> tuple[str, ...]:
    """Return the devices that a board with these settings uses, as DeviceAllow= names them."""
    return tuple(dict.fromkeys(_needed(sensors, strip, controls or Controls(), sound or Sound())))


def drop_in(devices: tuple[str, ...]) -> str:
    """Return the drop-in that allows these devices and no others."""
    return _TEXT.format(lines="\n".join(f"DeviceAllow={device} rw" for device in devices))


def missing_devices(
    sensors: Sensors,
    strip: Strip,
    path: Path = DROP_IN,
    *,
    controls: Controls | None = None,
    sound: Sound | None = None,
) -> tuple[str, ...]:
    """Return the devices that a board with these settings uses, and that the drop-in at `path` leaves out."""
    try:
        text = path.read_text("utf-8")
    except (OSError, ValueError):  # the unit's own list counts
        return ()
    allowed = set(re.findall(r"^DeviceAllow=(\S+)", text, re.MULTILINE))
    return tuple(
        device for device in needed_devices(sensors, strip, controls, sound) if device not in allowed
    )


def _needed(sensors: Sensors, strip: Strip, controls: Controls, sound: Sound) -> Iterator[str]:
    backend = strip_backend(sensors, strip)
    if sensors.kind in _ON_LINES or (controls.button, sound.buzzer) != (NO_LINE, NO_LINE):
        yield _GPIO
    if backend == "spi" or sensors.kind == "mcp3008":
        yield _SPI
    if sensors.kind == "mcp23017":
        yield _I2C
    if backend == "pio":
        yield _PIO
    if "serial" in (sensors.kind, backend):
        yield from _ports(sensors.port)


def _ports(path: str) -> tuple[str, ...]:
    """Return the kinds of serial port that the board's port may be; udev's names tell only where it is."""
    if found := re.fullmatch(r"/dev/(ttyACM|ttyUSB|ttyAMA|ttyS)\d+", path):
        return (f"char-{found[1]}",)
    if not path or path.startswith("/dev/serial/"):
        return _USB
    return _HEADER if re.fullmatch(r"/dev/serial\d+", path) else (*_USB, *_HEADER)
