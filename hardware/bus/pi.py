"""The Pi beneath the drivers: its GPIO chips, the users of its lines, and its active buses.

Invariants: the header's chip is chosen by its label, since its number differs between models and kernels, and
no other library stands in if lgpio fails. Every line is checked before the first is driven. Every error says
how to fix it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import chdir, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from firmware_host.errors import SensorError
from firmware_host.i18n import Message
from firmware_host.settings import Gpio
from hardware.libraries import LGPIO, missing

LABELS = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""The label of the header's chip on a Pi 5, on a Pi 4, and on earlier models."""

_DEV, _PROC = Path("/dev"), Path("/proc")
_IN_USE = 1  # bit 0 of a line's flags, by lgpio's documentation
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


def pin_factory(lines: Sequence[Gpio], *, dev: Path = _DEV, lgpio: Any = None) -> Any:
    """Return a gpiozero factory on the header's chip, with `lines` free; the caller closes it.

    Raises SensorError if there is no such chip, it may not be opened, or another program holds one of the
    lines. Tests pass their own `lgpio`.
    """
    lgpio = lgpio or _lgpio()
    number = header_chip(lgpio, dev)
    if held := _held(lgpio, number, lines):
        who = "; ".join(f"GPIO {', '.join(map(str, own))} ({user})" for user, own in held.items())
        if users := ", ".join(programs_with(dev / f"gpiochip{number}")):
            raise SensorError(Message("fault.lines.held.known", {"lines": who, "users": users}))
        raise SensorError(Message("fault.lines.held", {"lines": who}))
    from gpiozero.pins.lgpio import LGPIOFactory  # type: ignore[import-untyped]

    try:
        return LGPIOFactory(chip=number)
    except Exception as error:
        raise SensorError(_unopened(f"{dev}/gpiochip{number}", error)) from error


def header_chip(lgpio: Any, dev: Path = _DEV) -> int:
    """Return the number of the GPIO chip that has the header; raises SensorError if it is not accessible."""
    files = sorted(dev.glob("gpiochip*"), key=lambda file: (len(file.name), file.name))
    if not files:
        raise SensorError(Message("fault.pi.none", {"device": f"{dev}/gpiochip0"}))
    labels: dict[str, int] = {}
    for file in files:
        number = int(file.name.removeprefix("gpiochip"))
        if os.access(file, os.R_OK | os.W_OK):
            labels.setdefault(_label(lgpio, number), number)
    for label in LABELS:
        if label in labels:
            return labels[label]
    if not labels:
        raise SensorError(Message("fault.device.barred", {"device": str(files[0]), "group": "gpio"}))
    raise SensorError(Message("fault.pi.no-header", {"chips": ", ".join(labels), "known": ", ".join(LABELS)}))


def _unopened(device: str, error: BaseException) -> Message:
    return Message("fault.device.unopened", {"device": device, "why": str(error)})


def _label(lgpio: Any, number: int) -> str:
    with _opened(lgpio, number) as handle:
        _, _, _, label = lgpio.gpio_get_chip_info(handle)
    return str(label)


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


def _held(lgpio: Any, number: int, lines: Iterable[Gpio]) -> dict[str, list[Gpio]]:
    """Return the lines in use, by the name that their user registered."""
    held: dict[str, list[Gpio]] = {}
    with _opened(lgpio, number) as handle:
        for line in lines:
            try:
                _, _, flags, _, user = lgpio.gpio_get_line_info(handle, line)
            except lgpio.error as error:
                raise SensorError(Message("fault.line.none", {"line": line, "why": str(error)})) from error
            if flags & _IN_USE:
                held.setdefault(user or "?", []).append(line)
    return held


@contextmanager
def _opened(lgpio: Any, number: int) -> Iterator[Any]:
    try:
        handle = lgpio.gpiochip_open(number)
    except lgpio.error as error:
        raise SensorError(_unopened(f"gpiochip{number}", error)) from error
    try:
        yield handle
    finally:
        lgpio.gpiochip_close(handle)


def _unloaded(error: ImportError) -> Message:
    return Message("fault.library.unloaded", {"library": LGPIO.module, "why": str(error)})


def _lgpio() -> Any:
    """Import lgpio, which on its first import creates a pipe in the folder LG_WD and changes to it."""
    with TemporaryDirectory(prefix="millwright-") as folder, chdir(Path.cwd()):
        given = os.environ.setdefault("LG_WD", folder)
        try:
            import lgpio  # type: ignore[import-not-found, unused-ignore]
        except ImportError as error:
            raise SensorError(missing([LGPIO]) or _unloaded(error)) from error
        except Exception as error:
            pipeless = Message("fault.lgpio.pipe", {"path": given, "why": str(error)})
            raise SensorError(pipeless) from error
        finally:
            if given == folder:
                del os.environ["LG_WD"]
    return lgpio
