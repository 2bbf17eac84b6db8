"""GPIO chips by the kernel's character devices, /dev/gpiochipN, in version 2 (Linux 5.10 and later).

Python's own `fcntl.ioctl` is enough for all of it. The libraries that wrap these calls, lgpio and gpiod, are
compiled, and for some Pis there is neither a wheel nor a package of them.

Invariants: a method raises the OSError of the kernel and adds nothing to it. Lines that were requested belong
to this program until they are released or it ends, and the kernel gives none of them to another one.
"""

from __future__ import annotations

import fcntl
import os
import struct
from array import array
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from firmware_host.frozen import frozen
from firmware_host.settings import Gpio

CONSUMER = "millwright"
"""The name under which lines are held, which other programs see."""

INPUT, OUTPUT = 1 << 2, 1 << 3
OPEN_DRAIN = 1 << 6
PULL_UP, PULL_DOWN, NO_PULL = 1 << 8, 1 << 9, 1 << 10
"""Flags of a line, of which any number may be joined: GPIO_V2_LINE_FLAG_* in linux/gpio.h."""

_USED = 1 << 0
_OUTPUT_VALUES = 2  # GPIO_V2_LINE_ATTR_ID_OUTPUT_VALUES

_CHIP_INFO = struct.Struct("=32s32sI")
"""struct gpiochip_info: name, label, number of lines."""
_LINE_INFO = struct.Struct("=32s32sIIQ160x16x")
"""struct gpio_v2_line_info: name, user, number, number of attributes, flags, attributes, padding."""
_CONFIG = struct.Struct("=QI20xI4xQQ216x")
"""struct gpio_v2_line_config with room for one attribute: flags, number of attributes, then the first one."""
_REQUEST = struct.Struct("=64I32s272sII20xi")
"""struct gpio_v2_line_request: lines, user, configuration, number of lines, buffer of edges, file."""


def _call(number: int, size: int, *, reads: bool = True, writes: bool = True) -> int:
    """Return the number of a call on a GPIO chip, as _IOR and _IOWR of linux/ioctl.h make it."""
    return reads << 31 | writes << 30 | size << 16 | 0xB4 << 8 | number


_GET_CHIP_INFO = _call(0x01, _CHIP_INFO.size, writes=False)
_GET_LINE_INFO = _call(0x05, _LINE_INFO.size)
_GET_LINES = _call(0x07, _REQUEST.size)
_SET_CONFIG = _call(0x0D, _CONFIG.size)
_GET_VALUES, _SET_VALUES = _call(0x0E, 16), _call(0x0F, 16)


@frozen
class LineInfo:
    """The kernel's record of a line: whether a program or a driver holds it, and the name that one gave."""

    is_used: bool
    user: str
    is_output: bool


class GpioChip:
    """A chip, open until `close`. Tests pass their own `ioctl`."""

    def __init__(self, device: Path, *, ioctl: Callable[..., Any] = fcntl.ioctl) -> None:
        """Open `device` and read its label and number of lines."""
        self._ioctl = ioctl
        self._file = os.open(device, os.O_RDWR | os.O_CLOEXEC)
        try:
            info = bytearray(_CHIP_INFO.size)
            ioctl(self._file, _GET_CHIP_INFO, info)
        except BaseException:
            self.close()
            raise
        _, label, self.lines = _CHIP_INFO.unpack(info)
        self.label = _text(label)

    def line(self, number: Gpio) -> LineInfo:
        """Return who holds a line."""
        info = bytearray(_LINE_INFO.pack(b"", b"", number, 0, 0))
        self._ioctl(self._file, _GET_LINE_INFO, info)
        _, user, _, _, flags = _LINE_INFO.unpack(info)
        return LineInfo(bool(flags & _USED), _text(user), bool(flags & OUTPUT))

    def request(self, lines: Sequence[Gpio], flags: int, levels: int = 0) -> LineRequest:
        """Take up to 64 lines, all with the same flags; outputs begin at `levels`, one bit each."""
        numbers = [*lines, *[0] * (64 - len(lines))]
        config = _config(flags, levels if flags & OUTPUT else None, len(lines))
        request = bytearray(_REQUEST.pack(*numbers, CONSUMER.encode(), config, len(lines), 0, 0))
        self._ioctl(self._file, _GET_LINES, request)
        return LineRequest(_REQUEST.unpack(request)[-1], len(lines), self._ioctl)

    def close(self) -> None:
        """Close the chip, which releases no line; may be called twice."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def __enter__(self) -> GpioChip:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class LineRequest:
    """Lines that belong to this program, read or written together: the first one is bit 0."""

    def __init__(self, file: int, count: int, ioctl: Callable[..., Any]) -> None:
        self._file = file
        self._ioctl = ioctl
        self._count = count
        # struct gpio_v2_line_values, with all lines in its mask: used again for each call.
        self._values = array("Q", [0, (1 << count) - 1])

    def read(self) -> int:
        """Return the levels of the lines."""
        self._ioctl(self._file, _GET_VALUES, self._values)
        return self._values[0]

    def write(self, levels: int) -> None:
        """Drive the lines to these levels."""
        self._values[0] = levels
        self._ioctl(self._file, _SET_VALUES, self._values)

    def release(self) -> None:
        """Make the lines inputs without a pull and release them; may be called twice."""
        if self._file < 0:
            return
        file, self._file = self._file, -1
        try:
            self._ioctl(file, _SET_CONFIG, _config(INPUT | NO_PULL, None, self._count))
        finally:
            os.close(file)


def _config(flags: int, levels: int | None, count: int) -> bytes:
    """Return the configuration of lines, of which outputs have levels."""
    if levels is None:
        return _CONFIG.pack(flags, 0, 0, 0, 0)
    return _CONFIG.pack(flags, 1, _OUTPUT_VALUES, levels, (1 << count) - 1)


def _text(name: bytes) -> str:
    return name.partition(b"\0")[0].decode(errors="replace")
