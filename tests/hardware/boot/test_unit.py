"""The devices of a board's service: those of its wiring, and no others."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from firmware_host.config.loader import Config
from firmware_host.settings import Sensors, Strip
from hardware.boot.unit import drop_in, missing_devices, needed_devices
from tests.support.systemd.files import FOLDER, settings

SENSORS, STRIP = Config.default().sensors, Config.default().strip


def wired(kind: str, port: str = "", backend: str = "auto") -> tuple[Sensors, Strip]:
    return replace(SENSORS, kind=kind, port=port), replace(STRIP, backend=backend)


@pytest.mark.parametrize(
    ("kind", "port", "backend", "devices"),
    [
        ("mux", "", "auto", "char-gpiochip char-spi"),
        ("direct", "", "pio", "char-gpiochip /dev/pio0"),
        ("matrix", "", "spi", "char-gpiochip char-spi"),
        ("mcp23017", "", "auto", "char-spi char-i2c"),
        ("mcp3008", "", "pio", "char-gpiochip char-spi /dev/pio0"),
        ("serial", "", "auto", "char-ttyACM char-ttyUSB"),
        ("serial", "/dev/serial/by-id/usb-1a86-if00-port0", "auto", "char-ttyACM char-ttyUSB"),
        ("serial", "/dev/ttyUSB3", "spi", "char-spi char-ttyUSB"),
        ("serial", "/dev/ttyAMA0", "auto", "char-ttyAMA"),
        ("serial", "/dev/serial0", "auto", "char-ttyAMA char-ttyS"),
        ("serial", "/dev/board", "auto", "char-ttyACM char-ttyUSB char-ttyAMA char-ttyS"),
    ],
)
def test_a_service_may_use_the_devices_of_its_wiring(
    kind: str, port: str, backend: str, devices: str
) -> None:
    needed = needed_devices(*wired(kind, port, backend))
    assert " ".join(needed) == devices
    # The unit's own list, without the drop-in, has them all.
    allowed = {text.split()[0] for text in settings(FOLDER / "millwright.service")["Service.DeviceAllow"]}
    assert set(needed) <= allowed


def test_a_drop_in_replaces_the_list_of_the_unit(tmp_path: Path) -> None:
    path = tmp_path / "zz-devices.conf"
    path.write_text(drop_in(needed_devices(*wired("mux"))))
    assert settings(path)["Service.DeviceAllow"] == ["", "char-gpiochip rw", "char-spi rw"]


def test_a_drop_in_of_another_wiring_lacks_devices(tmp_path: Path) -> None:
    path = tmp_path / "zz-devices.conf"
    assert missing_devices(*wired("serial"), path) == ()
    path.write_text(drop_in(needed_devices(*wired("mux"))))
    assert missing_devices(*wired("mux"), path) == ()
    assert missing_devices(*wired("serial"), path) == ("char-ttyACM", "char-ttyUSB")
    path.write_bytes(b"\xff")
    assert missing_devices(*wired("serial"), path) == ()
