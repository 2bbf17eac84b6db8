"""What is seen of a Pi's system, before anything is driven.

Rules kept here: this only looks; what cannot be seen by this user is left out, and judged by nobody here.
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
"""Who may open devices whose names begin so, as Raspberry Pi OS has it."""

_IN_USE = 1  # bit 0 of a line's flags, by lgpio's documentation


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What was seen of a Pi's system.

    `devices`: those that are there, and whether this user may open them. `groups` are the user's own now,
    `known` all that the system has. `lgpio` is empty where the library is to be had, else why not. `labels`
    are the chips'. `held` has the lines in use, by who holds them, `holders` the programs that have the
    header's chip open. `modules` are those of the kernel; `config` is the text of config.txt, where it is.
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


def look_around(
    lines: Sequence[Gpio], *, root: Path = Path("/"), import_lgpio: Callable[[], Any] | None = None
) -> Surroundings:
    """What can be seen of this Pi, or of one whose files lie under `root`.

    `import_lgpio` raises SensorError where the library is not to be had.
    """
    dev, lg_wd = root / "dev", os.environ.get("LG_WD", "")
    files = [file for begin in GROUPS for file in sorted(dev.glob(f"{begin}*"))] if dev.is_dir() else []
    named = sorted((dev / "serial/by-id").glob("*"))
    devices = {file.name: os.access(file, os.R_OK | os.W_OK) for file in (*files, *named)}
    lgpio, why = None, ""
    try:
        lgpio = (import_lgpio or _lgpio)()
    except SensorError as error:
        why = str(error)
    chips = [name for name, open_ in devices.items() if name.startswith("gpiochip") and open_]
    labels = {name: _label(lgpio, name) for name in chips} if lgpio else {}
    header = next((name for label in LABELS for name, own in labels.items() if own == label), None)
    return Surroundings(
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
        modules=frozenset(text.split()[0] for text in _text(root / "proc/modules").splitlines() if text),
        config=_config_txt(root),
        lg_wd=lg_wd,
        lg_wd_writable=not lg_wd or os.access(lg_wd, os.W_OK),
    )


def _lgpio() -> Any:
    from hardware.bus import pi

    return pi._lgpio()  # its first import makes a pipe in a folder, which is taken care of there


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
                continue  # a line that there is not, which the settings are told of
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
    """What `vcgencmd get_throttled` says; None where it is not to be had."""
    try:
        done = run(["vcgencmd", "get_throttled"], capture_output=True, text=True, timeout=5, check=True)
        return int(done.stdout.strip().partition("=")[2], 16)
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
