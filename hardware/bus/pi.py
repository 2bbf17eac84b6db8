"""The Pi beneath the drivers: its GPIO chips, the users of its lines, and its active buses.

Invariants: the header's chip is chosen by its label, since its number differs between models and kernels.
Every line is checked before the first is driven. Every error says how to fix it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from firmware_host.errors import SensorError, reason_of
from firmware_host.i18n import Message
from firmware_host.settings import Gpio
from hardware.bus.gpiochip import GpioChip

LABELS = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""The label of the header's chip on a Pi 5, on a Pi 4, and on earlier models."""

_DEV, _PROC = Path("/dev"), Path("/proc")
_DEBUG_PORT = "ttyAMA10"  # a Pi 5's own connector, not the header


def model(proc: Path = _PROC) -> str:
    """Return the model as the firmware reports it, such as `Raspberry Pi 4 Model B Rev 1.4`, or ""."""
    try:
        return (proc / "device-tree/model").read_text(encoding="utf-8").strip("\0\n ")
    except OSError:
        return ""


def buses_in_use(dev: Path = _DEV) -> Iterator[str]:
    """Yield the names in `gpio.BUSES` of the buses that are switched on; /proc lies beside `dev`."""
    if (dev / "i2c-1").exists():
        yield "I2C"
    yield from (f"SPI{file.name.removeprefix('spidev')}" for file in sorted(dev.glob("spidev[01].[012]")))
    serial = dev / "serial0"
    if serial.exists() and (port := serial.resolve().name) != _DEBUG_PORT:
        yield "the serial port"
        if {"serial0", port} & set(_consoles(dev.parent / _PROC.name)):
            yield "the serial console"


def _consoles(proc: Path) -> list[str]:
    """Return the ports of the kernel's consoles, from its command line."""
    try:
        words = (proc / "cmdline").read_text(encoding="utf-8").split()
    except OSError:
        return []
    named = (word.removeprefix("console=") for word in words if word.startswith("console="))
    return [name.partition(",")[0] for name in named]


def header_with(
    lines: Sequence[Gpio], *, dev: Path = _DEV, open_chip: Callable[[Path], GpioChip] = GpioChip
) -> GpioChip:
    """Return the chip of the header, with `lines` free; the caller closes it.

    Raises SensorError if there is no such chip, it may not be opened, or another program holds one of the
    lines. Tests pass their own `open_chip`.
    """
    device = header_chip(dev, open_chip)
    chip = _opened(device, open_chip)
    try:
        held = _held(chip, lines)
    except SensorError:
        chip.close()
        raise
    if not held:
        return chip
    chip.close()
    who = "; ".join(f"GPIO {', '.join(map(str, own))} ({user})" for user, own in held.items())
    if users := ", ".join(programs_with(device)):
        raise SensorError(Message("fault.lines.held.known", {"lines": who, "users": users}))
    raise SensorError(Message("fault.lines.held", {"lines": who}))


def header_chip(dev: Path = _DEV, open_chip: Callable[[Path], GpioChip] = GpioChip) -> Path:
    """Return the GPIO chip that has the header; raises SensorError if it is not accessible."""
    files = sorted(dev.glob("gpiochip*"), key=lambda file: (len(file.name), file.name))
    if not files:
        raise SensorError(Message("fault.pi.none", {"device": f"{dev}/gpiochip0"}))
    labels: dict[str, Path] = {}
    for file in files:
        if os.access(file, os.R_OK | os.W_OK):
            with _opened(file, open_chip) as chip:
                labels.setdefault(chip.label, file)
    for label in LABELS:
        if label in labels:
            return labels[label]
    if not labels:
        raise SensorError(Message("fault.device.barred", {"device": str(files[0]), "group": "gpio"}))
    raise SensorError(Message("fault.pi.no-header", {"chips": ", ".join(labels), "known": ", ".join(LABELS)}))


def _opened(device: Path, open_chip: Callable[[Path], GpioChip]) -> GpioChip:
    try:
        return open_chip(device)
    except OSError as error:
        slots = {"device": str(device), "why": reason_of(error)}
        raise SensorError(Message("fault.device.unopened", slots)) from error


def programs_with(file: Path, proc: Path = _PROC) -> list[str]:
    """Return the other programs that have `file` open, with process numbers, as far as permissions allow."""
    found = []
    for process in proc.glob("[0-9]*"):
        try:
            if process.name != str(os.getpid()) and any(
                fd.resolve() == file for fd in (process / "fd").iterdir()
            ):
                found.append(f"{(process / 'comm').read_text().strip()} (process {process.name})")
        except OSError:  # it belongs to another user, or has just ended
            continue
    return sorted(found)


def _held(chip: GpioChip, lines: Iterable[Gpio]) -> dict[str, list[Gpio]]:
    """Return the lines in use, by the name that their user registered."""
    held: dict[str, list[Gpio]] = {}
    for line in lines:
        try:
            info = chip.line(line)
        except OSError as error:
            slots = {"line": line, "why": reason_of(error)}
            raise SensorError(Message("fault.line.none", slots)) from error
        if info.is_used:
            held.setdefault(info.user or "?", []).append(line)
    return held
