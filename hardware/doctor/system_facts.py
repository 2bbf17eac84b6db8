"""Facts about a Pi's system, gathered before anything is driven.

Invariants: this only reads. Facts that this user may not see are left out, and nothing is judged here.
"""

from __future__ import annotations

import grp
import os
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any

from firmware_host.frozen import frozen
from firmware_host.settings import Gpio
from hardware.boot.config_txt import ConfigTxt
from hardware.boot.needs import find_config_txt, read_config_txt
from hardware.bus.gpiochip import GpioChip
from hardware.bus.pi import LABELS, buses_in_use, programs_with

GROUPS = {"gpiochip": "gpio", "spidev": "spi", "i2c-": "i2c", "tty": "dialout", "pio": "gpio"}
"""The group of devices, by the start of their names, as in Raspberry Pi OS."""


@frozen
class SystemFacts:
    """The facts about a Pi's system.

    `devices` are the existing ones, True if this user may open them. `groups` are the user's own, `known` all
    of the system. `labels` are those of the GPIO chips. `held` has the lines in use with their users' names,
    `holders` the programs that have the header's chip open. `modules` are those of the kernel; `config` is
    config.txt with the files that it includes, None if there is none that can be read. `supply_ma` is the
    current that the supply of a Pi 5 offers, and `usb_is_limited` is True if its USB sockets give less for
    that; other models report neither.
    """

    model: str = ""
    root: bool = False
    devices: Mapping[str, bool] = field(default_factory=dict)
    groups: frozenset[str] = frozenset()
    known: frozenset[str] = frozenset()
    labels: Mapping[str, str] = field(default_factory=dict)
    held: Mapping[Gpio, str] = field(default_factory=dict)
    holders: Sequence[str] = ()
    buses: Sequence[str] = ()
    modules: frozenset[str] = frozenset()
    config: ConfigTxt | None = None
    supply_ma: int | None = None
    usb_is_limited: bool = False


def gather_facts(
    lines: Sequence[Gpio], *, root: Path = Path("/"), open_chip: Callable[[Path], GpioChip] = GpioChip
) -> SystemFacts:
    """Return the facts about this Pi, or about the files below `root`, with `open_chip` for its chips."""
    dev, power = root / "dev", root / "proc/device-tree/chosen/power"
    devices = _devices(dev)
    labels = _labels(dev, devices, open_chip)
    header = next((name for label in LABELS for name, own in labels.items() if own == label), None)
    return SystemFacts(
        model=_text(root / "proc/device-tree/model").strip("\0\n "),
        root=os.geteuid() == 0,
        devices=devices,
        groups=frozenset(_group_names(os.getgroups())),
        known=frozenset(group.gr_name for group in grp.getgrall()),
        labels=labels,
        held=_held(dev / header, lines, open_chip) if header else {},
        holders=programs_with(dev / header, root / "proc") if header else (),
        buses=list(buses_in_use(dev)),
        modules=_modules(root),
        config=_config_txt(root),
        supply_ma=_cell(power / "max_current"),
        usb_is_limited=_cell(power / "usb_max_current_enable") == 0,
    )


def _devices(dev: Path) -> dict[str, bool]:
    """Return the devices that a board can need, True if this user may open them."""
    files = [file for begin in GROUPS for file in sorted(dev.glob(f"{begin}*"))] if dev.is_dir() else []
    named = sorted((dev / "serial/by-id").glob("*"))
    return {file.name: os.access(file, os.R_OK | os.W_OK) for file in (*files, *named)}


def _labels(dev: Path, devices: Mapping[str, bool], open_chip: Callable[[Path], GpioChip]) -> dict[str, str]:
    """Return the labels of the GPIO chips that this user may open."""
    return {
        name: _label(dev / name, open_chip)
        for name, openable in devices.items()
        if name.startswith("gpiochip") and openable
    }


def _modules(root: Path) -> frozenset[str]:
    return frozenset(text.split()[0] for text in _text(root / "proc/modules").splitlines() if text)


def _label(device: Path, open_chip: Callable[[Path], GpioChip]) -> str:
    try:
        with open_chip(device) as chip:
            return chip.label
    except OSError as error:
        return str(error.strerror)


def _held(device: Path, lines: Sequence[Gpio], open_chip: Callable[[Path], GpioChip]) -> dict[Gpio, str]:
    held = {}
    with open_chip(device) as chip:
        for gpio in lines:
            try:
                info = chip.line(gpio)
            except OSError:
                continue  # the line does not exist, which is a fault of the settings
            if info.is_used:
                held[gpio] = info.user
    return held


def _group_names(numbers: Sequence[int]) -> list[str]:
    names = []
    for number in numbers:
        try:
            names.append(grp.getgrgid(number).gr_name)
        except KeyError:  # a group without a name
            continue
    return names


def _config_txt(root: Path) -> ConfigTxt | None:
    path = find_config_txt(root)
    try:
        return None if path is None else read_config_txt(path)
    except OSError:
        return None


def _cell(path: Path) -> int | None:
    """Return the number of a property of the device tree, or None if there is no such property."""
    try:
        return int.from_bytes(path.read_bytes(), "big")
    except OSError:
        return None


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def throttled(run: Callable[..., Any] = subprocess.run) -> int | None:
    """Return the bits of `vcgencmd get_throttled`, or None if it is not available."""
    try:
        done = run(["vcgencmd", "get_throttled"], capture_output=True, text=True, timeout=5, check=True)
        return int(done.stdout.strip().partition("=")[2], 16)
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
