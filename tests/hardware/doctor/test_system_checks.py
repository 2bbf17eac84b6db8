"""The doctor's findings about a Pi's system: by made-up evidence, and by folders that look like a Pi's."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from firmware_host.settings import Controls, Sensors, Sound, Strip
from hardware.boot.config_txt import ConfigTxt
from hardware.doctor.findings import Finding, Verdict
from hardware.doctor.system_checks import check_system, lines_of
from hardware.doctor.system_facts import SystemFacts, gather_facts, throttled
from tests.support.hardware.kernel_gpio import KernelGpio

GROUPS = frozenset({"gpio", "spi", "i2c", "dialout", "video"})
HEALTHY = SystemFacts(
    model="Raspberry Pi 4 Model B Rev 1.4",
    devices={"gpiochip0": True, "spidev0.0": True, "i2c-1": True},
    groups=GROUPS,
    known=GROUPS,
    labels={"gpiochip0": "pinctrl-bcm2711"},
    config=ConfigTxt("dtparam=spi=on\ncore_freq_min=500  # for the LEDs\n"),
)
PWM = Strip(backend="pwm")


def wrong(seen: SystemFacts, sensors: Sensors | None = None, strip: Strip | None = None) -> list[Finding]:
    found = check_system(seen, sensors or Sensors(), strip or Strip())
    return [finding for finding in found if finding.verdict is not Verdict.PASS]


@pytest.mark.parametrize(
    ("model", "label", "config"),
    [
        ("Raspberry Pi 5 Model B", "pinctrl-rp1", ""),
        ("Raspberry Pi 4 Model B", "pinctrl-bcm2711", "core_freq_min=500"),
        ("Raspberry Pi 3 Model B Plus", "pinctrl-bcm2835", "[all]\ncore_freq=250\n"),
        ("Raspberry Pi Zero 2 W", "pinctrl-bcm2835", "force_turbo=1"),
        ("Raspberry Pi Zero W", "pinctrl-bcm2835", "core_freq=250"),
    ],
)
def test_a_pi_that_has_all_it_needs_passes(model, label, config):
    assert wrong(replace(HEALTHY, model=model, labels={"gpiochip0": label}, config=ConfigTxt(config))) == []


@pytest.mark.parametrize(
    ("change", "check", "found", "mend"),
    [
        (
            {"devices": {"spidev0.0": True}, "labels": {}},
            "header",
            "this is not a Raspberry Pi",
            "millwright sim",
        ),
        ({"labels": {"gpiochip0": "INT33C7:00"}}, "header", "gpiochip0: INT33C7:00", "pinctrl-rp1"),
        (
            {"held": {24: "w1-gpio"}, "holders": ("python (process 7)",)},
            "free lines",
            "GPIO 24 (header pin 18) by w1-gpio",
            "end python (process 7)",
        ),
        ({"held": {17: ""}}, "free lines", "by an unnamed program", "config.txt"),
        (
            {"devices": {"gpiochip0": False, "spidev0.0": True}, "groups": frozenset({"spi"}), "labels": {}},
            "permissions",
            "may not open /dev/gpiochip0",
            "`sudo usermod -aG gpio $USER`, then log out and in again",
        ),
        (
            {"devices": {"gpiochip0": True, "spidev0.0": False}, "groups": frozenset({"gpio"})},
            "permissions",
            "may not open /dev/spidev0.0",
            "usermod -aG spi",
        ),
        (
            {"devices": {"gpiochip0": True, "spidev0.0": False}, "groups": frozenset(), "known": frozenset()},
            "permissions",
            "there is no group spi",
            "`sudo groupadd --system spi`",
        ),
        (
            {"devices": {"gpiochip0": True, "spidev0.0": False}},
            "permissions",
            "though the user is in spi",
            "sudo chgrp spi /dev/spidev0.0",
        ),
        ({"devices": {"gpiochip0": True}}, "strip's way", "there is no /dev/spidev0.0", "do_spi 0"),
        ({"model": "", "devices": {}, "labels": {}}, "header", "not a Raspberry Pi", "run this on the Pi"),
        ({"model": "", "devices": {"gpiochip0": True}}, "strip's way", "is not a Raspberry Pi", "on the Pi"),
        (
            {"devices": {"gpiochip0": True, "pio0": True}},
            "strip's way",
            "there is no /dev/spidev0.0",
            "do_spi 0",
        ),
        (
            {"config": ConfigTxt("core_freq=250")},
            "core clock",
            "there is no core_freq_min=500",
            "`sudo millwright boot` writes core_freq_min=500",
        ),
        ({"buses": ("I2C",)}, "", "", ""),
    ],
)
def test_each_thing_that_is_missing_is_one_finding_with_its_command(change, check, found, mend):
    findings = wrong(replace(HEALTHY, **change))
    assert [finding.check for finding in findings] == ([check] if check else [])
    for finding in findings:
        assert found in finding.found
        assert mend in finding.fix


@pytest.mark.parametrize(
    ("model", "setting"),
    [
        ("Raspberry Pi Zero W Rev 1.1", "core_freq=250"),
        ("Raspberry Pi Zero 2 W Rev 1.0", "core_freq=250"),
        ("Raspberry Pi 3 Model B Plus Rev 1.3", "core_freq=250"),
        ("Raspberry Pi 4 Model B Rev 1.4", "core_freq_min=500"),
        ("Raspberry Pi Compute Module 4 Rev 1.1", "core_freq_min=500"),
    ],
)
def test_core_clock_that_may_change_names_the_setting(model, setting):
    [finding] = wrong(replace(HEALTHY, model=model, config=ConfigTxt("")))
    assert finding.check == "core clock"
    assert f"writes {setting} into" in finding.fix
    assert wrong(replace(HEALTHY, model=model, config=ConfigTxt(setting))) == []


@pytest.mark.parametrize(
    ("sensors", "strip", "change", "check"),
    [
        (Sensors(select=(2, 3, 4)), Strip(), {"buses": ("I2C",)}, "lines"),
        (Sensors(select=(14, 3, 4)), Strip(), {"buses": ("the serial port",)}, "lines"),
        (Sensors(), PWM, {"root": True, "modules": frozenset({"snd_bcm2835"})}, "sound"),
        (Sensors(), PWM, {"root": False}, "strip's way"),
        (Sensors(), PWM, {"root": True, "model": "Raspberry Pi 5 Model B"}, "strip's way"),
        (Sensors(), Strip(backend="pio"), {}, "strip's way"),
        (Sensors(), Strip(backend="spi"), {"devices": {"gpiochip0": True, "pio0": True}}, "strip's way"),
        (
            Sensors(kind="mcp23017"),
            Strip(),
            {"devices": {"i2c-1": False, "spidev0.0": True}, "groups": frozenset()},
            "permissions",
        ),
        (
            Sensors(kind="serial", port="/dev/ttyACM0"),
            Strip(backend="serial"),
            {"devices": {"ttyACM0": False}, "groups": frozenset({"gpio"})},
            "permissions",
        ),
        (
            Sensors(kind="serial"),
            Strip(backend="serial"),
            {"devices": {"tty1": False, "ttyUSB0": False}, "groups": frozenset()},
            "permissions",
        ),
        (
            Sensors(kind="serial", port="/dev/serial/by-id/usb-1a86_USB_Serial-if00-port0"),
            Strip(backend="serial"),
            {"devices": {"usb-1a86_USB_Serial-if00-port0": False}, "groups": frozenset()},
            "permissions",
        ),
    ],
)
def test_what_is_needed_follows_from_the_settings(sensors, strip, change, check):
    assert [finding.check for finding in wrong(replace(HEALTHY, **change), sensors, strip)] == [check]


def test_a_serial_board_needs_no_line_of_the_pi():
    assert lines_of(Sensors(kind="serial"), Controls(), Sound()) == ()
    assert lines_of(Sensors(kind="serial"), Controls(button=26), Sound(buzzer=12)) == (26, 12)
    seen = SystemFacts(devices={})
    assert wrong(seen, Sensors(kind="serial"), Strip(backend="serial")) == []


PI_5 = replace(
    HEALTHY, model="Raspberry Pi 5 Model B", labels={"gpiochip0": "pinctrl-rp1"}, config=ConfigTxt("")
)
SERIAL = Sensors(kind="serial"), Strip(backend="serial")


def test_a_pi_5_that_limits_usb_is_warned_of_if_the_board_is_there():
    seen = replace(PI_5, supply_ma=3000, usb_is_limited=True)
    (finding,) = wrong(seen, *SERIAL)
    assert (finding.check, finding.verdict) == ("USB current", Verdict.WARNING)
    assert "600 mA at most in all sockets, since the supply offers 3000 mA" in finding.found
    assert "usb_max_current_enable=1" in finding.fix
    assert wrong(seen) == []
    assert wrong(replace(seen, usb_is_limited=False), *SERIAL) == []


@pytest.mark.parametrize(("enabled", "is_limited"), [(0, True), (1, False)])
def test_what_a_pi_5_knows_of_its_supply_is_seen(tmp_path, enabled, is_limited):
    power = a_pi(tmp_path) / "proc/device-tree/chosen/power"
    power.mkdir(parents=True)
    (power / "max_current").write_bytes((3000).to_bytes(4, "big"))
    (power / "usb_max_current_enable").write_bytes(enabled.to_bytes(4, "big"))
    seen = gather_facts((), root=tmp_path, open_chip=KERNEL.chip)
    assert (seen.supply_ma, seen.usb_is_limited) == (3000, is_limited)


KERNEL = KernelGpio({"gpiochip0": "pinctrl-bcm2711", "gpiochip4": "brcmstb"}, drivers={24: "w1-gpio"})


def a_pi(root: Path) -> Path:
    for name in ("dev/serial/by-id", "proc/device-tree", "boot/firmware"):
        (root / name).mkdir(parents=True)
    for name in ("gpiochip0", "gpiochip4", "spidev0.0", "i2c-1"):
        (root / "dev" / name).touch()
    (root / "proc/device-tree/model").write_bytes(b"Raspberry Pi 4 Model B\0")
    (root / "proc/modules").write_text("snd_bcm2835 24576 1 - Live 0x0\nspidev 28672 0 - Live 0x0\n")
    (root / "boot/firmware/config.txt").write_text("core_freq_min=500\n")
    return root


def test_all_that_is_judged_is_seen_without_driving_anything(tmp_path):
    seen = gather_facts((17, 24, 99), root=a_pi(tmp_path), open_chip=KERNEL.chip)
    assert seen.model == "Raspberry Pi 4 Model B"
    assert seen.devices == {"gpiochip0": True, "gpiochip4": True, "spidev0.0": True, "i2c-1": True}
    assert seen.labels == {"gpiochip0": "pinctrl-bcm2711", "gpiochip4": "brcmstb"}
    assert seen.held == {24: "w1-gpio"}
    assert "I2C" in seen.buses
    assert "snd_bcm2835" in seen.modules
    assert seen.config == ConfigTxt("core_freq_min=500\n")
    assert KERNEL.taken() == {}
    assert [finding.check for finding in wrong(seen)] == ["free lines"]


def test_a_serial_board_is_seen_by_its_own_name_too(tmp_path):
    root = a_pi(tmp_path)
    (root / "dev/ttyUSB0").touch()
    (root / "dev/serial/by-id/usb-Arduino-if00").symlink_to("../../ttyUSB0")
    devices = gather_facts((), root=root, open_chip=KERNEL.chip).devices
    assert devices["ttyUSB0"]
    assert devices["usb-Arduino-if00"]


def test_where_there_is_no_pi_at_all_that_is_seen_too(tmp_path):
    seen = gather_facts((17,), root=tmp_path)
    assert (seen.devices, seen.labels, seen.config, seen.model) == ({}, {}, None, "")
    assert [finding.check for finding in wrong(seen)][:1] == ["header"]


def test_a_device_that_may_not_be_opened_is_seen_as_closed(unprivileged):
    root = a_pi(unprivileged)
    (root / "dev/spidev0.0").chmod(0)
    assert not gather_facts((), root=root, open_chip=KERNEL.chip).devices["spidev0.0"]


@pytest.mark.parametrize(
    ("said", "bits"), [("throttled=0x0\n", 0), ("throttled=0x50005\n", 0x50005), ("error=1\n", None)]
)
def test_what_vcgencmd_says_is_read(said, bits):
    def run(command: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        assert command == ["vcgencmd", "get_throttled"]
        return subprocess.CompletedProcess(command, 0, said if "throttled" in said else "error=pi", "")

    assert throttled(run) == bits


def test_without_vcgencmd_nothing_is_said():
    def run(*_: Any, **__: Any) -> None:
        raise FileNotFoundError

    assert throttled(run) is None
