"""GPIO chips as the kernel keeps them: `ioctl` answers as linux/gpio.h describes, with its own structures.

Lines belong to the file that the kernel gave for them, and are free once that is closed, as in the kernel.
"""

from __future__ import annotations

import ctypes as c
import errno
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hardware.bus.gpiochip import GpioChip

LINES = 54
USED, INPUT, OUTPUT, OPEN_DRAIN, PULL_UP, PULL_DOWN, NO_PULL = 1, 4, 8, 64, 256, 512, 1024


class ChipInfo(c.Structure):
    _fields_ = (("name", c.c_char * 32), ("label", c.c_char * 32), ("lines", c.c_uint32))


class Attribute(c.Structure):
    _fields_ = (("id", c.c_uint32), ("padding", c.c_uint32), ("values", c.c_uint64))


class KernelLineInfo(c.Structure):
    _fields_ = (
        ("name", c.c_char * 32),
        ("consumer", c.c_char * 32),
        ("offset", c.c_uint32),
        ("num_attrs", c.c_uint32),
        ("flags", c.c_uint64),
        ("attrs", Attribute * 10),
        ("padding", c.c_uint32 * 4),
    )


class ConfigAttribute(c.Structure):
    _fields_ = (("attr", Attribute), ("mask", c.c_uint64))


class KernelLineConfig(c.Structure):
    _fields_ = (
        ("flags", c.c_uint64),
        ("num_attrs", c.c_uint32),
        ("padding", c.c_uint32 * 5),
        ("attrs", ConfigAttribute * 10),
    )


class Request(c.Structure):
    _fields_ = (
        ("offsets", c.c_uint32 * 64),
        ("consumer", c.c_char * 32),
        ("config", KernelLineConfig),
        ("num_lines", c.c_uint32),
        ("event_buffer_size", c.c_uint32),
        ("padding", c.c_uint32 * 5),
        ("fd", c.c_int32),
    )


class KernelLineValues(c.Structure):
    _fields_ = (("bits", c.c_uint64), ("mask", c.c_uint64))


CALLS = {
    0x8044B401: (ChipInfo, "chip_info"),
    0xC100B405: (KernelLineInfo, "line_info"),
    0xC250B407: (Request, "take"),
    0xC110B40D: (KernelLineConfig, "configure"),
    0xC010B40E: (KernelLineValues, "get"),
    0xC010B40F: (KernelLineValues, "set"),
}
"""The numbers as a compiler computes them from linux/gpio.h."""


@dataclass
class Taken:
    """Lines that a program took together."""

    lines: tuple[int, ...]
    consumer: str
    flags: int
    levels: int = 0


@dataclass
class KernelGpio:
    """The chips of a machine, by the names of their files, each with its label.

    `drivers` are the lines that drivers of the kernel hold, by number. `outside` has the levels that inputs
    read. `seen` has all lines that are driven, after each write. `broken` is the error of every further call.
    """

    labels: dict[str, str] = field(default_factory=lambda: {"gpiochip0": "pinctrl-bcm2711"})
    drivers: dict[int, str] = field(default_factory=dict)
    outside: dict[int, int] = field(default_factory=lambda: dict.fromkeys(range(LINES), 1))
    seen: list[dict[int, int]] = field(default_factory=list)
    broken: int = 0
    left_driven: set[int] = field(default_factory=set)
    on_read: Callable[[], int] | None = None
    _taken: dict[int, Taken] = field(default_factory=dict)

    def chip(self, device: Path | str = "/dev/gpiochip0") -> GpioChip:
        """Open a chip; the file behind it is any file."""
        name = Path(device).name
        if name not in self.labels:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(device))
        return GpioChip(Path(os.devnull), ioctl=lambda *call: self.ioctl(name, *call))

    def ioctl(self, name: str, file: int, call: int, data: Any) -> int:
        """Answer one call on the chip `name`, or on lines of it."""
        if self.broken:
            raise OSError(self.broken, os.strerror(self.broken))
        kind, does = CALLS[call]
        assert len(memoryview(data).cast("B")) == c.sizeof(kind)
        given = kind.from_buffer_copy(data)
        getattr(self, f"_{does}")(name, file, given)
        if not isinstance(data, bytes):
            memoryview(data).cast("B")[:] = bytes(given)
        return 0

    def taken(self) -> dict[int, Taken]:
        """The lines in use, by number."""
        for file in [file for file in self._taken if not _is_open(file)]:
            del self._taken[file]
        return {line: taken for taken in self._taken.values() for line in taken.lines}

    def driven(self) -> dict[int, int]:
        """The lines that are driven, each with its level; open-drain ones are inputs while they are high."""
        return {
            line: taken.levels >> n & 1
            for taken in {id(taken): taken for taken in self.taken().values()}.values()
            if taken.flags & OUTPUT
            for n, line in enumerate(taken.lines)
            if not (taken.flags & OPEN_DRAIN and taken.levels >> n & 1)
        }

    def _chip_info(self, name: str, _file: int, info: ChipInfo) -> None:
        info.name, info.label, info.lines = name.encode(), self.labels[name].encode(), LINES

    def _line_info(self, _name: str, _file: int, info: KernelLineInfo) -> None:
        _check(info.offset < LINES, errno.EINVAL)
        taken = self.taken().get(info.offset)
        if taken or info.offset in self.drivers:
            info.flags = USED | (taken.flags if taken else INPUT)
            info.consumer = (taken.consumer if taken else self.drivers[info.offset]).encode()

    def _take(self, _name: str, _file: int, request: Request) -> None:
        lines = tuple(request.offsets[: request.num_lines])
        _check(0 < len(lines) <= 64 and all(line < LINES for line in lines), errno.EINVAL)
        _check(not self.taken().keys() & set(lines) and not self.drivers.keys() & set(lines), errno.EBUSY)
        self._check_flags(request.config)
        request.fd = os.open(os.devnull, os.O_RDWR)
        taken = Taken(lines, request.consumer.decode(), request.config.flags)
        for attribute in request.config.attrs[: request.config.num_attrs]:
            assert attribute.attr.id == 2
            assert attribute.mask == (1 << len(lines)) - 1
            taken.levels = attribute.attr.values
        self._taken[request.fd] = taken

    def _configure(self, _name: str, file: int, config: KernelLineConfig) -> None:
        self._check_flags(config)
        self._taken[file].flags = config.flags

    def _get(self, _name: str, file: int, values: KernelLineValues) -> None:
        lines = self._taken[file].lines
        assert values.mask == (1 << len(lines)) - 1
        values.bits = sum(self.outside[line] << n for n, line in enumerate(lines))
        if self.on_read:
            values.bits = self.on_read()

    def _set(self, _name: str, file: int, values: KernelLineValues) -> None:
        taken = self._taken[file]
        _check(taken.flags & OUTPUT, errno.EPERM)
        assert values.mask == (1 << len(taken.lines)) - 1
        taken.levels = values.bits
        self.seen.append(self.driven())

    @staticmethod
    def _check_flags(config: KernelLineConfig) -> None:
        _check(bool(config.flags & INPUT) != bool(config.flags & OUTPUT), errno.EINVAL)
        _check(not config.flags & OPEN_DRAIN or config.flags & OUTPUT, errno.EINVAL)
        pulls = config.flags & (PULL_UP | PULL_DOWN | NO_PULL)
        _check(pulls.bit_count() <= 1, errno.EINVAL)


def _is_open(file: int) -> bool:
    try:
        os.fstat(file)
    except OSError:
        return False
    return True


def _check(holds: bool | int, error: int) -> None:
    if not holds:
        raise OSError(error, os.strerror(error))
