"""Facts about a Pi's system, gathered before anything is driven.

Invariants: this only reads. Facts that this user may not see are left out, and nothing is judged here.
"""

from __future__ import annotations

import grp
import os
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from firmware_host.errors import SensorError
from firmware_host.settings import Gpio
from hardware.bus.pi import LABELS, buses_in_use, programs_with

GROUPS = {"gpiochip": "gpio", "spidev": "spi", "i2c-": "i2c", "tty": "dialout", "pio": "gpio"}
"""The group of devices, by the start of their names, as in Raspberry Pi OS."""

_IN_USE = 1  # bit 0 of a line's flags, by lgpio's documentation


@dataclass(frozen=True, slots=True)
class SystemFacts:
    """The facts about a Pi's system.

    `devices` are the existing ones, True if this user may open them. `groups` are the user's own, `known` all
    of the system. `lgpio` is empty, or the reason why the library cannot be imported. `labels` are those of
    the GPIO chips. `held` has the lines in use with their users' names, `holders` the programs that have the
    header's chip open. `modules` are those of the kernel; `config` is the text of config.txt, if there is
    one.
    """

    model: str = ""
    root: bool = False
    devices: Mapping[str, bool] = field(default_factory=dict)
    groups: frozenset[str] = frozenset()
    known: frozenset[str] = frozenset()
    lgpio: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)
    held: Mapping[Gpio, str] = field(default_factory=dict)
    holders: Sequence[str] = ()
    buses: Sequence[str] = ()
    modules: frozenset[str] = frozenset()
    config: str | None = None
    lg_wd: str = ""
    lg_wd_writable: bool = True


def gather_facts(
    lines: Sequence[Gpio], *, root: Path = Path("/"), import_lgpio: Callable[[], Any] | None = None
) -> SystemFacts:
    """Return the facts about this Pi, or about the files below `root`.

    `import_lgpio` raises SensorError if the library is not available.
    """
    dev, lg_wd = root / "dev", os.environ.get("LG_WD", "")
    devices = _devices(dev)
    lgpio, why = _imported(import_lgpio or _lgpio)
    labels = _labels(lgpio, devices)
    header = next((name for label in LABELS for name, own in labels.items() if own == label), None)
    return SystemFacts(
        model=_text(root / "proc/device-tree/model").strip("\0\n "),
        root=os.geteuid() == 0,
        devices=devices,
        groups=frozenset(_group_names(os.getgroups())),
        known=frozenset(group.gr_name for group in grp.getgrall()),
        lgpio=why,
        labels=labels,
        held=_held(lgpio, header, lines) if lgpio and header else {},
        holders=programs_with(dev / header, root / "proc") if header else (),
        buses=list(buses_in_use(dev)),
        modules=_modules(root),
        config=_config_txt(root),
        lg_wd=lg_wd,
        lg_wd_writable=not lg_wd or os.access(lg_wd, os.W_OK),
    )


def _devices(dev: Path) -> dict[str, bool]:
    """Return the devices that a board can need, True if this user may open them."""
    files = [file for begin in GROUPS for file in sorted(dev.glob(f"{begin}*"))] if dev.is_dir() else []
    named = sorted((dev / "serial/by-id").glob("*"))
    return {file.name: os.access(file, os.R_OK | os.W_OK) for file in (*files, *named)}


def _imported(import_lgpio: Callable[[], Any]) -> tuple[Any, str]:
    """Return the library, or None and the reason why it is not available."""
    try:
        return import_lgpio(), ""
    except SensorError as error:
        return None, str(error)


def _labels(lgpio: Any, devices: Mapping[str, bool]) -> dict[str, str]:
    """Return the labels of the GPIO chips that this user may open."""
    if not lgpio:
        return {}
    return {
        name: _label(lgpio, name)
        for name, openable in devices.items()
        if name.startswith("gpiochip") and openable
    }


def _modules(root: Path) -> frozenset[str]:
    return frozenset(text.split()[0] for text in _text(root / "proc/modules").splitlines() if text)


def _lgpio() -> Any:
    from hardware.bus import pi

    return pi._lgpio()  # which removes the pipe that the first import creates


def _label(lgpio: Any, name: str) -> str:
    with ExitStack() as opened:
        try:
            handle = lgpio.gpiochip_open(int(name.removeprefix("gpiochip")))
            opened.callback(lgpio.gpiochip_close, handle)
            return str(lgpio.gpio_get_chip_info(handle)[3])
        except lgpio.error as error:
            return f"not to be opened ({error})"


def _held(lgpio: Any, name: str, lines: Sequence[Gpio]) -> dict[Gpio, str]:
    held = {}
    with ExitStack() as opened:
        handle = lgpio.gpiochip_open(int(name.removeprefix("gpiochip")))
        opened.callback(lgpio.gpiochip_close, handle)
        for gpio in lines:
            try:
                _, _, flags, _, user = lgpio.gpio_get_line_info(handle, gpio)
            except lgpio.error:
                continue  # the line does not exist, which is a fault of the settings
            if flags & _IN_USE:
                held[gpio] = str(user)
    return held


def _group_names(numbers: Sequence[int]) -> list[str]:
    names = []
    for number in numbers:
        try:
            names.append(grp.getgrgid(number).gr_name)
        except KeyError:  # a group without a name
            continue
    return names


def _config_txt(root: Path) -> str | None:
    for path in (root / "boot/firmware/config.txt", root / "boot/config.txt"):
        if path.exists():
            return _text(path)
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
